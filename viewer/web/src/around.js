// What there is around who plays that has a body, for Prediction: the triangles that it is drawn with, near him.

import { Matrix4, Quaternion, Vector3 } from "three";
import { Near } from "./near.js";
import { shapeOf } from "./shapes.js";

/** @import { BufferGeometry } from "three" */
/** @import { Copy, Entity, News, Vec3 } from "./copy.js" */
/** @import { Pose } from "./motion.js" */

const range = 5; // metres around him within which there are triangles
const slack = 2; // … that he goes until others are looked for
const most = 60_000; // triangles of a thing that stands, and of one that moves: what has more hinders nobody
const mostMoving = 2_000;

// What colliders look like: coarser than what is drawn.
const colliders = new Map([["box", "box"], ["sphere", "ball"], ["cylinder", "cylinder"], ["cone", "cone"], ["wedge", "wedge"]]);

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
    const { id, pos, scale, shape } = entity;
    const had = this.standing.delete(id);
    this.moving.delete(id);
    if (had) this.stale = true;
    if (!shape || !entity.rigidBody || within(this.copy, entity, this.id)) return;
    const size = shape.size;
    const reach = entity.ground ? Infinity : Math.hypot(size[0] * scale[0], size[1] * scale[1], size[2] * scale[2]) / 2 + range + slack;
    if (Math.abs(pos[0] - x) > reach || Math.abs(pos[1] - y) > reach || Math.abs(pos[2] - z) > reach) return;
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
    const { near, center } = this;
    if (!center || Math.hypot(at[0] - center[0], at[1] - center[1], at[2] - center[2]) > slack) {
      this.center = [at[0], at[1], at[2]];
      this.standing.clear();
      this.moving.clear();
      for (const entity of this.copy.entities.values()) this.#note(entity, this.center);
      this.stale = true;
    }
    if (this.stale) {
      near.clear();
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
    if (!entity?.shape || !pose || !this.center) return;
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
    const [x, y, z] = this.center;
    const reach = range + slack;
    this.near.add(points.array, geometry.index?.array, matrix.elements, [x - reach, y - reach, z - reach], [x + reach, y + reach, z + reach]);
  }
}
