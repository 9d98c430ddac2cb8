import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { airOf } from "../src/weather.js";

test("weather is what it is in pictures", async () => {
  const source = await readFile(new URL("../../../render/weather.go", import.meta.url), "utf8");
  let kinds = 0;
  for (const [, kind, ...words] of source.matchAll(/\t(Rain|Storm|Snow|Fog): +\{rgb\{(.*?)\}, rgb\{(.*?)\}, (.*?)\}/g)) {
    kinds++;
    const [sky, horizon, [cover, bright, sight]] = words.map((list) => list.split(", ").map(Number));
    const got = airOf({ kind: kind.toLowerCase(), intensity: 0.5 });
    assert.deepEqual([got.strength, got.cover, got.bright, got.sight], [0.5, cover, bright, sight], kind);
    assert.deepEqual([got.sky.toArray(), got.horizon.toArray()], [sky, horizon], kind);
  }
  assert.equal(kinds, 4);
});

test("a weather that nobody knows is a clear day", () => {
  for (const weather of [undefined, { kind: "clear", intensity: 1 }, { kind: "custom", intensity: 1 }, { kind: "toString", intensity: 1 }]) {
    const { strength, sight } = airOf(weather);
    assert.deepEqual([strength, sight], [0, 1]);
  }
});
