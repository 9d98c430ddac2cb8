// Playing: the page's user has a character in the world, walks about with it, and does what can be done with things.

import { Controls, label } from "./controls.js";
import { byID, write } from "./dom.js";
import { rotate } from "./flow.js";
import { Pad } from "./pad.js";
import { Prediction } from "./predict.js";
import { Refused } from "./socket.js";
import { Steering } from "./steering.js";
import { Touch } from "./touch.js";
import { sinks } from "./values.js";

/** @import { Given } from "./controls.js" */
/** @import { Copy, Entity, News, Vec3 } from "./copy.js" */
/** @import { Told } from "./predict.js" */
/** @import { Rig } from "./rig.js" */
/** @import { Stage } from "./stage.js" */
/** @import { Move } from "./steering.js" */

/**
 * What interaction.query tells of a thing, as much as is needed.
 * @typedef {{entity: string, prompt: string, distance: number, inReach: boolean, reason?: string}} Thing
 *
 * What is said in a conversation.
 * @typedef {{text: string, choices: {index: number, text: string}[]}} Line
 *
 * A quest of the component "quests".
 * @typedef {{questId: string, name: string, description?: string, status: string, objectives: {id: string, description?: string, progress: number, required: number}[], tracked?: boolean}} Quest
 *
 * A row of combat.rules.
 * @typedef {{id: string, item?: string, ranged?: true, damage: number, range: number, knockback?: number}} Weapon
 */

const glance = 400; // milliseconds between two looks at what can be done
const beat = 100; // … between two looks at the keys
const sight = 20; // metres within which a click is on something
const nearest = 1.6; // metres from which on the camera looks through the character's eyes
const farthest = 25;
const noted = 7000; // milliseconds for which a note stays
const pixel = 0.005; // radians by which a pixel turns the camera
const sweep = 3; // radians a second by which a gamepad turns the camera at most

// What the buttons of a gamepad do, as keys: those of the standard mapping. In a conversation the first four answer.
const padKeys = new Map([[0, "Space"], [1, "KeyC"], [2, "KeyE"], [3, "KeyV"], [7, "KeyF"], [8, "KeyI"], [9, "KeyJ"]]);

/**
 * @param {string} text
 * @param {() => void} press
 */
function button(text, press) {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.addEventListener("click", () => {
    b.blur(); // keys play
    press();
  });
  return b;
}

/**
 * What an entity is for the prediction: a character that walks by itself, or something that it leaves alone.
 * @param {Entity} entity
 * @param {number | null | undefined} down the gravity of the world, in m/s²
 * @returns {Told}
 */
function told({ pos, scale, shape, parent, rigidBody, character, status }, down) {
  const { type, collider } = /** @type {{type?: string, collider?: string}} */ (rigidBody ?? {});
  const walks = /** @type {{radius: number, halfHeight: number, walkSpeed: number, runSpeed: number, jumpSpeed: number, gravity: number, crouchSpeedScale: number, sprinting?: boolean, crouching?: boolean, grounded?: boolean, swimming?: boolean} | undefined} */ (character);
  const effects = /** @type {{type: string, magnitude: number}[]} */ (status ?? []);
  const held = effects.some((e) => e.type === "stun" || e.type === "freeze");
  const slow = Math.max(0, ...effects.map((e) => (e.type === "slow" ? e.magnitude : 0)));
  const { radius: round, halfHeight: long } = walks ?? { radius: 0, halfHeight: 0 };
  const half = shape ? (shape.size[1] * Math.abs(scale[1])) / 2 : 0;
  return {
    feet: [pos[0], pos[1] - half, pos[2]], able: walks !== undefined && parent === undefined && type === "kinematic" && collider === "capsule",
    pace: held ? 0 : 1 / (1 + slow),
    radius: round * Math.abs(scale[0]), height: 2 * (long + round) * Math.abs(scale[1]), low: (long + 2 * round) * Math.abs(scale[1]), walkSpeed: walks?.walkSpeed ?? 0, runSpeed: walks?.runSpeed ?? 0, jumpSpeed: walks?.jumpSpeed ?? 0,
    gravity: (walks?.gravity ?? 0) * sinks(down), crouchSpeedScale: walks?.crouchSpeedScale ?? 1, sprinting: walks?.sprinting === true,
    crouching: walks?.crouching === true, grounded: walks?.grounded === true, swimming: walks?.swimming === true,
  };
}

/** Play is what a player sees and does. Between begin and end there is one. */
export class Play {
  /**
   * @param {Stage} stage
   * @param {Copy} copy
   * @param {(name: string, input: object) => Promise<any>} skill
   * @param {() => string} agent who plays
   */
  constructor(stage, copy, skill, agent) {
    this.stage = stage;
    this.copy = copy;
    this.skill = skill;
    this.agent = agent;
    this.prediction = new Prediction(stage.around);
    this.steering = new Steering((move) => this.#move(move));
    this.controls = new Controls((name, value) => this.#do("input.set", { name, value }));
    this.pad = new Pad(() => navigator.getGamepads?.() ?? []);
    this.touch = new Touch({
      turn: (dx, dy) => this.turn(dx, dy),
      zoom: (by) => this.zoom(by),
      tap: (x, y) => this.click(this.stage.at(x, y)),
    });
    /** How the quests stood that one was told of last, by their ids. @type {Map<string, Quest>} */
    this.quests = new Map();
    this.log = ""; // the quests as they were
    this.drawn = 0; // when the last frame was
    /** Whether somebody plays, and the character. */
    this.on = false;
    this.id = "";
    this.seen = false; // whether the copy has had it
    this.yaw = 0; // where the camera looks
    this.pitch = 0.35; // down
    this.distance = 6;
    this.game = false; // whether it is the game that says where the camera is
    this.rig = ""; // … and what it said
    /** Keys that are down. @type {Set<string>} */
    this.held = new Set();
    this.crouched = false;
    /** What can be done. @type {Thing[]} */
    this.things = [];
    this.looked = 0;
    this.timer = 0;
    /** What is said in the conversation that one is in. @type {{line: Line, ended: boolean} | undefined} */
    this.talk = undefined;
    byID("say").addEventListener("submit", (event) => {
      event.preventDefault();
      const input = /** @type {HTMLInputElement} */ (byID("say").firstElementChild);
      if (input.value.trim()) this.#do("social.say", { text: input.value.trim() });
      input.value = "";
      input.blur();
    });
    byID("say").addEventListener("focusout", () => (byID("say").hidden = true));
  }

  /** Enters the world: with the character that one has, or a new one. */
  async begin() {
    let id = (await this.skill("agent.getPerception", {})).perception?.body;
    if (id !== undefined) {
      try {
        await this.skill("player.crouch", { entity: id, crouching: false });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        id = undefined; // a body that is no character
      }
    }
    if (id === undefined) {
      const { entity, position, note, returned } = await this.skill("player.spawn", {});
      id = entity;
      this.stage.controls.target.set(position[0], position[1], position[2]); // of a large world only a part is told
      if (note) this.note(note);
      if (returned) this.note(`welcome back: you have your ${returned.join(", ")} again`);
    }
    this.on = true;
    this.id = id;
    this.seen = false;
    this.game = false;
    this.rig = "";
    this.crouched = false;
    this.steering.reset(this.yaw);
    this.stage.around.begin(id);
    this.prediction.begin();
    this.#hear();
    this.quests.clear();
    this.log = "";
    this.#gone(false);
    clearInterval(this.timer);
    this.timer = window.setInterval(() => this.#beat(), beat);
    document.body.classList.add("playing");
  }

  /** Lets the character be. The server takes it away some time after its player has left. */
  end() {
    if (!this.on) return;
    this.on = false;
    clearInterval(this.timer);
    this.held.clear();
    this.touch.fingers.clear();
    this.#stick();
    this.#given([]);
    this.things = [];
    this.#say(undefined);
    this.#gone(false);
    byID("act").hidden = true;
    byID("bag").hidden = true;
    byID("quests").hidden = true;
    this.stage.select(undefined);
    this.stage.play("", undefined);
    this.stage.ride(undefined);
    document.body.classList.remove("playing");
  }

  /** The connection is lost. */
  lost() {
    this.prediction.lost(performance.now());
  }

  /**
   * Takes over what a message was about.
   * @param {News} news
   */
  told(news) {
    if (!this.on) return;
    this.#hear();
    const me = this.copy.entities.get(this.id);
    const before = this.seen;
    if (me && !this.seen) {
      const [x, , z] = rotate(me.rot, [0, 0, 1]);
      this.yaw = Math.atan2(x, z);
      this.steering.reset(this.yaw);
      this.seen = true;
    }
    if (me) {
      this.#given(/** @type {Given[]} */ (me.controls ?? []));
      this.#quests(me, before);
    }
    if (this.seen && !me && news.removed.includes(this.id)) this.#gone(true);
    const rig = JSON.stringify(this.copy.rows("camera.rigs").get(this.agent()));
    if (rig === this.rig) return;
    this.rig = rig;
    this.game = rig !== undefined; // the game has a picture of its own
  }

  /** Puts the camera to where it is to be. It is to be called before each frame. */
  frame() {
    if (!this.on) return;
    const now = performance.now();
    this.#poll(now);
    this.#steer();
    this.stage.around.frame();
    const served = this.stage.served(this.id);
    const [x, , z] = served ? rotate(served.rot, [0, 0, 1]) : [0, 0, 1];
    this.stage.play(this.id, this.prediction.frame(now, Math.atan2(x, z)));
    if (this.game) {
      this.stage.ride(this.agent());
      return;
    }
    const half = (this.stage.self?.height ?? 1.6) / 2;
    /** @type {Rig} */
    const rig = { kind: "thirdPerson", target: this.id, distance: this.distance, pitch: this.pitch, facing: [Math.sin(this.yaw), 0, Math.cos(this.yaw)], collisionCheck: true, cut: 0, fov: { to: 60 } };
    this.stage.lead(this.eyes ? { ...rig, kind: "firstPerson", pitch: -this.pitch, lift: 0.85 * half, collisionCheck: false } : rig);
  }

  /** Whether one looks through the character's eyes. */
  get eyes() {
    return this.distance < nearest;
  }

  /**
   * Turns the camera by so many pixels.
   * @param {number} dx
   * @param {number} dy
   */
  turn(dx, dy) {
    this.game = false;
    this.yaw -= dx * pixel;
    this.pitch = Math.min(Math.max(this.pitch + dy * pixel, this.eyes ? -1.45 : -0.4), 1.45);
    this.#steer();
  }

  /**
   * Comes nearer or goes away, by a turn of the wheel.
   * @param {number} by in pixels
   */
  zoom(by) {
    const was = this.eyes;
    const to = Math.min(Math.max(this.distance * Math.exp(by * 0.0015), nearest - 0.1), farthest);
    this.distance = was && by > 0 ? Math.max(to, nearest + 0.4) : to;
    if (was !== this.eyes) this.pitch = this.eyes ? 0 : 0.35;
  }

  /**
   * A key goes down, or up.
   * @param {string} code
   * @param {boolean} down
   * @param {boolean} repeated
   * @returns {boolean} whether it is one to play with
   */
  key(code, down, repeated) {
    if (!down) this.held.delete(code);
    else this.held.add(code);
    if (this.controls.has(code)) { // that of what one drives
      this.#drive();
      return true;
    }
    if (!down || repeated) {
      this.#steer();
      return false;
    }
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code);
    if (digit) {
      if (this.talk) this.#choose(Number(digit[1]) - 1);
      else this.#strike(Number(digit[1]) - 1);
    } else if (code === "Space") {
      this.steering.jump();
    } else if (code === "KeyC") {
      this.crouched = !this.crouched;
      const answered = this.prediction.crouches(this.crouched, performance.now());
      this.#do("player.crouch", { entity: this.id, crouching: this.crouched }).then((said) => answered(said !== undefined, performance.now()));
    } else if (code === "KeyE") {
      const [first] = this.#reachable();
      if (this.talk) {
        if (this.talk.ended || this.talk.line.choices.length === 1) this.#choose(0);
      } else if (first) this.use(first.entity);
    } else if (code === "KeyF") {
      this.#strike(0);
    } else if (code === "KeyI") {
      this.#bag(byID("bag").hidden === true);
    } else if (code === "KeyJ") {
      byID("quests").hidden = !byID("quests").hidden;
    } else if (code === "KeyV") {
      this.#view();
    } else if (code === "Enter") {
      byID("say").hidden = false;
      /** @type {HTMLElement} */ (byID("say").firstElementChild).focus();
      this.held.clear();
    } else if (code === "Escape") {
      this.#bag(false);
      byID("quests").hidden = true;
      if (this.talk && !this.talk.ended) this.#do("dialogue.end", {});
      this.#say(undefined);
    } else {
      this.#steer();
      return /^(Key[WASD]|Arrow)/.test(code);
    }
    this.#steer();
    return true;
  }

  /** No key is down any more, and no finger. */
  release() {
    this.held.clear();
    this.touch.fingers.clear();
    this.#stick();
    this.controls.pressed.clear();
    if (!this.on) return;
    this.#steer();
    this.#drive();
  }

  /**
   * A click on an entity: does with it, or with what it is part of, what can be done.
   * @param {string | undefined} id
   */
  click(id) {
    for (let up = id; up !== undefined; up = this.copy.entities.get(up)?.parent) {
      const thing = this.things.find((t) => t.entity === up);
      if (!thing) continue;
      if (thing.inReach) this.use(up);
      else this.note(`${thing.prompt}: ${thing.reason ?? `too far, ${thing.distance.toFixed(1)} m`}`);
      return;
    }
  }

  /**
   * Does with a thing what it is there for.
   * @param {string} entity
   */
  async use(entity) {
    const { ok, result, reason } = (await this.#do("interaction.interact", { entity })) ?? { ok: true };
    if (!ok) this.note(reason);
    if (result?.did === "pickup") this.note(`you have picked up ${result.quantity} × ${result.itemId}`);
    if (result?.talk?.currentNode) this.#say({ line: result.talk.currentNode, ended: result.talk.ended === true });
    else if (result?.talk && !result.talk.ok) this.note(result.talk.reason);
    this.looked = 0;
  }

  /**
   * Tells the player something, for a while.
   * @param {string} text
   */
  note(text) {
    if (byID("log").lastElementChild?.textContent === text) return; // he has read it
    const line = document.createElement("div");
    line.className = "note";
    line.textContent = text;
    write(line);
    setTimeout(() => line.remove(), noted);
  }

  /**
   * Calls a skill, and tells the player why it was refused, if it was.
   * @param {string} name
   * @param {object} input
   * @returns {Promise<any>} undefined if it failed
   */
  async #do(name, input) {
    try {
      return await this.skill(name, input);
    } catch (error) {
      if (error instanceof Refused && this.on && byID("again").hidden) this.note(error.message);
      return undefined;
    }
  }

  /**
   * Sends the character somewhere, and has it be drawn so at once.
   * @param {Move} move
   */
  async #move(move) {
    const sent = this.prediction.send(move, performance.now());
    this.prediction.answered(sent, await this.#do("player.move", { ...move, entity: this.id }), performance.now());
  }

  /** Has the prediction know what the server tells. */
  #hear() {
    const me = this.copy.entities.get(this.id);
    this.prediction.hear(me && told(me, this.copy.world.get("world.gravity")), this.copy.step, this.copy.world.get("timeScale") ?? 1, performance.now());
  }

  /** Says where the keys send the character. */
  #steer() {
    if (!this.on || !byID("again").hidden) return;
    const any = (/** @type {string[]} */ ...codes) => Number(codes.some((code) => this.held.has(code) && !this.controls.has(code)));
    const stick = (/** @type {number} */ n) => (this.controls.has(`GamepadAxis${n}`) ? 0 : this.pad.axis(n));
    const finger = this.touch.wish;
    const within = (/** @type {number} */ x) => Math.min(Math.max(x, -1), 1);
    const wish = {
      ahead: within(any("KeyW", "ArrowUp") - any("KeyS", "ArrowDown") + finger.ahead - stick(1)),
      right: within(any("KeyD", "ArrowRight") - any("KeyA", "ArrowLeft") + finger.right + stick(0)),
      run: any("ShiftLeft", "ShiftRight") === 1 || finger.run || this.pad.down.has(4) || this.pad.down.has(10),
      eyes: this.eyes && !this.game,
    };
    this.steering.steer(wish, this.yaw, performance.now());
  }

  /** Says what the controls are at that the game has given. */
  #drive() {
    if (!this.on || !byID("again").hidden) return;
    this.controls.tell((source) => (source.startsWith("Gamepad") ? this.pad.amount(source) : Number(this.held.has(source))), performance.now());
  }

  /**
   * Looks at the gamepad, before a frame.
   * @param {number} now in milliseconds
   */
  #poll(now) {
    const dt = Math.min((now - this.drawn) / 1000, 0.1);
    this.drawn = now;
    for (const button of this.pad.look()) {
      if (this.controls.has(`GamepadButton${button}`)) continue;
      if (this.talk && button < 4 && !this.talk.ended) this.#choose(button);
      else {
        const code = padKeys.get(button);
        if (code) this.press(code);
      }
    }
    const turns = (/** @type {number} */ n) => (this.controls.has(`GamepadAxis${n}`) ? 0 : (this.pad.axis(n) * sweep * dt) / pixel);
    if (turns(2) || turns(3)) this.turn(turns(2), turns(3));
    this.#drive();
  }

  /** Shows where the stick is that a finger holds, and which way. */
  #stick() {
    const { stick } = this.touch;
    const ring = byID("stick");
    ring.classList.toggle("held", stick !== undefined);
    ring.style.translate = stick ? `${stick.from[0]}px ${stick.from[1]}px` : "";
    const knob = /** @type {HTMLElement} */ (ring.firstElementChild);
    const { ahead, right } = this.touch.wish;
    knob.style.translate = `${right * 40}px ${-ahead * 40}px`;
  }

  /**
   * Presses a key, and lets it go.
   * @param {string} code
   */
  press(code) {
    this.key(code, true, false);
    this.key(code, false, false);
  }

  /**
   * A finger on the screen.
   * @param {PointerEvent} event
   */
  finger(event) {
    document.body.classList.add("touch");
    const { pointerId, clientX, clientY } = event;
    if (event.type === "pointerdown") this.touch.down(pointerId, clientX, clientY, window.innerWidth, performance.now());
    else if (event.type === "pointermove") this.touch.move(pointerId, clientX, clientY);
    else if (event.type === "pointerup") this.touch.up(pointerId, performance.now());
    else this.touch.lost(pointerId);
    this.#stick();
    this.#steer();
  }

  /**
   * Takes over what the game has given to drive, and says what keys that has, and offers buttons for it to fingers.
   * @param {Given[]} given
   */
  #given(given) {
    if (!this.controls.take(given)) return;
    byID("given").textContent = given.map(({ name, sources }) => `${sources.filter((source) => !source.startsWith("Gamepad")).map(label).join(" ")}: ${name}`).join(" · ");
    const hold = (/** @type {string} */ text, /** @type {string} */ name, /** @type {number} */ value) => {
      const b = button(text, () => {});
      const down = (/** @type {PointerEvent} */ event) => {
        b.setPointerCapture(event.pointerId);
        this.controls.pressed.set(name, value);
        this.#drive();
      };
      const up = () => {
        this.controls.pressed.delete(name);
        this.#drive();
      };
      b.addEventListener("pointerdown", down);
      b.addEventListener("lostpointercapture", up);
      return b;
    };
    byID("drive").replaceChildren(
      ...given.flatMap(({ name, type }) => (type === "axis" ? [hold(`− ${name}`, name, -1), hold(`${name} +`, name, 1)] : [hold(name, name, 1)])),
    );
    this.#steer();
  }

  /**
   * Shows the quests that the character has, and tells of what is new about them.
   * @param {Entity} me
   * @param {boolean} news whether that is to be told
   */
  #quests(me, news) {
    const quests = /** @type {Quest[]} */ (me.quests ?? []);
    const log = JSON.stringify(quests);
    if (log === this.log) return;
    this.log = log;
    for (const quest of news ? quests : []) {
      const was = this.quests.get(quest.questId);
      const fresh = quest.objectives.filter(({ id, progress }) => quest.status === "active" && progress > (was?.objectives.find((o) => o.id === id)?.progress ?? 0));
      if (was?.status !== quest.status) this.note(`${quest.name}: ${{ available: "a quest is offered (J)", active: "a quest (J)" }[quest.status] ?? quest.status}`);
      for (const { id, description, progress, required } of fresh) this.note(`${description || id}: ${Math.min(progress, required)} of ${required}`);
    }
    this.quests = new Map(quests.map((quest) => [quest.questId, quest]));
    const title = document.createElement("b");
    title.textContent = quests.length > 0 ? "Quests" : "You have no quest.";
    const rank = (/** @type {Quest} */ quest) => (quest.tracked ? -1 : ["active", "available", "completed", "failed"].indexOf(quest.status));
    byID("quests").replaceChildren(title, ...[...quests].sort((a, b) => rank(a) - rank(b)).flatMap((quest) => {
      const name = document.createElement("div");
      name.textContent = quest.name + (quest.status === "active" ? "" : `: ${quest.status === "available" ? "offered" : quest.status}`);
      const decide = (/** @type {string} */ what) => button(what, () => this.#do(`quest.${what}`, { entity: this.id, questId: quest.questId }));
      if (quest.status === "available") name.append(" ", decide("accept"), " ", decide("decline"));
      if (quest.status === "active" && !quest.tracked) name.append(" ", decide("track"));
      if (quest.status !== "active" && quest.status !== "available") return [name];
      const lines = quest.objectives.map(({ id, description, progress, required }) => `${progress >= required ? "☑" : "☐"} ${description || id}${required > 1 ? ` (${Math.min(progress, required)} of ${required})` : ""}`);
      const about = document.createElement("small");
      about.textContent = [quest.description, ...lines].filter(Boolean).join("\n");
      return [name, about];
    }));
  }

  async #beat() {
    this.#steer();
    const now = performance.now();
    if (now - this.looked < glance || document.hidden || !byID("again").hidden) return;
    this.looked = now;
    const found = await this.skill("interaction.query", { actorEntity: this.id, maxRange: sight }).catch(() => undefined);
    if (!this.on || !found) return;
    this.things = found.interactables;
    const [first] = this.#reachable();
    byID("act").hidden = !first || this.talk !== undefined;
    byID("act").textContent = first ? (document.body.classList.contains("touch") ? first.prompt : `E: ${first.prompt}`) : "";
    if (this.stage.selected !== first?.entity) this.stage.select(first?.entity);
  }

  /** What is in reach, first what one looks at. */
  #reachable() {
    const me = this.stage.pose(this.id)?.pos;
    const off = (/** @type {Thing} */ thing) => {
      const at = this.stage.pose(thing.entity)?.pos;
      if (!me || !at) return 0;
      const angle = Math.atan2(at[0] - me[0], at[2] - me[2]) - this.yaw;
      return Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle))) + thing.distance / 2;
    };
    return this.things.filter((thing) => thing.inReach).sort((a, b) => off(a) - off(b));
  }

  /** Looks in another way: through the character's eyes, from behind, or as the game has it. */
  #view() {
    if (this.game) {
      this.game = false;
      this.distance = 6;
      this.pitch = 0.35;
    } else if (!this.eyes) {
      this.distance = nearest - 0.1;
      this.pitch = 0;
    } else {
      this.distance = 6;
      this.pitch = 0.35;
      this.game = this.rig !== undefined;
    }
  }

  /**
   * Strikes or shoots with a weapon that the rules of the world have for players, where there are such.
   * @param {number} n of those that one may use, counted from 0
   */
  #strike(n) {
    const rules = /** @type {{weapons?: Weapon[]} | undefined} */ (this.copy.world.get("combat.rules"));
    const worn = /** @type {{itemId: string}[]} */ (this.copy.entities.get(this.id)?.equipment ?? []);
    const usable = (rules?.weapons ?? []).filter((w) => w.item === undefined || worn.some((e) => e.itemId === w.item));
    const weapon = usable[n];
    if (!weapon) return;
    const { id, ranged, damage, range, knockback } = weapon;
    if (ranged) {
      const down = this.eyes ? Math.sin(-this.pitch) : 0;
      this.#do("combat.ranged", { damage, direction: [Math.sin(this.yaw), down, Math.cos(this.yaw)], config: { weapon: id, range } });
    } else this.#do("combat.melee", { damage, range, ...(knockback ? { knockback } : {}), config: { weapon: id } });
  }

  /**
   * Shows what is said, and what can be answered; nothing: the conversation is over.
   * @param {{line: Line, ended: boolean} | undefined} talk
   */
  #say(talk) {
    this.talk = talk;
    const box = byID("talk");
    box.hidden = talk === undefined;
    if (!talk) return;
    const text = document.createElement("div");
    text.textContent = talk.line.text;
    const answers = talk.ended ? [button("E  go on", () => this.#choose(0))] : talk.line.choices.map((choice, i) => button(`${i + 1}  ${choice.text}`, () => this.#choose(i)));
    box.replaceChildren(text, ...answers);
  }

  /**
   * Makes a choice of those that are shown.
   * @param {number} n
   */
  async #choose(n) {
    const { talk } = this;
    const choice = talk?.line.choices[n];
    if (!talk || talk.ended) {
      this.#say(undefined);
      return;
    }
    if (!choice) return;
    const said = await this.#do("dialogue.choose", { choiceIndex: choice.index });
    if (said && !said.ok) this.note(said.reason);
    this.#say(said?.node && said.ok ? { line: said.node, ended: said.ended === true } : undefined);
  }

  /**
   * Shows what the character has, and what can be done with it, or hides that.
   * @param {boolean} open
   */
  async #bag(open) {
    const bag = byID("bag");
    bag.hidden = !open;
    if (!open) return;
    const has = (await this.#do("inventory.list", { entity: this.id })) ?? { items: [], equipment: [] };
    const title = document.createElement("b");
    title.textContent = has.items.length + has.equipment.length > 0 ? "You have" : "You have nothing.";
    const act = (/** @type {string} */ name, /** @type {object} */ input) => async () => {
      const done = await this.#do(name, input);
      if (done && !done.ok) this.note(done.reason);
      if (!bag.hidden) this.#bag(true);
    };
    const row = (/** @type {string} */ text, /** @type {HTMLElement[]} */ ...buttons) => {
      const line = document.createElement("div");
      const label = document.createElement("span");
      label.textContent = text;
      line.append(label, ...buttons);
      return line;
    };
    const entity = this.id;
    bag.replaceChildren(
      title,
      ...has.items.map((/** @type {{itemId: string, name: string, quantity: number}} */ { itemId, name, quantity }) => row(
        `${quantity} × ${name}`,
        button("use", act("interaction.use", { itemId })),
        button("hold", act("item.equip", { entity, itemId, equipmentSlot: "hand" })),
        button("drop", act("interaction.drop", { itemId })),
      )),
      ...has.equipment.map((/** @type {{itemId: string, equipmentSlot: string}} */ { itemId, equipmentSlot }) =>
        row(`${itemId} (${equipmentSlot})`, button("put away", act("item.unequip", { entity, equipmentSlot })))),
    );
  }

  /**
   * Says that there is no character any more, and offers another one.
   * @param {boolean} is
   */
  #gone(is) {
    byID("again").hidden = !is;
    if (is) {
      this.things = [];
      byID("act").hidden = true;
      this.#say(undefined);
    }
  }
}
