// Builds a world of everything that can be exported, with the TypeScript SDK's client, and holds the
// GLB file against Khronos' glTF validator: no errors, no warnings. Then imports it again.
// Usage: node export.mjs LIMINA
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import validator from "gltf-validator";

const client = new Client({ name: "exporter", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.argv[2], args: ["--mcp-stdio"] }));
const call = async (name, input) => {
  const res = await client.callTool({ name: "skills_call", arguments: { name, input } });
  assert.ok(!res.isError, `${name}: ${JSON.stringify(res.content)}`);
  return res;
};
const fileOf = (res) => res.content.find((c) => c.type === "resource").resource;
const validate = async (res, what) => {
  const file = fileOf(res);
  assert.equal(file.mimeType, "model/gltf-binary");
  const report = await validator.validateBytes(new Uint8Array(Buffer.from(file.blob, "base64")), { uri: what });
  const { numErrors, numWarnings, messages } = report.issues;
  assert.equal(numErrors + numWarnings, 0, `${what}: ${JSON.stringify(messages)}`);
  console.log(`gltf-validator: ${what}: 0 errors, 0 warnings, ${report.issues.numInfos} infos;`, report.info.totalTriangleCount, "triangles");
  return file;
};

await validate(await call("scene.export", {}), "an empty world");

await call("architecture.building", { width: 8 });
for (const shape of ["box", "sphere"])
  for (const material of ["brick", "gold", "glass"])
    await call("scene.createEntity", { shape, material, size: 1.5, position: [2, 3, 4], dynamic: true });
await call("agent.embody", {}); // a capsule
await call("three.setLight", { entity: "ent_0", kind: "spot", range: 30 });
await call("three.setLight", { entity: "ent_2" });
await call("three.setTransform", { entity: "ent_1", rotationEuler: [0.3, 1, -2], scale: [1, 0, -3] });
const house = await validate(await call("scene.export", {}), "a house");

// The same again as file of somebody else: without what Limina has written into it, its shapes are meshes.
const bytes = Buffer.from(house.blob, "base64");
const length = bytes.readUInt32LE(12);
const text = bytes.subarray(20, 20 + length).toString().replaceAll('"limina"', '"nobody"');
const { extensionsUsed, extensionsRequired, extensions } = JSON.parse(text);
assert.deepEqual([extensionsUsed, extensionsRequired], [["KHR_lights_punctual"], undefined]);
assert.deepEqual(extensions.KHR_lights_punctual.lights.map((l) => [l.type, l.intensity, l.range]), [["spot", 32, 30], ["point", 32, 12]]);
const other = Buffer.concat([bytes.subarray(0, 20), Buffer.from(text), bytes.subarray(20 + length)]);
for (const data of [house.blob, other.toString("base64")]) await call("scene.import", { data });
await validate(await call("scene.export", {}), "the house, its copy and its copy as meshes");

await call("world.generateRegion", { seed: 7, type: "hills", bounds: { minTx: 5, minTz: 5, maxTx: 6, maxTz: 5 }, lod: 2 });
const land = await validate(await call("scene.export", {}), "generated ground beside them");
await call("scene.import", { data: land.blob });
await validate(await call("scene.export", {}), "the ground and its copy");
await client.close();
