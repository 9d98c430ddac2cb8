// Drives limina --mcp-stdio with the TypeScript SDK's client, which checks every result against the
// tool's output schema. Usage: node client.mjs LIMINA, or node client.mjs BRIDGE ARGUMENTS… where that speaks stdio for a fresh limina
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const client = new Client({ name: "ts-client", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.argv[2], args: process.argv.length > 3 ? process.argv.slice(3) : ["--mcp-stdio"] }));
assert.match(client.getInstructions() ?? "", /skills_search/);
await client.ping();

const { tools } = await client.listTools();
assert.ok(tools.length >= 8 && tools.length <= 16, `${tools.length} tools`);
for (const t of tools) assert.ok(t.description && (t.outputSchema || ["skills_call", "scene_render", "world_batch"].includes(t.name)) && t.annotations, t.name);

const made = await client.callTool({ name: "scene_createEntity", arguments: { shape: "box", size: 2, position: [0, 1, 0] } });
assert.equal(made.structuredContent.entity, "ent_0");
assert.deepEqual(JSON.parse(made.content[0].text), made.structuredContent);

const dotted = await client.callTool({ name: "scene.queryEntities", arguments: {} });
assert.equal(dotted.structuredContent.entities.length, 1);

const found = await client.callTool({ name: "skills_search", arguments: { query: "building" } });
assert.ok(found.structuredContent.matches.some((m) => m.name === "architecture.building"));

const built = await client.callTool({ name: "skills_call", arguments: { name: "architecture.building", input: { width: 8 } } });
assert.ok(!built.isError, JSON.stringify(built));

const refused = await client.callTool({ name: "scene_createEntity", arguments: { size: 70, shpae: "box" } });
assert.equal(refused.isError, true);
assert.match(refused.content[0].text, /size/);
assert.match(refused.content[0].text, /shape/);

await assert.rejects(client.callTool({ name: "scene_createEntty", arguments: {} }), /scene_createEntity|scene\.createEntity/);

const left = await client.callTool({ name: "scene_inspect", arguments: {} });
assert.ok(left.structuredContent.entityCount > 5);
await client.close();
console.log("TypeScript SDK: listed", tools.length, "tools, built, corrected, closed");
