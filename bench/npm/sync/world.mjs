// The world of the state sync measurements for the peers: what package cube is for Limina, and a grid
// of the subscribers' spheres, so that what is measured is the peer and not a search.
export const port = Number(process.env.PORT), hz = Number(process.env.HZ ?? 20);
const count = Number(process.env.ENTITIES ?? 2000), share = Number(process.env.MOVE ?? 0.1);
const side = 1000, size = 100, across = side / size;

let seed = 88172645;
const random = () => { // xorshift
  seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5;
  return (seed >>> 0) / 2 ** 32;
};
export const at = Array.from({ length: count }, () => Float32Array.of(random() * side, random() * side, random() * side));
const order = Array.from({ length: count }, (_, i) => i).map((i) => [random(), i]).sort((a, b) => a[0] - b[0]).map((p) => p[1]);

const cells = Array.from({ length: across ** 3 }, () => []);
const column = (x) => Math.min(Math.max(Math.floor(x / size), 0), across - 1);
const cellOf = (p) => cells[(column(p[0]) * across + column(p[1])) * across + column(p[2])];
const holds = (s, p) => (p[0] - s.c[0]) ** 2 + (p[1] - s.c[1]) ** 2 + (p[2] - s.c[2]) ** 2 <= s.r * s.r;

// watch enters a subscriber {c, r} and returns the numbers of the entities that it sees.
export function watch(s) {
  const from = s.c.map((x) => column(x - s.r)), to = s.c.map((x) => column(x + s.r));
  for (let x = from[0]; x <= to[0]; x++) for (let y = from[1]; y <= to[1]; y++) for (let z = from[2]; z <= to[2]; z++) {
    const gap = [x, y, z].map((n, i) => Math.max(n * size - s.c[i], 0, s.c[i] - (n + 1) * size));
    if (gap[0] ** 2 + gap[1] ** 2 + gap[2] ** 2 <= s.r * s.r) cells[(x * across + y) * across + z].push(s);
  }
  return order.filter((i) => holds(s, at[i]));
}

// step moves the share that is due. moved(i) is called once for each, then see(s, i, change) for every
// subscriber that sees it, or saw it: change is "in", "out" or "move".
let next = 0;
export function step(moved, see) {
  const was = new Float32Array(3);
  for (let n = Math.floor(count * share); n > 0; n--) {
    const i = order[next], p = at[i];
    next = (next + 1) % count;
    was.set(p);
    for (let k = 0; k < 3; k++) p[k] = Math.min(Math.max(p[k] + random() * 4 - 2, 0), side - 1);
    moved(i);
    const here = cellOf(p), there = cellOf(was);
    for (const s of here) {
      const inside = holds(s, p), before = holds(s, was);
      if (inside) see(s, i, before ? "move" : "in");
      else if (before) see(s, i, "out");
    }
    if (there !== here) for (const s of there) if (holds(s, was) && !holds(s, p) && !here.includes(s)) see(s, i, "out");
  }
}

// stamp is the moment of a tick as the harness reads it: @@ and 15 digits of microseconds.
const clock = () => String(process.hrtime.bigint() / 1000n);
export const stamp = () => "@@" + clock().padStart(15, "0");

// tick calls f at the rate and tells the harness how often it has.
export function tick(f) {
  const period = 1000 / hz;
  let due = performance.now() + period, ticks = 0, said = due;
  const go = () => {
    f();
    ticks++;
    const now = performance.now();
    if (now - said > 200) { said = now; console.log(`N ${ticks} ${clock()}`); }
    due = Math.max(due + period, now - period);
    const left = due - performance.now();
    if (left > 1.5) setTimeout(go, Math.floor(left)); else setImmediate(go);
  };
  setTimeout(go, period);
}
