import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { aim, Rider, tremor } from "../src/rig.js";

// rig.json is what the server says: TestTheOtherRules of skills/camera writes it.
const samples = JSON.parse(await readFile(new URL("rig.json", import.meta.url), "utf8"));

test("cameras are where the server has them", () => {
  assert.equal(samples.length, 5);
  for (const { rig, entity, step, position, lookAt, fov } of samples) {
    const got = aim(rig, entity, step);
    assert.ok(got);
    assert.ok(Math.abs(got.fov - fov) < 1e-9, `${rig.kind}: ${got.fov}, want ${fov}`);
    for (let i = 0; i < 3; i++) {
      assert.ok(Math.abs(got.position[i] - position[i]) < 1e-9, `${rig.kind} is at ${got.position}, want ${position}`);
      assert.ok(Math.abs(got.lookAt[i] - lookAt[i]) < 1e-9, `${rig.kind} looks at ${got.lookAt}, want ${lookAt}`);
    }
  }
});

test("a camera without its target is nowhere", () => {
  for (const { rig, step } of samples) assert.equal(aim(rig, undefined, step) === undefined, rig.kind !== "free");
});

test("a camera shakes as long as it is to, less and less", () => {
  const rig = { kind: "free", cut: 0, fov: { to: 60 }, shake: { amplitude: 2, frequency: 7, fade: true, start: 10, steps: 60 } };
  assert.deepEqual([tremor(rig, 9), tremor(rig, 70)], [[0, 0, 0], [0, 0, 0]]);
  let early = 0;
  let late = 0;
  for (let step = 10; step < 70; step++) {
    const by = Math.max(...tremor(rig, step).map(Math.abs));
    if (step < 30) early = Math.max(early, by);
    if (step >= 50) late = Math.max(late, by);
  }
  assert.ok(early > 1 && early <= 2 && late > 0 && late < 0.8, `${early} ${late}`);
});

test("a rider comes behind, and jumps at a cut", () => {
  const rider = new Rider();
  const rig = { kind: "follow", target: "ent_0", cut: 0, fov: { to: 60 }, smoothness: 0.5 };
  const to = (x) => ({ position: [x, 0, 0], lookAt: [x, 0, -1], fov: 60 });
  assert.equal(rider.step(rig, to(1), 0.1).position[0], 1);
  const x = rider.step(rig, to(2), 0.1).position[0];
  assert.ok(x > 1.1 && x < 1.3, `${x}`);
  for (let i = 0; i < 100; i++) rider.step(rig, to(2), 0.1);
  assert.ok(Math.abs(rider.step(rig, to(2), 0.1).position[0] - 2) < 1e-6);
  assert.equal(rider.step({ ...rig, cut: 5 }, to(9), 0.1).position[0], 9);
  assert.equal(rider.step({ ...rig, smoothness: 0, cut: 5 }, to(7), 0.1).position[0], 7);
});
