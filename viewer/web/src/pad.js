// A gamepad, with the buttons and axes of the Gamepad API's standard mapping.

const dead = 0.15; // how far a stick may be off its middle and count as there

/**
 * A gamepad as browsers tell of it, as much as is needed.
 * @typedef {{connected: boolean, buttons: readonly {value: number}[], axes: readonly number[]}} State
 */

/** Pad is the first gamepad that there is. */
export class Pad {
  /** @param {() => readonly (State | null)[]} read */
  constructor(read) {
    this.read = read;
    /** @type {State | undefined} */
    this.state = undefined;
    /** Buttons that were down when it was looked at last. @type {Set<number>} */
    this.down = new Set();
  }

  /**
   * Looks at it, and returns which buttons have gone down since the last time.
   * @returns {number[]}
   */
  look() {
    this.state = this.read().find((state) => state?.connected) ?? undefined;
    const down = new Set((this.state?.buttons ?? []).flatMap(({ value }, i) => (value >= 0.5 ? [i] : [])));
    const fresh = [...down].filter((i) => !this.down.has(i));
    this.down = down;
    return fresh;
  }

  /**
   * Where an axis is.
   * @param {number} n
   */
  axis(n) {
    const at = this.state?.axes[n] ?? 0;
    return Math.abs(at) < dead ? 0 : at;
  }

  /**
   * How far a source as input.bind has it is moved or pressed: GamepadButton0, GamepadAxis1.
   * @param {string} source
   */
  amount(source) {
    const [, kind, n] = /^Gamepad(Button|Axis)(\d+)$/.exec(source) ?? [];
    if (kind === "Axis") return this.axis(Number(n));
    return kind ? (this.state?.buttons[Number(n)]?.value ?? 0) : 0;
  }
}
