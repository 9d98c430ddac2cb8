// A connection to a server of Limina by WebSocket, in the native dialect (docs/wire.md).

/**
 * A call that was refused.
 */
export class Refused extends Error {
  /**
   * @param {number} code of JSON-RPC
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

// A connection may be lost without anybody being told: the other network, the lid that was shut. A page that only looks on sends nothing
// that would fail, so it asks when nothing has come for a while, and gives the connection up if nothing comes then either.
const quiet = 20_000; // milliseconds without a message, after which the server is asked
const patience = 60_000; // … in which it is to answer, behind whatever long message is on its way
const often = 5_000; // … between two looks

/**
 * Socket connects, and connects again whenever the connection is lost.
 *
 * @typedef {{
 *   open: (socket: Socket) => Promise<void>,
 *   told: (method: string, params: any) => void,
 *   lost: (reason: string, retry: number) => void,
 * }} Listener open is called for each connection, before anything else is sent; an error of it ends the connection. lost says
 *   in how many milliseconds the next one is tried.
 */
export class Socket {
  /**
   * @param {string} url
   * @param {Listener} listener
   */
  constructor(url, listener) {
    this.url = url;
    this.listener = listener;
    /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.calls = 0;
    this.tries = 0;
    /** @type {WebSocket | undefined} */
    this.ws = undefined;
    this.connect();
  }

  connect() {
    const ws = new WebSocket(this.url);
    this.ws = ws;
    let why = "";
    let heard = Date.now();
    let asked = 0; // when, 0 if nothing has to be
    const watch = () => {
      const now = Date.now();
      if (asked && now - asked >= patience) {
        ws.onopen = ws.onmessage = ws.onclose = null; // it may take a minute to be closed
        ws.close();
        ended("nothing comes from the server any more");
        return;
      }
      if (!asked && now - heard >= quiet) {
        asked = now;
        this.call("ping").catch(() => {}); // whatever comes is an answer
      }
      watching = setTimeout(watch, often);
    };
    let watching = setTimeout(watch, often);
    /** @param {string} reason */
    const ended = (reason) => {
      clearTimeout(watching);
      for (const call of this.waiting.values()) call.reject(new Error("the connection was lost"));
      this.waiting.clear();
      const retry = this.tries < 0 ? 0 : Math.min(500 * 2 ** this.tries, 10_000);
      this.tries++;
      this.listener.lost(reason, retry);
      this.timer = setTimeout(() => this.connect(), retry);
    };
    ws.onopen = () => {
      this.listener.open(this).then(
        () => (this.tries = 0),
        (error) => {
          why = error.message;
          ws.close();
        },
      );
    };
    ws.onmessage = (event) => {
      heard = Date.now();
      asked = 0;
      this.#heard(JSON.parse(event.data));
    };
    ws.onclose = (event) => ended(why || event.reason || "the server is not to be reached");
  }

  /** Tries at once again: who it says it is has changed. */
  again() {
    clearTimeout(this.timer);
    if (this.ws && this.ws.readyState <= WebSocket.OPEN) {
      this.tries = -1;
      this.ws.close();
    } else this.connect();
  }

  /**
   * Calls a method, and returns its result. A call that is refused throws Refused.
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<any>}
   */
  call(method, params) {
    const id = ++this.calls;
    return new Promise((resolve, reject) => {
      if (this.ws?.readyState !== WebSocket.OPEN) {
        reject(new Error("there is no connection"));
        return;
      }
      this.waiting.set(id, { resolve, reject });
      this.ws.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  /**
   * Asks for another part of the world from now on.
   * @param {{center: [number, number, number], radius: number}} area
   */
  declare(area) {
    return this.call("aoi/declare", area);
  }

  /**
   * Calls a skill, and returns what it answers.
   * @param {string} name
   * @param {object} input
   * @returns {Promise<any>}
   */
  async skill(name, input) {
    return (await this.call("tools/call", { name, arguments: input })).result;
  }

  /** @param {any} message */
  #heard(message) {
    if (message.method) {
      this.listener.told(message.method, message.params);
      return;
    }
    const call = this.waiting.get(message.id);
    if (!call) return;
    this.waiting.delete(message.id);
    if (message.error) call.reject(new Refused(message.error.code, message.error.message));
    else call.resolve(message.result);
  }
}
