// Ropes and springs, by which one entity hangs on another: thin, straight, as in the pictures of scene.render.

import { CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";

/** @import { Copy, Entity, Vec3 } from "./copy.js" */
/** @import { Pose } from "./motion.js" */

/**
 * @typedef {{kind: string, to?: string, at: Vec3, on: Vec3}} Joint
 */

const width = 0.04; // metres
const up = new Vector3(0, 1, 0);

/**
 * Where something on an entity is in the world.
 * @param {Vec3} at in the space of the entity
 * @param {Pose} pose
 * @param {Vec3} scale
 */
const place = (at, pose, scale) =>
  new Vector3(at[0] * scale[0], at[1] * scale[1], at[2] * scale[2]).applyQuaternion(new Quaternion(...pose.rot)).add(new Vector3(...pose.pos));

/**
 * The two ends of the rope or the spring of an entity; undefined if it hangs by none, or on what the page knows nothing of.
 * @param {Entity} entity
 * @param {Copy} copy
 * @param {(id: string) => Pose | undefined} pose where an entity is drawn now
 * @returns {[Vector3, Vector3] | undefined} on what it hangs on, and on itself
 */
export function ends(entity, copy, pose) {
  const joint = /** @type {Joint | undefined} */ (entity.joint);
  if (joint?.kind !== "rope" && joint?.kind !== "spring") return undefined;
  const own = pose(entity.id);
  const above = joint.to ?? entity.parent;
  if (!own) return undefined;
  const at = place(joint.at, own, entity.scale);
  if (above === undefined) return [new Vector3(...joint.on), at];
  const other = copy.entities.get(above);
  const there = pose(above);
  return other && there ? [place(joint.on, there, other.scale), at] : undefined;
}

/** Ropes draws them. */
export class Ropes {
  /**
   * @param {{add(group: Group): unknown}} scene
   * @param {Copy} copy
   * @param {(id: string) => Pose | undefined} pose where an entity is drawn now
   */
  constructor(scene, copy, pose) {
    this.copy = copy;
    this.pose = pose;
    this.group = new Group();
    this.geometry = new CylinderGeometry(0.5, 0.5, 1, 8);
    this.materials = { rope: new MeshStandardMaterial({ color: 0x8a6b45 }), spring: new MeshStandardMaterial({ color: 0x9a9a9a }) };
    /** By the entity that hangs. @type {Map<string, Mesh>} */
    this.meshes = new Map();
    scene.add(this.group);
  }

  /**
   * Takes over how an entity hangs.
   * @param {Entity} entity
   */
  told(entity) {
    const kind = /** @type {Joint | undefined} */ (entity.joint)?.kind;
    if (kind !== "rope" && kind !== "spring") {
      this.remove(entity.id);
      return;
    }
    let mesh = this.meshes.get(entity.id);
    if (!mesh) {
      mesh = new Mesh(this.geometry);
      mesh.castShadow = true;
      this.meshes.set(entity.id, mesh);
      this.group.add(mesh);
    }
    mesh.material = this.materials[kind];
  }

  /** @param {string} id */
  remove(id) {
    const mesh = this.meshes.get(id);
    if (mesh) this.group.remove(mesh);
    this.meshes.delete(id);
  }

  /** Puts all of them where what they hold is drawn. */
  place() {
    for (const [id, mesh] of this.meshes) {
      const entity = this.copy.entities.get(id);
      const both = entity && ends(entity, this.copy, this.pose);
      mesh.visible = both !== undefined;
      if (!both) continue;
      const way = both[1].clone().sub(both[0]);
      const length = way.length();
      mesh.position.copy(both[0]).add(both[1]).multiplyScalar(0.5);
      mesh.scale.set(width, length, width);
      if (length > 0) mesh.quaternion.setFromUnitVectors(up, way.divideScalar(length));
    }
  }
}
