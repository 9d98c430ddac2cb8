// The music that the page makes: what a track is called says in which mood it is, and its letters which piece.

import { meant, words } from "./words.js";

/** @import { Layer } from "./effects.js" */

/**
 * How pieces of a mood are: so many beats a minute, the steps of a scale in semitones, how often of eight there is a note of the melody, and what else plays.
 * @typedef {{tempo: number, scale: number[], root: number, busy: number, lead: OscillatorType, pad?: boolean, bass?: boolean, drive?: boolean, arpeggio?: boolean}} Mood
 */

const major = [0, 2, 4, 5, 7, 9, 11];
const minor = [0, 2, 3, 5, 7, 8, 10];

/** @type {Record<string, Mood>} */
export const moods = {
  calm: { tempo: 64, scale: major, root: 48, busy: 2, lead: "sine", pad: true },
  happy: { tempo: 116, scale: major, root: 50, busy: 5, lead: "triangle", bass: true, arpeggio: true },
  battle: { tempo: 142, scale: minor, root: 45, busy: 4, lead: "sawtooth", bass: true, drive: true },
  dark: { tempo: 56, scale: [0, 1, 3, 5, 7, 8, 10], root: 40, busy: 1, lead: "sine", pad: true, bass: true },
  sad: { tempo: 70, scale: minor, root: 45, busy: 3, lead: "triangle", pad: true },
  mystery: { tempo: 84, scale: [0, 2, 4, 6, 7, 9, 11], root: 47, busy: 2, lead: "sine", pad: true, arpeggio: true },
  epic: { tempo: 100, scale: [0, 2, 4, 5, 7, 9, 10], root: 43, busy: 3, lead: "sawtooth", pad: true, bass: true, drive: true },
};

/** Other words for them. @type {Record<string, string>} */
const alike = {
  action: "battle", adventure: "epic", ambient: "calm", boss: "battle", cave: "dark", chase: "battle", cheerful: "happy", combat: "battle", creepy: "dark", dungeon: "dark", explore: "epic",
  exploration: "epic", fight: "battle", forest: "calm", fun: "happy", garden: "calm", hero: "epic", home: "calm", horror: "dark", lonely: "sad", magic: "mystery", market: "happy", melancholy: "sad", menu: "epic",
  mysterious: "mystery", night: "dark", party: "happy", peaceful: "calm", playful: "happy", puzzle: "mystery", race: "battle", rain: "sad", relax: "calm", scary: "dark", sea: "calm", shop: "happy", sleep: "calm",
  space: "mystery", spooky: "dark", suspense: "dark", tavern: "happy", tension: "dark", theme: "epic", title: "epic", town: "happy", upbeat: "happy", victory: "happy", village: "calm", war: "battle", wonder: "mystery",
};

/** The chords of a piece, by the steps of its scale. */
const courses = [[0, 3, 4, 0], [0, 5, 3, 4], [0, 4, 5, 3], [5, 3, 0, 4], [0, 2, 3, 4], [0, 6, 5, 4]];

/** @param {string} text */
function hashOf(text) {
  let h = 2166136261; // FNV-1a
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}

/**
 * Numbers from 0 to 1 that follow from a seed (mulberry32).
 * @param {number} seed
 */
function chance(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) >>> 0;
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Piece is a track, as the page plays it: the same for everybody who hears it. */
export class Piece {
  /** @param {string} trackId */
  constructor(trackId) {
    this.seed = hashOf(trackId);
    const all = Object.values(moods);
    this.mood = meant(words(trackId), moods, alike) ?? all[this.seed % all.length];
    this.course = courses[(this.seed >>> 8) % courses.length];
    this.root = this.mood.root + ((this.seed >>> 16) % 5) - 2;
    /** Seconds: four beats. */
    this.bar = 240 / this.mood.tempo;
  }

  /** @param {number} step of the scale, from the root on */
  #hertz(step) {
    const { scale } = this.mood;
    const octave = Math.floor(step / scale.length);
    return 440 * 2 ** ((this.root + scale[step - octave * scale.length] + 12 * octave - 69) / 12);
  }

  /**
   * The notes of a bar, by when they come in it. Eight bars are a verse, and of four verses each comes again.
   * @param {number} n from 0 on
   * @returns {Layer[]}
   */
  notes(n) {
    const { mood, bar } = this;
    const chord = this.course[n % 4];
    const eighth = bar / 8;
    /** @type {Layer[]} */
    const notes = [];
    if (mood.pad) for (const step of [0, 2, 4]) notes.push({ wave: "triangle", from: this.#hertz(chord + step), at: 0, secs: bar * 1.15, gain: 0.1, rise: bar / 3 });
    if (mood.bass) for (const at of mood.drive ? [0, 1, 2, 3, 4, 5, 6, 7] : [0, 4]) notes.push({ wave: "triangle", from: this.#hertz(chord) / 2, at: at * eighth, secs: eighth * (mood.drive ? 0.9 : 3), gain: 0.25, rise: 0.01 });
    if (mood.drive) for (const at of [0, 4]) notes.push({ wave: "sine", from: 55, at: at * eighth, secs: 0.18, gain: 0.5, rise: 0.002 });
    if (mood.arpeggio) for (let i = 0; i < 8; i++) notes.push({ wave: "sine", from: this.#hertz(chord + [0, 2, 4, 7, 4, 2, 4, 2][i]) * 2, at: i * eighth, secs: eighth * 1.5, gain: 0.06, rise: 0.01 });
    const random = chance(this.seed ^ Math.imul(n % 32 < 16 ? n % 8 : 8 + (n % 8), 0x9e3779b1));
    let step = chord + 7 + [0, 2, 4][Math.floor(random() * 3)];
    for (let i = 0; i < 8; i++) {
      const sounds = random() * 8 < (i % 4 === 0 ? mood.busy * 2 : mood.busy);
      const by = Math.floor(random() * 5) - 2;
      if (!sounds) continue;
      notes.push({ wave: mood.lead, from: this.#hertz(step), at: i * eighth, secs: eighth * 2.2, gain: mood.lead === "sawtooth" ? 0.07 : 0.14, rise: 0.02 });
      step = Math.min(Math.max(step + by, 5), 16);
    }
    return notes;
  }
}
