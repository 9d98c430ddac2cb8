// The waves of water: they only bend the light on it, its surface is as level as that of the world.

/** @import { Mesh, MeshStandardMaterial, WebGLProgramParametersWithUniforms } from "three" */

// How often waves are drawn, in milliseconds, if nothing else is new; and how many frames in a row may take longer than a tenth of a second
// until they are left alone: a machine that has no better to give has better to do.
const often = 33;
const patience = 8;

// How fast waves go of what glows, as lava does, of those of water.
const thick = 0.15;

const vertexHead = `
#ifdef FLOWS
attribute vec4 course; // how far along and across, and which way along is
#endif
varying vec2 wavePlace;
varying vec2 waveWay;
`;

const vertex = `
#ifdef FLOWS
wavePlace = course.xy;
waveWay = course.zw;
#else
wavePlace = (modelMatrix * vec4(transformed, 1.0)).xz;
waveWay = vec2(1.0, 0.0);
#endif
`;

const fragmentHead = `
varying vec2 wavePlace;
varying vec2 waveWay;
uniform float waveTime;
uniform float wavePace;
uniform float waveDrift;

// How steep the water is, along and across.
vec2 waves() {
	float time = waveTime * wavePace;
	vec2 at = wavePlace - vec2(waveDrift * waveTime, 0.0);
	at += 0.5 * sin(at.yx * 0.37 + vec2(0.11, 0.17) * time);
	float blur = length(fwidth(wavePlace));
	vec2 steep = vec2(0.0);
	vec2 way = vec2(0.8, 0.6);
	float number = 0.9; // of wave lengths in 2 pi metres
	float high = 0.07;
	for (int i = 0; i < 6; i++) {
		float seen = 1.0 - smoothstep(0.5, 2.0, blur * number);
		steep += way * high * seen * cos(dot(way, at) * number + 1.7 * sqrt(number) * time);
		way = vec2(way.x * -0.37 - way.y * 0.93, way.x * 0.93 - way.y * 0.37); // some 112 degrees
		number *= 1.53;
		high *= 0.86;
	}
	return steep;
}
`;

const fragment = `
vec2 steep = waves();
vec3 lean = vec3(steep.x * waveWay.x - steep.y * waveWay.y, 0.0, steep.x * waveWay.y + steep.y * waveWay.x);
normal = normalize(normal - faceDirection * (viewMatrix * vec4(lean, 0.0)).xyz);
`;

/** What has all water of a picture ripple. */
export class Waves {
  constructor() {
    /** Whether water stands still, as whoever looks may want it, or his machine. */
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.time = { value: 0 };
    this.seen = false; // whether some was in the last picture
    this.drew = false; // the frame before
    this.slow = 0;
  }

  /**
   * Has the water of a mesh ripple. What flows has an attribute of its course.
   * @param {Mesh} mesh
   */
  dress(mesh) {
    const material = /** @type {MeshStandardMaterial} */ (mesh.material);
    const uniforms = { waveTime: this.time, wavePace: { value: 1 }, waveDrift: { value: 0 } };
    material.userData.waves = uniforms;
    material.onBeforeCompile = (/** @type {WebGLProgramParametersWithUniforms} */ shader) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = vertexHead + shader.vertexShader.replace("#include <project_vertex>", vertex + "#include <project_vertex>");
      shader.fragmentShader = fragmentHead + shader.fragmentShader.replace("#include <normal_fragment_maps>", fragment);
    };
    mesh.onBeforeRender = () => (this.seen = true);
  }

  /**
   * Says how the water of a mesh moves.
   * @param {MeshStandardMaterial} material
   * @param {boolean} glows
   * @param {number | undefined} flow in m/s, undefined of what is level
   */
  tell(material, glows, flow) {
    const { wavePace, waveDrift } = material.userData.waves;
    wavePace.value = glows ? thick : 1;
    waveDrift.value = flow ?? 0;
    const flows = flow !== undefined;
    const defines = /** @type {Record<string, string>} */ (material.defines);
    if (flows === "FLOWS" in defines) return;
    if (flows) defines.FLOWS = "";
    else delete defines.FLOWS;
    material.needsUpdate = true;
  }

  /**
   * Moves on, and reports whether there is anything to draw anew.
   * @param {number} now in milliseconds
   * @param {number} dt since the last time, in seconds
   */
  step(now, dt) {
    if (this.still || !this.seen) return false;
    if (this.drew) this.slow = dt > 0.1 ? this.slow + 1 : 0;
    this.drew = false;
    if (this.slow > patience) {
      this.still = true;
      return false;
    }
    if (now - this.time.value * 1000 < often) return false;
    this.time.value = now / 1000;
    this.drew = true;
    this.seen = false;
    return true;
  }
}
