import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Socket } from "../src/socket.js";

/** Stands for the browser's WebSocket. What is sent is kept; answers answers it. */
class Fake {
  static OPEN = 1;
  /** @type {Fake[]} */
  static all = [];
  constructor() {
    this.readyState = 0;
    this.sent = [];
    this.answers = true;
    this.closed = false;
    Fake.all.push(this);
  }

  open() {
    this.readyState = Fake.OPEN;
    this.onopen();
  }

  send(text) {
    const { id, method } = JSON.parse(text);
    this.sent.push(method);
    if (this.answers) queueMicrotask(() => this.say({ jsonrpc: "2.0", id, result: {} }));
  }

  say(message) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  close() { // the other end is not to be reached, and so nothing is told
    this.closed = true;
  }
}

const settle = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

test("a connection from which nothing comes is asked, and given up if nothing comes then", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  globalThis.WebSocket = Fake;
  const lost = [];
  const told = [];
  const socket = new Socket("ws://limina.test/", { open: async () => {}, told: (method) => told.push(method), lost: (reason, retry) => lost.push([reason, retry]) });
  const after = async (seconds) => {
    for (let i = 0; i < seconds; i++) {
      mock.timers.tick(1000);
      await settle();
    }
  };
  const [first] = Fake.all;
  first.open();
  await after(19);
  assert.deepEqual(first.sent, []);
  for (let i = 0; i < 10; i++) { // whom much is told asks nothing
    first.say({ jsonrpc: "2.0", method: "state/delta", params: {} });
    await after(10);
  }
  assert.deepEqual([first.sent, told.length], [[], 10]);
  await after(300); // a world in which nothing happens
  assert.ok(first.sent.length > 5 && first.sent.every((method) => method === "ping"), `${first.sent}`);
  assert.deepEqual(lost, []);
  first.answers = false;
  const call = assert.rejects(socket.call("tools/call", {}), /the connection was lost/);
  await after(90);
  assert.deepEqual([lost, first.closed, Fake.all.length], [[["nothing comes from the server any more", 500]], true, 2]);
  await call;
  first.say({ jsonrpc: "2.0", method: "state/delta", params: {} });
  assert.equal(told.length, 10, "what comes late is of the connection that was given up");
  Fake.all[1].open();
  await after(300);
  assert.equal(lost.length, 1);
  mock.timers.reset();
});
