// Has the MCP clients that agent frameworks bring along list all of Limina's tools, build, be corrected and look, and has each turn
// the schemas into what its model takes. Usage: node frameworks.mjs URL, where URL is of a limina with --tools all.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createMCPClient } from "@ai-sdk/mcp";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { MCPServerStreamableHttp, getAllMcpTools } from "@openai/agents";
import { mcpToTool } from "@google/genai";
import { MCPClient as MastraClient } from "@mastra/mcp";

const url = process.argv[2];
const box = { shape: "box", size: 2, position: [0, 1, 0] };
const official = new Client({ name: "official", version: "1" });
await official.connect(new StreamableHTTPClientTransport(new URL(url)));
const { tools, nextCursor } = await official.listTools();
assert.equal(nextCursor, undefined, "there is a second page, which not every client reads");
assert.ok(tools.length > 100, `${tools.length} tools`);

{
  const client = await createMCPClient({ transport: { type: "http", url } });
  const kit = await client.tools();
  assert.equal(Object.keys(kit).length, tools.length);
  const run = (name, input) => kit[name].execute(input, { toolCallId: "1", messages: [] });
  assert.match((await run("scene_createEntity", box)).structuredContent.entity, /^ent_/);
  const refused = await run("scene_createEntity", { shape: "boxx" });
  assert.ok(refused.isError);
  assert.match(refused.content[0].text, /did you mean "box"/);
  const seen = await run("scene_render", {});
  const given = await kit.scene_render.toModelOutput({ output: seen, input: {}, toolCallId: "1" });
  assert.ok(given.value.some(part => /^image/.test(part.mediaType ?? part.type)), JSON.stringify(given).slice(0, 300));
  await client.close();
  console.log("Vercel's AI SDK:", tools.length, "tools");
}
{
  const client = new MultiServerMCPClient({ mcpServers: { limina: { transport: "http", url } } });
  const kit = Object.fromEntries((await client.getTools()).map(t => [t.name, t]));
  assert.equal(Object.keys(kit).length, tools.length);
  assert.match(JSON.stringify(await kit.scene_createEntity.invoke(box)), /ent_/);
  await assert.rejects(kit.three_setTransform.invoke({ entity: "ent_99999", position: [0, 0, 0] }), /unknown entity ent_99999/);
  assert.match(JSON.stringify(await kit.scene_render.invoke({})), /image/);
  await client.close();
  console.log("LangChain:", tools.length, "tools");
}
{
  const server = new MCPServerStreamableHttp({ url });
  await server.connect();
  const said = console.error;
  console.error = console.warn = () => {}; // of every tool that cannot be strict, for its free-form meta
  const kit = Object.fromEntries((await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true })).map(t => [t.name, t]));
  console.error = said;
  assert.equal(Object.keys(kit).length, tools.length);
  const create = kit.scene_createEntity;
  assert.ok(create.strict);
  // A model in strict mode sends every property, and null for what it has nothing to say of.
  const nulls = Object.fromEntries(Object.keys(create.parameters.properties).map(name => [name, null]));
  assert.match(JSON.stringify(await create.invoke({ context: {} }, JSON.stringify({ ...nulls, ...box }))), /ent_/);
  const refused = await server.callTool("scene_createEntity", { shape: "boxx" });
  assert.match(JSON.stringify(refused), /did you mean/);
  await server.close();
  console.log("OpenAI's Agents SDK:", tools.length, "tools,", Object.values(kit).filter(t => t.strict).length, "of them strict");
}
{
  const kit = mcpToTool(official);
  const { functionDeclarations } = await kit.tool();
  assert.equal(functionDeclarations.length, tools.length);
  const [answer] = await kit.callTool([{ name: "scene_createEntity", args: box }]);
  assert.match(answer.functionResponse.response.structuredContent.entity, /^ent_/);
  console.log("Google's Gen AI SDK:", tools.length, "tools");
}
{
  const client = new MastraClient({ servers: { limina: { url: new URL(url) } } });
  const kit = await client.listTools(); // each with its schemas as Mastra checks by them
  assert.equal(Object.keys(kit).length, tools.length);
  assert.match((await kit.limina_scene_createEntity.execute(box, {})).entity, /^ent_/);
  assert.match(JSON.stringify(await kit.limina_scene_createEntity.execute({ shape: "boxx" }, {}).catch(String)), /did you mean|validation/i);
  await client.disconnect();
  console.log("Mastra:", tools.length, "tools");
}
await official.close();
