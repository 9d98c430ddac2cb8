import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Gait, isFigure, parts, tint } from "../src/figure.js";

// figure.json is what pictures have: TestTheOtherRules of skills/picture writes it.
const samples = JSON.parse(await readFile(new URL("figure.json", import.meta.url), "utf8"));

test("figures consist of what they do in pictures", () => {
  assert.equal(samples.length, 6);
  for (const { pose, size, id, color, parts: want } of samples) {
    const got = parts(pose, size);
    assert.equal(got.length, want.length);
    for (const [i, part] of got.entries()) {
      assert.equal(part.round, want[i].round, `part ${i}`);
      assert.equal(tint(part.tone, id, color), want[i].color, `colour of part ${i}`);
      for (const key of ["pos", "rot", "size"]) {
        const off = Math.max(...part[key].map((x, k) => Math.abs(x - want[i][key][k])));
        assert.ok(off < 1e-9, `${key} of part ${i}: ${part[key]}, want ${want[i][key]}`);
      }
    }
  }
});

test("who is a figure: characters, bodies of agents and statues", () => {
  const shape = { kind: "capsule", size: [0.7, 1.7, 0.7], color: 0 };
  const of = (more) => isFigure({ shape, ...more });
  assert.deepEqual([of({}), of({ character: {} }), of({ agent: "ann" })], [false, true, true]);
  assert.deepEqual([of({ shape: { ...shape, kind: "figure" } }), of({ shape: { ...shape, kind: "box" }, agent: "ann" }), isFigure({ agent: "ann" })], [true, false, false]);
});

test("who walks moves his legs by the way he goes, and comes to a stand", () => {
  const gait = new Gait([0, 0, 0]);
  for (let i = 1; i <= 60; i++) assert.equal(gait.step([0, 0, i * 0.05], [0, 0, 0, 1], 1 / 60), true);
  assert.ok(Math.abs(gait.speed - 3) < 0.05, `he walks at ${gait.speed} m/s, want 3`);
  assert.ok(gait.stride > 0);
  const forth = gait.stride;
  gait.step([0, 0, 2.9], [0, 0, 0, 1], 1 / 60);
  assert.ok(gait.stride < forth, "backwards his legs go back");
  let frames = 0;
  while (gait.step([0, 0, 2.9], [0, 0, 0, 1], 1 / 60)) assert.ok(++frames < 120, "he never stands");
  assert.equal(gait.speed, 0);
  const { stride } = gait;
  gait.step([50, 0, 50], [0, 0, 0, 1], 1 / 60);
  assert.deepEqual([gait.speed, gait.stride], [0, stride], "he was put elsewhere");
});
