import assert from "node:assert/strict";
import { test } from "node:test";
import { Area, most } from "../src/area.js";

test("of a small world the whole is asked for, and of one that has become large a part", () => {
  const area = new Area(most / 2);
  assert.equal(area.declared, undefined);
  assert.equal(area.next([500, 0, 0], 10, most), undefined);
  assert.deepEqual(area.next([500, 0, 0], 10, most + 1), { center: [500, 0, 0], radius: 200 });
  assert.deepEqual(area.declared, { center: [500, 0, 0], radius: 200 });
});

test("the area of a large world moves with the camera, by a quarter of it at once", () => {
  const area = new Area(1_000_000);
  assert.deepEqual(area.declared, { center: [0, 0, 0], radius: 200 });
  assert.equal(area.next([49, 0, 0], 10, most / 2), undefined);
  assert.deepEqual(area.next([50, 0, 0], 10, most / 2), { center: [50, 0, 0], radius: 200 });
  assert.equal(area.next([50, 0, 0], 10, most / 2), undefined);
});

test("where the server has too much to tell less is asked for", () => {
  const area = new Area(10);
  assert.deepEqual(area.less([1, 2, 3]), { center: [1, 2, 3], radius: 200 });
  assert.deepEqual(area.less([1, 2, 3]), { center: [1, 2, 3], radius: 100 });
  assert.equal(area.next([1, 2, 3], 10, most / 2), undefined);
});

test("it shrinks while too much is in it, and grows where little is and one sees far", () => {
  const area = new Area(1_000_000);
  assert.equal(area.next([0, 0, 0], 10, most + 1)?.radius, 100);
  assert.equal(area.next([0, 0, 0], 10, 10), undefined);
  assert.equal(area.next([0, 0, 0], 1000, 10)?.radius, 200);
  for (let i = 0; i < 50; i++) area.next([0, 0, 0], 1, most + 1);
  assert.ok(area.radius >= 5);
  for (let i = 0; i < 50; i++) area.next([0, 0, 0], 1e9, 0);
  assert.ok(area.radius <= 40_000);
});
