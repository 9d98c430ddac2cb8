import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { burns, particles } from "../src/flow.js";

const origin = { pos: [0, 0, 0], rot: [0, 0, 0, 1] };
const close = (a, b) => Math.abs(a - b) <= 1e-9 * (1 + Math.abs(b));

// flow.json is what the server says: TestTheOtherFormula of skills/vfx writes it.
const samples = JSON.parse(await readFile(new URL("flow.json", import.meta.url), "utf8"));

test("particles are where the server has them", () => {
  assert.ok(samples.length > 0);
  for (const { rows, step, particles: want } of samples) {
    const got = [];
    for (const [id, row] of Object.entries(rows)) {
      const n = particles(Number(id.slice(4)), row, origin, step, (x, y, z, size, color) => got.push([x, y, z, size, ...color]));
      assert.equal(burns(row, step), n > 0 || row.playing === true);
    }
    assert.equal(got.length, want?.length ?? 0);
    got.forEach((p, i) => p.forEach((x, j) => assert.ok(close(x, want[i][j]), `step ${step}, particle ${i}: ${p}, want ${want[i]}`)));
  }
});

test("particles go with what they are attached to", () => {
  const [{ rows, step }] = samples;
  const row = { ...rows.vfx_0, position: [0, 2, 0], gravity: 0, shape: "point", spread: 0, startSpeed: 0 };
  particles(0, row, { pos: [5, 0, 0], rot: [0, 0, -Math.SQRT1_2, Math.SQRT1_2] }, step, (x, y, z) => {
    assert.ok(close(x, 7) && close(y, 0) && close(z, 0), `${x} ${y} ${z}`);
  });
});
