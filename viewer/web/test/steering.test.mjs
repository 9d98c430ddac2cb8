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
  s.steer(ahead, 2.2, 30); // too soon
  s.steer(ahead, 2.2, 70);
  s.steer(ahead, 2.201, 150); // no other direction
  assert.equal(sent.length, 2);
  s.steer(ahead, 2.201, 230);
  assert.equal(sent.length, 3);
  s.steer({ ...ahead, run: true }, 2.201, 231); // what begins, ends or goes quite elsewhere does not wait
  s.steer({ ...ahead, run: true, right: 1 }, 2.201, 232);
  s.steer(still, 2.201, 233);
  s.steer(still, 2.201, 234);
  assert.deepEqual(sent.slice(3).map(({ forward, run }) => [forward, run]), [[1, true], [1, true], [0, undefined]]);
  const side = { ...still, eyes: true, right: 1 };
  s.steer(side, 2.201, 235);
  s.steer({ ...side, right: -1 }, 2.201, 236);
  assert.deepEqual(sent.slice(6).map(({ strafe }) => strafe), [1, -1]);
  for (let i = 0; i < 20; i++) s.steer(i % 2 ? ahead : still, 1, 300 + i);
  assert.equal(sent.length, 16); // so many are open
  answers[0]();
  await Promise.resolve();
  s.steer(still, 1, 410);
  assert.equal(sent.length, 17);
  assert.equal(sent[16].forward, 0);
  s.steer(still, 1, 9000);
  assert.equal(sent.length, 17);
  answers.forEach((answer) => answer());
  await Promise.resolve();
  s.jump();
  s.steer(still, 1, 9001);
  assert.deepEqual(sent[17], { forward: 0, yaw: sent[16].yaw, jump: true });
  s.steer({ ...still, eyes: true }, 0.5, 9100);
  assert.deepEqual(sent[18], { forward: 0, yaw: 0.5 });
  s.steer({ ...still, eyes: true }, 0.5, 9300);
  assert.equal(sent.length, 19);
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
