// People: what a figure consists of and how it walks, as package render has it (render/figure.go).

/** @import { Entity, Vec3, Quat } from "./copy.js" */

/**
 * How a figure holds itself: how far it is in its stride, in radians, how fast it walks in m/s, whether it crouches, and whether it is in the air.
 * @typedef {{stride: number, speed: number, low: boolean, aloft: boolean}} Pose
 */

/**
 * A piece of a figure, in its space: a ball or a capsule of full extents, and what has its colour.
 * @typedef {{round: boolean, pos: Vec3, rot: Quat, size: Vec3, tone: "clothes" | "legwear" | "skin" | "hair" | "dark"}} Part
 */

const skins = [0xe0b08c, 0xc68e68, 0x8d5a3c, 0xf0c8a8];
const hairs = [0x3a2a20, 0x6b4528, 0xb08850, 0x1f1b1a, 0x8a8580];
const darkTone = 0x2b2724;
const legShade = 0.55;

const tall = 1.7;
const wide = 0.7;
const low = 1.2 / tall;
const hipHigh = 0.88;
const ankleHigh = 0.08;
const legHalf = 0.402;
const stepReach = 0.3;
const strolling = 1.5;
const shoulder = 1.37;
const upperArm = 0.27;
const lowerArm = 0.25;
const runsFrom = 2;
const runsAllFrom = 6;

/**
 * Whether an entity is drawn as a person: one that has the shape of one, and a character or an agent's body that is a capsule.
 * @param {Entity} entity
 */
export function isFigure(entity) {
  const kind = entity.shape?.kind;
  return kind === "figure" || (kind === "capsule" && (entity.character !== undefined || entity.agent !== undefined));
}

/**
 * The colour of a tone of a dressed figure.
 * @param {Part["tone"]} tone
 * @param {string} id
 * @param {number} own
 */
export function tint(tone, id, own) {
  const number = BigInt(/^ent_\d+$/.test(id) ? id.slice(4) : 0);
  switch (tone) {
    case "legwear":
      return [16, 8, 0].reduce((c, shift) => c | (Math.trunc(((own >> shift) & 255) * legShade) << shift), 0);
    case "skin":
      return skins[Number(number % BigInt(skins.length))];
    case "hair":
      return hairs[Number(number % BigInt(hairs.length))];
    case "dark":
      return darkTone;
  }
  return own;
}

/**
 * How many metres somebody gets on in two steps at a speed in m/s.
 * @param {number} speed
 */
export const strideOf = (speed) => 0.8 + 0.5 * Math.max(speed, 0);

/**
 * @param {number} x
 * @param {number} least
 * @param {number} most
 */
const within = (x, least, most) => Math.min(Math.max(x, least), most);

/**
 * Where a foot is in a stride, from where it stands.
 * @param {number} stride
 * @param {number} swing
 * @param {number} run
 */
function footAt(stride, swing, run) {
  if (swing === 0) return { z: 0, up: 0, tip: 0, ahead: 0 };
  let part = stride / (2 * Math.PI);
  part -= Math.floor(part);
  const reach = (stepReach + 0.1 * run) * swing;
  if (part < 0.5) {
    const ahead = 1 - 4 * part;
    return { z: reach * ahead, up: 0, ahead, tip: 0.5 * swing * Math.max(-ahead - 0.4, 0) };
  }
  part = 2 * part - 1;
  const cos = Math.cos(Math.PI * part);
  return { z: -reach * cos, up: (0.09 + 0.22 * run) * swing * Math.sin(Math.PI * part), ahead: -cos, tip: (0.5 * swing * (cos + 1)) / 2 };
}

/**
 * The rotation that turns the y axis to a direction of length 1.
 * @param {Vec3} to
 * @returns {Quat}
 */
function fromUp([x, y, z]) {
  const length = Math.hypot(z, x, 1 + y);
  if (length < 1e-7) return [0, 0, 1, 0];
  return [z / length, 0, -x / length, (1 + y) / length];
}

/**
 * What a figure consists of whose room has the given full extents, from the middle of that: feet, legs, trunk and head, arms.
 * @param {Pose} pose
 * @param {Vec3} size
 * @returns {Part[]}
 */
export function parts(pose, size) {
  const by = /** @type {Vec3} */ ([size[0] / wide, size[1] / tall, size[2] / wide]);
  let drop = 0;
  if (pose.low) {
    by[1] /= low;
    drop = tall * (1 - low);
  }
  const thick = Math.min(...by);
  /** @type {Part[]} */
  const out = [];
  /** @param {Vec3} p @returns {Vec3} */
  const at = ([x, y, z]) => [x * by[0], y * by[1] - size[1] / 2, z * by[2]];

  /** @param {boolean} round @param {Vec3} pos @param {Quat} rot @param {Vec3} full @param {Part["tone"]} tone */
  const ball = (round, pos, rot, full, tone) => {
    let s = /** @type {Vec3} */ (full.map((x, i) => x * by[i]));
    if (round) {
      const most = 1.5 * Math.min(...s);
      s = /** @type {Vec3} */ (s.map((x) => Math.min(x, most)));
    }
    out.push({ round, pos: at(pos), rot, size: s, tone });
  };
  /** @param {Vec3} from @param {Vec3} to @param {number} radius @param {Part["tone"]} tone */
  const limb = (from, to, radius, tone) => {
    const [a, b] = [at(from), at(to)];
    const way = /** @type {Vec3} */ (a.map((x, i) => x - b[i]));
    const length = Math.hypot(...way);
    const full = 2 * radius * thick;
    out.push({
      round: false, pos: /** @type {Vec3} */ (a.map((x, i) => (x + b[i]) / 2)),
      rot: length > 1e-9 ? fromUp(/** @type {Vec3} */ (way.map((x) => x / length))) : [0, 0, 0, 1], size: [full, length + full, full], tone,
    });
  };

  let swing = Math.min(Math.max(pose.speed, 0) / strolling, 1);
  let run = within((pose.speed - runsFrom) / (runsAllFrom - runsFrom), 0, 1);
  let lean = 0.05 * swing + 0.2 * run;
  if (pose.low) lean = 0.45;
  if (pose.aloft) [swing, run, lean] = [0, 0, 0.08];
  const hipAt = /** @type {Vec3} */ ([0, hipHigh - drop - 0.03 * swing, pose.low ? -0.16 : 0]);
  const feet = pose.aloft
    ? [{ z: 0.16, up: 0.24, tip: 0.5, ahead: 0.6 }, { z: -0.14, up: 0.1, tip: 0.7, ahead: -0.6 }]
    : [footAt(pose.stride, swing, run), footAt(pose.stride + Math.PI, swing, run)];

  for (const [i, side] of [1, -1].entries()) {
    const foot = feet[i];
    const hip = /** @type {Vec3} */ ([0.092 * side, hipAt[1], hipAt[2]]);
    const ankle = /** @type {Vec3} */ ([0.095 * side, ankleHigh + foot.up, foot.z - 0.02]);
    let [wy, wz] = [ankle[1] - hip[1], ankle[2] - hip[2]];
    let d = Math.hypot(wy, wz);
    const most = 2 * legHalf * 0.998;
    if (d > most) {
      [wy, wz, d] = [(wy * most) / d, (wz * most) / d, most];
      [ankle[1], ankle[2]] = [hip[1] + wy, hip[2] + wz];
    }
    const bent = Math.sqrt(Math.max(legHalf * legHalf - (d * d) / 4, 0));
    const knee = /** @type {Vec3} */ ([0.096 * side, hip[1] + wy / 2 + (bent * wz) / d, hip[2] + wz / 2 - (bent * wy) / d]);
    limb(hip, knee, 0.082, "legwear");
    limb(knee, ankle, 0.06, "legwear");
    const [sin, cos] = [Math.sin(foot.tip), Math.cos(foot.tip)];
    /** @param {number} z @returns {Vec3} */
    const along = (z) => [ankle[0], ankle[1] - 0.03 - z * sin - 0.01 * cos, ankle[2] + z * cos];
    limb(along(-0.035), along(0.135), 0.045, "dark");
  }

  const [sin, cos] = [Math.sin(lean), Math.cos(lean)];
  /** @param {number} x @param {number} y @param {number} z @returns {Vec3} */
  const trunk = (x, y, z) => [x, hipAt[1] + (y - hipHigh) * cos - z * sin, hipAt[2] + (y - hipHigh) * sin + z * cos];
  const turn = /** @type {Quat} */ ([Math.sin(lean / 2), 0, 0, Math.cos(lean / 2)]);
  ball(false, trunk(0, 0.93, 0), turn, [0.31, 0.25, 0.21], "legwear");
  ball(false, trunk(0, 1.2, 0), turn, [0.38, 0.56, 0.23], "clothes");
  ball(false, trunk(0, 1.46, 0), turn, [0.11, 0.2, 0.11], "skin");
  ball(true, trunk(0, 1.57, 0.01), turn, [0.21, 0.26, 0.23], "skin");
  ball(true, trunk(0, 1.603, -0.022), turn, [0.235, 0.22, 0.235], "hair");
  ball(true, trunk(0, 1.55, 0.128), turn, [0.035, 0.05, 0.045], "skin");
  for (const [i, side] of [1, -1].entries()) {
    ball(true, trunk(0.045 * side, 1.582, 0.108), turn, [0.03, 0.034, 0.03], "dark");
    let swung = -feet[i].ahead * (0.5 * swing + 0.25 * run);
    let bend = 0.18 + 0.1 * swing + 1.2 * run;
    let spread = 0.13;
    if (pose.aloft) [swung, bend, spread] = [-0.5 * feet[i].ahead, 0.5, 0.8];
    else if (pose.low) [swung, bend] = [0.5 + swung * 0.5, 1];
    /** @param {Vec3} from @param {number} angle @param {number} length @param {number} aside @returns {Vec3} */
    const reach = (from, angle, length, aside) => {
      const part = length / Math.hypot(aside, 1);
      return [from[0] + side * aside * part, from[1] - Math.cos(angle) * part, from[2] + Math.sin(angle) * part];
    };
    const top = trunk(0.215 * side, shoulder, 0);
    const elbow = reach(top, swung, upperArm, spread);
    const wrist = reach(elbow, swung + bend, lowerArm, spread / 3);
    limb(top, elbow, 0.055, "clothes");
    limb(elbow, wrist, 0.045, "clothes");
    limb(wrist, reach(wrist, swung + bend, 0.05, 0), 0.044, "skin");
  }
  return out;
}

// How long a figure takes to come to its pace and to a stand, in seconds, and how slow it may be to be standing, in m/s.
const settling = 0.12;
const standing = 0.05;

/** Gait is how somebody walks, by where he is from frame to frame. */
export class Gait {
  /** @param {Vec3} pos */
  constructor(pos) {
    this.pos = pos;
    this.stride = 0;
    this.speed = 0;
  }

  /**
   * Has him go on to a place in some seconds, and reports whether he looks other than before. Where he is put from afar he does not walk to.
   * @param {Vec3} pos
   * @param {Quat} rot
   * @param {number} dt
   * @returns {boolean}
   */
  step(pos, rot, dt) {
    const [dx, dz] = [pos[0] - this.pos[0], pos[2] - this.pos[2]];
    this.pos = pos;
    const way = Math.hypot(dx, dz);
    if (dt <= 0) return false;
    const speed = way / dt < 20 ? way / dt : 0;
    const before = this.speed;
    this.speed += (speed - this.speed) * (1 - Math.exp(-dt / settling));
    if (this.speed < standing && speed < standing) this.speed = 0;
    const [x, y, z, w] = rot;
    const back = dx * (2 * (x * z + w * y)) + dz * (1 - 2 * (x * x + y * y)) < -0.3 * way;
    this.stride += ((back ? -1 : 1) * (speed > 0 ? way : 0) * 2 * Math.PI) / strideOf(this.speed);
    return before > 0 || this.speed > 0;
  }
}
