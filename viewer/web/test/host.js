// A host of MCP Apps, of the official parts, for browser.mjs: it shows the app that a tool of the server names, as strictly sandboxed as
// hosts do it. The server's URL stands behind # in the address.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'none'";

const client = new Client({ name: "host", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(location.hash.slice(1))));
const { tools } = await client.listTools();
const apps = tools.filter((tool) => tool._meta?.ui?.resourceUri);
const uri = apps[0]._meta.ui.resourceUri;
const { contents } = await client.readResource({ uri });

const frame = document.createElement("iframe");
frame.setAttribute("sandbox", "allow-scripts");
frame.style = "width: 640px; border: 0";
document.body.append(frame);
const capabilities = { serverTools: {}, updateModelContext: { text: {} } };
const bridge = new AppBridge(client, { name: "host", version: "1.0.0" }, capabilities, { hostContext: { availableDisplayModes: ["inline", "fullscreen"] } });
const seen = { apps: apps.map((tool) => tool.name), contents: contents[0], context: [], height: 0, modes: [], ended: false };
bridge.onupdatemodelcontext = async ({ content }) => {
  seen.context.push(content?.[0]?.text ?? "");
  return {};
};
bridge.onsizechange = ({ height }) => {
  seen.height = height;
  frame.style.height = `${height}px`;
};
bridge.onrequestdisplaymode = async ({ mode }) => {
  seen.modes.push(mode);
  return { mode };
};
bridge.oninitialized = () => bridge.sendToolInput({ arguments: {} });
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
frame.srcdoc = contents[0].text.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`);
globalThis.seen = seen;
globalThis.end = async () => {
  await bridge.teardownResource({});
  seen.ended = true;
};
