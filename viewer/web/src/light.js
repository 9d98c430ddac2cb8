// The light of a scene: everywhere, the sun, and lamps.

import { AmbientLight, Color, DirectionalLight, HemisphereLight, PointLight, Quaternion, SpotLight, Vector3 } from "three";

/** @import { Scene } from "three" */
/** @import { Entity } from "./copy.js" */
/** @import { Air } from "./weather.js" */

// What three.js can draw of lamps at once; those count that are nearest to where the camera looks.
const mostPoints = 8;
const mostSpots = 4;

// What a lamp of intensity 1 shines like at night, in candela. By day it is two fifths of that, as in the pictures of scene.render.
const candela = 16;

// How much more light comes from everywhere when clouds take all of the sun's: here there is less of it on a clear day than in the pictures of scene.render.
const scattered = 0.9;

const moon = new Color(0.7, 0.82, 1);
const setting = new Color(1, 0.66, 0.42);
const white = new Color(1, 1, 1);

/**
 * How far it is night at an hour, 0 to 1: the sun sets from six to eight and rises from five to seven.
 * @param {number} hour
 */
function night(hour) {
  return Math.min(Math.max((hour - 18) / 2, (7 - hour) / 2, 0), 1);
}

/**
 * How far the sun is setting or rising, 0 to 1: most half way into the night.
 * @param {number} night
 */
export function dusk(night) {
  return 4 * night * (1 - night);
}

/** Light is in a scene as long as that is there. */
export class Light {
  /** @param {Scene} scene */
  constructor(scene) {
    this.ambient = new AmbientLight(0x404060, 1.2);
    this.fill = new HemisphereLight(0xffffff, 0xb0a890, 0.7); // so that one sees what is in the shade, too
    this.sun = new DirectionalLight(0xffffff, 3);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.02;
    this.toSun = new Vector3(5, 9, 6).normalize();
    this.night = 0;
    scene.add(this.ambient, this.fill, this.sun, this.sun.target);
    this.points = Array.from({ length: mostPoints }, () => new PointLight(0xffffff, 0));
    this.spots = Array.from({ length: mostSpots }, () => new SpotLight(0xffffff, 0, 0, Math.PI / 6, 0.3));
    for (const lamp of this.points) scene.add(lamp);
    for (const lamp of this.spots) scene.add(lamp, lamp.target);
  }

  /**
   * Sets sun and ambient light.
   * @param {any} lighting the world's
   * @param {number} hour
   * @param {Air} air
   */
  set(lighting, hour, air) {
    this.night = night(hour);
    const clouds = air.strength * air.cover;
    const around = (1 + air.strength * (air.bright - 1)) * (1 + scattered * clouds); // of the light that is everywhere
    this.fill.intensity = (0.7 - 0.3 * this.night) * around;
    if (!lighting) return;
    this.ambient.color.setHex(lighting.ambientColor);
    this.ambient.intensity = lighting.ambientIntensity * (1 - 0.35 * this.night) * around;
    this.sun.color.setHex(lighting.directionalColor).multiply(white.clone().lerp(moon, this.night)).multiply(white.clone().lerp(setting, dusk(this.night)));
    this.sun.intensity = lighting.directionalIntensity * (1 - 0.75 * this.night) * (1 - clouds);
    const to = new Vector3().fromArray(lighting.direction);
    if (to.lengthSq() > 0) this.toSun = to.normalize();
  }

  /**
   * Has the sun's shadows cover what the camera looks at, and those lamps shine that are nearest to it.
   * @param {Vector3} target
   * @param {number} distance
   * @param {Entity[]} lamps
   */
  aim(target, distance, lamps) {
    const extent = Math.min(Math.max(distance * 0.9, 8), 200);
    const c = this.sun.shadow.camera;
    if (Math.abs(c.right - extent) > extent * 0.02) {
      c.left = c.bottom = -extent;
      c.right = c.top = extent;
      c.near = 0.5;
      c.far = 6 * extent;
      c.updateProjectionMatrix();
    }
    this.sun.target.position.copy(target);
    this.sun.position.copy(this.toSun).multiplyScalar(3 * extent).add(target);

    const strength = candela * (0.4 + 0.6 * this.night);
    const at = new Vector3();
    const near = lamps.map((entity) => ({ entity, d: at.fromArray(entity.pos).distanceToSquared(target) })).sort((a, b) => a.d - b.d);
    const points = [...this.points];
    const spots = [...this.spots];
    for (const { entity } of near) {
      const light = /** @type {NonNullable<Entity["light"]>} */ (entity.light);
      const lamp = (light.kind === "spot" ? spots : points).shift();
      if (!lamp) continue;
      lamp.color.setHex(light.color);
      lamp.intensity = light.intensity * strength;
      lamp.distance = light.range ?? 0;
      lamp.position.fromArray(entity.pos);
      if (lamp instanceof SpotLight) {
        lamp.angle = Math.min((light.angle ?? Math.PI / 3) / 2, Math.PI / 2);
        lamp.target.position.set(0, 0, 1).applyQuaternion(new Quaternion(...entity.rot)).add(lamp.position);
      }
    }
    for (const lamp of [...points, ...spots]) lamp.intensity = 0;
  }
}
