import assert from "node:assert/strict";
import { test } from "node:test";
import { make, read, shapeOf } from "../src/shapes.js";

const of = (kind, size = [1, 1, 1], more = {}) => shapeOf({ id: "ent_0", shape: { kind, size, color: 0 }, ...more });

test("shapes fill a cube of one metre, wherever it is cut", () => {
  for (const name of ["box", "sphere", "cylinder", "cone", "wedge", of("capsule", [0.6, 1.8, 0.6]).name]) {
    const g = make(name);
    g.computeBoundingBox();
    for (const axis of ["x", "y", "z"]) {
      assert.ok(Math.abs(g.boundingBox.min[axis] + 0.5) < 1e-3 && Math.abs(g.boundingBox.max[axis] - 0.5) < 1e-3, `${name} along ${axis}`);
    }
  }
});

test("a wedge falls from the upper edge at -z to the lower one at +z", () => {
  const p = make("wedge").getAttribute("position");
  for (let i = 0; i < p.count; i++) assert.ok(p.getY(i) + p.getZ(i) < 1e-6, `${p.getX(i)}, ${p.getY(i)}, ${p.getZ(i)}`);
});

test("capsules of one proportion have one geometry, with domes that are round", () => {
  assert.equal(of("capsule", [0.6, 1.8, 0.6]).name, of("capsule", [1.2, 3.6, 1.2]).name);
  assert.notEqual(of("capsule", [0.6, 1.8, 0.6]).name, of("capsule", [0.6, 1.2, 0.6]).name);
  const p = make(of("capsule", [0.6, 1.2, 0.6]).name).getAttribute("position");
  for (let i = 0; i < p.count; i++) {
    const [x, y, z] = [0.6 * p.getX(i), 1.2 * p.getY(i), 0.6 * p.getZ(i)];
    const up = Math.max(Math.abs(y) - 0.3, 0); // over the straight part
    assert.ok(Math.abs(Math.hypot(x, up, z) - 0.3) < 5e-3, `${x}, ${y}, ${z}`);
  }
});

test("what is not known is a box, and meshes and ground are asked for by what they are", () => {
  assert.deepEqual(of("dodecahedron"), { name: "box", ask: false, sized: true });
  assert.deepEqual(of("mesh", [1, 1, 1], { mesh: { asset: "mesh_1" } }), { name: "mesh_1", ask: true, sized: false });
  const a = of("terrain", [48, 5, 48], { ground: { tile: [0, 0] } });
  const b = of("terrain", [48, 5, 48], { ground: { tile: [0, 1] } });
  assert.ok(a.ask && a.name !== b.name);
});

const text = (list) => Buffer.from(list.buffer).toString("base64");

test("a geometry of the server's is read as it was written", () => {
  const told = { positions: text(new Float32Array([0, 0, 0, 2, 0, 0, 0, 0, 2])), triangles: text(new Uint32Array([0, 2, 1])) };
  const flat = read(told);
  assert.equal(flat.getAttribute("position").getX(2), 2);
  assert.equal(flat.getAttribute("normal").getY(0), 1);
  const full = read({ ...told, normals: text(new Int8Array([0, 127, 0, 127, 0, 0, 0, -127, 0])), colors: text(new Uint8Array([255, 0, 128, 0, 0, 0, 10, 11, 12])) });
  assert.equal(full.getAttribute("normal").getX(1), 1);
  assert.equal(full.getAttribute("normal").getY(2), -1);
  assert.deepEqual([full.getAttribute("color").getX(0), full.getAttribute("color").getY(0)], [1, 0]);
  assert.ok(Math.abs(full.getAttribute("color").getZ(0) - 0.2159) < 1e-3);
  assert.equal(full.getIndex().count, 3);
  for (const normals of [undefined, text(new Int8Array(9))]) {
    const laid = read({ ...told, normals, coords: text(new Float32Array([0, 0, 0.25, 0, 0, 1])) }).getAttribute("uv");
    assert.deepEqual([...laid.array], normals ? [0, 0, 0.25, 0, 0, 1] : [0, 0, 0, 1, 0.25, 0]); // flat faces have their corners to themselves
  }
});
