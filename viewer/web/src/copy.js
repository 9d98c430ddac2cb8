// The copy that a page holds of what its subscription sees.

/**
 * @typedef {[number, number, number]} Vec3
 * @typedef {[number, number, number, number]} Quat
 *
 * An entity as the server tells it: docs/state-sync.md has the components.
 * @typedef {{
 *   id: string, eid: number, pos: Vec3, rot: Quat, scale: Vec3, parent?: string, name?: string, tags?: string[],
 *   shape?: {kind: string, size: Vec3, color: number},
 *   material?: {name?: string, color?: number, roughness?: number, metalness?: number, emissive?: number, castShadow?: boolean, receiveShadow?: boolean},
 *   light?: {kind: string, color: number, intensity: number, range?: number, angle?: number},
 *   mesh?: {asset: string}, ground?: object, water?: {size: number, color: number, line?: Vec3[], flow?: number}, agent?: string,
 *   rigidBody?: {type: string}, [component: string]: unknown,
 * }} Entity
 *
 * @typedef {{kind: string, entity?: string, at?: Vec3, payload?: any}} Moment
 *
 * What is told of a message: which entities are new or changed, which are gone, which globals and tables have
 * changed, and what is to be played. whole: everything that was there before is gone.
 * @typedef {{
 *   whole: boolean, tick: number, step: number, changes: Entity[], removed: string[],
 *   world: string[], events: Moment[], moved: boolean,
 * }} News
 */

/** Copy holds the entities of an area, and what belongs to none of them, as they were at a tick. */
export class Copy {
  constructor() {
    /** @type {Map<string, Entity>} */
    this.entities = new Map();
    /** Globals by name, and tables by name as maps of rows. @type {Map<string, any>} */
    this.world = new Map();
    this.tick = 0;
    this.step = 0;
    this.epoch = "";
    /** The area that the copy is of, for a subscription that resumes. @type {object | undefined} */
    this.aoi = undefined;
    /** @type {Set<string>} */
    this.tables = new Set();
  }

  /**
   * Applies a message, a state/snapshot or a state/delta, and returns what it was about.
   * @param {"state/snapshot" | "state/delta"} method
   * @param {any} message
   * @returns {News}
   */
  apply(method, message) {
    const whole = method === "state/snapshot";
    if (whole) {
      this.entities.clear();
      this.world.clear();
      this.tables = new Set(message.tables);
      this.epoch = message.epoch;
    }
    this.tick = message.tick;
    this.step = message.step;
    if (message.aoi) this.aoi = message.aoi;
    const removed = message.removed ?? [];
    for (const id of removed) this.entities.delete(id);
    const changes = (whole ? message.entities : message.changes) ?? [];
    for (const entity of changes) this.entities.set(entity.id, entity);
    for (const name of message.replaced ?? []) this.world.delete(name);
    for (const [name, value] of Object.entries(message.world ?? {})) this.#tell(name, value);
    return {
      whole, tick: this.tick, step: this.step, changes, removed, events: message.events ?? [],
      world: [...Object.keys(message.world ?? {}), ...(message.replaced ?? [])], moved: whole || message.aoi !== undefined,
    };
  }

  /**
   * @param {string} name
   * @param {any} value
   */
  #tell(name, value) {
    if (!this.tables.has(name)) {
      this.world.set(name, value);
      return;
    }
    const rows = this.world.get(name) ?? new Map();
    for (const [key, row] of Object.entries(value)) {
      if (row === null) rows.delete(key);
      else rows.set(key, row);
    }
    this.world.set(name, rows);
  }

  /**
   * The rows of a table, none if there is no such table.
   * @param {string} name
   * @returns {Map<string, any>}
   */
  rows(name) {
    return this.world.get(name) ?? new Map();
  }
}
