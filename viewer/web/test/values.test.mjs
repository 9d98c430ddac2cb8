import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Copy } from "../src/copy.js";
import { fill, isFor } from "../src/values.js";

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
