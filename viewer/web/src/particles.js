// Particles: fire, smoke, sparks.

import {
  BufferAttribute, BufferGeometry, CustomBlending, DynamicDrawUsage, OneFactor, OneMinusSrcAlphaFactor, Points, ShaderMaterial, SrcColorFactor, ZeroFactor,
} from "three";
import { burns, particles } from "./flow.js";

/** @import { PerspectiveCamera, Scene } from "three" */
/** @import { Copy } from "./copy.js" */
/** @import { Emitter } from "./flow.js" */
/** @import { Pose } from "./motion.js" */

const vertexShader = `
attribute vec4 tint; attribute float size; uniform float scale; varying vec4 color;
void main() {
  vec4 at = modelViewMatrix * vec4(position, 1.0);
  float pixels = size * scale / max(-at.z, 0.01);
  color = tint;
  if (pixels < 1.5) { color.a *= pixels * pixels / 2.25; pixels = 1.5; }
  gl_PointSize = pixels;
  gl_Position = projectionMatrix * at;
}`;

/** What a particle of each blend mode leaves of what is behind it and adds to that, as in the pictures of scene.render. @type {Record<string, string>} */
const blends = {
  additive: "vec4(color.rgb * a, a * 0.5)",
  alpha: "vec4(color.rgb * a, a)",
  multiply: "vec4(mix(vec3(1.0), color.rgb, a), 1.0)",
};

/** @param {string} mode */
const fragmentShader = (mode) => `
varying vec4 color;
void main() {
  vec2 off = gl_PointCoord * 2.0 - 1.0;
  float a = clamp(color.a, 0.0, 1.0) * (1.0 - dot(off, off));
  if (a <= 0.0) discard;
  gl_FragColor = ${blends[mode] ?? blends.additive};
}`;

/** Cloud is all particles of one blend mode, drawn at once. */
class Cloud {
  /**
   * @param {Scene} scene
   * @param {string} mode
   */
  constructor(scene, mode) {
    this.scale = { value: 1 };
    const darkens = mode === "multiply";
    const material = new ShaderMaterial({
      uniforms: { scale: this.scale }, vertexShader, fragmentShader: fragmentShader(mode), transparent: true, depthWrite: false, toneMapped: false, fog: false,
      blending: CustomBlending, blendSrc: darkens ? ZeroFactor : OneFactor, blendDst: darkens ? SrcColorFactor : OneMinusSrcAlphaFactor,
    });
    this.points = new Points(this.#room(64), material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 5;
    this.count = 0;
    scene.add(this.points);
  }

  /** @param {number} n */
  #room(n) {
    const geometry = new BufferGeometry();
    this.places = new Float32Array(3 * n);
    this.tints = new Float32Array(4 * n);
    this.sizes = new Float32Array(n);
    for (const [name, list, width] of /** @type {[string, Float32Array, number][]} */ ([["position", this.places, 3], ["tint", this.tints, 4], ["size", this.sizes, 1]])) {
      geometry.setAttribute(name, new BufferAttribute(list, width).setUsage(DynamicDrawUsage));
    }
    return geometry;
  }

  /** Makes room for as many again, and keeps those that there are. */
  #grow() {
    const { places, tints, sizes, points } = this;
    points.geometry.dispose();
    points.geometry = this.#room(2 * this.count);
    this.places?.set(/** @type {Float32Array} */ (places));
    this.tints?.set(/** @type {Float32Array} */ (tints));
    this.sizes?.set(/** @type {Float32Array} */ (sizes));
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} size
   * @param {number[]} color
   */
  add(x, y, z, size, color) {
    if (!(Math.abs(x) + Math.abs(y) + Math.abs(z) + size < 1e9)) return; // nobody can look there
    if (this.count === this.sizes?.length) this.#grow();
    const n = this.count++;
    this.places?.set([x, y, z], 3 * n);
    this.tints?.set(color, 4 * n);
    this.sizes?.fill(size, n, n + 1);
  }

  /** Has what was added drawn. */
  done() {
    const { geometry } = this.points;
    this.points.visible = this.count > 0;
    geometry.setDrawRange(0, this.count);
    for (const name of ["position", "tint", "size"]) geometry.getAttribute(name).needsUpdate = true;
  }
}

/** Particles draws the emitters of a copy. */
export class Particles {
  /**
   * @param {Scene} scene
   * @param {Copy} copy
   * @param {(id: string) => Pose | undefined} where an entity is
   */
  constructor(scene, copy, where) {
    this.scene = scene;
    this.copy = copy;
    this.where = where;
    /** By blend mode, once there are some. @type {Map<string, Cloud>} */
    this.clouds = new Map();
    /** How many are drawn. */
    this.count = 0;
  }

  /** @param {string} mode */
  #cloud(mode) {
    let cloud = this.clouds.get(mode);
    if (!cloud) {
      cloud = new Cloud(this.scene, mode);
      this.clouds.set(mode, cloud);
    }
    return cloud;
  }

  /**
   * Has those drawn that there are at a step, and reports whether there are any or were a moment ago.
   * @param {number} step
   */
  step(step) {
    const rows = /** @type {Map<string, Emitter>} */ (this.copy.rows("vfx.emitters"));
    if (rows.size === 0 && this.count === 0) return false;
    const before = this.count;
    let alive = false;
    this.count = 0;
    for (const cloud of this.clouds.values()) cloud.count = 0;
    for (const [id, row] of rows) {
      if (!burns(row, step)) continue;
      const at = row.entity ? this.where(row.entity) : origin;
      if (!at) continue;
      alive = true;
      const cloud = this.#cloud(row.blendMode);
      this.count += particles(Number(id.slice("vfx_".length)), row, at, step, (x, y, z, size, color) => cloud.add(x, y, z, size, color));
    }
    for (const cloud of this.clouds.values()) cloud.done();
    return alive || before > 0;
  }

  /**
   * Sees to it that they are as large as they are, in a picture so many pixels high.
   * @param {PerspectiveCamera} camera
   * @param {number} height
   */
  measure(camera, height) {
    const scale = height / 2 / Math.tan((camera.fov * Math.PI) / 360);
    for (const cloud of this.clouds.values()) cloud.scale.value = scale;
  }
}

/** @type {Pose} */
const origin = { pos: [0, 0, 0], rot: [0, 0, 0, 1] };
