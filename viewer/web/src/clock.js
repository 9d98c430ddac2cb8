// Which simulation step it is, between what the server tells.

import { stepRate } from "./flow.js";

const soft = 15; // steps that it may be wrong before it jumps

/** Clock goes on by itself as the world does, and comes gently to what it is told. */
export class Clock {
  constructor() {
    this.step = 0;
    this.when = 0;
    this.scale = 1;
  }

  /**
   * Takes over what a message says.
   * @param {number} step
   * @param {number} scale simulated seconds in a second
   * @param {number} now in milliseconds
   */
  told(step, scale, now) {
    const off = step - this.at(now);
    this.step = Math.abs(off) > soft ? step : this.at(now) + off / 5;
    this.when = now;
    this.scale = scale;
  }

  /**
   * The step that it is now, with a part of the next.
   * @param {number} now in milliseconds
   */
  at(now) {
    return this.step + ((now - this.when) / 1000) * stepRate * this.scale;
  }
}
