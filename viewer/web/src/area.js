// Which part of the world a page asks for.

/** @import { Vec3 } from "./copy.js" */

/** What a page holds of entities before it sees less far. */
export const most = 40_000;

/**
 * Area is the whole world as long as that is small, else a ball around where the camera looks, which moves with it.
 */
export class Area {
  /** @param {number} entities in the world */
  constructor(entities) {
    this.whole = entities <= most / 2;
    /** @type {Vec3} */
    this.center = [0, 0, 0];
    this.radius = 200;
  }

  /**
   * What to declare, undefined for what is declared already: the camera looks at target from a distance, and entities are held.
   * @param {Vec3} target
   * @param {number} distance
   * @param {number} entities
   * @returns {{center: Vec3, radius: number} | undefined}
   */
  next(target, distance, entities) {
    if (entities > most) return this.less(target);
    let radius = this.radius;
    if (this.whole) return undefined;
    if (entities < most / 8 && radius < distance * 3 && radius < 20_000) radius *= 2;
    const moved = Math.hypot(target[0] - this.center[0], target[1] - this.center[1], target[2] - this.center[2]);
    if (radius === this.radius && moved < radius / 4) return undefined;
    this.center = [...target];
    this.radius = radius;
    return this.declared;
  }

  /**
   * What to declare where there is too much: a smaller area.
   * @param {Vec3} target
   * @returns {{center: Vec3, radius: number} | undefined}
   */
  less(target) {
    this.radius = this.whole ? 200 : Math.max(this.radius / 2, 5);
    this.whole = false;
    this.center = [...target];
    return this.declared;
  }

  /** @returns {{center: Vec3, radius: number} | undefined} */
  get declared() {
    return this.whole ? undefined : { center: this.center, radius: this.radius };
  }
}
