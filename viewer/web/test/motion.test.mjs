import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../src/clock.js";
import { Motion } from "../src/motion.js";

const pose = (x, turn = 0) => ({ pos: [x, 0, 0], rot: [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)] });

test("what is told of again and again goes evenly", () => {
  const motion = new Motion();
  assert.ok(motion.told("a", pose(0), pose(0.1), 1000));
  for (let i = 1; i < 20; i++) {
    const now = 1000 + 50 * i;
    const before = motion.at("a", now).pos[0];
    assert.ok(motion.told("a", pose(0.1 * i), pose(0.1 * (i + 1)), now));
    assert.ok(Math.abs(motion.at("a", now).pos[0] - before) < 1e-9, "it jumps");
    if (i > 3) assert.ok(Math.abs(motion.at("a", now + 25).pos[0] - 0.1 * (i + 0.5)) < 0.02, `${motion.at("a", now + 25).pos[0]} of ${0.1 * i}`);
  }
});

test("what is put elsewhere is there at once", () => {
  const motion = new Motion();
  assert.equal(motion.told("a", pose(0), pose(50), 0), false);
  assert.equal(motion.at("a", 10), undefined);
  assert.ok(motion.told("b", pose(0), pose(1), 0));
  assert.equal(motion.told("b", pose(1), pose(50), 20), false);
  assert.equal(motion.at("b", 20), undefined);
});

test("what is told of for another reason goes on as it does", () => {
  const motion = new Motion();
  assert.equal(motion.told("a", pose(1), pose(1), 0), false);
  motion.told("a", pose(0), pose(1), 0);
  assert.ok(motion.told("a", pose(1), pose(1), 50));
  assert.equal(motion.at("a", 75).pos[0], 0.75);
});

test("what turns goes the short way", () => {
  const motion = new Motion();
  const to = pose(0, 0.4);
  assert.ok(motion.told("a", pose(0), { pos: to.pos, rot: to.rot.map((x) => -x) }, 0));
  const [, y, , w] = motion.at("a", 50).rot;
  assert.ok(Math.abs(2 * Math.atan2(y, w) - 0.2) < 1e-3, `${y} ${w}`);
});

test("what has arrived is shown there, and forgotten later", () => {
  const motion = new Motion();
  motion.told("a", pose(0), pose(1), 0);
  const shown = [];
  const step = (now) => motion.step(now, (id) => shown.push(id + motion.at(id, now).pos[0]));
  assert.deepEqual([step(50), step(150), step(200)], [true, true, false]);
  assert.deepEqual(shown, ["a0.5", "a1"]);
  assert.ok(motion.still);
  step(2000);
  assert.equal(motion.going.size, 0);
});

test("a clock goes on by itself, and comes to what it is told", () => {
  const clock = new Clock();
  clock.told(600, 1, 1000);
  assert.equal(clock.at(2000), 660);
  clock.told(665, 1, 2000); // five steps ahead
  assert.equal(clock.at(2000), 661);
  clock.told(9000, 0.5, 3000);
  assert.deepEqual([clock.at(3000), clock.at(4000)], [9000, 9030]);
  clock.told(9030, 0, 4000);
  assert.equal(clock.at(9000), 9030);
});
