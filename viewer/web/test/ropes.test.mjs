import assert from "node:assert/strict";
import { test } from "node:test";
import { Copy } from "../src/copy.js";
import { Ropes, ends } from "../src/ropes.js";

const half = Math.SQRT1_2;

/** A lamp that hangs by a joint on a beam, which is turned by a quarter about y and twice as long. */
function hall(joint) {
  const copy = new Copy();
  const beam = { id: "ent_0", eid: 0, pos: [0, 5, 0], rot: [0, half, 0, half], scale: [2, 1, 1] };
  const lamp = { id: "ent_1", eid: 1, pos: [0, 3, -2], rot: [0, 0, 0, 1], scale: [1, 1, 1], parent: "ent_0", joint };
  copy.entities.set(beam.id, beam);
  copy.entities.set(lamp.id, lamp);
  return { copy, lamp, pose: (id) => copy.entities.get(id) };
}

const near = (v, want) => assert.ok(v.toArray().every((x, i) => Math.abs(x - want[i]) < 1e-9), `${v.toArray()}, want ${want}`);

test("a rope goes from what it hangs on to who hangs", () => {
  for (const joint of [{ kind: "rope", to: "ent_0", at: [0, 0.5, 0], on: [1, 0, 0] }, { kind: "spring", at: [0, 0.5, 0], on: [1, 0, 0] }]) {
    const { copy, lamp, pose } = hall(joint);
    const [on, at] = ends(lamp, copy, pose);
    near(on, [0, 5, -2]);
    near(at, [0, 3.5, -2]);
  }
});

test("what hangs in the world hangs at a place in the world", () => {
  const { copy, lamp, pose } = hall({ kind: "rope", at: [0, 0, 0], on: [7, 8, 9] });
  delete lamp.parent;
  near(ends(lamp, copy, pose)[0], [7, 8, 9]);
});

test("there is no rope for another joint, nor to what is not known", () => {
  const { copy, lamp, pose } = hall({ kind: "hinge", to: "ent_0", at: [0, 0, 0], on: [0, 0, 0] });
  assert.equal(ends(lamp, copy, pose), undefined);
  lamp.joint.kind = "rope";
  lamp.joint.to = "ent_9";
  assert.equal(ends(lamp, copy, pose), undefined);
});

test("ropes are drawn where they are, and go", () => {
  const { copy, lamp, pose } = hall({ kind: "rope", to: "ent_0", at: [0, 0, 0], on: [1, 0, 0] });
  const ropes = new Ropes({ add() {} }, copy, pose);
  ropes.told(lamp);
  ropes.place();
  const mesh = ropes.group.children[0];
  near(mesh.position, [0, 4, -2]);
  near(mesh.scale, [0.04, 2, 0.04]);
  lamp.joint.to = "ent_9";
  ropes.place();
  assert.equal(mesh.visible, false);
  delete lamp.joint;
  ropes.told(lamp);
  assert.equal(ropes.group.children.length, 0);
});
