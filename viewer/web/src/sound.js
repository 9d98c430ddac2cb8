// What is to be heard: the sounds of the skills audio.*, made of tones and noise where the listener is. docs/state-sync.md has what the server tells.

import { effect } from "./effects.js";
import { Piece } from "./music.js";

/** @import { Copy, Moment, News, Vec3 } from "./copy.js" */
/** @import { Layer } from "./effects.js" */

/** @typedef {{gain: GainNode, range: GainNode, sources: AudioScheduledSourceNode[], at?: Vec3, far?: number, end: number}} Voice something that sounds until a time of the context. */
/** @typedef {{piece: Piece, gain: GainNode, begun: number, next: number, bars: number}} Tune the music: when its first bar began, which one is next, and how many there are. */

const most = 64; // voices at a time: what would be more is not heard
const near = 2; // metres: what is nearer is no louder
const loud = 0.7; // of what the machine can do
const ahead = 1.5; // seconds: music is written so much before it is heard
const short = 16; // bars of a track that is not to begin again

/**
 * How loud something is that is so far away.
 * @param {number} distance metres
 */
export const heardAt = (distance) => near / Math.max(distance, near);

/** Sound makes what is told audible, from when a person has done something on the page: until then browsers are silent. */
export class Sound {
  /**
   * @param {Copy} copy
   * @param {() => AudioContext} open
   * @param {Pick<SpeechSynthesis, "speak" | "cancel"> | undefined} speech
   */
  constructor(copy, open = () => new AudioContext(), speech = globalThis.speechSynthesis) {
    this.copy = copy;
    this.open = open;
    this.speech = speech;
    this.muted = false;
    /** @type {AudioContext | undefined} */
    this.context = undefined;
    /** @type {Map<string, Voice>} */
    this.voices = new Map();
    /** @type {Map<string, {gain: GainNode, sources: AudioScheduledSourceNode[]}>} */
    this.beds = new Map();
    /** @type {Tune | undefined} */
    this.tune = undefined;
    this.music = ""; // as it was told
    this.zone = "";
    /** What is being said, by its handle. @type {Map<string, SpeechSynthesisUtterance>} */
    this.said = new Map();
    /** Where the listener is. @type {Vec3} */
    this.ear = [0, 0, 0];
  }

  /** Begins to be heard. Browsers want a person to have pressed something. */
  begin() {
    if (this.context) {
      if (this.context.state === "suspended") this.context.resume().catch(() => {});
      return;
    }
    try {
      this.context = this.open();
    } catch {
      return; // a machine without sound
    }
    const c = this.context;
    this.noise = c.createBuffer(1, 2 * c.sampleRate, c.sampleRate);
    const samples = this.noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
    const limit = c.createDynamicsCompressor();
    limit.connect(c.destination);
    this.out = this.#gain(0, limit);
    this.echo = c.createConvolver();
    this.echo.connect(this.out);
    this.wet = this.#gain(0, this.echo);
    /** @type {Record<string, GainNode>} */
    this.buses = { master: this.out };
    for (const bus of ["sfx", "ambience", "voice"]) {
      this.buses[bus] = this.#gain(1, this.out);
      this.buses[bus].connect(this.wet);
    }
    this.#mix();
    this.#lay();
    this.#play();
  }

  /** @param {boolean} muted */
  mute(muted) {
    this.muted = muted;
    if (muted) this.#hush();
    this.#mix();
  }

  /**
   * Takes over what a message was about.
   * @param {News} news
   */
  told(news) {
    if (!this.context) return;
    const about = (/** @type {string} */ name) => news.whole || news.world.includes(name);
    if (about("audio.mixer")) this.#mix();
    if (about("audio.beds")) this.#lay();
    if (about("audio.music")) this.#play();
    for (const moment of news.events) this.#hear(moment);
  }

  /** @param {Moment} moment */
  #hear({ kind, at, payload }) {
    const { handle, bus = "sfx", volume = 1 } = payload ?? {};
    switch (kind) {
      case "audio.play":
      case "audio.playAt": {
        const hertz = Math.min(payload.freq, 20_000);
        this.#sound(handle, [{ wave: "sine", from: hertz, secs: payload.secs, rise: 0.005, gain: 0.5 }], bus, volume, at, payload.maxDistance, true);
        break;
      }
      case "audio.playSFX": {
        const layers = effect(payload.name);
        if (layers) this.#sound(handle, layers, bus, volume, at);
        break;
      }
      case "audio.speak":
        this.#speak(handle, payload.text, volume * (at ? heardAt(this.#distance(at)) : 1));
        break;
      case "audio.stop":
        this.#stop(handle);
        break;
      case "audio.setVolume":
        if (this.context) this.voices.get(handle)?.gain.gain.setTargetAtTime(volume, this.context.currentTime, 0.02);
    }
  }

  /**
   * @param {string} handle
   * @param {Layer[]} layers
   * @param {string} bus
   * @param {number} volume
   * @param {Vec3 | undefined} at
   * @param {number} [far] nobody farther away hears it
   * @param {boolean} [level] it is as loud until it ends, and does not fade
   */
  #sound(handle, layers, bus, volume, at, far, level = false) {
    const c = this.context;
    if (!c || !this.buses || this.muted) return;
    this.#prune();
    if (this.voices.size >= most) return;
    /** @type {AudioNode} */
    let into = this.buses[bus] ?? this.buses.sfx;
    if (at) into = this.#panner(at, into);
    const range = this.#gain(at && far !== undefined && this.#distance(at) > far ? 0 : 1, into);
    /** @type {Voice} */
    const voice = { gain: this.#gain(volume, range), range, sources: [], at, far, end: c.currentTime };
    for (const layer of layers) {
      for (let i = 0; i < (layer.times ?? 1); i++) {
        const { source, end } = this.#layer(voice.gain, layer, c.currentTime + 0.01 + (layer.at ?? 0) + i * (layer.every ?? 0), level);
        voice.sources.push(source);
        voice.end = Math.max(voice.end, end);
      }
    }
    this.voices.set(handle, voice);
  }

  /**
   * Has a layer sound, and returns what does, and when it has ended.
   * @param {GainNode} into
   * @param {Layer} layer
   * @param {number} at a time of the context
   * @param {boolean} [level]
   * @returns {{source: AudioScheduledSourceNode, end: number}}
   */
  #layer(into, { wave, band = 1, from, to = from, secs, rise = 0.003, gain = 1 }, at, level = false) {
    const c = /** @type {AudioContext} */ (this.context);
    const end = at + secs;
    const shape = this.#gain(0, into);
    shape.gain.setValueAtTime(0.0001, at);
    shape.gain.linearRampToValueAtTime(gain, at + Math.min(rise, secs / 2));
    if (level) shape.gain.setValueAtTime(gain, Math.max(end - 0.02, at + secs / 2));
    if (level) shape.gain.linearRampToValueAtTime(0.0001, end);
    else shape.gain.exponentialRampToValueAtTime(0.0001, end);
    /** @type {AudioScheduledSourceNode} */
    let source;
    /** @type {AudioParam} */
    let pitch;
    if (wave) {
      const tone = c.createOscillator();
      tone.type = wave;
      tone.connect(shape);
      [source, pitch] = [tone, tone.frequency];
    } else {
      const hiss = this.#hiss();
      const filter = c.createBiquadFilter();
      filter.type = "bandpass";
      filter.Q.value = band;
      hiss.connect(filter);
      filter.connect(shape);
      [source, pitch] = [hiss, filter.frequency];
    }
    pitch.setValueAtTime(from, at);
    if (to !== from) pitch.exponentialRampToValueAtTime(to, end);
    source.start(at);
    source.stop(end + 0.05);
    return { source, end: end + 0.05 };
  }

  /** @param {string} handle */
  #stop(handle) {
    const voice = this.voices.get(handle);
    if (voice && this.context) {
      this.voices.delete(handle);
      this.#end(voice.gain, voice.sources, 0.03);
    }
    if (this.said.has(handle)) this.#hush();
  }

  /**
   * Has something fade, and end.
   * @param {GainNode} gain
   * @param {AudioScheduledSourceNode[]} sources
   * @param {number} secs
   */
  #end(gain, sources, secs) {
    const c = /** @type {AudioContext} */ (this.context);
    gain.gain.cancelScheduledValues(c.currentTime);
    gain.gain.setTargetAtTime(0, c.currentTime, secs / 3);
    for (const source of sources) source.stop(c.currentTime + secs * 2);
  }

  /**
   * @param {string} handle
   * @param {string} text
   * @param {number} volume
   */
  #speak(handle, text, volume) {
    if (!this.speech || this.muted) return;
    const { master, voice } = this.#mixer();
    const words = new SpeechSynthesisUtterance(text);
    words.volume = Math.min(volume * master * voice, 1);
    words.onend = words.onerror = () => this.said.delete(handle);
    this.said.set(handle, words);
    this.speech.speak(words);
  }

  /** Nothing more is said: a browser says all one after the other, and stops all. */
  #hush() {
    if (this.said.size > 0) this.speech?.cancel();
    this.said.clear();
  }

  /** @returns {{master: number, sfx: number, ambience: number, voice: number}} */
  #mixer() {
    return this.copy.world.get("audio.mixer") ?? { master: 1, sfx: 1, ambience: 1, voice: 1 };
  }

  /** Sets how loud the buses are. */
  #mix() {
    if (!this.context || !this.buses || !this.out) return;
    const { master, ...mixer } = this.#mixer();
    const now = this.context.currentTime;
    this.out.gain.setTargetAtTime(this.muted ? 0 : loud * master, now, 0.05);
    for (const [bus, volume] of Object.entries(mixer)) this.buses[bus]?.gain.setTargetAtTime(volume, now, 0.05);
  }

  /** Begins the ambient beds that are new, and ends those that are gone: a wind that comes and goes. */
  #lay() {
    const c = this.context;
    if (!c || !this.buses) return;
    const wanted = this.copy.rows("audio.beds");
    for (const [handle, { gain, sources }] of this.beds) {
      if (wanted.has(handle)) continue;
      this.beds.delete(handle);
      this.#end(gain, sources, 0.6);
    }
    for (const [handle, { bus, volume }] of wanted) {
      const old = this.beds.get(handle);
      if (old) {
        old.gain.gain.setTargetAtTime(volume, c.currentTime, 0.1);
        continue;
      }
      const gain = this.#gain(0, this.buses[bus] ?? this.buses.ambience);
      gain.gain.setTargetAtTime(volume, c.currentTime, 0.5);
      const source = this.#hiss();
      const filter = c.createBiquadFilter();
      filter.type = "lowpass";
      filter.frequency.value = 420;
      const gusts = c.createOscillator();
      gusts.frequency.value = 0.11 + (this.beds.size % 7) * 0.017;
      const depth = this.#gain(220, filter.frequency);
      gusts.connect(depth);
      source.connect(filter);
      filter.connect(gain);
      source.start();
      gusts.start();
      this.beds.set(handle, { gain, sources: [source, gusts] });
    }
  }

  /** Goes over to the music that is wanted. */
  #play() {
    const c = this.context;
    if (!c || !this.out) return;
    const music = this.copy.world.get("audio.music");
    const told = JSON.stringify(music ?? "");
    if (told === this.music) return;
    this.music = told;
    const fade = Math.max(music?.fadeSecs ?? 0, 0.05);
    if (this.tune) this.#end(this.tune.gain, [], fade);
    this.tune = undefined;
    if (!music?.trackId) return;
    const piece = new Piece(music.trackId);
    const gain = this.#gain(0, this.out);
    gain.gain.setTargetAtTime(music.volume, c.currentTime, fade / 3);
    const past = Math.max(this.copy.step - music.since, 0) / 60; // seconds: who comes later hears it where it is
    const begun = c.currentTime + 0.05 - past;
    this.tune = { piece, gain, begun, next: Math.ceil(past / piece.bar), bars: music.loop ? Infinity : short };
    this.#write();
  }

  /** Writes the bars of the music that are soon heard. */
  #write() {
    const c = this.context;
    const tune = this.tune;
    if (!c || !tune) return;
    const { piece, gain, begun } = tune;
    for (; tune.next < tune.bars && begun + tune.next * piece.bar < c.currentTime + ahead; tune.next++) {
      const bar = begun + tune.next * piece.bar;
      if (bar < c.currentTime - 0.1) continue; // the page was asleep
      for (const note of piece.notes(tune.next)) this.#layer(gain, note, bar + (note.at ?? 0));
    }
  }

  /**
   * Is called in each frame: where the listener is, and where he looks to.
   * @param {Vec3} ear
   * @param {Vec3} forward
   */
  frame(ear, forward) {
    this.ear = ear;
    const c = this.context;
    if (!c) return;
    const { listener } = c;
    if (listener.positionX) {
      [listener.positionX.value, listener.positionY.value, listener.positionZ.value] = ear;
      [listener.forwardX.value, listener.forwardY.value, listener.forwardZ.value] = forward;
    } else {
      listener.setPosition(...ear); // Firefox
      listener.setOrientation(...forward, 0, 1, 0);
    }
    this.#prune();
    for (const { at, far, range } of this.voices.values()) {
      if (at && far !== undefined) range.gain.value = this.#distance(at) > far ? 0 : 1;
    }
    this.#write();
    this.#space();
  }

  /** Has it echo as where the listener is. */
  #space() {
    const c = this.context;
    if (!c || !this.wet || !this.echo) return;
    let zone;
    for (const z of this.copy.rows("audio.reverb").values()) {
      if (this.#distance(z.position) <= z.radius && (!zone || z.radius < zone.radius)) zone = z;
    }
    const told = zone ? JSON.stringify(zone) : "";
    if (told === this.zone) return;
    this.zone = told;
    this.wet.gain.setTargetAtTime(zone ? 0.5 : 0, c.currentTime, 0.1);
    if (!zone) return;
    const secs = Math.min(Math.max(zone.decay, 0.05), 10);
    const late = Math.min(zone.size * 0.004, 0.2); // seconds until the first wall answers
    const room = c.createBuffer(2, Math.ceil((secs + late) * c.sampleRate), c.sampleRate);
    for (let side = 0; side < 2; side++) {
      const samples = room.getChannelData(side);
      let dull = 0;
      for (let i = Math.floor(late * c.sampleRate); i < samples.length; i++) {
        dull += (Math.random() * 2 - 1 - dull) * (1 - 0.95 * zone.damping);
        samples[i] = dull * 10 ** (-3 * (i / c.sampleRate - late) / secs); // by 60 dB in so many seconds
      }
    }
    this.echo.buffer = room;
  }

  /** Forgets what has ended. */
  #prune() {
    const now = this.context?.currentTime ?? 0;
    for (const [handle, voice] of this.voices) {
      if (voice.end > now) continue;
      voice.range.disconnect();
      this.voices.delete(handle);
    }
  }

  /** @param {Vec3} at */
  #distance(at) {
    return Math.hypot(at[0] - this.ear[0], at[1] - this.ear[1], at[2] - this.ear[2]);
  }

  /**
   * @param {Vec3} at
   * @param {AudioNode} into
   */
  #panner(at, into) {
    const panner = /** @type {AudioContext} */ (this.context).createPanner();
    panner.panningModel = "equalpower";
    panner.distanceModel = "inverse"; // heardAt
    panner.refDistance = near;
    panner.rolloffFactor = 1;
    [panner.positionX.value, panner.positionY.value, panner.positionZ.value] = at;
    panner.connect(into);
    return panner;
  }

  /** Noise without end. */
  #hiss() {
    const hiss = /** @type {AudioContext} */ (this.context).createBufferSource();
    hiss.buffer = this.noise ?? null;
    hiss.loop = true;
    return hiss;
  }

  /**
   * @param {number} volume
   * @param {AudioNode | AudioParam} into
   */
  #gain(volume, into) {
    const gain = /** @type {AudioContext} */ (this.context).createGain();
    gain.gain.value = volume;
    gain.connect(/** @type {AudioNode} */ (into));
    return gain;
  }
}
