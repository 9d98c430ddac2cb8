// Rain, snow and fog around the camera.

import { BufferAttribute, BufferGeometry, Points, PointsMaterial } from "three";

/** @import { Scene, Vector3 } from "three" */

const count = 3000;
const reach = 20; // metres from the camera

/** Weather draws the weather of the world. */
export class Weather {
  /** @param {Scene} scene */
  constructor(scene) {
    const places = new Float32Array(3 * count);
    for (let i = 0; i < places.length; i++) places[i] = (Math.random() * 2 - 1) * reach;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(places, 3));
    this.material = new PointsMaterial({ transparent: true, depthWrite: false });
    this.drops = new Points(geometry, this.material);
    this.drops.frustumCulled = false;
    this.drops.visible = false;
    scene.add(this.drops);
    /** How far one sees, of a clear day. */
    this.sight = 1;
    this.fall = 0;
  }

  /** @param {{kind: string, intensity: number} | undefined} weather */
  set(weather) {
    const kind = weather?.kind ?? "clear";
    const intensity = weather?.intensity ?? 0;
    const wet = kind === "rain" || kind === "storm";
    this.drops.visible = (wet || kind === "snow") && intensity > 0;
    this.drops.geometry.setDrawRange(0, Math.ceil(count * intensity));
    this.fall = wet ? 14 : 1.6;
    this.material.size = wet ? 0.035 : 0.09;
    this.material.opacity = wet ? 0.5 : 0.85;
    this.material.color.setHex(wet ? 0x9fb4c8 : 0xffffff);
    this.sight = kind === "fog" ? 1 - 0.93 * intensity : kind === "clear" || kind === "custom" ? 1 : 1 - 0.6 * intensity;
  }

  /**
   * Has it fall on, and reports whether anything does.
   * @param {number} dt in seconds
   * @param {Vector3} eye
   */
  step(dt, eye) {
    if (!this.drops.visible) return false;
    const places = /** @type {BufferAttribute} */ (this.drops.geometry.getAttribute("position"));
    const by = this.fall * Math.min(dt, 0.1);
    for (let i = 0; i < count; i++) {
      const y = places.getY(i) - by;
      places.setY(i, y < -reach ? y + 2 * reach : y);
    }
    places.needsUpdate = true;
    this.drops.position.copy(eye);
    return true;
  }
}
