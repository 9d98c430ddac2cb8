// Things that go gently from where they were told to be to where they are told to be.

/** @import { Quat, Vec3 } from "./copy.js" */

/**
 * @typedef {{pos: Vec3, rot: Quat}} Pose
 * @typedef {{from: Pose, to: Pose, begun: number, span: number, there: boolean}} Going there: it was shown at its end
 */

const usual = 100; // milliseconds, for what stood still
const longest = 600; // between two messages about one that goes
const fastest = 60; // metres a second: what is faster was put elsewhere
const most = 5000; // that go at a time

/**
 * @param {number} a
 * @param {number} b
 * @param {number} t
 */
const mix = (a, b, t) => a + (b - a) * t;

/**
 * @param {Pose} a
 * @param {Pose} b
 */
const same = (a, b) => a.pos.every((x, i) => x === b.pos[i]) && a.rot.every((x, i) => x === b.rot[i]);

/**
 * What is between two poses.
 * @param {Pose} a
 * @param {Pose} b
 * @param {number} t from 0 to 1
 * @returns {Pose}
 */
export function between(a, b, t) {
  let same = 0;
  for (let i = 0; i < 4; i++) same += a.rot[i] * b.rot[i];
  const rot = a.rot.map((x, i) => mix(x, same < 0 ? -b.rot[i] : b.rot[i], t)); // they differ little, so that this is as good as along the arc
  const length = Math.hypot(...rot) || 1;
  return {
    pos: [mix(a.pos[0], b.pos[0], t), mix(a.pos[1], b.pos[1], t), mix(a.pos[2], b.pos[2], t)],
    rot: /** @type {Quat} */ (rot.map((x) => x / length)),
  };
}

/** Motion knows what is on its way, by its id. */
export class Motion {
  constructor() {
    /** @type {Map<string, Going>} */
    this.going = new Map();
  }

  /**
   * Takes over that something is told to be elsewhere than it was, and reports whether it goes there; else it is there at once.
   * @param {string} id
   * @param {Pose} was where it was told to be before
   * @param {Pose} to
   * @param {number} now in milliseconds
   */
  told(id, was, to, now) {
    const going = this.going.get(id);
    if (same(was, to)) return going !== undefined; // something else of it has changed
    const gap = going ? now - going.begun : Infinity;
    const span = gap < longest ? Math.max(gap, 16) : usual;
    const from = going ? this.#at(going, now) : { pos: was.pos, rot: was.rot };
    const far = Math.hypot(to.pos[0] - from.pos[0], to.pos[1] - from.pos[1], to.pos[2] - from.pos[2]);
    if (far > (fastest * span) / 1000 || (!going && this.going.size >= most)) {
      this.going.delete(id);
      return false;
    }
    this.going.set(id, { from, to: { pos: to.pos, rot: to.rot }, begun: now, span, there: false });
    return true;
  }

  /**
   * Where something is, undefined if it is where it was told to be.
   * @param {string} id
   * @param {number} now
   */
  at(id, now) {
    const going = this.going.get(id);
    return going && this.#at(going, now);
  }

  /**
   * @param {Going} going
   * @param {number} now
   */
  #at(going, now) {
    return between(going.from, going.to, Math.min(Math.max((now - going.begun) / going.span, 0), 1));
  }

  /**
   * Has what is on its way shown where it is, the last time where it was told to be, and reports whether anything was. What has arrived
   * long ago is forgotten; what has arrived just now may be told to go on.
   * @param {number} now
   * @param {(id: string) => void} show
   */
  step(now, show) {
    let shown = false;
    for (const [id, going] of this.going) {
      if (!going.there) {
        going.there = now - going.begun >= going.span;
        shown = true;
        show(id);
      } else if (now - going.begun > going.span + longest) this.going.delete(id);
    }
    return shown;
  }

  /** Whether everything is where it was told to be. */
  get still() {
    for (const going of this.going.values()) if (!going.there) return false;
    return true;
  }
}
