// Looking through the camera of an agent: the rules of skills/camera (see its doc.go), which the server has too, and what is for viewers
// to draw of it.

import { rotate, stepRate } from "./flow.js";

/** @import { Vec3 } from "./copy.js" */
/** @import { Pose } from "./motion.js" */

/**
 * A row of the table "camera.rigs".
 * @typedef {{
 *   kind: string, target?: string, distance?: number, pitch?: number, yaw?: number, facing?: Vec3, lift?: number,
 *   position?: Vec3, lookAt?: Vec3, smoothness?: number, collisionCheck?: boolean, cut: number,
 *   fov: {to: number, from?: number, start?: number, steps?: number},
 *   shake?: {amplitude: number, frequency: number, fade?: boolean, start: number, steps: number},
 * }} Rig
 *
 * @typedef {{position: Vec3, lookAt: Vec3, fov: number}} Shot
 */

/**
 * The field of view of a rig at a step.
 * @param {Rig["fov"]} zoom
 * @param {number} step
 */
function degrees({ to, from = to, start = 0, steps = 0 }, step) {
  return step >= start + steps ? to : from + (to - from) * (Math.max(step - start, 0) / steps);
}

/** @param {Vec3} d */
const angle = (d) => Math.atan2(d[0], d[2]);

/**
 * Where the camera of a rig is to be, undefined if its target is not there.
 * @param {Rig} rig
 * @param {Pose | undefined} target
 * @param {number} step
 * @returns {Shot | undefined}
 */
export function aim(rig, target, step) {
  const fov = degrees(rig.fov, step);
  if (rig.kind === "free") return { position: rig.position ?? [0, 0, 0], lookAt: rig.lookAt ?? [0, 0, 0], fov };
  if (!target) return undefined;
  const at = target.pos;
  const turn = angle(rig.facing ?? rotate(target.rot, [0, 0, 1])) + (rig.yaw ?? 0);
  const eyes = rig.kind === "firstPerson";
  const pitch = eyes ? (rig.pitch ?? 0) : -(rig.pitch ?? 0);
  const ahead = [Math.sin(turn) * Math.cos(pitch), Math.sin(pitch), Math.cos(turn) * Math.cos(pitch)];
  if (eyes) {
    const y = at[1] + (rig.lift ?? 0);
    return { position: [at[0], y, at[2]], lookAt: [at[0] + ahead[0], y + ahead[1], at[2] + ahead[2]], fov };
  }
  const d = rig.distance ?? 0;
  return { position: [at[0] - ahead[0] * d, at[1] - ahead[1] * d, at[2] - ahead[2] * d], lookAt: at, fov };
}

/**
 * How far a rig shakes its camera off, at a step.
 * @param {Rig} rig
 * @param {number} step
 * @returns {Vec3}
 */
export function tremor({ shake }, step) {
  if (!shake || step < shake.start || step >= shake.start + shake.steps) return [0, 0, 0];
  const part = (step - shake.start) / shake.steps;
  const by = shake.amplitude * (shake.fade ? 1 - part : 1);
  const turn = (2 * Math.PI * shake.frequency * (step - shake.start)) / stepRate;
  return [by * Math.sin(turn), by * Math.sin(1.3 * turn + 1), by * Math.sin(0.7 * turn + 2)];
}

/** Rider comes behind a camera as gently as that is to come. */
export class Rider {
  constructor() {
    this.on = ""; // what it rides on: when that is another it jumps
    /** @type {Shot | undefined} */
    this.shot = undefined;
  }

  /**
   * Where it is, so many seconds after the last time.
   * @param {Rig} rig
   * @param {Shot} to
   * @param {number} dt
   * @returns {Shot}
   */
  step(rig, to, dt) {
    const on = `${rig.kind} ${rig.target} ${rig.cut}`;
    const lag = rig.smoothness ?? 0;
    const before = on === this.on && lag > 0 ? this.shot : undefined;
    this.on = on;
    const part = 1 - Math.exp(-dt / lag);
    /** @type {(a: Vec3, b: Vec3) => Vec3} */
    const toward = (a, b) => [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part];
    this.shot = before ? { position: toward(before.position, to.position), lookAt: toward(before.lookAt, to.lookAt), fov: to.fov } : to;
    return this.shot;
  }
}
