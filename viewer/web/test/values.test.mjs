import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Copy } from "../src/copy.js";
import { fill, isFor, offsetOf, sinks } from "../src/values.js";

// values.json is what the server says: TestTheOtherTexts of skills/ui writes it.
const samples = JSON.parse(await readFile(new URL("values.json", import.meta.url), "utf8"));

test("texts show the values that the server has them show", () => {
  assert.ok(samples.length > 4);
  for (const { step, text, of, says, tables, entity, others } of samples) {
    const copy = new Copy();
    const world = Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, JSON.parse(rows)]));
    copy.apply("state/snapshot", { tick: 1, step, epoch: "e", tables: Object.keys(tables), entities: [entity, ...(others ?? [])], world });
    assert.equal(fill(text, copy, of, step), says);
  }
});

test("characters fall by the gravity of the world", () => {
  for (const [down, part] of [[undefined, 1], [null, 1], [9.81, 1], [1.62, 1.62 / 9.81], [0, 0.1]]) assert.equal(sinks(down), part);
});

test("a panel for who plays an entity is on his screen alone", () => {
  const copy = new Copy();
  const entities = [{ id: "ent_1", eid: 1, agent: "ann" }, { id: "ent_2", eid: 2, "player.owner": "bob" }, { id: "ent_3", eid: 3 }];
  copy.apply("state/snapshot", { tick: 1, step: 1, epoch: "e", tables: [], entities, world: {} });
  const who = (entity) => ["ann", "bob", "viewer"].filter((agent) => isFor({ anchor: { kind: "screen", entity } }, copy, agent));
  assert.deepEqual(who(undefined), ["ann", "bob", "viewer"]);
  assert.deepEqual(who("ent_1"), ["ann"]);
  assert.deepEqual(who("ent_2"), ["bob"]);
  assert.deepEqual(who("ent_3"), []);
  assert.deepEqual(who("ent_4"), [], "one that is not told");
});

test("the offset of a panel turns with its entity about the vertical, if its axes are that's", () => {
  const quarter = [0, Math.SQRT1_2, 0, Math.SQRT1_2]; // from +z to +x
  const near = (got, want) => got.forEach((x, i) => assert.ok(Math.abs(x - want[i]) < 1e-9, `${got}, want ${want}`));
  near(offsetOf({ offset: [1, 2, 3], axes: "entity" }, quarter), [3, 2, -1]);
  near(offsetOf({ offset: [1, 2, 3], axes: "world" }, quarter), [1, 2, 3]);
  near(offsetOf({ offset: [1, 2, 3] }, quarter), [1, 2, 3]);
  near(offsetOf({ axes: "entity" }, quarter), [0, 0, 0]);
  const lies = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]; // its front down
  near(offsetOf({ offset: [1, 2, 3], axes: "entity" }, lies), [1, 2, 3]);
  near(offsetOf({ offset: [0, 2, 0], axes: "entity" }, [0.5, 0.5, 0.5, 0.5]), [0, 2, 0]);
});
