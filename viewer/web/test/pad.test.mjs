import assert from "node:assert/strict";
import { test } from "node:test";
import { Pad } from "../src/pad.js";

test("buttons are told as they go down, sticks near their middle are there", () => {
  const at = (axes, ...down) => ({ connected: true, axes, buttons: Array.from({ length: 12 }, (_, i) => ({ value: Number(down.includes(i)) })) });
  let pads = [null];
  const pad = new Pad(() => pads);
  assert.deepEqual(pad.look(), []);
  assert.equal(pad.axis(0), 0);
  assert.equal(pad.amount("GamepadButton3"), 0);
  pads = [null, { ...at([]), connected: false }, at([0.1, -0.8], 0, 7)];
  assert.deepEqual(pad.look(), [0, 7]);
  assert.deepEqual(pad.look(), []);
  assert.deepEqual([0, 1, 2].map((n) => pad.axis(n)), [0, -0.8, 0]);
  assert.deepEqual(["GamepadAxis1", "GamepadButton7", "GamepadButton1", "KeyW"].map((source) => pad.amount(source)), [-0.8, 1, 0, 0]);
  pads = [at([], 7, 2)];
  assert.deepEqual(pad.look(), [2]);
});
