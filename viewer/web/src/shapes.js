// What the shapes of entities look like: geometries that fill a cube of one metre, to be scaled by an entity's size, and those
// that the server has to be asked for.

import { BoxGeometry, BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, ExtrudeGeometry, LatheGeometry, Shape, SphereGeometry, Vector2 } from "three";

/** @import { Entity } from "./copy.js" */

/**
 * The geometry of a capsule that is one metre wide and high, whose domes are as high as share says, of its height.
 * @param {number} share
 * @param {number} steps of a dome
 * @param {number} sides
 */
function capsule(share, steps = 10, sides = 32) {
  const outline = [];
  for (let i = 0; i <= steps; i++) {
    const a = (Math.PI / 2) * (1 - i / steps);
    outline.push(new Vector2(0.5 * Math.cos(a), -0.5 + share - share * Math.sin(a)));
  }
  for (let i = 0; i <= steps; i++) {
    const a = (Math.PI / 2) * (i / steps);
    outline.push(new Vector2(0.5 * Math.cos(a), 0.5 - share + share * Math.sin(a)));
  }
  return new LatheGeometry(outline, sides);
}

/** Half a cube: its slope falls from the upper edge at -z to the lower one at +z. */
function wedge() {
  const shape = new Shape([new Vector2(0.5, -0.5), new Vector2(0.5, 0.5), new Vector2(-0.5, -0.5)]); // seen from +x, with -z to the right
  return new ExtrudeGeometry(shape, { depth: 1, bevelEnabled: false }).translate(0, 0, -0.5).rotateY(Math.PI / 2);
}

/** @type {Record<string, () => BufferGeometry>} */
const units = {
  box: () => new BoxGeometry(1, 1, 1),
  sphere: () => new SphereGeometry(0.5, 40, 24),
  cylinder: () => new CylinderGeometry(0.5, 0.5, 1, 48),
  cone: () => new ConeGeometry(0.5, 1, 48),
  wedge,
  ball: () => new SphereGeometry(0.5, 16, 12), // of a figure, as limbs are
  post: () => new CylinderGeometry(0.5, 0.5, 1, 16), // to come up against
};

/**
 * Names the geometry of an entity that has a shape: entities of one name have one geometry. Those whose name asks are the
 * server's to tell. sized: it fills a cube of one metre, and is to be scaled by the size of the shape.
 * @param {Entity} entity
 * @returns {{name: string, ask: boolean, sized: boolean}}
 */
export function shapeOf(entity) {
  const shape = /** @type {NonNullable<Entity["shape"]>} */ (entity.shape);
  if (entity.ground) return { name: "ground " + JSON.stringify(entity.ground), ask: true, sized: false };
  if (shape.kind === "mesh" && entity.mesh) return { name: entity.mesh.asset, ask: true, sized: false };
  if (shape.kind === "capsule") {
    const [x, y, z] = shape.size;
    const share = Math.min(x, y, z) / 2 / Math.max(y, 1e-9);
    return { name: "capsule " + Math.round(share * 100) / 100, ask: false, sized: true };
  }
  return { name: shape.kind in units ? shape.kind : "box", ask: false, sized: true };
}

/**
 * Whether a name that shapeOf gave is one that make knows.
 * @param {string} name
 */
export const isOwn = (name) => name.startsWith("capsule ") || name.startsWith("limb ") || name in units;

/**
 * Names the geometry of a piece of a figure, which fills a cube of one metre.
 * @param {{round: boolean, size: [number, number, number]}} part
 */
export function pieceOf({ round, size }) {
  return round ? "ball" : "limb " + Math.round((Math.min(...size) / 2 / Math.max(size[1], 1e-9)) * 50) / 50;
}

/**
 * Makes the geometry of a name that shapeOf gave and that is not the server's to tell.
 * @param {string} name
 * @returns {BufferGeometry}
 */
export function make(name) {
  const [kind, share] = name.split(" ");
  if (kind === "limb") return capsule(Number(share), 4, 12);
  return kind === "capsule" ? capsule(Number(share)) : units[kind]();
}

/**
 * Reads numbers that are written as base64, little-endian.
 * @template {Float32Array | Uint32Array | Int8Array | Uint8Array} T
 * @param {string} text
 * @param {new (buffer: ArrayBuffer) => T} type
 * @returns {T}
 */
function numbers(text, type) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new type(bytes.buffer);
}

/**
 * What a byte of a colour stands for in light, as sRGB has it.
 * @param {number} byte
 */
const linear = (byte) => (byte < 11 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);

/**
 * Makes a geometry of what scene.geometry answers.
 * @param {{positions: string, normals?: string, triangles: string, coords?: string, colors?: string}} told
 * @returns {BufferGeometry}
 */
export function read(told) {
  let g = new BufferGeometry();
  g.setAttribute("position", new BufferAttribute(numbers(told.positions, Float32Array), 3));
  g.setIndex(new BufferAttribute(numbers(told.triangles, Uint32Array), 1));
  if (told.coords) g.setAttribute("uv", new BufferAttribute(numbers(told.coords, Float32Array), 2));
  if (told.colors) g.setAttribute("color", new BufferAttribute(Float32Array.from(numbers(told.colors, Uint8Array), linear), 3));
  if (told.normals) {
    g.setAttribute("normal", new BufferAttribute(numbers(told.normals, Int8Array), 3, true));
  } else {
    g = g.toNonIndexed(); // flat faces
    g.computeVertexNormals();
  }
  return g;
}
