import assert from "node:assert/strict";
import { test } from "node:test";
import { Prediction } from "../src/predict.js";
import { Near } from "../src/near.js";
import { dice } from "../far.mjs";

const walker = { radius: 0.35, height: 1.7, low: 1.2, able: true, pace: 1, walkSpeed: 4.5, runSpeed: 8, jumpSpeed: 8, gravity: 22, crouchSpeedScale: 0.5 };
const plain = { floor: () => 0, go: (_, dx, dz) => [dx, dz] };

/**
 * A server as far away as is said, and a page in front of it, in a time of their own. The server walks as world/physics does.
 */
class Play {
  constructor({ delay = 150, jitter = 0, seed = 1, around = plain, seen = around, frame = 1000 / 60, scale = 1, rest = {} } = {}) {
    Object.assign(this, { delay, jitter, around, frame, scale, roll: dice(seed), now: 1000, step: 6000, queue: [], up: 0, down: 0 });
    this.him = { feet: [0, 0, 0], intent: undefined, jump: 0, rise: 0, grounded: true, crouching: false, ...rest };
    this.speed = 1; // of what it may
    this.prediction = new Prediction(seen);
    this.drawn = []; // each frame
    this.truth = [];
    this.carried = [0, 0, 0];
    this.hold = false; // whether all stands still there
    this.next = { step: this.now, frame: this.now + 3 };
    this.tell();
    this.run(2 * delay + 200);
  }

  later(way, does) {
    this[way] = Math.max(this[way], this.now + this.delay + this.jitter * (2 * this.roll() - 1));
    this.queue.push({ at: this[way], does });
  }

  tell() {
    const { him, step } = this;
    const told = { ...walker, feet: [...him.feet], pace: him.pace ?? 1, able: him.able ?? true, grounded: him.grounded, crouching: him.crouching, swimming: false, sprinting: false };
    this.later("down", () => this.prediction.hear(told, step, this.scale, this.now));
  }

  send(move) {
    const sent = this.prediction.send({ forward: 0, yaw: 0, ...move }, this.now);
    this.later("up", () => {
      if (this.refuses) {
        this.later("down", () => this.prediction.answered(sent, undefined, this.now));
        return;
      }
      this.him.intent = { ...sent, last: this.step + 30 };
      if (!sent.x && !sent.z) this.him.intent = undefined;
      if (sent.jump) this.him.jump = this.step + 15;
      const [x, z] = this.around.go(this.him.feet, sent.x / 20, sent.z / 20, {});
      const moved = Math.hypot(x, z) > 1e-3 && (this.him.pace ?? 1) > 0;
      this.later("down", () => this.prediction.answered(sent, { moved }, this.now));
    });
  }

  takeStep() {
    this.step++;
    const { him } = this;
    const was = JSON.stringify([him.feet, him.grounded, him.pace]);
    const pace = him.pace ?? 1;
    for (let i = 0; i < 3; i++) him.feet[i] += this.carried[i];
    if (him.grounded && him.jump >= this.step && pace > 0) [him.rise, him.jump, him.grounded] = [walker.jumpSpeed, 0, false];
    let [dx, dz] = [0, 0];
    if (him.intent && him.intent.last >= this.step) {
      const v = ((him.intent.run ? 8 : 4.5) / 60) * pace * this.speed;
      [dx, dz] = this.around.go(him.feet, him.intent.x * v, him.intent.z * v, him.crouching);
      him.feet[0] += dx;
      him.feet[2] += dz;
    }
    const floor = this.around.floor(him.feet, dx, dz) + (him.on ?? 0);
    if (him.grounded && floor < him.feet[1] - 0.35) [him.grounded, him.rise] = [false, 0];
    if (him.grounded) him.feet[1] = floor;
    else {
      him.rise -= walker.gravity / 60;
      him.feet[1] += him.rise / 60;
      if (him.rise <= 0 && him.feet[1] <= floor) [him.feet[1], him.rise, him.grounded] = [floor, 0, true];
    }
    if (was !== JSON.stringify([him.feet, him.grounded, him.pace])) this.tell();
  }

  /** Lets so many milliseconds go by; keys say what is sent, again and again. */
  run(ms, move) {
    const end = this.now + ms;
    let again = this.now;
    while (true) {
      this.queue.sort((a, b) => a.at - b.at);
      const at = Math.min(this.next.step, this.next.frame, this.queue[0]?.at ?? Infinity, move ? again : Infinity);
      if (at > end) break;
      this.now = Math.max(this.now, at);
      if (this.queue[0]?.at === at) this.queue.shift().does();
      else if (at === this.next.step) {
        if (!this.hold && this.scale > 0) this.takeStep();
        this.next.step += 1000 / 60 / (this.scale || 1);
      } else if (at === this.next.frame) {
        const drawn = this.prediction.frame(this.now, 0);
        if (drawn) this.drawn.push({ now: this.now, ...drawn });
        this.truth.push({ now: this.now, feet: [...this.him.feet] });
        this.next.frame += this.frame;
      } else {
        this.send({ seconds: 0.5, ...move });
        again += 150;
      }
    }
    this.now = end;
  }

  stop() {
    this.send({});
  }
}

const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** How fast he is drawn to go along a direction from frame to frame. */
const speeds = (frames, axis) => frames.slice(1).map((f, i) => ((f.feet[axis] - frames[i].feet[axis]) / (f.now - frames[i].now)) * 1000);

const ways = [[0, 0], [2, 1], [150, 0], [150, 30], [300, 60]];
for (const [delay, jitter] of ways) {
  test(`${delay} ms away, ± ${jitter}: he starts and stops with the next frame, walks evenly, and comes to where the server has him`, () => {
    for (let seed = 1; seed <= 12; seed++) {
      const run = seed % 3 === 0;
      const v = run ? 8 : 4.5;
      const play = new Play({ delay, jitter, seed });
      play.run(3 * 17 * (seed % 5) + 5 * seed);
      const began = play.drawn.length;
      play.run(900 + 70 * seed, { forward: 1, yaw: 0, run });
      const walked = play.drawn.slice(began);
      assert.ok(walked[1].feet[2] > 0.01, `seed ${seed}: after a frame he is at ${walked[1].feet}`);
      for (const [i, s] of speeds(walked, 2).entries()) assert.ok(s > 0.4 * v && s < 1.7 * v, `seed ${seed}: ${s} m/s in frame ${i} of ${walked.length}`);
      const stopped = play.drawn.length;
      play.stop();
      const most = v * ((2 * jitter) / 1000 + 0.034) + 0.02; // what he has walked longer there, or less long
      play.run(2 * delay + 1200);
      const rest = play.drawn.slice(stopped + 1);
      const settled = rest.at(-1).feet;
      assert.ok(apart(settled, play.him.feet) < 1e-3, `seed ${seed}: he is drawn at ${settled}, and is at ${play.him.feet}`);
      for (const { feet } of rest) assert.ok(apart(feet, settled) < most, `seed ${seed}: ${apart(feet, settled)} m off after he has stopped`);
      assert.ok(play.prediction.way.length <= 500 && play.prediction.sent.length <= 40);
    }
  });
}

const far = [[150, 0], [150, 30], [250, 60]];

test("a jump is seen at once, and once", () => {
  for (const [delay, jitter] of [[0, 0], ...far]) {
    for (let seed = 1; seed <= 10; seed++) {
      for (const walks of [false, true]) {
        const play = new Play({ delay, jitter, seed });
        const move = { forward: walks ? 1 : 0, yaw: 1 };
        play.run(11 * seed + 600, walks ? move : undefined);
        const began = play.drawn.length;
        play.send({ ...move, jump: true, seconds: 0.5 });
        play.run(900, walks ? move : undefined);
        play.stop();
        play.run(2 * delay + 1500);
        const frames = play.drawn.slice(began);
        const ups = frames.map((f) => f.feet[1]);
        const name = `${delay} ± ${jitter}, seed ${seed}, walks ${walks}`;
        assert.ok(ups[1] > 0.05 && frames[1].aloft, `${name}: ${ups.slice(0, 3)}`);
        assert.ok(Math.max(...ups) > 1.2 && Math.max(...ups) < 1.6, `${name}: as high as ${Math.max(...ups)}`);
        assert.ok(Math.min(...ups) > -0.06, `${name}: as low as ${Math.min(...ups)}`);
        for (const [i, y] of ups.entries()) if (frames[i].now - frames[0].now > 850) assert.ok(y < 0.06, `${name}: ${y} up after ${frames[i].now - frames[0].now} ms`);
        assert.ok(apart(frames.at(-1).feet, play.him.feet) < 1e-3, `${name}: ${frames.at(-1).feet}, not ${play.him.feet}`);
        assert.equal(frames.at(-1).aloft, false);
      }
    }
  }
});

/** Walls, steps and ledges: level ground at heights, from z on; a rise of more than half a metre stops who is at it. */
const terraces = (...at) => {
  const floor = ([, , z]) => at.findLast(([from]) => z >= from)?.[1] ?? 0;
  return { floor: (feet) => floor(feet), go: (feet, dx, dz) => (floor([0, 0, feet[2] + dz + 0.35 * Math.sign(dz)]) > feet[1] + 0.5 ? [dx, 0] : [dx, dz]) };
};

test("he climbs steps, falls from ledges and stops at walls that are seen, as the server has it", () => {
  const around = terraces([0, 0], [2, 0.3], [3, 0.6], [4, -1], [7, 5]);
  for (const [delay, jitter] of [[0, 0], ...far]) {
    for (let seed = 1; seed <= 6; seed++) {
      const play = new Play({ delay, jitter, seed, around, seen: around });
      const began = play.drawn.length;
      play.run(2500, { forward: 1, yaw: 0 });
      for (const { feet: [, y, z], now } of play.drawn.slice(began)) {
        const name = `${delay} ± ${jitter}, seed ${seed}: ${y}, ${z} after ${now - play.drawn[began].now}`;
        assert.ok(z < 6.65 + 4.5 * (2 * jitter) / 1000 + 0.1, `through the wall, ${name}`);
        assert.ok(y > around.floor([0, 0, z - 0.5 - (4.5 * 2 * jitter) / 1000]) - 0.35 || y > around.floor([0, 0, z + 0.3]) - 0.25, `in the ground, ${name}`);
      }
      play.stop();
      play.run(2 * delay + 1500);
      assert.ok(apart(play.drawn.at(-1).feet, play.him.feet) < 1e-3, `${play.drawn.at(-1).feet} ${play.him.feet}`);
    }
  }
});

test("steps that are not where the server has them to the centimetre throw nobody up", () => {
  for (const off of [-0.15, 0.15]) {
    for (const [delay, jitter] of [[0, 0], [2, 1], ...far]) {
      const around = { ...terraces([0, 0], [2, 0.3], [4, 0.6], [6, 0.9]), go: plain.go };
      const seen = { ...terraces([0, 0], [2 + off, 0.3], [4 + off, 0.6], [6 + off, 0.9]), go: plain.go };
      const play = new Play({ delay, jitter, around, seen });
      play.run(2200, { forward: 1, yaw: 0 });
      for (const { feet: [, y, z] } of play.drawn) {
        const low = around.floor([0, 0, z - 0.6]);
        assert.ok(y < around.floor([0, 0, z + 0.6]) + 0.2 && y > low - 0.2, `${off}, ${delay} ± ${jitter}: ${y} up at ${z}`);
      }
    }
  }
});

test("who comes to stand before a ledge there, and over it here, is back on it, and the other way round", () => {
  for (const [delay, jitter] of [[0, 0], ...far]) {
    for (let edge = 3; edge < 5; edge += 0.05) {
      const around = terraces([-9, 0], [edge, -2]);
      const play = new Play({ delay, jitter, seed: Math.round(100 * edge), around });
      play.run(800, { forward: 1, yaw: 0 });
      play.stop();
      play.run(2 * delay + 1500);
      assert.ok(apart(play.drawn.at(-1).feet, play.him.feet) < 1e-3, `${delay} ± ${jitter}, ${edge}: ${play.drawn.at(-1).feet}, not ${play.him.feet}`);
    }
  }
});

test("what cannot be seen holds him, too: he is not ahead for longer than it takes to show", () => {
  for (const [delay, jitter] of far) {
    const around = terraces([0, 0], [4, 5]);
    const play = new Play({ delay, jitter, around, seen: plain });
    play.run(2500, { forward: 1, yaw: 0 });
    const wall = 3.65;
    const first = play.drawn.find((f) => f.feet[2] > wall + 0.05).now;
    const last = play.drawn.findLast((f) => f.feet[2] > wall + 0.05).now;
    assert.ok(last - first < 2 * delay + 2 * jitter + 400, `${delay} ± ${jitter}: ${last - first} ms in the wall`);
    assert.ok(Math.max(...play.drawn.map((f) => f.feet[2])) < wall + 4.5 * (2 * delay + 2 * jitter + 200) / 1000);
    const back = play.drawn.length;
    play.run(500, { forward: 1, yaw: Math.PI }); // the other way he is free
    assert.ok(play.drawn[back + 3].feet[2] < play.drawn[back].feet[2] - 0.1);
  }
});

test("who is slowed there without a word is drawn as slow", () => {
  for (const [delay, jitter] of far) {
    const play = new Play({ delay, jitter });
    play.speed = 0.5;
    play.run(2500, { forward: 1, yaw: 0 });
    const lead = play.drawn.at(-1).feet[2] - play.him.feet[2];
    assert.ok(lead < 0.5 * 4.5 * (delay + 2 * jitter + 60) / 1000 + 0.25, `${lead} m ahead`);
  }
});

test("who is held stands at once when that is told, and does not turn", () => {
  const play = new Play({ delay: 150 });
  play.run(1000, { forward: 1, yaw: 1 });
  play.him.pace = 0;
  play.tell();
  play.run(330, { forward: 1, yaw: 1 });
  const stood = play.drawn.at(-1).feet;
  assert.ok(apart(stood, play.him.feet) < 0.35, `${stood} ${play.him.feet}`);
  play.run(500, { forward: 1, yaw: 2 });
  assert.ok(apart(play.drawn.at(-1).feet, play.him.feet) < 0.01);
  assert.equal(play.drawn.at(-1).yaw, undefined);
});

test("what carries him along does so as it does others, also while he walks", () => {
  for (const [delay, jitter] of [[0, 0], [150, 0]]) {
    const play = new Play({ delay, jitter });
    play.carried = [3 / 60, 0, 0];
    play.run(1500);
    const frames = play.drawn.slice(-40);
    for (const s of speeds(frames, 0)) assert.ok(s > 2.5 && s < 3.5, `${s} m/s`);
    assert.ok(Math.abs(frames.at(-1).feet[0] - play.him.feet[0]) < (3 * (delay + 40)) / 1000);
    const began = play.drawn.length;
    play.run(800, { forward: 1, yaw: 0 });
    for (const s of speeds(play.drawn.slice(began + 1), 0)) assert.ok(s > 1.5 && s < 4.5, `${s} m/s along`);
    for (const s of speeds(play.drawn.slice(began + 1), 2)) assert.ok(s > 3 && s < 6, `${s} m/s across`);
    play.carried = [0, 3 / 60, 0];
    play.him.grounded = true;
    const high = play.around;
    play.around = { ...high, floor: () => play.him.feet[1] };
    play.run(300, { forward: 1, yaw: 0 });
    const lifted = play.drawn.length;
    play.run(300, { forward: 1, yaw: 0 });
    for (const s of speeds(play.drawn.slice(lifted), 1)) assert.ok(s > 2.5 && s < 3.5, `${s} m/s up`);
    assert.ok(Math.abs(play.drawn.at(-1).feet[1] - play.him.feet[1]) < (3 * (delay + 40)) / 1000, "he sinks into the lift");
    play.carried = [0, 0, 0];
    play.stop();
    play.run(2 * delay + 1200);
    assert.ok(apart(play.drawn.at(-1).feet, play.him.feet) < 1e-3);
  }
});

test("who is put elsewhere, or given to something else, is there at once", () => {
  const play = new Play({ delay: 150 });
  play.run(1000, { forward: 1, yaw: 0 });
  play.him.feet = [100, 7, 100];
  play.him.on = 7;
  play.run(170 + 17, { forward: 1, yaw: 0 });
  assert.ok(apart(play.drawn.at(-1).feet, play.him.feet) < 4.5 * 0.4, `${play.drawn.at(-1).feet}`);
  play.stop();
  play.run(1500);
  assert.deepEqual(play.drawn.at(-1).feet.map((x) => x.toFixed(3)), play.him.feet.map((x) => x.toFixed(3)));
  play.him.able = false;
  play.tell();
  play.run(200);
  const was = play.drawn.length;
  play.run(500, { forward: 1, yaw: 0, run: true });
  assert.ok(apart(play.drawn[was + 8].feet, play.drawn[was].feet) < 1e-6);
});

test("a call that is refused takes him back, and so does a server that says nothing more", () => {
  const play = new Play({ delay: 150 });
  play.refuses = true;
  play.run(200, { forward: 1, yaw: 0 });
  assert.ok(play.drawn.at(-1).feet[2] > 0.7);
  play.run(900);
  assert.ok(apart(play.drawn.at(-1).feet, [0, 0, 0]) < 0.01, `${play.drawn.at(-1).feet}`);
  play.refuses = false;

  play.hold = true;
  play.queue.length = 0;
  const { later } = play;
  play.later = () => {};
  play.run(1500, { forward: 1, yaw: 0 });
  const lead = play.drawn.at(-1).feet[2];
  assert.ok(lead > 1 && lead < 4.5 * 1.05, `${lead}`);
  play.run(1500);
  assert.ok(apart(play.drawn.at(-1).feet, [0, 0, 0]) < 0.01);
  play.later = later;
  play.hold = false;
  play.tell();
  play.run(1000);
  play.run(1000, { forward: 1, yaw: 0 });
  assert.ok(play.drawn.at(-1).feet[2] - play.him.feet[2] > 0.4, "he is not led again");

  play.prediction.lost(play.now);
  play.queue.length = 0;
  play.run(1000, undefined);
  assert.ok(apart(play.drawn.at(-1).feet, play.him.feet) < 0.01, `${play.drawn.at(-1).feet} ${play.him.feet}`);
});

test("a server whose steps are late, but not its answers, holds nobody who walks on", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const play = new Play({ delay: 150, jitter: 30, seed });
    for (let i = 0; i < 8; i++) {
      play.hold = i % 2 === 1;
      play.run(i % 2 ? 100 + 40 * seed : 400, { forward: 1, yaw: 0 });
      assert.equal(play.prediction.part, 1);
    }
    play.hold = false;
    play.stop();
    play.run(2000);
    assert.ok(apart(play.drawn.at(-1).feet, play.him.feet) < 1e-3);
  }
});

test("he is as fast as time goes by in the world", () => {
  for (const scale of [0.25, 2]) {
    const play = new Play({ delay: 150, jitter: 10, scale });
    const began = play.drawn.length;
    play.run(1200, { forward: 1, yaw: 0 });
    for (const s of speeds(play.drawn.slice(began + 1), 2)) assert.ok(s > 0.5 * 4.5 * scale && s < 1.5 * 4.5 * scale, `${s} m/s at ${scale}`);
    play.stop();
    play.run(1500);
    assert.ok(apart(play.drawn.at(-1).feet, play.him.feet) < 1e-3);
  }
  const still = new Play({ delay: 150, scale: 0 });
  still.run(1000, { forward: 1, yaw: 0 });
  assert.deepEqual(still.drawn.at(-1).feet, [0, 0, 0]);
});

test("he crouches at once, and stays upright where the server does not have it", () => {
  const play = new Play({ delay: 150 });
  const answered = play.prediction.crouches(true, play.now);
  assert.equal(play.prediction.frame(play.now, 0).low, true);
  play.run(300);
  answered(true, play.now);
  play.run(200);
  assert.equal(play.drawn.at(-1).low, true);
  play.run(200);
  assert.equal(play.drawn.at(-1).low, false);
  const slow = play.prediction.crouches(true, play.now);
  const at = play.drawn.at(-1).feet[2];
  play.run(200, { forward: 1, yaw: 0 });
  assert.ok(Math.abs(play.drawn.at(-1).feet[2] - at - 0.2 * 2.25) < 0.06, `${play.drawn.at(-1).feet[2] - at}`);
  slow(false, play.now);
  play.run(20);
  assert.equal(play.drawn.at(-1).low, false);
});

test("he looks where he is sent to, gently, and where the server has him look after that", () => {
  const play = new Play({ delay: 150 });
  assert.equal(play.drawn.at(-1).yaw, undefined);
  play.send({ yaw: 3 });
  play.run(17);
  const begins = play.drawn.at(-1).yaw;
  assert.ok(begins > 0.1 && begins < 2.9, `${begins}`);
  play.run(150);
  assert.ok(Math.abs(play.drawn.at(-1).yaw - 3) < 0.25);
  play.run(1000);
  assert.equal(play.drawn.at(-1).yaw, undefined);
});

test("whatever he does, far away and unevenly, he comes to where the server has him, and is never farther ahead than he goes meanwhile", () => {
  for (let seed = 1; seed <= 120; seed++) {
    const roll = dice(1000 + seed);
    const delay = 300 * roll();
    const jitter = delay * 0.4 * roll();
    const around = seed % 2 ? plain : terraces([-1e9, -2], [-6, 0.4], [-5, 0], [3, 0.35], [5, -0.6], [9, 4]);
    const play = new Play({ delay, jitter, seed, around, frame: [1000 / 144, 1000 / 60, 1000 / 20][seed % 3] });
    for (let i = 0; i < 12; i++) {
      const stands = roll() < 0.3;
      const move = stands ? undefined : { forward: roll() < 0.7 ? 1 : -1, strafe: roll() < 0.3 ? 1 : 0, yaw: 6.3 * roll(), run: roll() < 0.3 };
      if (roll() < 0.4) play.send({ ...move, seconds: 0.5, jump: true });
      else if (stands) play.stop();
      play.run(40 + 700 * roll() ** 2, move);
      if (stands === false && roll() < 0.5) play.stop();
    }
    for (const [i, frame] of play.drawn.entries()) {
      const { feet } = play.truth[play.truth.length - play.drawn.length + i];
      const level = Math.hypot(frame.feet[0] - feet[0], frame.feet[2] - feet[2]);
      assert.ok(level < 8 * ((2 * delay + 2 * jitter) / 1000 + 0.2), `seed ${seed}: ${level} m ahead`);
      assert.ok(frame.feet.every(Number.isFinite));
    }
    play.stop();
    play.run(2 * delay + 2500);
    assert.ok(apart(play.drawn.at(-1).feet, play.him.feet) < 2e-3, `seed ${seed}, ${delay} ± ${jitter}: he is drawn at ${play.drawn.at(-1).feet}, and is at ${play.him.feet}`);
    assert.equal(play.drawn.at(-1).aloft, false);
  }
});
