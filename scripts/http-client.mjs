// Drives MCP over HTTP with a client of the TypeScript SDKs: list, call, read, subscribe, progress, cancel and
// elicit, against the fixtures of internal/conformance. Usage: node http-client.mjs URL v1|v2 [legacy|auto|modern]
import assert from "node:assert/strict";

const [url, sdk, era = "legacy"] = process.argv.slice(2);
const about = { name: `ts-${sdk}`, version: "1.0.0" };
const capabilities = { elicitation: {}, sampling: {}, roots: {} };
const complaints = [];
let client, transport, on, answer;
if (sdk === "v1") {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const types = await import("@modelcontextprotocol/sdk/types.js");
  client = new Client(about, { capabilities });
  transport = new StreamableHTTPClientTransport(new URL(url));
  on = (name, f) => client.setNotificationHandler(types[name], f);
  answer = f => client.setRequestHandler(types.ElicitRequestSchema, f);
  on.updated = "ResourceUpdatedNotificationSchema";
  on.changed = "ToolListChangedNotificationSchema";
} else {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const mode = era === "modern" ? { pin: "2026-07-28" } : era;
  client = new Client(about, { capabilities, versionNegotiation: { mode } });
  transport = new StreamableHTTPClientTransport(new URL(url));
  on = (name, f) => client.setNotificationHandler(name, f);
  answer = f => client.setRequestHandler("elicitation/create", f);
  on.updated = "notifications/resources/updated";
  on.changed = "notifications/tools/list_changed";
}
client.onerror = e => complaints.push(e);
answer(async () => ({ action: "accept", content: { name: "Ada", username: "ada", email: "ada@example.com" } }));
await client.connect(transport);

const names = (await client.listTools()).tools.map(t => t.name);
assert.ok(names.includes("test_simple_text") && names.includes("test_elicitation"), names.join(" "));

const said = await client.callTool({ name: "test_simple_text", arguments: {} });
assert.equal(said.content[0].text, "This is a simple text response for testing.");

const failed = await client.callTool({ name: "test_error_handling", arguments: {} });
assert.equal(failed.isError, true);
await assert.rejects(client.callTool({ name: "no_such_tool", arguments: {} }), /unknown tool/);

const read = await client.readResource({ uri: "test://template/7/data" });
assert.equal(JSON.parse(read.contents[0].text).id, "7");
await assert.rejects(client.readResource({ uri: "test://none" }));
assert.ok((await client.listPrompts()).prompts.length >= 5);
const prompt = await client.getPrompt({ name: "test_prompt_with_arguments", arguments: { arg1: "a", arg2: "b" } });
assert.match(prompt.messages[0].content.text, /arg1='a'/);

const progress = [];
const options = { onprogress: p => progress.push(p.progress) };
const worked = await (sdk === "v1"
  ? client.callTool({ name: "test_tool_with_progress", arguments: {} }, undefined, options)
  : client.callTool({ name: "test_tool_with_progress", arguments: {} }, options));
assert.match(worked.content[0].text, /reported/);
assert.deepEqual(progress, [0, 50, 100]);

const elicited = await client.callTool({ name: "test_elicitation", arguments: { message: "Who?" } });
assert.match(elicited.content[0].text, /accept.*ada@example.com/);

const abort = new AbortController();
const signal = { signal: abort.signal };
const long = { name: "slow_compute", arguments: { seconds: 60, label: "long" } };
const cancelled = sdk === "v1" ? client.callTool(long, undefined, signal) : client.callTool(long, signal);
setTimeout(() => abort.abort("not wanted"), 200);
await assert.rejects(cancelled);

// A change of the tools, to those who have asked to hear of it.
const changed = new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error("nothing was told of the change")), 60_000).unref();
  on(on.changed, () => resolve());
});
let subscription;
if (era === "legacy") await client.subscribeResource({ uri: "test://watched-resource" });
else subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ["test://watched-resource"] });
await client.callTool({ name: "test_trigger_tool_change", arguments: {} });
await changed;
if (era === "legacy") await client.unsubscribeResource({ uri: "test://watched-resource" });
else await subscription.close();

if (sdk === "v1") await transport.terminateSession();
await client.close();
const real = complaints.filter(e => !/abort/i.test(String(e)));
assert.deepEqual(real, []);
console.log(`TypeScript SDK ${sdk}, ${era}, over HTTP: list, call, read, prompt, progress, elicit, cancel, subscribe`);
process.exit(0);
