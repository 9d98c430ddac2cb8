import assert from "node:assert/strict";
import test from "node:test";
import { Quaternion } from "three";
import { banksOf, courseOf, coverOf, foamOf, ribbon } from "../src/water.js";

// TestBanks of package world has the same river.
test("the banks of a river are beside its line, and parallel to it in bends", () => {
  const banks = banksOf([[0, 5, 0], [10, 4, 0], [10, 2, 10]], 2);
  const want = [[[0, 5, -2], [0, 5, 2]], [[12, 4, -2], [8, 4, 2]], [[12, 2, 10], [8, 2, 10]]];
  for (const [i, pair] of want.entries()) {
    for (const [side, at] of pair.entries()) at.forEach((x, k) => assert.ok(Math.abs(banks[i][side][k] - x) < 1e-9, `point ${i}, side ${side}: ${banks[i][side]}`));
  }
});

test("a river lies where its entity is, turned and scaled with it", () => {
  const turned = new Quaternion(0, Math.SQRT1_2, 0, Math.SQRT1_2); // a quarter, from +z to +x
  const entity = { id: "ent_0", eid: 0, pos: [100, 1, 0], rot: turned.toArray(), scale: [2, 3, 2], water: { size: 4, color: 0, line: [[0, 0, 0], [0, -1, 10]] } };
  const { line, half } = courseOf(entity, turned);
  assert.equal(half, 4);
  for (const [i, at] of [[100, 1, 0], [120, -2, 0]].entries()) at.forEach((x, k) => assert.ok(Math.abs(line[i][k] - x) < 1e-6, `point ${i}: ${line[i]}`));
});

test("what falls is white, what lies is not, and its surface faces up", () => {
  assert.equal(foamOf(0), 0);
  assert.equal(foamOf(0.7), 1);
  const g = ribbon(banksOf([[0, 0, 0], [0, 0, -10], [0, -10, -16], [0, -20, -22]], 1), 0x000000);
  assert.equal(g.getAttribute("color").getX(0), 0);
  assert.equal(g.getAttribute("color").getX(7), 0.5);
  assert.equal(g.getAttribute("normal").getY(0), 1);
  assert.ok(g.getAttribute("normal").getY(7) > 0);
});

test("what lies in a river knows how far along and across it is, and which way that is", () => {
  const course = ribbon(banksOf([[0, 5, 0], [0, 5, -10], [6, 5, -18]], 1), 0).getAttribute("course");
  const at = (i) => [course.getX(i), course.getY(i), course.getZ(i), course.getW(i)].map((x) => Math.round(x * 1e5) / 1e5 + 0);
  assert.deepEqual(at(0), [0, -1, 0, -1]);
  assert.deepEqual(at(1), [0, 1, 0, -1]);
  assert.deepEqual(at(4), [20, -1, 0.6, -0.8]);
});

test("water that gives off light hides what is below it", () => {
  for (const [emissive, cover] of [[0, 0.72], [0x400000, 0.72], [0xff5500, 1], [0x00cc00, 0.8], [0x0000e6, 230 / 255]]) assert.equal(coverOf(emissive), cover);
});
