// What is done to a frame when it is drawn: the global render.post of the world. What it means is written in package render, in
// post.go, and done there to the pictures of scene.render.

import {
  BufferAttribute, BufferGeometry, Camera, DepthTexture, FramebufferTexture, GLSL3, LinearFilter, Matrix4, Mesh, NearestFilter, RawShaderMaterial, Vector2, WebGLRenderTarget,
} from "three";

/** @import { PerspectiveCamera, Scene, WebGLRenderer } from "three" */

/**
 * @typedef {{
 *   ao?: {enabled: boolean, radius: number, scale: number, distanceExponent: number, thickness: number, samples: number, resolutionScale: number, intensity: number},
 *   bloom?: {enabled: boolean, strength: number, radius: number, threshold: number},
 *   grade?: {enabled: boolean, exposure: number, contrast: number, saturation: number},
 * }} Look
 */

// The shine is blurred in a picture of so many times fewer pixels each way.
const coarse = 4;

const vertex = `
in vec3 position; out vec2 uv;
void main() { uv = position.xy * 0.5 + 0.5; gl_Position = vec4(position, 1.0); }`;

const head = `
precision highp float; precision highp int;
in vec2 uv; out vec4 result;`;

// Where things are that a frame shows, in the camera's space: in the middle of its pixel, of which the depth is.
const places = `
uniform sampler2D depth; uniform mat4 unproject; uniform vec2 size;
vec3 place(vec2 uv) {
  uv = (floor(uv * size) + 0.5) / size;
  vec4 p = unproject * vec4(vec3(uv, texture(depth, uv).x) * 2.0 - 1.0, 1.0);
  return p.xyz / p.w;
}`;

// How much of the light gets to a place. The surface is taken to go on as it does towards the nearer of its neighbours.
const occlusion = head + places + `
uniform float radius, scale, exponent, thickness, focal; uniform int samples;
vec3 slope(vec3 p, vec2 step) {
  vec3 a = place(uv + step) - p, b = p - place(uv - step);
  return abs(a.z) < abs(b.z) ? a : b;
}
void main() {
  result = vec4(1.0);
  if (texture(depth, uv).x >= 1.0) return;
  vec3 p = place(uv);
  float reach = min(radius * focal / -p.z, 0.25 * size.y);
  if (reach < 1.0) return;
  vec3 normal = normalize(cross(slope(p, vec2(1.0, 0.0) / size), slope(p, vec2(0.0, 1.0) / size)));
  ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
  float turn = float((cell.x + cell.y * 4) * 7 % 16) * 0.39269908;
  float sum = 0.0;
  for (int k = 0; k < 64; k++) {
    if (k >= samples) break;
    float angle = 2.3999632 * float(k) + turn;
    vec2 at = uv + sqrt((float(k) + 0.5) / float(samples)) * reach * vec2(cos(angle), sin(angle)) / size;
    if (at != clamp(at, 0.0, 1.0) || texture(depth, at).x >= 1.0) continue;
    vec3 q = place(at), v = q - p;
    float away = length(v);
    if (away >= radius || away < 1e-5 || q.z - p.z > thickness) continue;
    sum += max(dot(v, normal) / away - 0.12, 0.0) * pow(1.0 - away / radius, exponent);
  }
  result = vec4(max(1.0 - 4.0 * scale * sum / float(samples), 0.0));
}`;

// What of a frame shines; where its alpha is 0 there is the sky, or the ground that is not built.
const shine = head + `
uniform sampler2D frame; uniform float threshold;
void main() {
  vec4 c = texture(frame, uv);
  result = vec4(c.rgb * c.a * clamp((max(max(c.r, c.g), c.b) - threshold) / 0.1, 0.0, 1.0), 1.0);
}`;

const blur = head + `
uniform sampler2D frame; uniform vec2 step; uniform float deviation;
void main() {
  vec3 sum = vec3(0.0);
  float weights = 0.0;
  float apart = max(deviation * 0.2, 0.05);
  for (int k = -14; k <= 14; k++) {
    float off = float(k) * apart;
    float weight = exp(-0.5 * off * off / max(deviation * deviation, 1e-6));
    vec2 at = uv + step * off;
    if (at == clamp(at, 0.0, 1.0)) sum += weight * texture(frame, at).rgb;
    weights += weight;
  }
  result = vec4(sum / weights, 1.0);
}`;

// Puts it together, and grades it.
const together = head + places + `
uniform sampler2D frame, open, shine; uniform vec2 cells; uniform float radius, intensity, strength, exposure, contrast, saturation;
float light() {
  if (intensity == 0.0 || texture(depth, uv).x >= 1.0) return 1.0;
  float z = place(uv).z, sum = 0.0, n = 0.0;
  for (int j = -2; j < 2; j++) for (int i = -2; i < 2; i++) {
    vec2 at = uv + vec2(i, j) / cells;
    if (at != clamp(at, 0.0, 1.0) || abs(place(at).z - z) > radius) continue;
    sum += texture(open, at).x;
    n++;
  }
  return n == 0.0 ? 1.0 : 1.0 - intensity * (1.0 - sum / n);
}
void main() {
  vec3 c = texture(frame, uv).rgb * light();
  if (strength > 0.0) c += strength * texture(shine, uv).rgb;
  c = (min(c, 1.0) * exposure - 0.5) * contrast + 0.5;
  c = mix(vec3(dot(c, vec3(0.2126, 0.7152, 0.0722))), c, saturation);
  result = vec4(clamp(c, 0.0, 1.0), 1.0);
}`;

const triangle = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));

/** A pass over all pixels. */
class Pass {
  /**
   * @param {string} fragmentShader
   * @param {Record<string, unknown>} values of its uniforms at first
   */
  constructor(fragmentShader, values) {
    this.uniforms = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
    this.mesh = new Mesh(
      triangle,
      new RawShaderMaterial({ vertexShader: vertex, fragmentShader, uniforms: this.uniforms, depthTest: false, depthWrite: false, toneMapped: false, glslVersion: GLSL3 }),
    );
    this.mesh.frustumCulled = false;
  }

  /**
   * @param {WebGLRenderer} renderer
   * @param {WebGLRenderTarget | null} target null for the canvas
   * @param {Record<string, unknown>} values
   */
  run(renderer, target, values) {
    for (const [name, value] of Object.entries(values)) this.uniforms[name].value = value;
    renderer.setRenderTarget(target);
    renderer.render(this.mesh, camera);
  }
}

const camera = new Camera();

/** Post draws frames of a scene and does to them what the world says. */
export class Post {
  /** @param {WebGLRenderer} renderer */
  constructor(renderer) {
    this.renderer = renderer;
    /** @type {Look} */
    this.look = {};
    /** What it draws with, of a size; undefined as long as there is nothing to do. @type {ReturnType<Post["make"]> | undefined} */
    this.made = undefined;
    const places = { depth: null, unproject: new Matrix4(), size: new Vector2() };
    this.occlusion = new Pass(occlusion, { ...places, radius: 0, scale: 0, exponent: 0, thickness: 0, focal: 0, samples: 0 });
    this.shine = new Pass(shine, { frame: null, threshold: 0 });
    this.blur = new Pass(blur, { frame: null, step: null, deviation: 0 });
    this.together = new Pass(together, {
      ...places, frame: null, open: null, shine: null, cells: new Vector2(1, 1), radius: 1, intensity: 0, strength: 0, exposure: 1, contrast: 1, saturation: 1,
    });
  }

  /** Whether there is anything to do. */
  get on() {
    const { ao, bloom, grade } = this.look;
    return Boolean(ao?.enabled || bloom?.enabled || grade?.enabled);
  }

  /**
   * Says what is to be done.
   * @param {Look | undefined} look
   */
  set(look) {
    this.look = look ?? {};
    this.#free();
  }

  #free() {
    if (!this.made) return;
    for (const part of Object.values(this.made)) if (part && "dispose" in part) part.dispose();
    this.made = undefined;
  }

  /**
   * Makes what is needed for frames of a size.
   * @param {number} width
   * @param {number} height
   */
  make(width, height) {
    const { ao, bloom } = this.look;
    const target = (/** @type {number} */ by, /** @type {object} */ options) =>
      new WebGLRenderTarget(Math.max(Math.ceil(width * by), 1), Math.max(Math.ceil(height * by), 1), { depthBuffer: false, ...options });
    const smooth = { minFilter: LinearFilter, magFilter: LinearFilter };
    const far = ao?.enabled ? target(1, { depthBuffer: true, depthTexture: new DepthTexture(width, height) }) : undefined;
    return {
      size: new Vector2(width, height),
      frame: new FramebufferTexture(width, height),
      far,
      open: ao?.enabled ? target(1 / Math.min(Math.max(Math.round(1 / ao.resolutionScale), 1), 4), { minFilter: NearestFilter, magFilter: NearestFilter }) : undefined,
      bright: bloom?.enabled ? target(1 / coarse, smooth) : undefined,
      halo: bloom?.enabled ? target(1 / coarse, smooth) : undefined,
    };
  }

  /**
   * Draws a frame onto the canvas.
   * @param {Scene} scene
   * @param {PerspectiveCamera} eye
   */
  render(scene, eye) {
    const { renderer } = this;
    renderer.render(scene, eye);
    if (!this.on) return;
    const size = renderer.getDrawingBufferSize(new Vector2());
    if (!this.made?.size.equals(size)) {
      this.#free();
      this.made = this.make(size.x, size.y);
    }
    const { ao, bloom, grade } = this.look;
    const { frame, far, open, bright, halo } = this.made;
    renderer.copyFramebufferToTexture(frame);
    const places = { depth: far?.depthTexture ?? null, unproject: eye.projectionMatrixInverse, size };
    if (ao && far && open) {
      const { autoUpdate } = renderer.shadowMap;
      renderer.shadowMap.autoUpdate = false; // they are as they were
      renderer.setRenderTarget(far);
      renderer.render(scene, eye);
      renderer.shadowMap.autoUpdate = autoUpdate;
      const focal = (eye.projectionMatrix.elements[5] * size.y) / 2;
      this.occlusion.run(renderer, open, {
        ...places, focal, radius: ao.radius, scale: ao.scale, exponent: ao.distanceExponent, thickness: ao.thickness, samples: ao.samples,
      });
    }
    if (bloom && bright && halo) {
      this.shine.run(renderer, bright, { frame, threshold: bloom.threshold });
      const deviation = (bloom.radius * size.y) / 16 / coarse;
      this.blur.run(renderer, halo, { frame: bright.texture, step: new Vector2(1 / bright.width, 0), deviation });
      this.blur.run(renderer, bright, { frame: halo.texture, step: new Vector2(0, 1 / bright.height), deviation });
    }
    this.together.run(renderer, null, {
      ...places, frame, open: open?.texture ?? null, shine: bright?.texture ?? null, cells: new Vector2(open?.width ?? 1, open?.height ?? 1),
      radius: ao?.radius ?? 1, intensity: open ? ao?.intensity : 0, strength: bright ? bloom?.strength : 0,
      exposure: grade?.enabled ? grade.exposure : 1, contrast: grade?.enabled ? grade.contrast : 1, saturation: grade?.enabled ? grade.saturation : 1,
    });
  }
}
