import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Copy } from "../src/copy.js";

/** Stands for the host: it answers what the page asks by what answer says. */
function stand(answer) {
  const listeners = [];
  const parent = {
    postMessage(message) {
      if (message.id === undefined || !message.method) return;
      const say = (more) => queueMicrotask(() => listeners.forEach((f) => f({ source: parent, data: { jsonrpc: "2.0", id: message.id, ...more } })));
      say(message.method === "ui/initialize" ? { result: { hostContext: {} } } : answer(message.params.arguments.name, message.params.arguments.input));
    },
  };
  globalThis.window = { parent };
  globalThis.document = { hidden: false, addEventListener() {} };
  globalThis.addEventListener = (_, f) => listeners.push(f);
}

const settle = async () => {
  for (let i = 0; i < 50; i++) await Promise.resolve();
};

test("a guest asks for what has changed, and for less where there is too much", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { Host } = await import("../src/host.js");
  const asked = [];
  let full = true;
  stand((_, input) => {
    asked.push(input);
    if (full && !input.radius) return { result: { isError: true, content: [{ type: "text", text: "capacity_exceeded: the answer has more than 8388608 bytes" }] } };
    const message = input.since === undefined ? { method: "state/snapshot", params: { tick: 4, step: 0, entities: [], world: {}, tables: [], epoch: "e", aoi: {} } } : { method: "state/delta", params: { tick: 4, step: 0, changes: [], removed: [] } };
    return { result: { structuredContent: message } };
  });
  const copy = new Copy();
  let lives = 0;
  const host = new Host(copy, {
    open: async () => {},
    told: (method, params) => copy.apply(method, params),
    lost: () => {},
    live: () => lives++,
    less: () => host.declare({ center: [0, 0, 0], radius: 200 }),
  });
  await settle();
  assert.deepEqual(asked, [{}]);
  mock.timers.tick(400);
  await settle();
  assert.deepEqual(asked.at(-1), { center: [0, 0, 0], radius: 200 });
  assert.equal(lives, 1);
  mock.timers.tick(400);
  await settle();
  assert.deepEqual(asked.at(-1), { center: [0, 0, 0], radius: 200, since: 4, epoch: "e" });

  // Another area is asked for as a whole; nothing happens, and it is asked ever more seldom.
  full = false;
  await host.declare(undefined);
  mock.timers.tick(3000);
  await settle();
  assert.deepEqual(asked.at(-1), {});
  const before = asked.length;
  for (let i = 0; i < 300; i++) {
    mock.timers.tick(100);
    await settle();
  }
  assert.ok(asked.length - before > 9 && asked.length - before < 20, `${asked.length - before} questions in 30 s`);
  mock.timers.reset();
});
