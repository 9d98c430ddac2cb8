// A long way between a page and a server, for tests: a proxy that hands on what comes, either way, as late as such a way does.
import { createServer, connect } from "node:net";
import { once } from "node:events";

/**
 * Numbers from 0 to 1 that are the same each time.
 * @param {number} seed
 */
export function dice(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let x = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Listens, and hands on to an address what comes there, and back. Nothing overtakes, as in TCP.
 * @param {string} to
 * @param {{delay: number, jitter: number}} way in milliseconds, each way
 * @returns {Promise<{at: string, hold: (is: boolean) => void, end: () => void}>} where it listens; and what holds all back for a while
 */
export async function far(to, way) {
  const [host, port] = to.split(":");
  const roll = dice(1);
  const open = new Set();
  const pumps = new Set();
  let held = false;
  /** @param {import("node:net").Socket} from @param {import("node:net").Socket} into */
  const hand = (from, into) => {
    let due = 0;
    /** @type {{at: number, chunk: Buffer | undefined}[]} */
    const waiting = [];
    const pump = () => {
      while (!held && waiting.length > 0 && waiting[0].at <= performance.now()) {
        const [{ chunk }] = waiting.splice(0, 1);
        if (chunk) into.write(chunk);
        else into.end();
      }
      if (!held && waiting.length > 0) setTimeout(pump, Math.max(waiting[0].at - performance.now(), 1));
    };
    const later = (/** @type {Buffer | undefined} */ chunk) => {
      due = Math.max(due, performance.now() + way.delay + way.jitter * (2 * roll() - 1));
      waiting.push({ at: due, chunk });
      if (waiting.length === 1) pump();
    };
    from.on("data", later);
    from.on("end", () => later(undefined));
    from.on("error", () => into.destroy());
    from.on("close", () => {
      open.delete(from);
      pumps.delete(pump);
    });
    open.add(from);
    pumps.add(pump);
  };
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const there = connect({ host, port: Number(port), noDelay: true, allowHalfOpen: true });
    hand(near, there);
    hand(there, near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const hold = (/** @type {boolean} */ is) => {
    held = is;
    if (!is) for (const pump of pumps) pump();
  };
  const end = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return { at: `127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`, hold, end };
}
