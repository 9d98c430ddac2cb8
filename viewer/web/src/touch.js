// Fingers on a touch screen: one on the left is a stick, which walks; others look about, two of them come nearer or go away, and a tap is a click.

const side = 0.4; // of the width, from the left: there the stick is
const reach = 60; // pixels from the middle of the stick to its end
const far = 1.5; // … times which one runs
const slip = 10; // pixels within which a finger has not moved
const brief = 350; // milliseconds for which a tap lasts at most

/**
 * A finger that is down.
 * @typedef {{stick: boolean, from: [number, number], at: [number, number], since: number, moved: boolean}} Finger
 */

/** Touch says what the fingers do. */
export class Touch {
  /** @param {{turn: (dx: number, dy: number) => void, zoom: (by: number) => void, tap: (x: number, y: number) => void}} does */
  constructor(does) {
    this.does = does;
    /** By the pointer's id. @type {Map<number, Finger>} */
    this.fingers = new Map();
  }

  /** Where the stick is and how far it is moved, in pixels; undefined while nobody holds it. */
  get stick() {
    for (const { stick, from, at } of this.fingers.values()) if (stick) return { from, dx: at[0] - from[0], dy: at[1] - from[1] };
    return undefined;
  }

  /** Where the stick sends the character. */
  get wish() {
    const { stick } = this;
    if (!stick) return { ahead: 0, right: 0, run: false };
    const long = Math.hypot(stick.dx, stick.dy);
    if (long < slip) return { ahead: 0, right: 0, run: false };
    const by = Math.max(long, reach);
    return { ahead: 0 - stick.dy / by, right: stick.dx / by, run: long > reach * far };
  }

  /**
   * A finger is put down.
   * @param {number} id
   * @param {number} x in pixels, from the left
   * @param {number} y … from the top
   * @param {number} width of the screen
   * @param {number} now in milliseconds
   */
  down(id, x, y, width, now) {
    this.fingers.set(id, { stick: x < width * side && !this.stick, from: [x, y], at: [x, y], since: now, moved: false });
  }

  /**
   * It moves.
   * @param {number} id
   * @param {number} x
   * @param {number} y
   */
  move(id, x, y) {
    const finger = this.fingers.get(id);
    if (!finger) return;
    const [dx, dy] = [x - finger.at[0], y - finger.at[1]];
    const others = [...this.fingers.values()].filter((f) => f !== finger && !f.stick);
    const apart = () => Math.hypot(finger.at[0] - others[0].at[0], finger.at[1] - others[0].at[1]);
    const before = others.length > 0 ? apart() : 0;
    finger.at = [x, y];
    finger.moved ||= Math.hypot(x - finger.from[0], y - finger.from[1]) >= slip;
    if (finger.stick) return;
    if (others.length > 0) this.does.zoom(2 * (before - apart()));
    else if (finger.moved) this.does.turn(dx, dy);
  }

  /**
   * It is taken away.
   * @param {number} id
   * @param {number} now
   */
  up(id, now) {
    const finger = this.fingers.get(id);
    this.fingers.delete(id);
    if (finger && !finger.moved && now - finger.since <= brief) this.does.tap(...finger.at);
  }

  /**
   * It is gone, as when another window takes over.
   * @param {number} id
   */
  lost(id) {
    this.fingers.delete(id);
  }
}
