// What texts of panels show of the game: {counter:coins}, {timer:limit}, {stat:hp@ent_3}, {ranking:score:5}. skills/ui fills them in the same way.

import { stepRate } from "./flow.js";

/** @import { Copy, Quat, Vec3 } from "./copy.js" */

const holes = /\{([a-z]+):([^{}:][^{}]*)\}/g;

/**
 * A row of the table "game.timers".
 * @typedef {{state: string, direction: string, steps?: number, start: number, elapsed?: number}} Timer
 */

/**
 * How many seconds a timer shows: those that have gone by, or those of a countdown that are left.
 * @param {Timer} timer
 * @param {number} step
 */
function face(timer, step) {
  const ran = timer.state === "running" ? Math.max(step - timer.start, 0) : (timer.elapsed ?? 0);
  if (timer.direction !== "countdown") return Math.floor(ran / stepRate);
  return Math.ceil(Math.max((timer.steps ?? 0) - ran, 0) / stepRate);
}

/** @param {number} s seconds */
function clock(s) {
  const two = (/** @type {number} */ n) => String(n % 60).padStart(2, "0");
  return s < 3600 ? `${Math.floor(s / 60)}:${two(s)}` : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60))}:${two(s)}`;
}

/**
 * @param {Copy} copy
 * @param {string | undefined} of
 * @param {string} name
 */
function stat(copy, of, name) {
  const at = name.indexOf("@");
  const entity = copy.entities.get(at < 0 ? (of ?? "") : name.slice(at + 1));
  const stats = /** @type {{name: string, value: number}[] | undefined} */ (entity?.stats);
  const found = stats?.find((s) => s.name === (at < 0 ? name : name.slice(0, at)));
  return found ? number(found.value) : "-";
}

/** @param {number} value */
function number(value) {
  return String(Math.round(value * 10) / 10 + 0);
}

/** What rankings were when they were made last. @type {WeakMap<Copy, {tick: number, texts: Map<string, string>}>} */
const rankings = new WeakMap();

/**
 * Who has most of a stat, a line each. It is made anew only where something has changed.
 * @param {Copy} copy
 * @param {string} name of the stat, and how many are shown
 */
function ranking(copy, name) {
  let known = rankings.get(copy);
  if (known?.tick !== copy.tick) rankings.set(copy, (known = { tick: copy.tick, texts: new Map() }));
  let text = known.texts.get(name);
  if (text === undefined) known.texts.set(name, (text = ranked(copy, name)));
  return text;
}

/**
 * @param {Copy} copy
 * @param {string} asked
 */
function ranked(copy, asked) {
  const [, name, most] = /^(.+):0*([1-9][0-9]{0,4})$/.exec(asked) ?? ["", asked, "5"];
  /** @type {{id: number, name: string, value: number}[]} */
  const places = [];
  for (const entity of copy.entities.values()) {
    const stats = /** @type {{name: string, value: number}[] | undefined} */ (entity.stats);
    const found = stats?.find((s) => s.name === name);
    if (!found) continue;
    const called = entity.name || entity.agent || entity["player.owner"] || entity.id;
    places.push({ id: Number(entity.id.slice(4)), name: String(called), value: found.value });
  }
  if (places.length === 0) return "-";
  places.sort((a, b) => b.value - a.value || a.id - b.id);
  return places.slice(0, Math.min(Number(most), 20)).map((p, i) => `${i + 1}. ${p.name} ${number(p.value)}`).join("\n");
}

/**
 * Returns a text as it is at a step.
 * @param {string} text
 * @param {Copy} copy
 * @param {string | undefined} of the entity that the panel is at
 * @param {number} step
 */
export function fill(text, copy, of, step) {
  return text.replace(holes, (hole, kind, name) => {
    if (kind === "counter") return String(copy.rows("game.counters").get(name) ?? 0);
    if (kind === "stat") return stat(copy, of, name);
    if (kind === "ranking") return ranking(copy, name);
    if (kind !== "timer") return hole;
    const timer = /** @type {Timer | undefined} */ (copy.rows("game.timers").get(name));
    return timer ? clock(face(timer, step)) : "-:--";
  });
}

/**
 * Whether a panel is on a screen at all on which an agent looks: one that is for whoever plays an entity, whose body or character that is, is on his alone.
 * @param {any} panel
 * @param {Copy} copy
 * @param {string} agent
 */
export function isFor(panel, copy, agent) {
  const of = panel.anchor?.entity;
  if (of === undefined) return true;
  const entity = copy.entities.get(of);
  return entity !== undefined && (entity.agent === agent || entity["player.owner"] === agent);
}

/**
 * How far a panel is from what it is anchored to: y is up, and x and z turn with the entity about the vertical if its axes are those.
 * @param {{offset?: Vec3, axes?: string}} anchor
 * @param {Quat | undefined} rot how the entity is turned
 * @returns {Vec3}
 */
export function offsetOf(anchor, rot) {
  const by = anchor.offset ?? [0, 0, 0];
  if (anchor.axes !== "entity" || !rot) return by;
  const [x, y, z, w] = rot; // its front, +z, as seen from above
  const right = 2 * (x * z + w * y);
  const front = 1 - 2 * (x * x + y * y);
  const long = Math.hypot(right, front);
  if (!(long > 1e-12)) return by;
  const sin = right / long;
  const cos = front / long;
  return [by[0] * cos + by[2] * sin, by[1], by[2] * cos - by[0] * sin];
}

/**
 * What characters have of their own gravity, as physics.Physics.SetGravity in Go has it.
 * @param {number | null | undefined} down the gravity of the world, in m/s²; none: as it was at first
 */
export function sinks(down) {
  return typeof down === "number" ? Math.max(down / 9.81, 0.1) : 1;
}
