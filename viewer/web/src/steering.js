// Steering a character: what is held down, as calls of player.move (docs/characters.md).

const often = 50; // milliseconds between two calls at least, unless they say something quite other
const again = 150; // … after which what goes on is said again
const lasts = 0.5; // seconds of the world for which the server goes on by itself
const most = 16; // calls that have no answer yet: as many as one makes in turning while the server is most of a second away
const turn = 0.02; // radians below which a direction is the same
const sharp = 0.3; // … from which it is quite another

/**
 * What a player wants: where to, -1 to 1 each, whether he runs, and whether he looks through the character's eyes, and so turns it and walks sideways.
 * @typedef {{ahead: number, right: number, run: boolean, eyes: boolean}} Wish
 *
 * The input of player.move.
 * @typedef {{forward: number, strafe?: number, yaw: number, run?: boolean, jump?: boolean, seconds?: number}} Move
 */

/**
 * What a wish comes to where the camera looks in a direction.
 * @param {Wish} wish
 * @param {number} yaw where the camera looks: 0 is along +z, π/2 along +x
 * @returns {Move | undefined} undefined if he stands
 */
export function moveOf({ ahead, right, run, eyes }, yaw) {
  if (!ahead && !right) return undefined;
  const tenths = (/** @type {number} */ x) => Math.round(x * 10) / 10 + 0; // of a stick; less is no news, and never -0
  if (eyes) return { forward: tenths(ahead), strafe: tenths(right), yaw, run, seconds: lasts };
  return { forward: Math.max(tenths(Math.min(Math.hypot(ahead, right), 1)), 0.1), yaw: yaw + Math.atan2(-right, ahead), run, seconds: lasts };
}

/**
 * How far it is from one direction to another, at most π.
 * @param {number} a
 * @param {number} b
 */
const between = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

/**
 * Whether a move is quite another than one before: it begins or ends, runs or does not, or goes elsewhere.
 * @param {Move} a
 * @param {Move} b
 */
function quite(a, b) {
  const stands = (/** @type {Move} */ m) => !m.forward && !m.strafe;
  if (stands(a) || stands(b)) return stands(a) !== stands(b);
  const way = (/** @type {Move} */ m) => m.yaw + Math.atan2(-(m.strafe ?? 0), m.forward);
  return !a.run !== !b.run || between(way(a), way(b)) >= sharp;
}

/** Steering says what a player wants as often as is needed: at once if it is another, and now and then while it goes on. */
export class Steering {
  /** @param {(move: Move) => Promise<unknown>} send */
  constructor(send) {
    this.send = send;
    /** What was said last. @type {Move} */
    this.said = { forward: 0, yaw: 0 };
    this.at = -Infinity; // when
    this.open = 0; // calls that have no answer
    this.jumps = false;
  }

  /**
   * Begins anew: with a character that stands and looks somewhere.
   * @param {number} yaw
   */
  reset(yaw) {
    this.said = { forward: 0, yaw };
    this.jumps = false;
  }

  /** Has the character jump with the next call. */
  jump() {
    this.jumps = true;
  }

  /**
   * Says what is wanted, if it has to be said now. It is to be called whenever that changes, and in each frame.
   * @param {Wish} wish
   * @param {number} yaw
   * @param {number} now in milliseconds
   */
  steer(wish, yaw, now) {
    const { said } = this;
    const going = moveOf(wish, yaw);
    const move = going ?? { forward: 0, yaw: wish.eyes ? yaw : said.yaw };
    const other =
      move.forward !== said.forward || (move.strafe ?? 0) !== (said.strafe ?? 0) || (going && !move.run !== !said.run) || between(move.yaw, said.yaw) >= turn;
    const since = now - this.at;
    if (!this.jumps && !(other && (since >= often || quite(move, said))) && !(going && since >= again)) return;
    if (this.open >= most) return; // the next time
    if (this.jumps) move.jump = true;
    this.jumps = false;
    this.said = move;
    this.at = now;
    this.open++;
    const answered = () => void this.open--;
    this.send(move).then(answered, answered);
  }
}
