// Many things of one shape and one surface, drawn at once.

import { Color, DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, Matrix4 } from "three";

/** @import { BufferGeometry, Material, Object3D } from "three" */

/**
 * An instance of a pool, which keeps its number true. color: what it was given last, for whoever changes it for a while.
 * @typedef {{pool: Pool, index: number, color: Color}} Slot
 */

const color = new Color();
const matrix = new Matrix4();

/** Pool holds the instances of a geometry with a material. Those that are there are numbered from 0, without gaps. */
export class Pool {
  /**
   * @param {Object3D} parent what the pool is drawn under
   * @param {string} key what it is called
   * @param {BufferGeometry} geometry
   * @param {Material} material
   * @param {{cast: boolean, receive: boolean}} shadows
   */
  constructor(parent, key, geometry, material, shadows) {
    this.parent = parent;
    this.key = key;
    this.shadows = shadows;
    /** The entity of each instance. @type {string[]} */
    this.ids = [];
    /** @type {Slot[]} */
    this.slots = [];
    this.mesh = this.#make(geometry, material, 16);
  }

  /**
   * @param {BufferGeometry} geometry
   * @param {Material} material
   * @param {number} room
   */
  #make(geometry, material, room) {
    const mesh = new InstancedMesh(geometry, material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * room), 3);
    mesh.count = this.ids.length;
    mesh.castShadow = this.shadows.cast;
    mesh.customDepthMaterial = material.userData.depth;
    mesh.receiveShadow = this.shadows.receive;
    mesh.frustumCulled = false; // the instances are all over the place
    mesh.userData.pool = this;
    this.parent.add(mesh);
    return mesh;
  }

  /**
   * Adds an instance for an entity, which may have several.
   * @param {string} id
   * @returns {Slot}
   */
  add(id) {
    const index = this.ids.push(id) - 1;
    const slot = { pool: this, index, color: new Color() };
    this.slots.push(slot);
    const old = this.mesh;
    if (index === old.instanceMatrix.count) {
      this.mesh = this.#make(old.geometry, /** @type {Material} */ (old.material), 2 * index);
      this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
      this.mesh.instanceColor?.array.set(/** @type {InstancedBufferAttribute} */ (old.instanceColor).array);
      this.parent.remove(old);
      old.dispose();
    }
    this.mesh.count = this.ids.length;
    return slot;
  }

  /**
   * Puts an instance somewhere.
   * @param {number} index
   * @param {Matrix4} at
   */
  place(index, at) {
    this.mesh.setMatrixAt(index, at);
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  /**
   * Gives an instance a colour.
   * @param {number} index
   * @param {Color} to
   */
  paint(index, to) {
    this.mesh.setColorAt(index, to);
    /** @type {InstancedBufferAttribute} */ (this.mesh.instanceColor).needsUpdate = true;
  }

  /**
   * Takes an instance away. The last one gets its number.
   * @param {Slot} slot
   */
  remove({ index }) {
    const last = this.ids.length - 1;
    if (index !== last) {
      this.mesh.getMatrixAt(last, matrix);
      this.mesh.getColorAt(last, color);
      this.place(index, matrix);
      this.paint(index, color);
      this.ids[index] = this.ids[last];
      this.slots[index] = this.slots[last];
      this.slots[index].index = index;
    }
    this.ids.pop();
    this.slots.pop();
    this.mesh.count = last;
    this.mesh.boundingSphere = null;
  }

  /** Whether there is nothing in it. */
  get empty() {
    return this.ids.length === 0;
  }

  /** Takes the pool out of the picture. Geometry and material are not its own. */
  dispose() {
    this.parent.remove(this.mesh);
    this.mesh.dispose();
  }
}
