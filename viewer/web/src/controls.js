// Controls that a game has given to who plays (docs/games.md, "Something to drive"): which keys, buttons and sticks they stand for, and what they are at.

/**
 * A button or an axis, as viewers see it in the component "controls".
 * @typedef {{name: string, type: string, sources: string[]}} Given
 *
 * How far a source is pressed, 0 to 1, or moved, -1 to 1.
 * @typedef {(source: string) => number} Amount
 */

const often = 50; // milliseconds between two calls about one control, at least
const fine = 20; // steps from the middle of an axis to its end: less is no news

/**
 * What a control is at: a button 0 or 1, an axis -1 to 1. Of an axis every other key or button is its negative end.
 * @param {Given} given
 * @param {Amount} amount
 */
export function valueOf({ type, sources }, amount) {
  if (type !== "axis") return Number(sources.some((source) => Math.abs(amount(source)) >= 0.5));
  let [sum, ends] = [0, 0];
  for (const source of sources) {
    const moved = amount(source);
    sum += /^GamepadAxis/.test(source) || ends++ % 2 === 1 ? moved : -moved;
  }
  return Math.round(Math.min(Math.max(sum, -1), 1) * fine) / fine + 0; // never -0
}

/** What keys are called on a keyboard. @param {string} source */
export const label = (source) => source.replace(/^(Key|Digit|Arrow)/, "").replace("Gamepad", "");

/** Controls says what a player's controls are at, whenever that changes. */
export class Controls {
  /** @param {(name: string, value: number) => Promise<unknown>} send */
  constructor(send) {
    this.send = send;
    /** What one has been given. @type {Given[]} */
    this.given = [];
    /** What was said of each, when, and whether that has no answer yet. @type {Map<string, {value: number, at: number, open: boolean}>} */
    this.said = new Map();
    /** What is pressed on the screen, by name. @type {Map<string, number>} */
    this.pressed = new Map();
  }

  /**
   * Takes over what one has been given: what is new, or another than it was, is at rest.
   * @param {Given[]} given
   * @returns {boolean} whether it is another than before
   */
  take(given) {
    const before = new Map(this.given.map((one) => [one.name, JSON.stringify(one)]));
    const same = given.length === before.size && given.every((one) => before.get(one.name) === JSON.stringify(one));
    if (same) return false;
    for (const name of before.keys()) {
      if (given.some((one) => one.name === name && before.get(name) === JSON.stringify(one))) continue;
      this.said.delete(name);
      this.pressed.delete(name);
    }
    this.given = given;
    return true;
  }

  /**
   * Whether one of them stands for a source.
   * @param {string} source
   */
  has(source) {
    return this.given.some(({ sources }) => sources.includes(source));
  }

  /**
   * Says what has changed. It is to be called whenever something may have, and in each frame.
   * @param {Amount} amount
   * @param {number} now in milliseconds
   */
  tell(amount, now) {
    for (const one of this.given) {
      const value = this.pressed.get(one.name) ?? valueOf(one, amount);
      const said = this.said.get(one.name) ?? { value: 0, at: -Infinity, open: false };
      if (said.value === value || said.open || now - said.at < often) continue;
      Object.assign(said, { value, at: now, open: true });
      this.said.set(one.name, said);
      const answered = () => void (said.open = false);
      this.send(one.name, value).then(answered, answered);
    }
  }
}
