// The host that shows the page beside an answer of limina's, as MCP Apps has it (io.modelcontextprotocol/ui, version 2026-01-26): the
// page reaches the server by calls that the host passes on, and no other way.

import { Refused } from "./socket.js";

/** @import { Copy, Vec3 } from "./copy.js" */

const soonest = 400; // milliseconds between two questions while something happens
const latest = 3000; // and while nothing does

/**
 * @typedef {{
 *   open: (host: Host) => Promise<void>,
 *   told: (method: "state/snapshot" | "state/delta", params: any) => void,
 *   lost: (reason: string, retry: number) => void,
 *   live: () => void,
 *   less: () => void,
 * }} Guest less is called where there is more than an answer may tell: a smaller area is to be declared. open is called once, before the world is asked for; live after each answer. lost says in how many milliseconds it is asked for again.
 */

/** Host asks for the world again and again, sooner while something happens. */
export class Host {
  /**
   * @param {Copy} copy what is known already
   * @param {Guest} guest
   */
  constructor(copy, guest) {
    this.copy = copy;
    this.guest = guest;
    /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.ids = 0;
    /** @type {{center: Vec3, radius: number} | undefined} */
    this.area = undefined;
    this.asked = ""; // the area that was asked for last
    this.pause = soonest;
    /** What the host can do. @type {any} */
    this.context = {};
    addEventListener("message", (event) => {
      if (event.source === window.parent) this.#heard(event.data);
    });
    document.addEventListener("visibilitychange", () => document.hidden || this.#next(0));
    this.#begin();
  }

  async #begin() {
    const { hostContext } = await this.call("ui/initialize", {
      appInfo: { name: "limina", version: "1.0.0" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
      protocolVersion: "2026-01-26",
    });
    this.context = hostContext ?? {};
    this.tell("ui/notifications/initialized", {});
    this.tell("ui/notifications/size-changed", { height: 440 });
    this.#poll(() => this.guest.open(this));
  }

  /** @param {() => Promise<void>} [before] */
  async #poll(before) {
    let retry = this.pause;
    try {
      await before?.();
      before = undefined;
      const area = JSON.stringify(this.area ?? {});
      const known = area === this.asked && this.copy.epoch !== "" ? { since: this.copy.tick, epoch: this.copy.epoch } : {};
      const { method, params } = await this.skill("state.poll", { ...this.area, ...known });
      this.asked = area;
      const busy = params.tick !== this.copy.tick;
      this.guest.told(method, params);
      this.guest.live();
      retry = this.pause = busy ? soonest : Math.min(this.pause * 1.3, latest);
    } catch (error) {
      retry = latest;
      if (error instanceof Refused && error.message.startsWith("capacity_exceeded")) {
        retry = soonest;
        this.guest.less();
      }
      this.guest.lost(error instanceof Error ? error.message : String(error), retry);
    }
    if (!document.hidden || before) this.#next(retry, before);
  }

  /**
   * @param {number} after milliseconds
   * @param {() => Promise<void>} [before]
   */
  #next(after, before) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#poll(before), after);
  }

  /**
   * Asks for another part of the world from now on.
   * @param {{center: Vec3, radius: number} | undefined} area
   */
  async declare(area) {
    this.area = area;
    this.pause = soonest;
  }

  /**
   * Calls a method of the host, and returns its result. A call that is refused throws Refused.
   * @param {string} method
   * @param {object} params
   * @returns {Promise<any>}
   */
  call(method, params) {
    const id = ++this.ids;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      window.parent.postMessage({ jsonrpc: "2.0", id, method, params }, "*");
    });
  }

  /**
   * @param {string} method
   * @param {object} params
   */
  tell(method, params) {
    window.parent.postMessage({ jsonrpc: "2.0", method, params }, "*");
  }

  /**
   * Calls a skill, and returns what it answers.
   * @param {string} name
   * @param {object} input
   * @returns {Promise<any>}
   */
  async skill(name, input) {
    const result = await this.call("tools/call", { name: "skills_call", arguments: { name, input } });
    if (result.isError) throw new Refused(0, result.content?.[0]?.text ?? "the call failed");
    return result.structuredContent ?? JSON.parse(result.content[0].text);
  }

  /** @param {any} message */
  #heard(message) {
    if (message?.jsonrpc !== "2.0") return;
    if (message.method) {
      if (message.id === undefined) return;
      const known = message.method === "ping" || message.method === "ui/resource-teardown";
      const answer = known ? { result: {} } : { error: { code: -32601, message: "Method not found: " + message.method } };
      window.parent.postMessage({ jsonrpc: "2.0", id: message.id, ...answer }, "*");
      return;
    }
    const call = this.waiting.get(message.id);
    if (!call) return;
    this.waiting.delete(message.id);
    if (message.error) call.reject(new Refused(message.error.code, message.error.message));
    else call.resolve(message.result);
  }
}
