// Rivers: ribbons of water along a line, as world.Pool has them in Go.

import { BufferAttribute, BufferGeometry, Color, Vector3 } from "three";

/** @import { Quaternion } from "three" */
/** @import { Entity, Vec3 } from "./copy.js" */

/**
 * Where the banks of a river are at each point of its line, to the left and to the right of whoever looks to where it flows.
 * @param {Vec3[]} line in the world
 * @param {number} half half its width, in metres
 * @returns {[Vec3, Vec3][]}
 */
export function banksOf(line, half) {
  const last = line.length - 1;
  /** @param {Vec3} a @param {Vec3} b @returns {[number, number]} */
  const flat = (a, b) => unit(b[0] - a[0], b[2] - a[2]);
  return line.map((at, i) => {
    let before = flat(line[Math.max(i - 1, 0)], at);
    let after = flat(at, line[Math.min(i + 1, last)]);
    if (i === 0) before = after;
    else if (i === last) after = before;
    let way = unit(before[0] + after[0], before[1] + after[1]);
    if (way[0] === 0 && way[1] === 0) way = after; // it turns back, or stands
    const reach = half / Math.max(way[0] * after[0] + way[1] * after[1], 0.5); // the banks are parallel to the line
    const x = -way[1] * reach;
    const z = way[0] * reach;
    return [[at[0] - x, at[1], at[2] - z], [at[0] + x, at[1], at[2] + z]];
  });
}

/** @param {number} x @param {number} z @returns {[number, number]} */
function unit(x, z) {
  const long = Math.hypot(x, z);
  return long > 0 ? [x / long, z / long] : [0, 0];
}

/**
 * How white water is that falls so steeply, from 0 to 1, as in the pictures of scene.render.
 * @param {number} sine of how steep it is
 */
export function foamOf(sine) {
  const t = Math.min(Math.max((sine - 0.08) / 0.5, 0), 1);
  return t * t * (3 - 2 * t);
}

/**
 * How much of what is below it water hides, from 0 to 1: the brighter its own light is, the more.
 * @param {number} emissive 0xRRGGBB
 */
export function coverOf(emissive) {
  return Math.max(0.72, (emissive >> 16) / 255, ((emissive >> 8) & 255) / 255, (emissive & 255) / 255);
}

/**
 * The line of a river where its entity is.
 * @param {Entity} entity
 * @param {Quaternion} turned how the entity is
 * @returns {{line: Vec3[], half: number}}
 */
export function courseOf(entity, turned) {
  const water = /** @type {NonNullable<Entity["water"]>} */ (entity.water);
  const [x, y, z] = entity.scale;
  const at = new Vector3();
  const line = (water.line ?? []).map((p) => {
    at.set(p[0] * x, p[1] * y, p[2] * z).applyQuaternion(turned);
    return /** @type {Vec3} */ ([at.x + entity.pos[0], at.y + entity.pos[1], at.z + entity.pos[2]]);
  });
  return { line, half: (water.size * Math.sqrt(Math.abs(x * z))) / 2 };
}

/**
 * The surface of a river, about its first point, whiter where it falls. Its attribute course is how far along and across each place is, and which way along is.
 * @param {[Vec3, Vec3][]} banks
 * @param {number} color 0xRRGGBB
 */
export function ribbon(banks, color) {
  const places = new Float32Array(banks.length * 6);
  const tints = new Float32Array(banks.length * 6);
  const courses = new Float32Array(banks.length * 8);
  let along = 0;
  const triangles = [];
  const origin = banks[0][0];
  const tint = new Color();
  const white = new Color(0xffffff);
  for (const [i, pair] of banks.entries()) {
    const before = banks[Math.max(i - 1, 0)];
    const after = banks[Math.min(i + 1, banks.length - 1)];
    const drop = before[0][1] - after[0][1];
    const far = Math.hypot(after[0][0] + after[1][0] - before[0][0] - before[1][0], after[0][2] + after[1][2] - before[0][2] - before[1][2]) / 2;
    const steep = Math.hypot(drop, far);
    const wide = Math.hypot(pair[1][0] - pair[0][0], pair[1][2] - pair[0][2]);
    const [x, z] = unit(pair[1][2] - pair[0][2], pair[0][0] - pair[1][0]);
    if (i > 0) along += Math.hypot(...[0, 1, 2].map((k) => (pair[0][k] + pair[1][k] - banks[i - 1][0][k] - banks[i - 1][1][k]) / 2));
    tint.setHex(color).lerp(white, steep > 0 ? 0.5 * foamOf(Math.abs(drop) / steep) : 0);
    for (const [side, at] of pair.entries()) {
      for (let k = 0; k < 3; k++) places[(2 * i + side) * 3 + k] = at[k] - origin[k];
      tint.toArray(tints, (2 * i + side) * 3);
      courses.set([along, (side - 0.5) * wide, x, z], (2 * i + side) * 4);
    }
    if (i > 0) triangles.push(2 * i - 2, 2 * i - 1, 2 * i + 1, 2 * i - 2, 2 * i + 1, 2 * i);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(places, 3));
  geometry.setAttribute("color", new BufferAttribute(tints, 3));
  geometry.setAttribute("course", new BufferAttribute(courses, 4));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return geometry;
}
