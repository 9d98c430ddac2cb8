import assert from "node:assert/strict";
import { test } from "node:test";
import { Touch } from "../src/touch.js";

function fingers() {
  const did = [];
  return { did, touch: new Touch({ turn: (x, y) => did.push(["turn", x, y]), zoom: (by) => did.push(["zoom", by]), tap: (x, y) => did.push(["tap", x, y]) }) };
}

test("the finger on the left walks, and runs where it is pushed far", () => {
  const { did, touch } = fingers();
  assert.deepEqual(touch.wish, { ahead: 0, right: 0, run: false });
  touch.down(1, 100, 500, 1000, 0);
  touch.move(1, 103, 500);
  assert.deepEqual(touch.wish, { ahead: 0, right: 0, run: false }); // a finger is never quite still
  touch.move(1, 100, 470);
  assert.deepEqual(touch.wish, { ahead: 0.5, right: 0, run: false });
  touch.move(1, 180, 500);
  assert.deepEqual(touch.wish, { ahead: 0, right: 1, run: false });
  touch.move(1, 100, 620);
  assert.deepEqual(touch.wish, { ahead: -1, right: 0, run: true });
  touch.up(1, 900);
  assert.equal(touch.stick, undefined);
  assert.deepEqual(did, []);
});

test("others look about, two come nearer, and a tap is a click, also beside the stick", () => {
  const { did, touch } = fingers();
  touch.down(1, 100, 500, 1000, 0);
  touch.move(1, 100, 400);
  touch.down(2, 700, 300, 1000, 10);
  touch.move(2, 705, 300); // not yet
  touch.move(2, 720, 310);
  assert.deepEqual(did.splice(0), [["turn", 15, 10]]);
  touch.down(3, 720, 410, 1000, 20);
  touch.move(3, 720, 460);
  assert.deepEqual(did.splice(0), [["zoom", -100]]);
  touch.up(3, 500);
  touch.up(2, 510);
  touch.down(4, 800, 200, 1000, 600);
  touch.up(4, 700);
  touch.down(5, 800, 200, 1000, 800);
  touch.up(5, 2000); // that was no tap
  touch.down(6, 200, 200, 1000, 2100); // the stick is held already
  touch.move(6, 230, 200);
  assert.deepEqual(did, [["tap", 800, 200], ["turn", 30, 0]]);
  touch.lost(6);
  touch.lost(1);
  assert.equal(touch.fingers.size, 0);
  touch.move(1, 0, 0);
  touch.up(1, 2200);
});
