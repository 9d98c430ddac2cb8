import assert from "node:assert/strict";
import { test } from "node:test";
import { Near } from "../src/near.js";

const body = { height: 1.7, radius: 0.35 };
const [lo, hi] = [[-50, -50, -50], [50, 50, 50]];
const corners = [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].map((z) => [x, y, z]))).flat();
const faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);

/** Boxes: where the middle of each is, how large it is, and by how much it is turned about y, and tilted about x. */
function boxes(...all) {
  const near = new Near();
  for (const { at, size, turn = 0, tilt = 0 } of all) {
    const [s, c, st, ct] = [Math.sin(turn), Math.cos(turn), Math.sin(tilt), Math.cos(tilt)];
    const axes = [[c, 0, -s], [s * st, ct, c * st], [s * ct, -st, c * ct]];
    near.add(corners, faces, [...axes.flatMap((axis, i) => [...axis.map((x) => x * size[i]), 0]), ...at, 1], lo, hi);
  }
  return near;
}

/** Walks in short steps, and returns where that leads. */
function walk(near, from, way, far) {
  const at = [...from];
  const long = Math.hypot(...way);
  for (let gone = 0; gone < far; gone += 0.1) {
    const [x, z] = near.go(at, (0.1 * way[0]) / long, (0.1 * way[1]) / long, body);
    assert.ok(Math.hypot(x, z) < 0.1 + 1e-9, "walls do not push");
    [at[0], at[2]] = [at[0] + x, at[2] + z];
  }
  return at;
}

test("a wall stops who goes straight at it, and who goes along it goes on", () => {
  for (const turn of [0, 0.4, 1, 2.5]) {
    const near = boxes({ at: [0, 1.5, 0], size: [40, 3, 0.3], turn });
    const [s, c] = [Math.sin(turn), Math.cos(turn)];
    const across = ([x, , z]) => x * s + z * c;
    const along = ([x, , z]) => x * c - z * s;
    const from = [-3 * s, 0, -3 * c];
    assert.ok(Math.abs(across(walk(near, from, [s, c], 6)) + 0.15 + 1.05 * 0.35) < 0.01, `turned by ${turn}`);
    const slid = walk(near, from, [s + c, c - s], 9);
    assert.ok(across(slid) < -0.5 && along(slid) > 6, `${across(slid)} ${along(slid)}`);
  }
});

test("a corner stops, a gap that is wide enough does not", () => {
  const corner = boxes({ at: [0, 1, 2], size: [8, 2, 0.2] }, { at: [2, 1, 0], size: [0.2, 2, 8] });
  const [x, , z] = walk(corner, [0, 0, 0], [1, 1], 10);
  assert.ok(x < 1.6 && z < 1.6 && x > 1.3 && z > 1.3, `${x} ${z}`);
  for (const [wide, through] of [[1, true], [0.6, false]]) {
    const near = boxes({ at: [5 + wide / 2, 1, 2], size: [10, 2, 0.2] }, { at: [-5 - wide / 2, 1, 2], size: [10, 2, 0.2] });
    assert.equal(walk(near, [0, 0, 0], [0, 1], 5)[2] > 4, through);
  }
});

test("what is over his head, or no higher than a step, is not in the way", () => {
  assert.ok(walk(boxes({ at: [0, 2.3, 2], size: [8, 1, 1] }), [0, 0, 0], [0, 1], 5)[2] > 4);
  assert.ok(walk(boxes({ at: [0, 0.2, 2], size: [8, 0.4, 1] }), [0, 0, 0], [0, 1], 5)[2] > 4);
  assert.ok(walk(boxes({ at: [0, 2, 2], size: [8, 1, 1] }), [0, 0, 0], [0, 1], 5)[2] < 2);
  assert.ok(walk(boxes({ at: [0, 0.3, 2], size: [8, 0.6, 1] }), [0, 0, 0], [0, 1], 5)[2] < 2);
});

test("the ground is what is highest under him and no higher than a step, also a little ahead; what is steep is none", () => {
  const near = boxes({ at: [0, -0.1, 0], size: [40, 0.2, 40] }, { at: [0, 0.15, 3], size: [2, 0.3, 2] }, { at: [0, 3, 0], size: [4, 0.2, 4] });
  assert.ok(Math.abs(near.floor([0, 0, 0], 0, 0, 0.35)) < 1e-9);
  assert.ok(Math.abs(near.floor([0, 0, 1.8], 0, 1, 0.35) - 0.3) < 1e-9);
  assert.ok(Math.abs(near.floor([0, 0, 1.8], 0, -1, 0.35)) < 1e-9);
  assert.ok(Math.abs(near.floor([0, 2.9, 0], 0, 1, 0.35) - 3.1) < 1e-9);
  assert.equal(near.floor([30, 0, 0], 0, 0, 0.35), undefined);
  const ramp = boxes({ at: [0, 0, 0], size: [4, 0.2, 20], tilt: -0.5 });
  const up = ramp.floor([0, 0.3, 1], 0, 0, 0.35) - ramp.floor([0, 0.3, 0], 0, 0, 0.35);
  assert.ok(Math.abs(up - Math.tan(0.5)) < 1e-6, `${up}`);
  assert.equal(boxes({ at: [0, 0, 0], size: [4, 0.2, 20], tilt: -1.2 }).floor([0, 0.3, 0], 0, 0, 0.35), undefined);
});

test("only what comes into the box is kept, and no more than there is room for", () => {
  const near = new Near();
  near.add(corners, faces, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 100, 0, 0, 1], lo, hi);
  assert.equal(near.count, 0);
  for (let i = 0; i < 1000; i++) near.add(corners, undefined, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], lo, hi);
  for (let i = 0; i < 1000; i++) near.add(corners, faces, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], lo, hi);
  assert.equal(near.count, 6000);
});
