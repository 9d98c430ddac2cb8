// Where one's own character is drawn: ahead of what the server has told, by what he was sent to do since. The server alone says where he is; nothing
// that is worked out here is ever sent.
//
// What he does here is a way, noted with the times at which he was where on it. What the server tells is where he was at some time of it: that of the
// call that it has answered last, and as much later as it has taken steps since. By what the two differ then, he is off his way now. While he is sent
// nowhere his way stands still, and he goes as the server tells, as others do (motion.js): along with a lift, a boat, or what throws him.

import { stepRate } from "./flow.js";

/** @import { Vec3 } from "./copy.js" */
/** @import { Move } from "./steering.js" */

/**
 * What the server has told of him. height, low: how tall he is upright, and crouching. able: whether he walks. pace: what he has of his speed.
 * @typedef {{
 *   feet: Vec3, radius: number, height: number, low: number, able: boolean, pace: number,
 *   walkSpeed: number, runSpeed: number, jumpSpeed: number, gravity: number, crouchSpeedScale: number,
 *   sprinting: boolean, crouching: boolean, grounded: boolean, swimming: boolean,
 * }} Told
 *
 * What is around him: how far he comes on a short level way, and how high the ground is where he is on one, undefined where there is none near.
 * @typedef {{
 *   go: (feet: Vec3, dx: number, dz: number, body: {height: number, radius: number}) => [number, number],
 *   floor: (feet: Vec3, dx: number, dz: number, radius: number) => number | undefined,
 * }} Around
 *
 * A call that has sent him somewhere: when, in seconds of his way and in milliseconds; where to, at most 1 long; until when that holds; and how fast that
 * has become, in m/s.
 * @typedef {{t: number, when: number, x: number, z: number, run: boolean, until: number, jump: boolean, speed: [number, number], answered: boolean}} Sent
 *
 * Where he was on his way. y: with the ground. air: by jumping and falling. fx and fz: how far he would be if nothing held him that cannot be seen.
 * @typedef {{t: number, x: number, y: number, z: number, air: number, fx: number, fz: number}} Point
 *
 * How he is drawn. yaw: where he looks, undefined for where the server has him look.
 * @typedef {{feet: Vec3, low: boolean, aloft: boolean, yaw: number | undefined}} Drawn
 */

const gentle = 0.1; // seconds in which an error becomes a third
const turning = 0.05; // … of where he looks
const grave = 2.5; // metres: an error that is larger is put right at once
const fastest = 60; // metres a second: what the server has go faster was put elsewhere
const usual = 0.1; // seconds in which what stood goes to where it is told to be, as in motion.js
const longest = 0.6; // … between two messages about what goes
const kept = 3; // seconds of the way
const mostPoints = 500; // … of it
const mostSent = 40; // calls that are remembered
const coarse = 0.15; // metres that he goes in one at most
const lazy = 0.25; // seconds that a frame counts for at most
const patience = [0.3, 1]; // seconds without an answer for which he goes on, at least and at most
const given = 2; // … after which he is where the server has had him last
const fresh = 100; // milliseconds for which a message says which step it is
const silence = 300; // milliseconds without a message after which all is told of who stands
const waits = 0.25; // seconds that a jump waits for the ground
const falls = 0.6; // … later than here that he falls from a ledge there at most
const climbing = 0.4; // … that he takes longer for steps there
const stair = 0.08; // metres that he goes up or down on one
const brief = 0.35; // seconds in which it shows that something stops him: who climbs a step stands a moment
const long = 0.9; // … that he is slower than he would be
const stopped = 0.3; // of what he would go: as slow as that is stopped
const free = 0.85; // … as fast as that nothing holds him
const known = 0.4; // metres from his feet within which ground is what he stands on
const afoot = 0.1; // … that they are above it at most, on slopes
const trust = 0.1; // how much a call that changes nothing says of how long calls take
const maxFall = 40; // m/s, as in world/physics

/** @param {number} x @param {number} lo @param {number} hi */
const within = (x, lo, hi) => Math.min(Math.max(x, lo), hi);

/** @param {number} a */
const wrap = (a) => Math.atan2(Math.sin(a), Math.cos(a));

/** @param {{x: number, z: number}} a @param {{x: number, z: number}} b whether they go much the same way, or either nowhere */
const alike = (a, b) => a.x * b.x + a.z * b.z >= free * Math.hypot(a.x, a.z) * Math.hypot(b.x, b.z);

/** Prediction leads one character. All times that it is given are in milliseconds, of one clock that does not go back. */
export class Prediction {
  now = 0;
  framed = 0; // when the last frame was
  t = 0; // seconds of the world's time that have gone by here
  scale = 1; // … in a second
  rtt = 0.4; // seconds that an answer takes, at most as far as is known

  /** What was told last. @type {Told | undefined} */
  told = undefined;
  step = 0; // of the newest message
  news = -Infinity; // when it came
  heard = -Infinity; // when the last answer did
  moved = -Infinity; // when he was told to be elsewhere last
  stalled = false; // nothing comes any more

  /** Where he was; there is always a point. @type {Point[]} */
  way = [];
  /** The call that the server goes by, and those that it has not answered. @type {Sent[]} */
  sent = [];
  ahead = 0; // by how much a time on the way is later than that of the server's step, on the ground
  /** … in the air, where that is another. @type {number | undefined} */
  above = undefined;
  starting = true; // it is not known yet: the next move tells
  part = 1; // of his speed that he has, as far as that shows
  /** Where he was told to be when, and how far he would have come. @type {{t: number, x: number, z: number, fx: number, fz: number}[]} */
  shown = [];

  aloft = false;
  rise = 0; // in m/s
  since = 0; // when he left the ground
  landed = 0; // when he came down last
  high = 0; // what his feet were above the ground when he left it
  least = 0; // how low in the air there is ground, where none can be seen
  wants = -Infinity; // until when he is to jump
  /** … and by what. @type {Sent | undefined} */
  jumper = undefined;
  /** Jumps and falls that the server has not been seen to do, and when the call was answered that brought a jump about. @type {{by: Sent | undefined, t: number, when: number}[]} */
  leaps = [];

  /** By how much he is off his way: between two messages in between. @type {{from: Vec3, to: Vec3, begun: number, span: number}} */
  off = { from: [0, 0, 0], to: [0, 0, 0], begun: 0, span: 0 };
  /** What is gently put right. @type {Vec3} */
  rest = [0, 0, 0];

  /** @type {{low: boolean, until: number} | undefined} */
  crouch = undefined;
  /** Where he was sent to look, and when the server was seen to have him do so at the latest. @type {{yaw: number, by: Sent, until: number} | undefined} */
  looks = undefined;
  /** Where he is to look, as far as that is known here. @type {number | undefined} */
  base = undefined;
  turn = 0; // by how much he looks elsewhere yet

  /** @param {Around} around */
  constructor(around) {
    this.around = around;
    this.#stand();
  }

  /** Begins anew, with a character of whom nothing is known. */
  begin() {
    this.told = undefined;
    [this.step, this.news, this.heard, this.moved, this.stalled] = [0, -Infinity, -Infinity, -Infinity, false];
    this.rest = [0, 0, 0];
    [this.base, this.turn] = [undefined, 0];
    this.#stand();
  }

  /** Takes back what was not told: he is where the server has him, and was sent nowhere. */
  #stand() {
    const { t } = this;
    this.way = [{ t, x: 0, y: 0, z: 0, air: 0, fx: 0, fz: 0 }];
    this.sent = [{ t, when: 0, x: 0, z: 0, run: false, until: t, jump: false, speed: [0, 0], answered: true }];
    [this.ahead, this.above, this.starting, this.part, this.shown] = [0, undefined, true, 1, []];
    [this.aloft, this.rise, this.wants, this.jumper, this.leaps] = [false, 0, -Infinity, undefined, []];
    [this.crouch, this.looks] = [undefined, undefined];
  }

  /**
   * The connection is lost, or nothing comes any more: he goes to where he was told to be last, and stays there until something is told.
   * @param {number} now
   */
  lost(now) {
    this.#advance(now);
    if (this.told) {
      this.#gently(now, () => {
        this.#stand();
        const [x, y, z] = /** @type {Told} */ (this.told).feet;
        this.off = { from: [x, y, z], to: [x, y, z], begun: now, span: 0 };
      });
    }
    this.stalled = true;
  }

  /**
   * A call is made that sends him somewhere.
   * @param {Move} move
   * @param {number} now
   * @returns {Sent} for answered
   */
  send({ forward, strafe = 0, yaw, run = false, jump = false, seconds = 0 }, now) {
    this.#advance(now);
    const by = Math.max(Math.hypot(forward, strafe), 1);
    const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
    /** @type {Sent} */
    const sent = {
      t: this.t, when: now, x: (forward * sin - strafe * cos) / by, z: (forward * cos + strafe * sin) / by, run, until: this.t + seconds, jump,
      speed: [0, 0], answered: false,
    };
    const before = /** @type {Sent} */ (this.sent.at(-1));
    const went = before.x !== 0 || before.z !== 0;
    if (!went || !alike(before, sent) || (!sent.x && !sent.z)) this.part = 1; // nothing is known of that way
    if (this.sent.length >= mostSent) this.sent.splice(1, 1);
    this.sent.push(sent);
    if (jump) [this.wants, this.jumper] = [this.t + waits, sent];
    this.looks = { yaw, by: sent, until: Infinity };
    return sent;
  }

  /**
   * A call of send was answered.
   * @param {Sent} sent
   * @param {{moved?: boolean} | undefined} said what with; undefined if it was refused
   * @param {number} now
   */
  answered(sent, said, now) {
    this.#advance(now);
    this.stalled = false;
    this.heard = now;
    const at = this.sent.indexOf(sent);
    if (at < 1) return; // it was given up
    const took = (now - sent.when) / 1000;
    this.rtt = Math.max(took, this.rtt + (took - this.rtt) / 10);
    sent.answered = true;
    if (this.looks?.by === sent) this.looks.until = now + 100;
    this.#gently(now, () => {
      if (!said) {
        this.sent.splice(at, 1);
        this.#keep(sent.t, 0);
        const leap = this.leaps.find(({ by }) => by === sent);
        if (leap) this.#land(leap.t);
        if (this.looks?.by === sent) this.looks = undefined;
      } else this.#go(at, said.moved, now);
    });
  }

  /**
   * Has the server go by another call from the newest step on.
   * @param {number} at
   * @param {boolean | undefined} moved whether it says that he goes
   * @param {number} now
   */
  #go(at, moved, now) {
    const before = this.sent[0];
    this.sent.splice(0, at);
    const [sent] = this.sent;
    const goes = sent.x !== 0 || sent.z !== 0;
    const went = before.x !== 0 || before.z !== 0;
    if (!goes) {
      this.ahead = sent.t - this.step / stepRate;
      this.starting = false;
    } else if (this.starting || !went || now - this.news > fresh || now - this.moved > fresh) {
      this.starting = true;
      this.shown = [];
    } else { // the more it is the same as before, the less does it matter when it begins
      const late = this.#time() - sent.t;
      const [vx, vz] = sent.speed;
      const same = within((before.speed[0] * vx + before.speed[1] * vz) / Math.max(vx * vx + vz * vz, 1e-9), 0, 1);
      this.ahead -= late * (Math.abs(late) > 0.5 ? 1 : 1 - same * (1 - trust));
    }
    if (!goes || !went || !alike(before, sent)) this.shown = [];
    for (const leap of this.leaps) if (leap.by === sent) leap.when = now;
    if (!goes || moved === undefined || sent.jump) return;
    if (!moved && this.part > 0 && alike(sent, /** @type {Sent} */ (this.sent.at(-1)))) { // it says that something is in the way
      this.#keep(sent.t, 0);
      this.part = 0;
    } else if (moved && this.part === 0) this.part = 1;
  }

  /**
   * He is to be low, or upright.
   * @param {boolean} low
   * @param {number} now
   * @returns {(ok: boolean, now: number) => void} what is to be called once that was answered
   */
  crouches(low, now) {
    this.#advance(now);
    const crouch = { low, until: Infinity };
    this.crouch = crouch;
    return (ok, then) => void (crouch.until = ok ? then + 300 : then);
  }

  /**
   * A message has come.
   * @param {Told | undefined} told what is known of him now; undefined if he is gone
   * @param {number} step
   * @param {number} scale seconds of the world's time in a second
   * @param {number} now
   */
  hear(told, step, scale, now) {
    this.#advance(now);
    this.stalled = false;
    const before = this.told;
    const first = this.step;
    this.scale = scale;
    this.told = told;
    this.step = step;
    this.news = now;
    if (!told) {
      this.begin();
      return;
    }
    if (!before) {
      this.#stand();
      this.off = { from: [...told.feet], to: [...told.feet], begun: now, span: 0 };
      return;
    }
    if (!told.able) { // another takes him along
      if (before.able) this.#gently(now, () => this.#stand());
    } else if (told.pace < before.pace) this.#gently(now, () => this.#keep(this.#time(), told.pace / before.pace));
    if (this.crouch?.low === told.crouching) this.crouch = undefined;
    const by = told.feet.map((x, i) => x - before.feet[i]);
    const level = Math.hypot(by[0], by[2]);
    const [goes] = this.sent;
    if (this.starting && level > 1e-3 && (goes.x || goes.z)) { // in these steps he has begun
      const pace = this.#speed(goes) / stepRate;
      this.ahead = goes.t - (step - within(Math.round(level / Math.max(pace, 1e-6)), 1, Math.max(step - first, 1))) / stepRate;
      this.starting = false;
    }
    this.#leap(told, before, step, first, now);
    if (this.looks && this.looks.until < Infinity && step > first) this.looks.until = Math.min(this.looks.until, now + 20);

    const came = by.some((x) => x !== 0);
    const gap = (now - this.moved) / 1000;
    const span = came && gap < longest ? Math.max(gap, 0.016) : usual;
    if (came) this.moved = now;
    const from = this.#between(now);
    const to = this.#apart();
    if (Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) > fastest * span) {
      this.#put(told, now);
      return;
    }
    if (told.grounded && this.#climbs() && !this.#flown()) { // the steps of stairs are not where they are for him there to the centimetre
      this.rest[1] += from[1] - to[1];
      from[1] = to[1];
    }
    if (to.some((x, i) => Math.abs(x - this.off.to[i]) > 1e-9)) this.off = { from, to, begun: now, span };
    if (!this.starting) this.#learn(told, now);
  }

  /**
   * He was put elsewhere: there he is at once, with as much of his lead as there is room for.
   * @param {Told} told
   * @param {number} now
   */
  #put(told, now) {
    const t = this.#time();
    const then = this.#done(t);
    const last = /** @type {Point} */ (this.way.at(-1));
    const [dx, dz] = [last.x - then.x, last.z - then.z];
    const far = Math.hypot(dx, dz);
    const parts = Math.max(Math.ceil(far / coarse), 1);
    /** @type {Vec3} */
    const at = [...told.feet];
    for (let i = 0; i < parts && far > 0; i++) {
      const [x, z] = this.around.go(at, dx / parts, dz / parts, this.#body(told));
      [at[0], at[2]] = [at[0] + x, at[2] + z];
    }
    this.#land(-Infinity);
    this.#keep(t, far > 0 ? within(((at[0] - told.feet[0]) * dx + (at[2] - told.feet[2]) * dz) / (far * far), 0, 1) : 1);
    for (const point of this.way) point.y = last.y;
    this.rest = [0, 0, 0];
    const to = this.#apart();
    this.off = { from: to, to, begun: now, span: 0 };
  }

  /**
   * Looks whether the server has him jump, or fall, that has done so here.
   * @param {Told} told
   * @param {Told} before
   * @param {number} step
   * @param {number} first the step before
   * @param {number} now
   */
  #leap(told, before, step, first, now) {
    const [leap] = this.leaps;
    const up = told.feet[1] - before.feet[1];
    if (leap && !told.grounded && (leap.by ? leap.when < Infinity && up > 0.04 : up <= 0)) { // by how fast that is, it began so many steps ago
      const a = Math.max(told.gravity, 1e-3) / stepRate ** 2 / 2;
      const v = leap.by ? told.jumpSpeed / stepRate : 0;
      const steps = Math.max(step - first, 1);
      const ago = before.grounded ? (v - a - Math.sign(v - a) * Math.sqrt(Math.max((v - a) ** 2 - 4 * a * up, 0))) / (2 * a) : (v - up / steps) / (2 * a) + (steps - 1) / 2;
      this.above = leap.t - (step - Math.max(Math.round(ago), 0)) / stepRate;
      this.leaps.shift();
    } else if (leap && told.grounded && (leap.by ? now - leap.when > 1000 * waits + 100 : this.#time() > leap.t + falls)) { // he does not
      this.#gently(now, () => this.#land(leap.t));
    } else if (!leap && this.aloft && told.grounded && this.#time(this.above) > this.since + waits) {
      this.#gently(now, () => this.#land(this.since));
    } else if (!leap && !this.aloft && told.grounded && this.#soared() < this.landed) { // both are down
      this.#gently(now, () => (this.above = this.landed - step / stepRate));
    }
  }

  /**
   * Finds out how fast the server lets him go, by how far he has come.
   * @param {Told} told
   * @param {number} now
   */
  #learn({ feet: [x, , z] }, now) {
    const [goes] = this.sent;
    if (!goes.x && !goes.z) return;
    const t = this.#time();
    if (t < goes.t || t > this.t) return;
    const { fx, fz } = this.#done(t);
    this.shown.push({ t, x, z, fx, fz });
    while (this.shown.length > 2 && (this.shown[1].t <= t - long || this.shown.length > 100)) this.shown.shift();
    if (!alike(goes, /** @type {Sent} */ (this.sent.at(-1)))) return;
    const came = (/** @type {number} */ since) => { // what he has come of what he would have
      const a = this.shown.findLast((one) => one.t <= t - since);
      const far = a ? Math.hypot(fx - a.fx, fz - a.fz) : 0;
      return a && far > 0.05 ? ((x - a.x) * (fx - a.fx) + (z - a.z) * (fz - a.fz)) / (far * far) : undefined;
    };
    const soon = came(brief);
    const all = came(long);
    let part = this.part;
    if (soon !== undefined && (soon < stopped || part < stopped)) part = soon;
    else if (all !== undefined) part = all;
    part = part > free ? 1 : Math.max(part, 0);
    if (Math.abs(part - this.part) < 0.1) return;
    if (part < this.part) this.#gently(now, () => this.#keep(t, part / this.part));
    this.part = part;
  }

  /**
   * How he is to be drawn.
   * @param {number} now
   * @param {number} yaw where he looks as the server tells
   * @returns {Drawn | undefined} undefined while nothing is known of him
   */
  frame(now, yaw) {
    const dt = Math.max(now - this.framed, 0) / 1000;
    this.framed = now;
    this.#advance(now);
    const { told } = this;
    if (!told) return undefined;
    const oldest = this.sent[1];
    if (oldest && !this.stalled && now - oldest.when > 1000 * given) this.lost(now);
    if (!oldest && now - Math.max(this.news, this.heard) > silence && this.#rests() && this.#leads()) this.#gently(now, () => this.#stand());
    this.rest = /** @type {Vec3} */ (this.rest.map((x) => (Math.abs(x) < 1e-4 ? 0 : x * Math.exp(-dt / gentle))));
    if (this.looks && now > this.looks.until) this.looks = undefined;
    if (this.crouch && now > this.crouch.until) this.crouch = undefined;
    const own = told.able && told.pace > 0 ? this.looks?.yaw : undefined;
    if (own !== undefined || this.base !== undefined) {
      this.turn = wrap(this.turn + (this.base ?? yaw) - (own ?? yaw));
    }
    this.turn *= Math.exp(-dt / turning);
    if (Math.abs(this.turn) < 1e-3) this.turn = 0;
    this.base = own;
    return {
      feet: this.#at(now), low: this.low, aloft: this.#flown() ? this.aloft : !told.grounded && !told.swimming,
      yaw: own === undefined && this.turn === 0 ? undefined : (own ?? yaw) + this.turn,
    };
  }

  /** Whether he is low, or is about to be. */
  get low() {
    return this.crouch?.low ?? this.told?.crouching ?? false;
  }

  /**
   * Has him go on as he was sent until now.
   * @param {number} now
   */
  #advance(now) {
    const real = (now - this.now) / 1000;
    if (!(real > 0)) return;
    this.now = now;
    const dt = Math.min(real, lazy) * this.scale;
    this.t += dt;
    const { told } = this;
    const last = /** @type {Point} */ (this.way.at(-1));
    const sent = /** @type {Sent} */ (this.sent.at(-1));
    const oldest = this.sent[1];
    const held = this.stalled || (oldest && now - oldest.when > 1000 * within(1.5 * this.rtt + 0.1, patience[0], patience[1]));
    const able = told?.able === true && !held && dt > 0;
    const speed = able && this.t - dt < sent.until ? this.#speed(sent) : 0;
    const [dx, dz] = [sent.x * speed * dt, sent.z * speed * dt];
    const far = Math.hypot(dx, dz);
    if (!able || (far === 0 && !this.aloft && this.wants < this.t)) {
      sent.speed = [0, 0];
      if (this.way.length > 1 && this.way[this.way.length - 2].t < last.t && this.#same(this.way[this.way.length - 2], last)) last.t = this.t;
      else this.way.push({ ...last, t: this.t });
    } else {
      const to = { ...last, t: this.t };
      const parts = Math.max(Math.ceil(far / coarse), 1);
      for (let i = 0; i < parts; i++) this.#tread(to, dx / parts, dz / parts, dt / parts, now);
      sent.speed = [(to.x - last.x) / dt, (to.z - last.z) / dt];
      this.way.push(to);
    }
    while (this.way.length > mostPoints || (this.way.length > 2 && this.way[1].t < this.t - kept)) this.way.shift();
  }

  /**
   * Has him go a little on his way.
   * @param {Point} to
   * @param {number} dx level, if nothing holds him
   * @param {number} dz
   * @param {number} dt
   * @param {number} now
   */
  #tread(to, dx, dz, dt, now) {
    const told = /** @type {Told} */ (this.told);
    const off = this.#between(now);
    /** @type {() => Vec3} */
    const feet = () => [off[0] + to.x, off[1] + to.y + to.air, off[2] + to.z];
    const at = feet();
    const ground = this.around.floor(at, dx, dz, told.radius);
    const [x, z] = dx || dz ? this.around.go(at, dx, dz, this.#body(told)) : [0, 0];
    [to.fx, to.fz] = [to.fx + x, to.fz + z];
    [to.x, to.z] = [to.x + x * this.part, to.z + z * this.part];
    const stands = !this.aloft && (told.grounded || this.#flown());
    const seen = ground !== undefined && Math.abs(at[1] - ground) < known;
    if (stands && this.wants >= this.t && told.pace > 0) {
      this.wants = -Infinity;
      const by = this.jumper;
      if (by) this.leaps.push({ by, t: this.t - dt, when: by.answered ? now : Infinity });
      this.#leave(told.jumpSpeed - told.gravity / (2 * stepRate), to.air, seen ? at[1] - ground : undefined, dt);
    }
    const under = this.around.floor(feet(), dx, dz, told.radius);
    if (this.aloft) {
      to.air += this.rise * dt - (told.gravity * dt * dt) / 2;
      this.rise = Math.max(this.rise - told.gravity * dt, -maxFall);
      const over = feet()[1];
      if (this.rise >= 0) return;
      if (under !== undefined && over - under <= this.high) to.air += under + this.high - over;
      else if (under === undefined && to.air <= this.least) to.air = this.least;
      else return;
      [this.aloft, this.rise, this.landed] = [false, 0, to.t];
    } else if (stands && seen && (x || z)) {
      if (under !== undefined && under - ground > -told.radius) { // no farther up, or down, than to there: the server may have had him do it before
        const is = feet()[1];
        const by = under - ground;
        to.y += by > 0 ? within(under + afoot - is, 0, by) : within(under - is, by, 0);
      } else {
        this.leaps.push({ by: undefined, t: this.t - dt, when: now });
        this.#leave(-told.gravity / (2 * stepRate), -Infinity, at[1] - ground, dt);
      }
    }
  }

  /**
   * He leaves the ground.
   * @param {number} rise how fast
   * @param {number} least how low in the air he comes where no ground can be seen
   * @param {number | undefined} high what his feet were above it
   * @param {number} dt
   */
  #leave(rise, least, high, dt) {
    [this.aloft, this.rise, this.least, this.high, this.since] = [true, rise, least, high ?? 0.02, this.t - dt];
  }

  /**
   * He has not left the ground since a time.
   * @param {number} t
   */
  #land(t) {
    const { air } = t === -Infinity ? /** @type {Point} */ (this.way.at(-1)) : this.#on(t);
    for (const point of this.way) if (point.t >= t) point.air = air;
    [this.aloft, this.rise, this.wants, this.leaps, this.above] = [false, 0, -Infinity, [], undefined];
  }

  /** @param {Told} told how much room he takes up */
  #body({ height, low, radius }) {
    return { height: this.low ? low : height, radius };
  }

  /** Whether he goes nowhere. */
  #rests() {
    const [a, b] = this.way.slice(-2);
    return !this.aloft && (!b || this.#same(a, b));
  }

  /** Whether he is ahead of where he was told to be. */
  #leads() {
    return !this.#same(this.#done(this.#time()), /** @type {Point} */ (this.way.at(-1))) || this.#flown();
  }

  /** Whether he has gone up or down with the ground since a little before the server's step. */
  #climbs() {
    const t = this.#time() - climbing;
    const { y } = /** @type {Point} */ (this.way.at(-1));
    for (let i = this.way.length - 1; i >= 0 && this.way[i].t > t; i--) if (Math.abs(this.way[i].y - y) > stair) return true;
    return false;
  }

  /** Whether he was in the air since the server's step, as far as that is known. */
  #flown() {
    const { air } = /** @type {Point} */ (this.way.at(-1));
    if (this.aloft) return true;
    const t = this.#soared();
    for (let i = this.way.length - 1; i >= 0; i--) {
      if (this.way[i].air !== air) return true;
      if (this.way[i].t <= t) return false;
    }
    return false;
  }

  /**
   * How fast he goes that was sent somewhere, in m/s.
   * @param {Sent} sent
   */
  #speed({ run }) {
    const { told } = this;
    if (!told) return 0;
    const speed = this.low ? told.walkSpeed * told.crouchSpeedScale : run || told.sprinting ? told.runSpeed : told.walkSpeed;
    return (told.swimming ? Math.min(speed, told.walkSpeed / 2) : speed) * told.pace;
  }

  /** @param {Point} a @param {Point} b */
  #same(a, b) {
    return a.x === b.x && a.y === b.y && a.z === b.z && a.air === b.air;
  }

  /**
   * Which time of the way the server's newest step is.
   * @param {number} [ahead]
   */
  #time(ahead = this.ahead) {
    return this.starting ? this.sent[0].t : this.step / stepRate + ahead;
  }

  /** … in the air. */
  #soared() {
    const t = this.above === undefined ? this.#time() : this.step / stepRate + this.above;
    return this.leaps.length > 0 ? Math.min(t, this.leaps[0].t) : t;
  }

  /**
   * Where he was on the way at a time.
   * @param {number} t
   * @returns {Point}
   */
  #on(t) {
    const { way } = this;
    let i = way.length - 1;
    if (t >= way[i].t) return { ...way[i], t };
    while (i > 0 && way[i - 1].t > t) i--;
    if (i === 0) return { ...way[0], t };
    const [a, b] = [way[i - 1], way[i]];
    const part = b.t > a.t ? (t - a.t) / (b.t - a.t) : 1;
    const mix = (/** @type {number} */ p, /** @type {number} */ q) => p + (q - p) * part;
    return { t, x: mix(a.x, b.x), y: mix(a.y, b.y), z: mix(a.z, b.z), air: mix(a.air, b.air), fx: mix(a.fx, b.fx), fz: mix(a.fz, b.fz) };
  }

  /**
   * Where he was on the way at a time as the server goes it: by the call that it has answered last, also when it is later there than the next one was here.
   * @param {number} t
   */
  #done(t) {
    const [goes, next] = this.sent;
    const until = Math.min(next?.t ?? Infinity, this.t);
    if (t <= until) return this.#on(t);
    const at = this.#on(until);
    const by = t - until;
    return { ...at, x: at.x + goes.speed[0] * by, z: at.z + goes.speed[1] * by, fx: at.fx + goes.speed[0] * by, fz: at.fz + goes.speed[1] * by };
  }

  /** By how much he is off his way, as he was told last. @returns {Vec3} */
  #apart() {
    const [x, y, z] = /** @type {Told} */ (this.told).feet;
    const at = this.#done(this.#time());
    return [x - at.x, y - at.y - this.#on(this.#soared()).air, z - at.z];
  }

  /**
   * … between two messages.
   * @param {number} now
   * @returns {Vec3}
   */
  #between(now) {
    const { from, to, begun, span } = this.off;
    const part = span > 0 ? within((now - begun) / 1000 / span, 0, 1) : 1;
    return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part, from[2] + (to[2] - from[2]) * part];
  }

  /**
   * Where his feet are drawn.
   * @param {number} now
   * @returns {Vec3}
   */
  #at(now) {
    const off = this.#between(now);
    const at = /** @type {Point} */ (this.way.at(-1));
    return [off[0] + at.x + this.rest[0], off[1] + at.y + at.air + this.rest[1], off[2] + at.z + this.rest[2]];
  }

  /**
   * Makes of what he has gone since a time a part of that.
   * @param {number} t
   * @param {number} part
   */
  #keep(t, part) {
    const from = this.#on(t);
    const i = this.way.findIndex((point) => point.t > t);
    if (i < 0) return;
    if (i > 0) this.way.splice(i, 0, from);
    for (const point of this.way.slice(i)) {
      for (const name of /** @type {const} */ (["x", "y", "z"])) point[name] = from[name] + (point[name] - from[name]) * part;
    }
  }

  /**
   * Changes what is known, so that he comes from where he was drawn to where he is gently, or at once if that is far.
   * @param {number} now
   * @param {() => void} change
   */
  #gently(now, change) {
    const was = this.#at(now);
    change();
    const to = this.told && this.#apart();
    if (to) for (let i = 0; i < 3; i++) [this.off.from[i], this.off.to[i]] = [this.off.from[i] + to[i] - this.off.to[i], to[i]];
    const is = this.#at(now);
    const rest = /** @type {Vec3} */ (this.rest.map((x, i) => x + was[i] - is[i]));
    this.rest = Math.hypot(...rest) > grave ? [0, 0, 0] : rest;
  }
}
