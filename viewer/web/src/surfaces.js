// Materials that are made of images: how the images lie on things, package render says, and this does the same.

import {
  Color, DataTexture, DoubleSide, FrontSide, LinearFilter, LinearMipmapLinearFilter, MeshDepthMaterial, MeshStandardMaterial, NoColorSpace, RepeatWrapping,
  RGBADepthPacking, SRGBColorSpace, Texture, Vector3,
} from "three";

/** @import { Material, WebGLProgramParametersWithUniforms, WebGLRenderer } from "three" */

/**
 * A row of the table "materials", which docs/state-sync.md describes.
 * @typedef {{
 *   albedo: string, normal?: string, roughness?: string, light?: string, cutoff?: number, mapped?: boolean, triplanar?: boolean, scale: number, normalStrength: number, sharpness: number,
 *   metalness: number, baseRoughness: number, color: number, mean: number,
 * }} Set
 *
 * @typedef {{value: any}} Uniform
 */

const vertexHead = /* glsl */ `
uniform vec3 signs;
varying vec3 lieAt; // in the thing's space, in metres
varying vec3 lieOut; // the normal there
varying mat3 lieTurned; // how the thing is turned
#ifdef MAPPED
varying vec2 lieCoord; // where it is in the images, if the thing says so
#endif
`;

const vertex = /* glsl */ `
{
  mat3 own = mat3(1.0);
#ifdef USE_INSTANCING
  own = mat3(instanceMatrix);
#endif
  vec3 sizes = signs * max(vec3(length(own[0]), length(own[1]), length(own[2])), 1e-9);
  lieAt = sizes * position;
  lieOut = normal / sizes;
  lieTurned = mat3(own[0] / sizes.x, own[1] / sizes.y, own[2] / sizes.z);
#ifdef MAPPED
  lieCoord = uv;
#endif
}
`;

const fragmentHead = /* glsl */ `
uniform sampler2D albedoImage;
uniform sampler2D bumpImage;
uniform sampler2D roughImage;
uniform sampler2D lightImage;
uniform float cutoff;
uniform vec3 tint;
uniform float repeats;
uniform float bumpStrength;
uniform float sharpness;
varying vec3 lieAt;
varying vec3 lieOut;
varying mat3 lieTurned;
#ifdef MAPPED
varying vec2 lieCoord;
#endif

// From which sides a place has the images.
vec3 lieSides(vec3 n) {
  vec3 a = abs(n);
#ifdef TRIPLANAR
  vec3 w = pow(a / max(a.x, max(a.y, a.z)), vec3(sharpness));
  return w / (w.x + w.y + w.z);
#else
  if (a.x >= a.y && a.x >= a.z) return vec3(1.0, 0.0, 0.0);
  return a.y >= a.z ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
#endif
}

// What a side has of an image. Rows of images are counted from the top.
vec4 lieSample(sampler2D image, int axis, float sign, vec3 at, vec3 dx, vec3 dy) {
  mat3x2 to = axis == 0 ? mat3x2(0.0, 0.0, 0.0, -1.0, -sign, 0.0) : axis == 1 ? mat3x2(1.0, 0.0, 0.0, 0.0, 0.0, sign) : mat3x2(sign, 0.0, 0.0, -1.0, 0.0, 0.0);
  return textureGrad(image, to * at, to * dx, to * dy);
}

vec4 lieBlend(sampler2D image, vec3 sides, vec3 signs, vec3 at, vec3 dx, vec3 dy) {
#ifdef MAPPED
  return texture2D(image, lieCoord);
#else
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 3; i++) if (sides[i] > 0.0) sum += sides[i] * lieSample(image, i, signs[i], at, dx, dy);
  return sum;
#endif
}

// What a byte of a normal map stands for: 128 is 0.
vec3 lieSigned(vec3 c) { return c * (255.0 / 127.0) - 128.0 / 127.0; }
`;

const fragment = /* glsl */ `
vec3 lieOutward = normalize(lieOut);
vec3 lieWeights = lieSides(lieOutward);
vec3 lieSigns = vec3(lieOutward.x < 0.0 ? -1.0 : 1.0, lieOutward.y < 0.0 ? -1.0 : 1.0, lieOutward.z < 0.0 ? -1.0 : 1.0);
vec3 liePlace = lieAt * repeats, lieDX = dFdx(lieAt) * repeats, lieDY = dFdy(lieAt) * repeats;
vec4 lieColor = lieBlend(albedoImage, lieWeights, lieSigns, liePlace, lieDX, lieDY);
#ifdef HOLED
if (lieColor.a < cutoff) discard;
#endif
diffuseColor.rgb *= tint * lieColor.rgb;
`;

const fragmentRoughness = /* glsl */ `
float roughnessFactor = roughness * lieBlend(roughImage, lieWeights, lieSigns, liePlace, lieDX, lieDY).g;
`;

const fragmentLight = /* glsl */ `
#ifdef LIT
totalEmissiveRadiance *= lieBlend(lightImage, lieWeights, lieSigns, liePlace, lieDX, lieDY).rgb;
#endif
`;

const fragmentNormal = /* glsl */ `
#ifdef MAPPED
{
  // What is to the right and up on the images, of how they and the place change from one pixel to the next.
  vec3 alongX = dFdx(-vViewPosition), alongY = dFdy(-vViewPosition);
  vec2 dx = dFdx(lieCoord), dy = dFdy(lieCoord);
  float turned = dx.x * dy.y - dy.x * dx.y;
  vec3 right = (alongX * dy.y - alongY * dx.y) * sign(turned), down = (alongY * dx.x - alongX * dy.x) * sign(turned);
  right -= normal * dot(normal, right);
  if (dot(right, right) > 0.0 && turned != 0.0) {
    right = normalize(right);
    vec3 up = cross(normal, right);
    if (dot(up, down) > 0.0) up = -up;
    vec3 bump = lieSigned(texture2D(bumpImage, lieCoord).rgb);
    normal = normalize(normal * max(bump.z, 0.1) + bumpStrength * (right * bump.x + up * bump.y));
  }
}
#else
{
  mat3 turned = mat3(viewMatrix) * lieTurned;
  vec3 lean = vec3(0.0);
  float outward = 0.0;
  for (int i = 0; i < 3; i++) if (lieWeights[i] > 0.0) {
    vec3 bump = lieSigned(lieSample(bumpImage, i, lieSigns[i], liePlace, lieDX, lieDY).rgb);
    float x = bump.x * lieWeights[i] * bumpStrength, y = bump.y * lieWeights[i] * bumpStrength;
    lean += i == 0 ? vec3(0.0, y, -lieSigns[i] * x) : i == 1 ? vec3(x, 0.0, -lieSigns[i] * y) : vec3(lieSigns[i] * x, y, 0.0);
    outward += lieWeights[i] * max(bump.z, 0.1);
  }
  normal = normalize(turned * (transpose(turned) * normal * outward + lean));
}
#endif
`;

/**
 * A texture of one pixel, 0xRRGGBB.
 * @param {number} color
 * @param {string} space
 */
function plain(color, space) {
  const t = new DataTexture(new Uint8Array([(color >> 16) & 255, (color >> 8) & 255, color & 255, 255]), 1, 1);
  t.colorSpace = space;
  t.needsUpdate = true;
  return t;
}

/** Surfaces makes materials of the sets that the server tells, and gets their images, each once. */
export class Surfaces {
  /**
   * @param {WebGLRenderer} renderer
   * @param {(hash: string) => Promise<{mimeType: string, data: string}>} image asks the server for an image
   * @param {() => void} changed is called when there is more to see
   */
  constructor(renderer, image, changed) {
    this.renderer = renderer;
    this.image = image;
    this.changed = changed;
    /** @type {Map<string, Set>} */
    this.sets = new Map();
    /** The images that are there, by their hashes and how they are looked at. @type {Map<string, Texture>} */
    this.textures = new Map();
    /** What is to have an image that is not there yet. @type {Map<string, {space: string, uniforms: Uniform[], asked: boolean}>} */
    this.awaited = new Map();
    /** What to draw where there is no image. @type {Map<string, Texture>} */
    this.plain = new Map();
  }

  /**
   * Takes over what the server tells of its materials, and returns the names of those that are other than before.
   * @param {Map<string, Set>} rows
   * @returns {string[]}
   */
  told(rows) {
    const names = [];
    for (const [name, set] of rows) if (this.sets.get(name) !== set) names.push(name);
    for (const name of this.sets.keys()) if (!rows.has(name)) names.push(name);
    this.sets = new Map(rows);
    const used = new Set([...rows.values()].flatMap(({ albedo, normal, roughness, light }) => [albedo, normal, roughness, light]));
    for (const [key, texture] of this.textures) {
      if (used.has(key.slice(0, 64))) continue;
      texture.dispose();
      this.textures.delete(key);
    }
    for (const key of this.awaited.keys()) if (!used.has(key.slice(0, 64))) this.awaited.delete(key);
    return names;
  }

  /**
   * Makes the material of a set. Of one that has holes, userData.depth is the material by which it throws shadows.
   * @param {Set} set
   * @param {{roughness: number, metalness: number, emissive: number, both: boolean, mirrored: boolean, mapped?: boolean, signs: number[]}} look
   * @returns {Material}
   */
  make(set, look) {
    const side = look.both || look.mirrored ? DoubleSide : FrontSide;
    const material = new MeshStandardMaterial({ roughness: look.roughness, metalness: look.metalness, emissive: look.emissive, side });
    /** @type {Record<string, string>} */
    const defines = look.mapped ? { MAPPED: "" } : set.triplanar ? { TRIPLANAR: "" } : {};
    if (set.cutoff) defines.HOLED = "";
    if (set.light !== undefined) defines.LIT = "";
    material.defines = { ...material.defines, ...defines };
    const uniforms = {
      albedoImage: this.#texture(set.albedo, SRGBColorSpace, set.mean),
      bumpImage: this.#texture(set.normal, NoColorSpace, 0x8080ff),
      roughImage: this.#texture(set.roughness, NoColorSpace, 0xffffff),
      lightImage: this.#texture(set.light, SRGBColorSpace, 0),
      cutoff: { value: set.cutoff ?? 0 },
      tint: { value: new Color(set.color) },
      repeats: { value: set.scale },
      bumpStrength: { value: set.normalStrength },
      sharpness: { value: set.sharpness },
      signs: { value: new Vector3(...look.signs) },
    };
    const compile = (/** @type {WebGLProgramParametersWithUniforms} */ shader) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = vertexHead + shader.vertexShader.replace("#include <begin_vertex>", "#include <begin_vertex>" + vertex);
      shader.fragmentShader = fragmentHead + shader.fragmentShader
        .replace("#include <map_fragment>", fragment)
        .replace("#include <roughnessmap_fragment>", fragmentRoughness)
        .replace("#include <normal_fragment_maps>", fragmentNormal)
        .replace("#include <emissivemap_fragment>", fragmentLight);
    };
    material.onBeforeCompile = compile;
    if (set.cutoff) {
      const depth = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
      depth.defines = { ...defines };
      depth.onBeforeCompile = compile;
      material.userData.depth = depth;
      material.addEventListener("dispose", () => depth.dispose());
    }
    return material;
  }

  /** Asks for the images that could not be told. */
  complete() {
    for (const [key, wanted] of this.awaited) if (!wanted.asked) this.#ask(key, wanted);
  }

  /**
   * What a material looks an image up in: until it is there, in one of a single colour.
   * @param {string | undefined} hash undefined for none
   * @param {string} space
   * @param {number} color
   * @returns {Uniform}
   */
  #texture(hash, space, color) {
    const key = hash + space;
    const there = this.textures.get(key);
    if (there) return { value: there };
    const instead = color + space;
    const uniform = { value: this.plain.get(instead) ?? plain(color, space) };
    this.plain.set(instead, uniform.value);
    if (hash === undefined) return uniform;
    const wanted = this.awaited.get(key) ?? { space, uniforms: [], asked: false };
    wanted.uniforms.push(uniform);
    this.awaited.set(key, wanted);
    if (!wanted.asked) this.#ask(key, wanted);
    return uniform;
  }

  /**
   * @param {string} key
   * @param {{space: string, uniforms: Uniform[], asked: boolean}} wanted
   */
  #ask(key, wanted) {
    wanted.asked = true;
    this.#get(key.slice(0, 64), wanted.space).then(
      (texture) => {
        if (this.awaited.get(key) !== wanted) return texture.dispose(); // nobody wants it any more
        this.awaited.delete(key);
        this.textures.set(key, texture);
        for (const uniform of wanted.uniforms) uniform.value = texture;
        this.changed();
      },
      () => (wanted.asked = false), // the material has gone, or the connection: see complete
    );
  }

  /**
   * @param {string} hash
   * @param {string} space
   */
  async #get(hash, space) {
    const { mimeType, data } = await this.image(hash);
    const file = new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type: mimeType });
    const texture = new Texture(await createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" }));
    texture.colorSpace = space;
    texture.flipY = false;
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.magFilter = LinearFilter;
    texture.minFilter = LinearMipmapLinearFilter;
    texture.anisotropy = Math.min(8, this.renderer.capabilities.getMaxAnisotropy());
    texture.needsUpdate = true;
    return texture;
  }
}
