import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Copy } from "../src/copy.js";
import { fill } from "../src/values.js";

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
