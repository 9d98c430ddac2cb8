// What the tests in a real browser stand on: servers of limina's, calls as other clients make them, and pages. Chromium draws by software here: frames are slow.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const [limina, pictures] = process.argv.slice(2);
const servers = [];
export const patience = { timeout: 180_000 }; // until it is taken for stuck

/**
 * Starts limina, and returns the process and its address.
 * @param {...string} args
 */
export async function serve(...args) {
  const child = spawn(limina, ["--mcp-ws", "--log-level", "error", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const over = once(child, "exit").then(([code]) => Promise.reject(new Error(`limina has ended with ${code}`)));
  over.catch(() => {}); // later it may
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), over]);
  const end = async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  };
  servers.push(end);
  return { at: line.split(" ").at(-1), end };
}

/**
 * Starts limina where one was before. A connection of anybody may have got its port meanwhile, and gives it back.
 * @param {...string} args
 */
export async function resume(...args) {
  for (let tries = 1; ; tries++) {
    try {
      return await serve(...args);
    } catch (error) {
      if (tries === 30) throw error;
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}

let ids = 0;
/** Calls a skill over HTTP, as any MCP client does that has no session. */
export async function call(at, name, args) {
  const response = await fetch(`http://${at}/mcp`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json", Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "skills_call",
    },
    body: JSON.stringify({
      jsonrpc: "2.0", id: ++ids, method: "tools/call",
      params: {
        name: "skills_call", arguments: { name, input: args },
        _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} },
      },
    }),
  });
  const text = await response.text();
  const answer = JSON.parse(text.startsWith("{") ? text : text.slice(text.indexOf("data:") + 5).split("\n")[0]);
  assert.ok(answer.result && !answer.result.isError, text);
  return answer.result.structuredContent;
}

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-gpu-watchdog", // which ends what is slow
  ],
  ...patience,
});
export const folder = await mkdtemp(join(tmpdir(), "limina-viewer-"));

/** Opens a page that may ask no other server than its own, and complain of nothing, in a browser's window of which more may be said: water stands still. */
export async function open(url, window = {}) {
  const page = await browser.newPage({ viewport: { width: 960, height: 640 }, reducedMotion: "reduce", ...window });
  page.setDefaultTimeout(patience.timeout);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  const stale = /^WebGL: INVALID_OPERATION: delete.*does not belong to this context$/; // three.js lets go of what the graphics device has lost, too
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !stale.test(message.text()) && complaints.push(message.text()));
  page.on("request", (request) => {
    if (new URL(request.url()).host !== new URL(url).host && !/^(data|blob):/.test(request.url())) complaints.push("asks " + request.url());
  });
  await page.goto(url);
  return { page, complaints };
}


/** Ends all that was begun. */
export async function close() {
  await browser.close();
  for (const end of servers) await end();
  await rm(folder, { recursive: true });
}
