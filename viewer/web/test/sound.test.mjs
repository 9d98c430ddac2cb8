import assert from "node:assert/strict";
import { test } from "node:test";
import { Copy } from "../src/copy.js";
import { effect, effects } from "../src/effects.js";
import { moods, Piece } from "../src/music.js";
import { Sound } from "../src/sound.js";

/** A stand-in for what a browser has: parameters take their last value at once, and time is told. */
class Context {
  constructor() {
    this.currentTime = 0;
    this.sampleRate = 1000;
    this.state = "running";
    this.sources = [];
    this.destination = this.#node("destination");
    const p = () => this.#param();
    this.listener = { positionX: p(), positionY: p(), positionZ: p(), forwardX: p(), forwardY: p(), forwardZ: p() };
  }
  #param(value = 0) {
    const set = function (v) { this.value = v; };
    return { value, setValueAtTime: set, linearRampToValueAtTime: set, exponentialRampToValueAtTime: set, setTargetAtTime: set, cancelScheduledValues() {} };
  }
  #node(kind, params = []) {
    const node = { kind, to: [], connect(other) { this.to.push(other); }, disconnect() { this.to = []; } };
    for (const name of params) node[name] = this.#param();
    return node;
  }
  #source(kind, params) {
    const node = this.#node(kind, params);
    node.start = (at = this.currentTime) => (node.begins = at);
    node.stop = (at = this.currentTime) => (node.ends = at);
    this.sources.push(node);
    return node;
  }
  createGain() { return this.#node("gain", ["gain"]); }
  createConvolver() { return this.#node("convolver"); }
  createDynamicsCompressor() { return this.#node("compressor"); }
  createBiquadFilter() { return this.#node("filter", ["frequency", "Q"]); }
  createPanner() { return this.#node("panner", ["positionX", "positionY", "positionZ"]); }
  createOscillator() { return this.#source("tone", ["frequency"]); }
  createBufferSource() { return this.#source("noise", []); }
  createBuffer(channels, length) { return { getChannelData: () => new Float32Array(length), length }; }
  /** Tones that sound at the moment. */
  get tones() { return this.sources.filter((s) => s.kind === "tone" && s.begins <= this.currentTime && s.ends > this.currentTime); }
}

/** A world, and who hears it. */
function listener({ pressed = true, speech } = {}) {
  const copy = new Copy();
  const context = new Context();
  const sound = new Sound(copy, () => context, speech);
  const apply = (method, message) => sound.told(copy.apply(method, { tick: 1, step: 0, ...message }));
  copy.apply("state/snapshot", { tick: 0, step: 0, epoch: "e", tables: ["audio.beds", "audio.reverb"], entities: [], world: { "audio.mixer": { master: 1, sfx: 1, ambience: 1, voice: 1 } } });
  if (pressed) sound.begin();
  return {
    copy, context, sound,
    delta: (message) => apply("state/delta", message),
    hear: (kind, payload, at) => apply("state/delta", { events: [{ kind, at, payload }] }),
    at(secs) {
      context.currentTime = secs;
      sound.frame([0, 0, 0], [0, 0, -1]);
    },
  };
}

test("a name means the last of its words that is known", () => {
  assert.equal(effect("door_creak"), effects.creak);
  assert.equal(effect("WoodenDoor"), effects.door);
  assert.equal(effect("big-explosion-2"), effects.explosion);
  assert.equal(effect("boom"), effects.explosion);
  assert.equal(effect("attack"), effects.whoosh);
  for (const name of ["", "qwertz", "constructor", "__proto__"]) assert.equal(effect(name), undefined);
});

test("effects are sounds that end, and no louder than a machine can", () => {
  for (const [name, layers] of Object.entries(effects)) {
    for (const { from, to = from, secs, rise = 0, gain = 1, at = 0, times = 1, every = 0 } of layers) {
      assert.ok(from > 20 && to > 20 && from < 20_000 && to < 20_000, name);
      assert.ok(secs > 0 && rise < secs && gain > 0 && gain <= 1 && at + secs + (times - 1) * every <= 5, name);
    }
  }
});

test("a tone sounds as long, as high and as loud as it was told", () => {
  const l = listener();
  l.hear("audio.play", { handle: "snd_0", freq: 440, secs: 2, bus: "sfx", volume: 0.5 });
  l.at(0.1);
  assert.deepEqual(l.context.tones.map((t) => t.frequency.value), [440]);
  assert.equal(l.sound.voices.get("snd_0").gain.gain.value, 0.5);
  l.hear("audio.setVolume", { handle: "snd_0", volume: 0.1 });
  assert.equal(l.sound.voices.get("snd_0").gain.gain.value, 0.1);
  l.at(3);
  assert.equal(l.context.tones.length, 0);
  assert.equal(l.sound.voices.size, 0);
});

test("what is at a place comes from there, and nobody farther away than that hears it", () => {
  const l = listener();
  l.hear("audio.playAt", { handle: "snd_0", freq: 440, secs: 9, bus: "sfx", volume: 1, maxDistance: 5 }, [3, 0, 0]);
  l.hear("audio.playAt", { handle: "snd_1", freq: 440, secs: 9, bus: "sfx", volume: 1 }, [100, 0, 0]);
  const [first, second] = [l.sound.voices.get("snd_0"), l.sound.voices.get("snd_1")];
  assert.equal(first.range.to[0].positionX.value, 3);
  assert.deepEqual([first.range.gain.value, second.range.gain.value], [1, 1]);
  l.sound.frame([9, 0, 0], [0, 0, -1]);
  assert.deepEqual([first.range.gain.value, second.range.gain.value], [0, 1]);
  assert.equal(l.context.listener.positionX.value, 9);
  l.sound.frame([7, 0, 0], [0, 0, -1]);
  assert.equal(first.range.gain.value, 1);
});

test("what is stopped ends, and what nobody knows is silent", () => {
  const l = listener();
  l.hear("audio.playSFX", { handle: "snd_0", name: "big_bell", bus: "sfx", volume: 0.8 });
  l.hear("audio.playSFX", { handle: "snd_1", name: "qwertz", bus: "sfx", volume: 0.8 });
  assert.deepEqual([...l.sound.voices.keys()], ["snd_0"]);
  l.at(0.1);
  assert.ok(l.context.tones.length > 1);
  l.hear("audio.stop", { handle: "snd_0" });
  l.at(0.3);
  assert.equal(l.context.tones.length, 0);
});

test("no more sounds at a time than a machine can make", () => {
  const l = listener();
  for (let i = 0; i < 500; i++) l.hear("audio.play", { handle: `snd_${i}`, freq: 440, secs: 1, bus: "sfx", volume: 1 });
  assert.equal(l.sound.voices.size, 64);
  l.at(2);
  l.hear("audio.play", { handle: "snd_500", freq: 440, secs: 1, bus: "sfx", volume: 1 });
  assert.equal(l.sound.voices.size, 1);
});

test("before somebody has pressed something nothing sounds, and then what lasts does", () => {
  const l = listener({ pressed: false });
  l.delta({ world: { "audio.beds": { snd_0: { bus: "ambience", volume: 0.4 } }, "audio.music": { trackId: "calm", volume: 0.5, loop: true, fadeSecs: 0, since: 0 } } });
  l.hear("audio.play", { handle: "snd_1", freq: 440, secs: 1, bus: "sfx", volume: 1 });
  assert.equal(l.context.sources.length, 0);
  l.sound.begin();
  assert.equal(l.sound.beds.get("snd_0").gain.gain.value, 0.4);
  assert.equal(l.sound.voices.size, 0);
  l.at(0.2);
  assert.ok(l.context.tones.length > 0);
});

test("beds and buses are as loud as the world says, and end with it", () => {
  const l = listener();
  l.delta({ world: { "audio.beds": { snd_0: { bus: "ambience", volume: 0.4 } } } });
  const bed = l.sound.beds.get("snd_0");
  l.delta({ world: { "audio.beds": { snd_0: { bus: "ambience", volume: 0.1 } }, "audio.mixer": { master: 0.5, sfx: 0.2, ambience: 0.3, voice: 1 } } });
  assert.equal(bed.gain.gain.value, 0.1);
  assert.ok(Math.abs(l.sound.out.gain.value - 0.35) < 1e-9);
  assert.equal(l.sound.buses.sfx.gain.value, 0.2);
  l.sound.mute(true);
  assert.equal(l.sound.out.gain.value, 0);
  l.sound.mute(false);
  l.delta({ world: { "audio.beds": { snd_0: null } } });
  assert.equal(l.sound.beds.size, 0);
  assert.ok(bed.sources.every((s) => s.ends < 2));
});

test("music goes on bar by bar, from where it is for those who come later, and over to other music", () => {
  const l = listener({ pressed: false });
  const track = (trackId, since, loop = true) => ({ world: { "audio.music": { trackId, volume: 0.5, loop, fadeSecs: 1, since } } });
  const { bar } = new Piece("calm_forest");
  l.delta({ step: 60 * 100, ...track("calm_forest", 0) });
  l.sound.begin();
  assert.equal(l.sound.tune.next, Math.ceil(100 / bar) + (Math.ceil(100 / bar) * bar - 100 + 0.05 < 1.5 ? 1 : 0));
  for (let t = 0; t < 60; t += 0.5) l.at(t);
  assert.ok(l.sound.tune.next > (100 + 59) / bar);
  const old = l.sound.tune;
  l.delta({ step: 60 * 160, ...track("battle", 60 * 160, false) });
  assert.equal(old.gain.gain.value, 0);
  for (let t = 60; t < 200; t += 0.5) l.at(t);
  assert.equal(l.sound.tune.next, 16); // it was to be played once
  assert.equal(l.context.tones.length, 0);
  l.delta(track("", 60 * 160));
  assert.equal(l.sound.tune, undefined);
});

test("a page that slept leaves out the bars that it has missed", () => {
  const l = listener();
  l.delta({ world: { "audio.music": { trackId: "happy", volume: 1, loop: true, fadeSecs: 0, since: 0 } } });
  const before = l.context.sources.length;
  l.at(3600);
  assert.ok(l.context.sources.length - before < 200);
});

test("a piece follows from its name alone, keeps its scale and stays in its bars", () => {
  for (const name of [...Object.keys(moods), "boss fight", "villageTheme", "xyzzy", ""]) {
    const [a, b] = [new Piece(name), new Piece(name)];
    let notes = 0;
    for (let n = 0; n < 32; n++) {
      assert.deepEqual(a.notes(n), b.notes(n));
      notes += a.notes(n).length;
      for (const note of a.notes(n)) {
        assert.ok(note.at >= 0 && note.at < a.bar && note.secs > 0 && note.from > 20 && note.from < 5000 && note.gain <= 0.5, name);
        if (note.from === 55) continue; // the drum
        const semitones = Math.round(69 + 12 * Math.log2(note.from / 440)) - a.root;
        assert.ok(a.mood.scale.includes(((semitones % 12) + 12) % 12), `${name}: ${semitones}`);
      }
    }
    assert.ok(notes > 32, name);
  }
  assert.equal(new Piece("boss fight").mood, moods.battle);
  assert.equal(new Piece("villageTheme").mood, moods.calm);
  assert.notDeepEqual(new Piece("calm").notes(0), new Piece("calm_forest").notes(0));
});

test("it echoes where the listener is in a zone, as the smallest of those says", () => {
  const l = listener();
  l.delta({ world: { "audio.reverb": { rvb_0: { position: [0, 0, 0], radius: 10, size: 10, decay: 2, damping: 0.5 }, rvb_1: { position: [0, 0, 0], radius: 1, size: 1, decay: 0.5, damping: 0 } } } });
  l.sound.frame([5, 0, 0], [0, 0, -1]);
  assert.equal(l.sound.echo.buffer.length, 2040);
  l.sound.frame([0, 0, 0.5], [0, 0, -1]);
  assert.equal(l.sound.echo.buffer.length, 504);
  assert.equal(l.sound.wet.gain.value, 0.5);
  l.sound.frame([20, 0, 0], [0, 0, -1]);
  assert.equal(l.sound.wet.gain.value, 0);
});

test("words are said as loud as they are near, and end when they are stopped", (t) => {
  globalThis.SpeechSynthesisUtterance = class {
    constructor(text) { this.text = text; }
  };
  t.after(() => delete globalThis.SpeechSynthesisUtterance);
  const said = [];
  const l = listener({ speech: { speak: (words) => said.push(words), cancel: () => said.push("silence") } });
  l.hear("audio.speak", { handle: "snd_0", text: "Mind the gap", bus: "voice", volume: 1 }, [8, 0, 0]);
  assert.deepEqual([said[0].text, said[0].volume], ["Mind the gap", 0.25]);
  l.hear("audio.stop", { handle: "snd_0" });
  assert.equal(said[1], "silence");
  l.hear("audio.stop", { handle: "snd_0" });
  assert.equal(said.length, 2);
});
