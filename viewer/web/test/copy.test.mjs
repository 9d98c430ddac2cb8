import assert from "node:assert/strict";
import { test } from "node:test";
import { Copy } from "../src/copy.js";

const entity = (n, x = 0) => ({ id: `ent_${n}`, eid: n, pos: [x, 0, 0], rot: [0, 0, 0, 1], scale: [1, 1, 1] });

const snapshot = {
  tick: 7, step: 60, entities: [entity(0), entity(1)], aoi: {}, epoch: "e1",
  world: { time: { hour: 12 }, "ui.panels": { ui_0: { text: "a" }, ui_1: { text: "b" } } }, tables: ["ui.panels", "audio.beds"],
};

test("a copy is what its messages say", () => {
  const copy = new Copy();
  const first = copy.apply("state/snapshot", snapshot);
  assert.deepEqual([first.whole, first.moved, first.changes.length], [true, true, 2]);
  assert.deepEqual([...copy.entities.keys()], ["ent_0", "ent_1"]);
  assert.deepEqual([copy.tick, copy.epoch, copy.world.get("time").hour], [7, "e1", 12]);

  const news = copy.apply("state/delta", {
    tick: 9, step: 61, causedBy: [4], changes: [entity(1, 5), entity(2)], removed: ["ent_0"],
    world: { time: { hour: 13 }, "ui.panels": { ui_0: null, ui_2: { text: "c" } } }, events: [{ kind: "social.said" }],
  });
  assert.deepEqual([news.whole, news.moved, news.removed, news.events.length], [false, false, ["ent_0"], 1]);
  assert.deepEqual([...copy.entities.keys()], ["ent_1", "ent_2"]);
  assert.equal(copy.entities.get("ent_1").pos[0], 5);
  assert.equal(copy.world.get("time").hour, 13);
  assert.deepEqual([...copy.rows("ui.panels").keys()], ["ui_1", "ui_2"]);
  assert.deepEqual([copy.rows("audio.beds").size, copy.rows("no such table").size], [0, 0]);
});

test("a table that comes as a whole replaces what there was", () => {
  const copy = new Copy();
  copy.apply("state/snapshot", snapshot);
  const news = copy.apply("state/delta", { tick: 8, step: 60, changes: [], removed: [], replaced: ["ui.panels"], world: { "ui.panels": { ui_9: {} } } });
  assert.deepEqual([...copy.rows("ui.panels").keys()], ["ui_9"]);
  assert.ok(news.world.includes("ui.panels"));
  copy.apply("state/delta", { tick: 9, step: 60, changes: [], removed: [], replaced: ["ui.panels"] });
  assert.equal(copy.rows("ui.panels").size, 0);
});

test("the area is that of the newest message which names one", () => {
  const copy = new Copy();
  copy.apply("state/snapshot", snapshot);
  const aoi = { center: [1, 2, 3], radius: 4 };
  assert.equal(copy.apply("state/delta", { tick: 8, step: 60, changes: [], removed: [], aoi }).moved, true);
  copy.apply("state/delta", { tick: 9, step: 60, changes: [], removed: [] });
  assert.deepEqual(copy.aoi, aoi);
});

test("a snapshot leaves nothing of what was before", () => {
  const copy = new Copy();
  copy.apply("state/snapshot", snapshot);
  copy.apply("state/snapshot", { tick: 1, step: 0, entities: [entity(5)], aoi: {}, world: {}, tables: [], epoch: "e2" });
  assert.deepEqual([...copy.entities.keys()], ["ent_5"]);
  assert.equal(copy.world.size, 0);
  assert.equal(copy.epoch, "e2");
});
