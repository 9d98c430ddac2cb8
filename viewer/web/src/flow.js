// Where the particles of an emitter are: the formula of skills/vfx (see its doc.go), which the server has too.

/** @import { Quat, Vec3 } from "./copy.js" */

/** Simulation steps in a second of the world's time. */
export const stepRate = 60;

/**
 * A row of the table "vfx.emitters".
 * @typedef {{
 *   maxParticles: number, lifetime: number, emissionRate: number, startColor: number[], endColor: number[], startSize: number, endSize: number,
 *   startSpeed: number, gravity: number, spread: number, shape: string, blendMode: string, radius: number,
 *   entity?: string, position: Vec3, count?: number, playing?: boolean, start: number, stop?: number,
 * }} Emitter
 */

/**
 * Spreads the bits of a number all over it: the end of MurmurHash3.
 * @param {number} h
 */
function mix(h) {
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * One of the numbers of a particle, from 0 up to 1.
 * @param {number} particle
 * @param {number} which
 */
const roll = (particle, which) => (mix((particle + Math.imul(which, 0x9e3779b9)) | 0) >>> 0) / 2 ** 32;

/**
 * Turns x, y, z by a rotation.
 * @param {Quat} q
 * @param {number[]} v
 * @returns {Vec3}
 */
export function rotate(q, v) {
  const [qx, qy, qz, w] = q;
  const [x, y, z] = v;
  const tx = 2 * (qy * z - qz * y);
  const ty = 2 * (qz * x - qx * z);
  const tz = 2 * (qx * y - qy * x);
  return [x + w * tx + qy * tz - qz * ty, y + w * ty + qz * tx - qx * tz, z + w * tz + qx * ty - qy * tx];
}

/**
 * Where a particle begins, from the emitter, and in which direction it goes.
 * @param {Emitter} row
 * @param {number} p the particle
 * @returns {[Vec3, Vec3]}
 */
function begin(row, p) {
  const half = (row.spread * Math.PI) / 360;
  const around = 2 * Math.PI * roll(p, 0);
  const [sin, cos] = [Math.sin(around), Math.cos(around)];
  const r = row.radius;
  if (row.shape === "cone") {
    const out = Math.sqrt(roll(p, 1));
    const lean = Math.sin(half * out);
    return [[cos * out * r, 0, sin * out * r], [cos * lean, Math.cos(half * out), sin * lean]];
  }
  const up = 1 - roll(p, 1) * (1 - Math.cos(half));
  const lean = Math.sqrt(Math.max(1 - up * up, 0));
  /** @type {Vec3} */
  const toward = [cos * lean, up, sin * lean];
  if (row.shape === "box") return [[(2 * roll(p, 2) - 1) * r, (2 * roll(p, 3) - 1) * r, (2 * roll(p, 4) - 1) * r], toward];
  if (row.shape !== "sphere") return [[0, 0, 0], toward];
  const y = 2 * roll(p, 2) - 1;
  const turn = 2 * Math.PI * roll(p, 3);
  const ring = Math.sqrt(Math.max(1 - y * y, 0));
  const far = Math.max(roll(p, 4), roll(p, 5), roll(p, 6)) * r;
  return [[Math.cos(turn) * ring * far, y * far, Math.sin(turn) * ring * far], toward];
}

/**
 * Which particles there are at a step, which may be between two: of how many, and how old each is, in seconds.
 * @param {Emitter} row
 * @param {number} step
 * @returns {{first: number, end: number, age: (k: number) => number}}
 */
function living(row, step) {
  const life = Math.max(row.lifetime, 1 / stepRate);
  const since = (step - row.start) / stepRate;
  const none = { first: 0, end: 0, age: () => 0 };
  if (since < 0) return none;
  if (row.count) return step >= (row.stop ?? 0) ? none : { first: 0, end: row.count, age: () => Math.min(since, life) };
  const open = row.playing ? since : ((row.stop ?? row.start) - row.start) / stepRate;
  const each = Math.max(1 / row.emissionRate, life / row.maxParticles);
  const end = Math.ceil(open / each);
  const first = Math.max(Math.floor((since - life) / each) + 1, end - row.maxParticles, 0);
  return { first, end, age: (k) => Math.min(Math.max(since - k * each, 0), life) };
}

/**
 * Has each particle of an emitter that lives at a step drawn.
 * @param {number} number of the emitter: 7 of "vfx_7"
 * @param {Emitter} row
 * @param {{pos: Vec3, rot: Quat}} at where what it is attached to is
 * @param {number} step
 * @param {(x: number, y: number, z: number, size: number, color: number[]) => void} draw is given one color after the other in the same array
 * @returns {number} how many there are
 */
export function particles(number, row, at, step, draw) {
  const { first, end, age } = living(row, step);
  const life = Math.max(row.lifetime, 1 / stepRate);
  const seed = mix((number + 1) | 0);
  const color = [0, 0, 0, 0];
  for (let k = first; k < end; k++) {
    const [from, toward] = begin(row, mix(seed ^ (k % 2 ** 32)));
    const a = age(k);
    const by = row.startSpeed * a;
    const [x, y, z] = rotate(at.rot, [row.position[0] + from[0] + toward[0] * by, row.position[1] + from[1] + toward[1] * by, row.position[2] + from[2] + toward[2] * by]);
    const part = a / life;
    for (let i = 0; i < 4; i++) color[i] = row.startColor[i] + (row.endColor[i] - row.startColor[i]) * part;
    draw(at.pos[0] + x, at.pos[1] + y + (row.gravity * a * a) / 2, at.pos[2] + z, row.startSize + (row.endSize - row.startSize) * part, color);
  }
  return Math.max(end - first, 0);
}

/**
 * Whether an emitter has particles at a step, or will have by itself.
 * @param {Emitter} row
 * @param {number} step
 */
export function burns(row, step) {
  if (row.playing) return true;
  const { first, end } = living(row, step);
  return end > first;
}
