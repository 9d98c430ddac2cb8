// What stands in the way of somebody who walks, and what is under his feet, of the triangles near him.

/** @import { Vec3 } from "./copy.js" */

const climbs = 1.4; // of his radius: what is no higher is stepped onto
const apart = 1.05; // … how near the middle of him comes to a wall
const before = 0.8; // … ahead of him the ground is felt
const steepest = 0.6; // the upward part of the normal of ground at least
const most = 6000; // triangles that are kept
const stride = 9; // numbers of a triangle

/** Near holds the triangles around a place. */
export class Near {
  constructor() {
    this.triangles = new Float64Array(64 * stride);
    this.count = 0;
    /** What is cut out of one, for #beside: x and z of each corner. */
    this.polygon = new Float64Array(16);
    this.triangle = new Float64Array(stride);
  }

  clear() {
    this.count = 0;
  }

  /**
   * Adds the triangles of a mesh that come into a box.
   * @param {ArrayLike<number>} points x, y and z of each
   * @param {ArrayLike<number> | undefined} index three for each triangle; without, points are in their order
   * @param {ArrayLike<number>} matrix from its space to the world's, by columns
   * @param {Vec3} lo
   * @param {Vec3} hi
   */
  add(points, index, matrix, lo, hi) {
    const m = matrix;
    const corners = index ? index.length : points.length / 3;
    const t = this.triangle;
    for (let i = 0; i + 2 < corners && this.count < most; i += 3) {
      for (let k = 0; k < 3; k++) {
        const at = 3 * (index ? index[i + k] : i + k);
        const x = points[at];
        const y = points[at + 1];
        const z = points[at + 2];
        for (let n = 0; n < 3; n++) t[3 * k + n] = m[n] * x + m[n + 4] * y + m[n + 8] * z + m[n + 12];
      }
      let out = false;
      for (let n = 0; n < 3 && !out; n++) out = Math.max(t[n], t[n + 3], t[n + 6]) < lo[n] || Math.min(t[n], t[n + 3], t[n + 6]) > hi[n];
      if (out) continue;
      if ((this.count + 1) * stride > this.triangles.length) {
        const more = new Float64Array(2 * this.triangles.length);
        more.set(this.triangles);
        this.triangles = more;
      }
      this.triangles.set(t, this.count * stride);
      this.count++;
    }
  }

  /**
   * How far somebody upright comes who goes a short way, level: along walls, not into them.
   * @param {Vec3} feet
   * @param {number} dx
   * @param {number} dz
   * @param {{height: number, radius: number}} body
   * @returns {[number, number]}
   */
  go(feet, dx, dz, { height, radius }) {
    const [low, high, r] = [feet[1] + climbs * radius, feet[1] + height, apart * radius];
    for (let round = 0; round < 3; round++) {
      let hit = false;
      for (let i = 0; i < this.count; i++) {
        const [x, z] = [feet[0] + dx, feet[2] + dz];
        const off = this.#beside(i * stride, low, high, x, z, r);
        if (!off) continue;
        const into = -(dx * off[0] + dz * off[1]);
        if (into <= 1e-9) continue;
        const by = Math.min(off[2], into);
        if (by <= 1e-9) continue;
        dx += off[0] * by;
        dz += off[1] * by;
        hit = true;
      }
      if (!hit) return [dx, dz];
    }
    return [0, 0]; // a corner
  }

  /**
   * Which way it is from what a triangle has between two heights to a place, and how much less that is than r; undefined if it is not less.
   * @param {number} at
   * @param {number} low
   * @param {number} high
   * @param {number} x
   * @param {number} z
   * @param {number} r
   * @returns {[number, number, number] | undefined}
   */
  #beside(at, low, high, x, z, r) {
    const t = this.triangles;
    for (let n = 0; n < 3; n++) {
      const a = t[at + n];
      const b = t[at + n + 3];
      const c = t[at + n + 6];
      const lo = n === 0 ? x - r : n === 1 ? low : z - r;
      const hi = n === 0 ? x + r : n === 1 ? high : z + r;
      if ((a > hi && b > hi && c > hi) || (a < lo && b < lo && c < lo)) return undefined;
    }
    const n = this.#slice(at, low, high);
    let [best, bx, bz] = [r * r, 0, 0];
    const p = this.polygon;
    for (let i = 0; i < n; i++) { // the nearest point of its edges, from above: who is over its middle is not beside it
      const j = (i + 1) % n;
      const [ax, az] = [p[2 * i], p[2 * i + 1]];
      const [ex, ez] = [p[2 * j] - ax, p[2 * j + 1] - az];
      const long = ex * ex + ez * ez;
      const part = long > 1e-12 ? Math.min(Math.max(((x - ax) * ex + (z - az) * ez) / long, 0), 1) : 0;
      const [ox, oz] = [x - ax - ex * part, z - az - ez * part];
      const far = ox * ox + oz * oz;
      if (far < best) [best, bx, bz] = [far, ox, oz];
    }
    const d = Math.sqrt(best);
    if (d >= r || d < 1e-6) return undefined;
    return [bx / d, bz / d, r - d];
  }

  /**
   * Cuts out of a triangle what is between two heights, seen from above, into polygon, and returns how many corners that has.
   * @param {number} at
   * @param {number} low
   * @param {number} high
   */
  #slice(at, low, high) {
    const t = this.triangles;
    const p = this.polygon;
    let n = 0;
    for (let i = 0; i < 3; i++) {
      const a = at + 3 * i;
      const b = at + 3 * ((i + 1) % 3);
      const [ya, yb] = [t[a + 1], t[b + 1]];
      if (ya >= low && ya <= high) {
        p[2 * n] = t[a];
        p[2 * n + 1] = t[a + 2];
        n++;
      }
      const cuts = ya < yb ? [low, high] : [high, low];
      for (const y of cuts) {
        if ((ya < y) === (yb < y) || ya === y || yb === y) continue;
        const part = (y - ya) / (yb - ya);
        p[2 * n] = t[a] + (t[b] - t[a]) * part;
        p[2 * n + 1] = t[a + 2] + (t[b + 2] - t[a + 2]) * part;
        n++;
      }
    }
    return n;
  }

  /**
   * How high the ground is on which somebody stands, or comes down to, at a place: under its middle, and a little ahead. Undefined if there is none near.
   * @param {Vec3} feet
   * @param {number} dx where he goes, of any length
   * @param {number} dz
   * @param {number} radius
   * @returns {number | undefined}
   */
  floor(feet, dx, dz, radius) {
    const long = Math.hypot(dx, dz);
    const top = feet[1] + climbs * radius;
    const under = this.#under(feet[0], feet[2], top);
    if (long < 1e-9) return under;
    const by = (before * radius) / long;
    const ahead = this.#under(feet[0] + dx * by, feet[2] + dz * by, top);
    if (under === undefined) return ahead !== undefined && ahead > feet[1] - climbs * radius ? ahead : undefined;
    return ahead === undefined ? under : Math.max(under, ahead);
  }

  /**
   * How high the highest ground at a place is that is no higher than top.
   * @param {number} x
   * @param {number} z
   * @param {number} top
   * @returns {number | undefined}
   */
  #under(x, z, top) {
    const t = this.triangles;
    let best = -Infinity;
    for (let i = 0; i < this.count; i++) {
      const a = i * stride;
      const x0 = t[a];
      const x1 = t[a + 3];
      const x2 = t[a + 6];
      if ((x0 > x && x1 > x && x2 > x) || (x0 < x && x1 < x && x2 < x)) continue;
      const z0 = t[a + 2];
      const z1 = t[a + 5];
      const z2 = t[a + 8];
      if ((z0 > z && z1 > z && z2 > z) || (z0 < z && z1 < z && z2 < z)) continue;
      const [y0, y1, y2] = [t[a + 1], t[a + 4], t[a + 7]];
      const area = (x1 - x0) * (z2 - z0) - (x2 - x0) * (z1 - z0);
      if (Math.abs(area) < 1e-9) continue;
      const u = ((x - x0) * (z2 - z0) - (x2 - x0) * (z - z0)) / area;
      const v = ((x1 - x0) * (z - z0) - (x - x0) * (z1 - z0)) / area;
      if (u < -1e-6 || v < -1e-6 || u + v > 1 + 1e-6) continue;
      const y = y0 + u * (y1 - y0) + v * (y2 - y0);
      if (y > top || y <= best) continue;
      const [ux, uy, uz, vx, vy, vz] = [x1 - x0, y1 - y0, z1 - z0, x2 - x0, y2 - y0, z2 - z0];
      const up = Math.abs(area) / Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
      if (up >= steepest) best = y;
    }
    return best === -Infinity ? undefined : best;
  }
}
