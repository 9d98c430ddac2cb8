// Builds a world of everything that can be exported, with the TypeScript SDK's client, and holds the
// GLB file against Khronos' glTF validator: no errors, no warnings. Then imports it again.
// Usage: node export.mjs LIMINA
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import validator from "gltf-validator";

const files = mkdtempSync(join(tmpdir(), "limina-export-"));
process.on("exit", () => rmSync(files, { recursive: true }));
const client = new Client({ name: "exporter", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.argv[2], args: ["--mcp-stdio", "--files", files] }));
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

// What is made of images: of all shapes, a mesh without normals among them, with bumps, on metal and on what is none.
const png = (name, color) => {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const rows = [];
  for (let y = 0; y < 16; y++) for (let x = -1; x < 16; x++) rows.push(...(x < 0 ? [0] : color(x, y)));
  const head = Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 2, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  writeFileSync(join(files, name), Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.from(rows))), chunk("IEND", Buffer.alloc(0))]));
};
png("albedo.png", (x, y) => [x * 16, y * 16, 128]);
png("normal.png", (x) => [x < 8 ? 128 : 180, 128, 230]);
png("rough.png", (x, y) => [y * 16, y * 16, y * 16]);
const maps = { albedo: "albedo.png", normal: "normal.png", roughness: "rough.png" };
await call("material.import", { name: "cobble", ...maps, scale: 2 });
await call("material.import", { name: "iron", ...maps, metalness: 1, triplanar: true });
await call("material.import", { name: "painted", albedo: "albedo.png", color: 0xff8000 });
const made = [];
for (const shape of ["box", "sphere", "cylinder", "cone", "wedge"])
  for (const [i, material] of ["cobble", "iron", "painted"].entries()) {
    const { structuredContent: { entity } } = await call("scene.createEntity", { shape, material, size: 1.5, scale: [1, 2 + i, -1] });
    made.push(entity);
  }
// A mesh of two triangles that share an edge.
const glb = (json, bin) => {
  const text = Buffer.from(JSON.stringify(json).padEnd(Math.ceil(JSON.stringify(json).length / 4) * 4));
  const word = (...n) => Buffer.from(new Uint32Array(n).buffer);
  return Buffer.concat([word(0x46546c67, 2, 28 + text.length + bin.length, text.length, 0x4e4f534a), text, word(bin.length, 0x004e4942), bin]);
};
const corners = Buffer.concat([Buffer.from(new Float32Array([0, 0, 0, 0, 1, 0, 1, 0, -0.25, -0.5, 0, -2]).buffer), Buffer.from(new Uint16Array([0, 2, 1, 0, 1, 3]).buffer)]);
const bent = glb({
  asset: { version: "2.0" }, buffers: [{ byteLength: 60 }], bufferViews: [{ buffer: 0, byteLength: 48 }, { buffer: 0, byteOffset: 48, byteLength: 12 }],
  accessors: [{ bufferView: 0, componentType: 5126, count: 4, type: "VEC3", min: [-0.5, 0, -2], max: [1, 1, 0] }, { bufferView: 1, componentType: 5123, count: 6, type: "SCALAR" }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }], nodes: [{ mesh: 0 }], scene: 0, scenes: [{ nodes: [0] }],
}, corners);
const { structuredContent: { roots } } = await call("scene.import", { data: bent.toString("base64") });
await call("three.setMaterial", { entity: roots[0], material: "cobble" });
made.push(roots[0]);
const papered = await validate(await call("scene.export", { entities: made }), "what is made of images");
const file = Buffer.from(papered.blob, "base64");
const { images } = JSON.parse(file.subarray(20, 20 + file.readUInt32LE(12)).toString());
assert.deepEqual(images.map((i) => i.name), ["cobble albedo", "cobble roughness", "cobble normal"]); // each once
await client.close();
