// What there is around who plays that has a body, for Prediction: the triangles that it is drawn with, near him.

import { Matrix4, Quaternion, Vector3 } from "three";
import { Near } from "./near.js";
import { shapeOf } from "./shapes.js";

/** @import { BufferGeometry } from "three" */
/** @import { Copy, Entity, News, Vec3 } from "./copy.js" */
/** @import { Pose } from "./motion.js" */

const [wide, tall] = [3, 5]; // metres beside, above and below him within which there are triangles
const slack = 2; // … that he goes until they are gathered anew
const far = 10; // … until what has triangles is
const most = 60_000; // triangles of a thing that stands, and of one that moves: what has more hinders nobody
const mostMoving = 2_000;

// What colliders look like: coarser than what is drawn.
const colliders = new Map([["box", "box"], ["sphere", "ball"], ["cylinder", "post"], ["cone", "cone"], ["wedge", "wedge"]]);

const matrix = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

/**
 * Whether something is part of an entity, or that itself.
 * @param {Copy} copy
 * @param {Entity | undefined} entity
 * @param {string} id
 */
export function within(copy, entity, id) {
  for (; entity; entity = entity.parent === undefined ? undefined : copy.entities.get(entity.parent)) if (entity.id === id) return true;
  return false;
}

/** Whether something stands still until it is told to be elsewhere. @param {Entity} entity */
const stands = (entity) => entity.rigidBody?.type === "static" || entity.ground !== undefined;

/**
 * How far something is from a place, at least, from where it was told to be.
 * @param {Entity} entity
 * @param {number} x
 * @param {number} y
 * @param {number} z
 */
function apart({ pos, scale, shape }, x, y, z) {
  const [a, b, c] = shape?.size ?? [0, 0, 0];
  const [dx, dy, dz] = [pos[0] - x, pos[1] - y, pos[2] - z];
  const [sx, sy, sz] = [a * scale[0], b * scale[1], c * scale[2]];
  return Math.sqrt(dx * dx + dy * dy + dz * dz) - Math.sqrt(sx * sx + sy * sy + sz * sz) / 2;
}

/** Around knows what stands in the way of one entity. */
export class Around {
  id = "";
  near = new Near();
  fixed = 0; // of its triangles that stand
  /** What is near: what stands, and what moves. @type {Set<string>} */
  standing = new Set();
  /** @type {Set<string>} */
  moving = new Set();
  /** Where it was looked for. @type {Vec3 | undefined} */
  center = undefined;
  /** … and where its triangles are. @type {Vec3} */
  here = [0, 0, 0];
  stale = true; // whether what stands is to be gathered anew
  shifted = true; // … what moves

  /**
   * @param {Copy} copy
   * @param {(name: string) => BufferGeometry | undefined} geometry what something of a name looks like, as far as that is known
   * @param {(id: string) => Pose | undefined} pose where something is drawn
   */
  constructor(copy, geometry, pose) {
    this.copy = copy;
    this.geometry = geometry;
    this.pose = pose;
  }

  /**
   * Looks around another entity.
   * @param {string} id
   */
  begin(id) {
    this.id = id;
    this.center = undefined;
  }

  /**
   * Takes over what a message was about.
   * @param {News} news
   */
  told(news) {
    if (news.whole) this.center = undefined;
    for (const id of news.removed) {
      if (this.standing.delete(id)) this.stale = true;
      this.moving.delete(id);
    }
    for (const entity of news.changes) if (this.center) this.#note(entity, this.center);
    this.shifted = true;
  }

  /** A frame begins: what moves is elsewhere. */
  frame() {
    this.shifted = true;
  }

  /**
   * How far he comes on a short level way.
   * @param {Vec3} feet
   * @param {number} dx
   * @param {number} dz
   * @param {{height: number, radius: number}} body
   */
  go(feet, dx, dz, body) {
    this.#look(feet);
    return this.near.go(feet, dx, dz, body);
  }

  /**
   * How high the ground is.
   * @param {Vec3} feet
   * @param {number} dx
   * @param {number} dz
   * @param {number} radius of his body
   */
  floor(feet, dx, dz, radius) {
    this.#look(feet);
    return this.near.floor(feet, dx, dz, radius);
  }

  /**
   * Notes whether an entity is near, and hinders.
   * @param {Entity} entity
   * @param {Vec3} center
   */
  #note(entity, [x, y, z]) {
    const { id } = entity;
    const had = this.standing.delete(id);
    this.moving.delete(id);
    if (had) this.stale = true;
    if (!entity.shape || !entity.rigidBody || within(this.copy, entity, this.id)) return;
    if (!entity.ground && apart(entity, x, y, z) > far + wide + tall) return;
    if (!stands(entity)) this.moving.add(id);
    else {
      this.standing.add(id);
      this.stale = true;
    }
  }

  /**
   * Sees to it that the triangles are those around a place.
   * @param {Vec3} at
   */
  #look(at) {
    const { near, center, here } = this;
    const gone = (/** @type {Vec3} */ from) => Math.hypot(at[0] - from[0], at[1] - from[1], at[2] - from[2]);
    if (gone(here) > slack) this.stale = true;
    if (!center || gone(center) > far) {
      this.center = [at[0], at[1], at[2]];
      this.standing.clear();
      this.moving.clear();
      for (const entity of this.copy.entities.values()) this.#note(entity, this.center);
      this.stale = true;
    }
    if (this.stale) {
      near.clear();
      this.here = [at[0], at[1], at[2]];
      for (const id of this.standing) this.#add(id, most);
      this.fixed = near.count;
      this.stale = false;
      this.shifted = true;
    }
    if (!this.shifted) return;
    this.shifted = false;
    near.count = this.fixed;
    for (const id of this.moving) this.#add(id, mostMoving);
  }

  /**
   * Adds the triangles of an entity.
   * @param {string} id
   * @param {number} most
   */
  #add(id, most) {
    const entity = this.copy.entities.get(id);
    const pose = this.pose(id);
    const [x, y, z] = this.here;
    if (!entity?.shape || !pose || (!entity.ground && apart(entity, x, y, z) > Math.hypot(wide, tall, wide))) return;
    const own = shapeOf(entity);
    const collider = /** @type {{collider?: string}} */ (entity.rigidBody).collider ?? "";
    const name = own.ask ? own.name : collider === "capsule" ? own.name.replace(/^capsule /, "limb ") : (colliders.get(collider) ?? own.name);
    const geometry = this.geometry(name);
    const points = geometry?.getAttribute("position");
    if (!geometry || !points || (geometry.index?.count ?? points.count) > 3 * most) return;
    scale.fromArray(entity.scale);
    if (own.sized) scale.multiply(position.fromArray(entity.shape.size));
    if (entity.ground) scale.set(Math.abs(scale.x), Math.abs(scale.y), Math.abs(scale.z));
    matrix.compose(position.fromArray(pose.pos), rotation.fromArray(pose.rot), scale);
    this.near.add(points.array, geometry.index?.array, matrix.elements, [x - wide, y - tall, z - wide], [x + wide, y + tall, z + wide]);
  }
}
