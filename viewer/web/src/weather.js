// Rain, snow and fog: what they make of sky and light, as package render has it (render/weather.go), and what falls around the camera.

import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments, Points, PointsMaterial } from "three";

/** @import { Material, Scene, Vector3 } from "three" */

/**
 * The air: how much of a weather there is, 0 to 1, what sky and horizon are when there is all of it, how much of the sun's light clouds take, what light that
 * is everywhere is multiplied by, and how far one sees, of a clear day.
 * @typedef {{strength: number, sky: Color, horizon: Color, cover: number, bright: number, sight: number}} Air
 */

/** @type {Record<string, Omit<Air, "strength">>} */
const climates = {
  rain: { sky: new Color(0.55, 0.59, 0.64), horizon: new Color(0.7, 0.73, 0.76), cover: 0.75, bright: 1.05, sight: 0.4 },
  storm: { sky: new Color(0.3, 0.33, 0.38), horizon: new Color(0.5, 0.53, 0.57), cover: 0.92, bright: 0.8, sight: 0.4 },
  snow: { sky: new Color(0.68, 0.71, 0.75), horizon: new Color(0.84, 0.86, 0.89), cover: 0.7, bright: 1.4, sight: 0.4 },
  fog: { sky: new Color(0.74, 0.77, 0.79), horizon: new Color(0.82, 0.84, 0.85), cover: 0.8, bright: 1.15, sight: 0.07 },
};
const clear = { sky: new Color(), horizon: new Color(), cover: 0, bright: 1, sight: 1 };

/**
 * What the air is like in a weather of the world's.
 * @param {{kind: string, intensity: number} | undefined} weather
 * @returns {Air}
 */
export function airOf(weather) {
  const kind = weather?.kind ?? "clear";
  const strength = Math.min(Math.max(weather?.intensity ?? 0, 0), 1);
  return Object.hasOwn(climates, kind) ? { ...climates[kind], strength } : { ...clear, strength: 0 };
}

/** How much snow lies on ground that faces up, 0 to 1: of all materials that whiten was given. */
const lying = { value: 0 };

/**
 * Has snow lie on a material, where it faces up.
 * @template {Material} T
 * @param {T} material
 * @returns {T}
 */
export function whiten(material) {
  const before = material.onBeforeCompile;
  material.onBeforeCompile = (shader, renderer) => {
    before.call(material, shader, renderer);
    shader.uniforms.lying = lying;
    shader.fragmentShader = shader.fragmentShader.replace("#include <common>", "#include <common>\nuniform float lying;").replace(
      "#include <color_fragment>",
      `#include <color_fragment>
      diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.89, 0.91, 0.95), lying * clamp((dot(normalize(vNormal), (viewMatrix * vec4(0.0, 1.0, 0.0, 0.0)).xyz) - 0.5) * 4.0, 0.0, 1.0));`,
    );
  };
  material.customProgramCacheKey = () => "whitened " + before.toString();
  return material;
}

const count = 3000;
const reach = 20; // metres from the camera
const long = 0.7; // metres of a streak of rain

/** Weather draws what falls in the weather of the world: flakes, or streaks. */
export class Weather {
  /** @param {Scene} scene */
  constructor(scene) {
    /** Where each drop is, from the camera. */
    this.places = Float32Array.from({ length: 3 * count }, () => (Math.random() * 2 - 1) * reach);
    const flakes = new BufferGeometry().setAttribute("position", new BufferAttribute(this.places, 3));
    this.flakes = new Points(flakes, new PointsMaterial({ size: 0.09, color: 0xffffff, opacity: 0.85, transparent: true, depthWrite: false }));
    const streaks = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(6 * count), 3));
    this.streaks = new LineSegments(streaks, new LineBasicMaterial({ color: 0xa8bdd1, opacity: 0.4, transparent: true, depthWrite: false }));
    for (const drops of [this.flakes, this.streaks]) {
      drops.frustumCulled = false;
      drops.visible = false;
      scene.add(drops);
    }
    /** How far one sees, of a clear day. */
    this.sight = 1;
    this.lean = 0;
  }

  /** @param {{kind: string, intensity: number} | undefined} weather */
  set(weather) {
    const kind = weather?.kind ?? "clear";
    const air = airOf(weather);
    const drops = Math.ceil(count * air.strength);
    this.flakes.visible = kind === "snow" && drops > 0;
    this.flakes.geometry.setDrawRange(0, drops);
    this.streaks.visible = (kind === "rain" || kind === "storm") && drops > 0;
    this.streaks.geometry.setDrawRange(0, 2 * drops);
    this.lean = 0.1 * air.strength;
    this.sight = 1 - air.strength * (1 - air.sight);
    lying.value = kind === "snow" ? 0.95 * Math.sqrt(air.strength) : 0;
  }

  /**
   * Has it fall on, and reports whether anything does.
   * @param {number} dt in seconds
   * @param {Vector3} eye
   */
  step(dt, eye) {
    const drops = [this.flakes, this.streaks].find(({ visible }) => visible);
    if (!drops) return false;
    const { places } = this;
    const by = (drops === this.flakes ? 1.6 : 14) * Math.min(dt, 0.1);
    for (let i = 1; i < places.length; i += 3) {
      places[i] -= by;
      if (places[i] < -reach) places[i] += 2 * reach;
    }
    const shown = /** @type {BufferAttribute} */ (drops.geometry.getAttribute("position"));
    if (drops === this.streaks) {
      const ends = shown.array;
      for (let i = 0, k = 0; i < places.length; i += 3, k += 6) {
        ends[k] = places[i];
        ends[k + 1] = places[i + 1];
        ends[k + 2] = ends[k + 5] = places[i + 2];
        ends[k + 3] = places[i] + this.lean;
        ends[k + 4] = places[i + 1] + long;
      }
    }
    shown.needsUpdate = true;
    drops.position.copy(eye);
    return true;
  }
}
