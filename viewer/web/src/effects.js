// The sound effects that the page makes: none is recorded, each is a few tones and hisses.

import { meant, words } from "./words.js";

/**
 * A tone that glides, or a hiss: noise through a filter whose pitch glides.
 * @typedef {{
 *   wave?: OscillatorType, band?: number, from: number, to?: number,
 *   at?: number, secs: number, rise?: number, gain?: number, times?: number, every?: number,
 * }} Layer wave: of a tone; without it noise, and band is how narrow its filter is. from, to: hertz. at: seconds from the beginning, rise: until it is at its
 * loudest; it then fades until secs are over. times, every: how often it comes again, and after how many seconds.
 */

/** @type {(notes: number[], every: number, secs: number, wave?: OscillatorType) => Layer[]} */
const melody = (notes, every, secs, wave = "triangle") => notes.map((from, i) => ({ wave, from, at: i * every, secs, rise: 0.01, gain: 0.4 }));

/** Of each, its layers. A name means the last of its words that is one of these: "door_creak" is a creak. @type {Record<string, Layer[]>} */
export const effects = {
  alarm: [{ wave: "square", from: 880, secs: 0.18, gain: 0.2, times: 4, every: 0.5 }, { wave: "square", from: 660, at: 0.25, secs: 0.18, gain: 0.2, times: 4, every: 0.5 }],
  applause: [{ from: 1800, band: 1, secs: 0.06, gain: 0.35, times: 45, every: 0.05 }, { from: 1300, band: 1, at: 0.02, secs: 0.07, gain: 0.3, times: 36, every: 0.063 }],
  bell: [{ wave: "sine", from: 880, secs: 2.5, gain: 0.4 }, { wave: "sine", from: 2112, secs: 1.4, gain: 0.2 }, { wave: "sine", from: 440, secs: 3, gain: 0.2 }],
  break: [{ from: 5200, band: 1, secs: 0.35, gain: 0.6 }, { wave: "sine", from: 3100, at: 0.04, secs: 0.2, gain: 0.15 }, { wave: "sine", from: 4300, at: 0.1, secs: 0.25, gain: 0.15 }],
  cheer: [{ from: 900, to: 1200, band: 1.5, secs: 2, rise: 0.4, gain: 0.6 }, { from: 1900, to: 2300, band: 2, at: 0.1, secs: 1.8, rise: 0.5, gain: 0.4 }],
  click: [{ wave: "square", from: 1600, secs: 0.03, gain: 0.25 }],
  coin: [{ wave: "square", from: 988, secs: 0.08, gain: 0.2 }, { wave: "square", from: 1319, at: 0.08, secs: 0.35, gain: 0.2 }],
  creak: [{ wave: "sawtooth", from: 95, to: 190, secs: 0.5, rise: 0.1, gain: 0.2 }, { from: 700, to: 1300, band: 8, secs: 0.7, rise: 0.2, gain: 1 }],
  door: [{ from: 420, to: 240, band: 4, secs: 0.25, rise: 0.05, gain: 0.5 }, { wave: "sine", from: 110, to: 60, at: 0.22, secs: 0.2, gain: 0.8 }],
  drum: [{ wave: "sine", from: 150, to: 55, secs: 0.3, gain: 0.9 }],
  engine: [{ wave: "sawtooth", from: 55, to: 110, secs: 1.6, rise: 0.3, gain: 0.25 }, { from: 200, band: 1, secs: 1.6, rise: 0.3, gain: 0.3 }],
  error: [{ wave: "square", from: 196, secs: 0.16, gain: 0.2 }, { wave: "square", from: 147, at: 0.18, secs: 0.3, gain: 0.2 }],
  explosion: [{ from: 900, to: 60, band: 0.5, secs: 1.6, gain: 1 }, { wave: "sine", from: 90, to: 28, secs: 1.1, gain: 0.9 }],
  fanfare: [...melody([523, 523, 523, 698], 0.16, 0.15, "sawtooth"), { wave: "sawtooth", from: 880, at: 0.64, secs: 1.1, gain: 0.3 }, { wave: "sawtooth", from: 698, at: 0.64, secs: 1.1, gain: 0.25 }],
  fire: [{ from: 500, band: 0.7, secs: 2.5, rise: 0.4, gain: 0.4 }, { from: 3500, band: 2, at: 0.1, secs: 0.03, gain: 0.5, times: 16, every: 0.14 }],
  growl: [{ wave: "sawtooth", from: 85, to: 60, secs: 0.8, rise: 0.15, gain: 0.35 }, { from: 300, to: 180, band: 2, secs: 0.8, rise: 0.2, gain: 0.6 }],
  heal: melody([523, 659, 784, 1047], 0.09, 0.5, "sine"),
  hit: [{ from: 700, to: 150, band: 0.8, secs: 0.14, gain: 0.9 }, { wave: "sine", from: 160, to: 70, secs: 0.12, gain: 0.6 }],
  horn: [{ wave: "sawtooth", from: 220, secs: 1.2, rise: 0.12, gain: 0.25 }, { wave: "sawtooth", from: 330, secs: 1.2, rise: 0.15, gain: 0.15 }],
  jump: [{ wave: "square", from: 240, to: 620, secs: 0.18, gain: 0.18 }],
  knock: [{ wave: "sine", from: 220, to: 120, secs: 0.08, gain: 0.9, times: 3, every: 0.22 }],
  laser: [{ wave: "sawtooth", from: 1500, to: 180, secs: 0.25, gain: 0.25 }],
  lose: melody([392, 370, 349, 262], 0.28, 0.45),
  magic: [{ wave: "sine", from: 600, to: 1900, secs: 0.9, rise: 0.2, gain: 0.25 }, ...melody([1047, 1319, 1568, 2093], 0.12, 0.4, "sine")],
  pickup: melody([659, 988], 0.07, 0.18, "square"),
  roar: [{ wave: "sawtooth", from: 130, to: 70, secs: 1.4, rise: 0.25, gain: 0.35 }, { from: 600, to: 250, band: 1, secs: 1.4, rise: 0.25, gain: 0.9 }],
  shot: [{ from: 2200, to: 300, band: 0.5, secs: 0.25, gain: 1 }, { wave: "sine", from: 180, to: 50, secs: 0.15, gain: 0.7 }],
  siren: [{ wave: "triangle", from: 500, to: 1100, secs: 0.8, rise: 0.3, gain: 0.35, times: 3, every: 0.8 }],
  splash: [{ from: 1400, to: 500, band: 0.8, secs: 0.7, gain: 0.8 }, { from: 3000, band: 1, at: 0.08, secs: 0.5, gain: 0.3 }],
  step: [{ from: 350, to: 150, band: 1, secs: 0.09, gain: 0.6 }],
  sword: [{ from: 3800, to: 2500, band: 4, secs: 0.2, gain: 0.5 }, { wave: "triangle", from: 2600, secs: 0.5, gain: 0.12 }, { wave: "triangle", from: 3910, secs: 0.35, gain: 0.08 }],
  teleport: [{ wave: "sine", from: 200, to: 1600, secs: 0.5, rise: 0.3, gain: 0.3 }, { wave: "sine", from: 1600, to: 300, at: 0.45, secs: 0.4, gain: 0.25 }],
  thunder: [{ from: 400, to: 70, band: 0.4, secs: 3, rise: 0.05, gain: 1 }, { from: 180, to: 50, band: 0.5, at: 0.5, secs: 2.5, rise: 0.3, gain: 0.8 }],
  tick: [{ wave: "square", from: 2100, secs: 0.02, gain: 0.2 }],
  whistle: [{ wave: "sine", from: 2100, to: 2300, secs: 0.6, rise: 0.05, gain: 0.25 }],
  whoosh: [{ from: 400, to: 1800, band: 1.5, secs: 0.35, rise: 0.15, gain: 0.7 }],
  win: [...melody([523, 659, 784], 0.13, 0.3), ...melody([1047, 1319, 1568], 0, 0.9).map((layer) => ({ ...layer, at: 0.4, gain: 0.25 }))],
};

/** Other words for them. @type {Record<string, string>} */
const alike = {
  achievement: "win", arrow: "whoosh", attack: "whoosh", bang: "shot", beep: "tick", bird: "whistle", blast: "explosion", bomb: "explosion", boom: "explosion", button: "click", buzzer: "error", cash: "coin",
  chime: "bell", clang: "sword", clap: "applause", close: "door", collect: "pickup", complete: "win", crack: "break", crackle: "fire", crash: "break", crowd: "cheer", damage: "hit", death: "lose",
  defeat: "lose", denied: "error", dig: "step", ding: "bell", drop: "step", fail: "error", failure: "lose", fall: "whoosh", footstep: "step", footsteps: "step", gem: "coin", glass: "break", gong: "bell",
  gun: "shot", gunshot: "shot", hammer: "knock", hurt: "hit", impact: "hit", jingle: "fanfare", key: "pickup", land: "step", lever: "click", levelup: "win", lock: "click", motor: "engine", open: "door",
  pop: "jump", powerup: "heal", punch: "hit", reward: "coin", ring: "bell", select: "click", shatter: "break", slash: "sword", smash: "break", spell: "magic", steps: "step", success: "win", swing: "whoosh",
  switch: "click", thud: "hit", trumpet: "fanfare", unlock: "pickup", victory: "win", warp: "teleport", water: "splash", wrong: "error", zap: "laser",
};

/**
 * What a name of an effect sounds like, undefined where none of its words is known.
 * @param {string} name
 * @returns {Layer[] | undefined}
 */
export const effect = (name) => meant(words(name).reverse(), effects, alike);
