// What is behind and under everything: the sky, haze, and the ground at height 0 with a line at each metre.

import { BackSide, Color, Fog, Mesh, MeshStandardMaterial, PlaneGeometry, PMREMGenerator, Scene, ShaderMaterial, SphereGeometry } from "three";

import { dusk } from "./light.js";
import { whiten } from "./weather.js";

/** @import { Vector3, WebGLRenderer } from "three" */
/** @import { Air } from "./weather.js" */

// As they are on the screen, in the pictures of scene.render too.
const day = { sky: new Color(0.66, 0.78, 0.9), horizon: new Color(0.9, 0.94, 0.97), ground: new Color(0.8, 0.81, 0.79) };
const dark = { sky: new Color(0.04, 0.06, 0.13), horizon: new Color(0.13, 0.16, 0.26), ground: new Color(0.24, 0.26, 0.33) };
const setting = { sky: new Color(0.58, 0.47, 0.56), horizon: new Color(0.99, 0.64, 0.38), ground: new Color(1, 0.88, 0.78) };

// What night leaves of grey skies.
const dim = new Color(0.3, 0.32, 0.42);

const gridLines = `
varying vec2 spot;
float lines(float step, float strength) {
  vec2 width = fwidth(spot);
  vec2 off = abs(spot - floor(spot / step + 0.5) * step);
  vec2 cover = max(1.0 - off / max(width, 1e-6), 0.0) * clamp(1.5 - 4.0 * width / step, 0.0, 1.0);
  return strength * max(cover.x, cover.y);
}`;

// Each side of a cube around the eye is cut into squares, of which some have a star, as in package render.
const stars = `
varying vec3 at;
float chance(vec3 n) { return fract(sin(dot(n, vec3(12.9898, 78.233, 37.719))) * 43758.5453); }
vec3 starlight() {
  vec3 way = normalize(at), size = abs(way);
  float side = size.x >= size.y && size.x >= size.z ? 0.0 : size.y >= size.z ? 1.0 : 2.0;
  vec3 turned = side < 0.5 ? way : side < 1.5 ? way.yzx : way.zxy;
  vec2 spot = (turned.yz / abs(turned.x) + 1.0) * 24.0;
  vec3 square = vec3(floor(spot), side * 2.0 + step(0.0, turned.x));
  if (chance(square) * 6.0 >= 1.0) return vec3(0.0);
  vec2 off = fract(spot) - 0.3 - 0.4 * vec2(chance(square + 0.37), chance(square + 0.71));
  float bright = chance(square + 0.13);
  float radius = clamp(1.2 * length(fwidth(spot)), 0.024, 0.19) * (0.7 + 0.6 * bright);
  return vec3(max(1.0 - length(off) / radius, 0.0) * (0.25 + 0.75 * bright * bright)) * vec3(0.95, 0.92, 0.95);
}`;

/** @param {{value: number}} cover the alpha that it leaves */
function ground(cover) {
  const material = new MeshStandardMaterial({ color: day.ground, roughness: 1, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 8 });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.cover = cover;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec2 spot;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nspot = (modelMatrix * vec4(position, 1.0)).xz;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\n" + gridLines + "\nuniform float cover;")
      .replace("#include <dithering_fragment>", "#include <dithering_fragment>\ngl_FragColor.a = cover;")
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.08, 0.09, 0.1), max(lines(1.0, 0.3), max(lines(10.0, 0.6), lines(100.0, 0.6))));`,
      );
  };
  return whiten(material);
}

/** Backdrop is in a scene as long as that is there. */
export class Backdrop {
  /**
   * @param {Scene} scene
   * @param {WebGLRenderer} renderer
   */
  constructor(scene, renderer) {
    this.scene = scene;
    this.uniforms = { sky: { value: new Color() }, horizon: { value: new Color() }, cover: { value: 1 }, space: { value: 0 } };
    const sky = new Mesh(
      new SphereGeometry(1, 32, 16),
      new ShaderMaterial({
        uniforms: this.uniforms, side: BackSide, depthWrite: false, depthTest: false, toneMapped: false, fog: false,
        vertexShader: "varying vec3 at; void main() { at = position; gl_Position = (projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0)).xyww; }",
        fragmentShader: stars + `
        uniform vec3 sky; uniform vec3 horizon; uniform float cover; uniform float space;
        void main() {
          vec3 color = mix(horizon, sky, clamp(normalize(at).y * 2.0, 0.0, 1.0));
          if (space > 0.5) color += starlight();
          gl_FragColor = vec4(color, cover);
        }`,
      }),
    );
    sky.renderOrder = -10;
    sky.frustumCulled = false;
    this.material = ground(this.uniforms.cover);
    // In pieces: across a triangle of kilometres depths are wrong by more than what it is sunk by, and a floor at its height was under it.
    this.plain = new Mesh(new PlaneGeometry(4000, 4000, 80, 80).rotateX(-Math.PI / 2), this.material);
    this.plain.receiveShadow = true;
    this.fog = new Fog(0xffffff, 150, 1500);
    scene.add(sky, this.plain);
    scene.fog = this.fog;

    this.mirror = new Scene(); // what metal shows: a grey sky in space too, or one would see nothing of it there
    const shown = sky.material.clone();
    this.shines = { sky: { value: new Color() }, horizon: { value: new Color() }, cover: { value: 1 }, space: { value: 0 } };
    shown.uniforms = this.shines;
    this.mirror.add(new Mesh(sky.geometry, shown));
    this.pmrem = new PMREMGenerator(renderer);
    this.shown = "";
    this.bare = false; // there is no level ground
  }

  /**
   * Says whether sky and ground are opaque. Where they are not they leave no alpha: post.js knows them by that.
   * @param {boolean} opaque
   */
  cover(opaque) {
    this.uniforms.cover.value = opaque ? 1 : 0;
  }

  /**
   * Says how far it is night, 0 to 1, what the air is like, and what is behind everything.
   * @param {number} night
   * @param {Air} air
   * @param {{kind: string, bare?: boolean}} sky
   */
  set(night, air, sky) {
    const shown = JSON.stringify([night, air, sky]);
    if (shown === this.shown) return;
    this.shown = shown;
    const low = dusk(night);
    const left = new Color(1, 1, 1).lerp(dim, night);
    this.uniforms.sky.value.lerpColors(day.sky, dark.sky, night).lerp(setting.sky, 0.5 * low).lerp(air.sky.clone().multiply(left), air.strength);
    this.uniforms.horizon.value.lerpColors(day.horizon, dark.horizon, night).lerp(setting.horizon, 0.8 * low).lerp(air.horizon.clone().multiply(left), air.strength);
    this.bare = sky.bare === true;
    const space = sky.kind === "space";
    this.uniforms.space.value = space ? 1 : 0;
    this.scene.fog = space ? null : this.fog;
    this.shines.sky.value.copy(this.uniforms.sky.value);
    this.shines.horizon.value.copy(this.uniforms.horizon.value);
    if (space) for (const color of [this.uniforms.sky.value, this.uniforms.horizon.value]) color.setRGB(0.012, 0.013, 0.02);
    this.fog.color.copy(this.uniforms.horizon.value).convertSRGBToLinear();
    this.material.color.lerpColors(day.ground, dark.ground, night).multiply(new Color(1, 1, 1).lerp(setting.ground, low)).convertSRGBToLinear();
    this.scene.environmentIntensity = 0.3 - 0.18 * night;
    this.reflect();
  }

  /** Makes anew what metal shows: it is nowhere but in the memory of the graphics device, which may have lost it. */
  reflect() {
    this.scene.environment?.dispose();
    this.scene.environment = this.pmrem.fromScene(this.mirror).texture;
  }

  /**
   * Is there before each frame: where the camera looks, from how far, and how far one sees, of a clear day.
   * @param {Vector3} target
   * @param {number} distance
   * @param {number} sight
   * @param {boolean} bare whether there is no ground of the world's own
   */
  frame(target, distance, sight, bare) {
    this.fog.near = Math.max(150, distance * 2) * sight;
    this.fog.far = Math.max(1500, distance * 8) * sight;
    this.plain.visible = bare && !this.bare;
    this.plain.position.set(Math.round(target.x), 0, Math.round(target.z));
  }
}
