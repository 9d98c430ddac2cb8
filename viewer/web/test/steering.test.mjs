import assert from "node:assert/strict";
import { test } from "node:test";
import { moveOf, Steering } from "../src/steering.js";

const still = { ahead: 0, right: 0, run: false, eyes: false };
const ahead = { ...still, ahead: 1 };

test("a character turns to where it goes, or walks sideways where one looks through its eyes", () => {
  const close = (a, b) => assert.ok(Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b))) < 1e-9, `${a} is not ${b}`);
  assert.equal(moveOf(still, 1), undefined);
  close(moveOf(ahead, 1).yaw, 1);
  close(moveOf({ ...still, ahead: -1 }, 1).yaw, 1 + Math.PI);
  close(moveOf({ ...still, right: 1 }, 0).yaw, -Math.PI / 2); // who looks along +z has -x to his right
  close(moveOf({ ...still, ahead: 1, right: -1 }, 0).yaw, Math.PI / 4);
  assert.equal(moveOf({ ...still, ahead: 1, right: -1 }, 0).forward, 1);
  assert.equal(moveOf({ ...still, ahead: 0.33, right: 0.4 }, 0).forward, 0.5); // a stick
  assert.equal(moveOf({ ...still, right: 0.01 }, 0).forward, 0.1);
  assert.deepEqual(moveOf({ ahead: 0.48, right: -0.02, run: false, eyes: true }, 0.5), { forward: 0.5, strafe: 0, yaw: 0.5, run: false, seconds: 0.5 });
  assert.deepEqual(moveOf({ ahead: -1, right: 1, run: true, eyes: true }, 0.5), { forward: -1, strafe: 1, yaw: 0.5, run: true, seconds: 0.5 });
});

test("what is wanted is said at once, again while it goes on, and not more often than answers come", async () => {
  const sent = [];
  const answers = [];
  const s = new Steering((move) => {
    sent.push(move);
    return new Promise((resolve) => answers.push(resolve));
  });
  s.reset(0.3);
  s.steer(still, 2, 0);
  assert.equal(sent.length, 0); // standing is no news, nor where somebody else's camera looks
  s.steer(ahead, 2, 10);
  assert.deepEqual(sent, [{ forward: 1, yaw: 2, run: false, seconds: 0.5 }]);
  s.steer(ahead, 2.5, 30); // too soon
  s.steer(ahead, 2.5, 70);
  s.steer(ahead, 2.501, 150); // no other direction
  assert.equal(sent.length, 2);
  s.steer(ahead, 2.501, 230);
  assert.equal(sent.length, 3);
  s.steer({ ...ahead, run: true }, 2.501, 290);
  assert.equal(sent.length, 4);
  s.steer(still, 1, 400); // four are open
  assert.equal(sent.length, 4);
  answers[0]();
  await Promise.resolve();
  s.steer(still, 1, 410);
  assert.deepEqual(sent[4], { forward: 0, yaw: 2.501 });
  s.steer(still, 1, 9000);
  assert.equal(sent.length, 5);
  answers.forEach((answer) => answer());
  await Promise.resolve();
  s.jump();
  s.steer(still, 1, 9001);
  assert.deepEqual(sent[5], { forward: 0, yaw: 2.501, jump: true });
  s.steer({ ...still, eyes: true }, 1, 9100);
  assert.deepEqual(sent[6], { forward: 0, yaw: 1 });
  s.steer({ ...still, eyes: true }, 1, 9300);
  assert.equal(sent.length, 7);
});

test("a call that fails is an answer", async () => {
  let calls = 0;
  const s = new Steering(() => (calls++, Promise.reject(new Error("no"))));
  for (let now = 0; now < 2000; now += 200) {
    s.steer(ahead, 0, now);
    await Promise.resolve();
    await Promise.resolve();
  }
  assert.equal(calls, 10);
});
