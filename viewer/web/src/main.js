// The page: connects to the server that it comes from, and shows its world.

import { Area } from "./area.js";
import { Copy } from "./copy.js";
import { byID, write } from "./dom.js";
import { Host } from "./host.js";
import { css, Overlay } from "./overlay.js";
import { Play } from "./play.js";
import { Refused, Socket } from "./socket.js";
import { Sound } from "./sound.js";
import { Stage } from "./stage.js";

/** @import { Entity, Moment } from "./copy.js" */

const params = new URLSearchParams(location.search);
const secret = new URLSearchParams(location.hash.slice(1));

const copy = new Copy();
if (!document.createElement("canvas").getContext("webgl2")) {
  byID("state").textContent = "this browser has no WebGL 2, or it is switched off: the world cannot be drawn here";
  throw new Error("no WebGL 2");
}
const stage = new Stage(byID("stage"), copy, (entity) => link.skill("scene.geometry", { entity }), (hash) => link.skill("scene.image", { hash }));
const overlay = new Overlay(byID("overlay"), stage, copy, () => stage.through ?? identity.agentId);
const play = new Play(stage, copy, (name, input) => link.skill(name, input), () => identity.agentId);
const sound = new Sound(copy);
let area = new Area(0);
let declared = 0; // when the area was declared last
let state = "connecting";
let stale = false; // whether there is something to tell, and when that was done last
let told = 0;

const identity = {
  agentId: params.get("agent") ?? "viewer",
  profile: params.get("profile") ?? "system.readonly",
  token: secret.get("token") ?? undefined,
};

// Who plays: as whom, and with which profiles, the first of which the server lets him have.
const remembered = "limina.player";
const memory = (() => {
  try {
    return localStorage;
  } catch {
    return undefined; // somebody has switched it off
  }
})();
const playing = params.get("profile") ? [params.get("profile") ?? ""] : ["player.full", "player.limited"];
let plays = params.has("play") && params.has("agent");

/**
 * Takes over what the server tells.
 * @param {string} method
 * @param {any} message
 */
function take(method, message) {
  if (method !== "state/snapshot" && method !== "state/delta") return;
  const news = copy.apply(method, message);
  stage.told(news);
  overlay.told(news);
  play.told(news);
  sound.told(news);
  for (const moment of news.events) hear(moment);
  if (news.whole || news.world.includes("camera.rigs")) seats();
  stale = true;
}

/**
 * @param {string} reason
 * @param {number} retry
 */
function lost(reason, retry) {
  play.lost();
  status(`${reason}; next try in ${Math.round(retry / 100) / 10} s`);
}

/**
 * Finds out how much there is to ask for.
 * @param {Socket | Host} from
 */
async function survey(from) {
  const { entityCount } = await from.skill("scene.inspect", { sampleSize: 0 });
  area = new Area(entityCount);
}

function live() {
  if (state === "live") return;
  stage.complete();
  status("live");
}

/**
 * Goes on as one who looks where one may not play.
 * @param {Error} error
 */
function unable(error) {
  if (!(error instanceof Refused)) throw error;
  plays = false;
  play.note(error.message);
}

/**
 * Begins a session as who looks, or plays.
 * @param {Socket} s
 */
async function enter(s) {
  const sessionId = "viewer-" + crypto.getRandomValues(new Uint32Array(4)).join("-");
  const profiles = plays ? playing : [identity.profile];
  for (const profile of profiles) {
    try {
      await s.call("initialize", { ...identity, profile, sessionId });
      return;
    } catch (error) {
      if (error instanceof Refused && profile === profiles.at(-1)) ask(error.message);
      if (!(error instanceof Refused) || profile === profiles.at(-1)) throw error;
    }
  }
}

/** Connects to the server that the page comes from. */
function connect() {
  return new Socket(location.origin.replace(/^http/, "ws") + location.pathname.replace(/[^/]*$/, ""), { // behind a proxy the server may have a folder of a site
    async open(s) {
      await enter(s);
      byID("ask").hidden = true;
      if (copy.epoch === "") await survey(s);
      const resume = copy.epoch === "" ? { aoi: area.declared } : { aoi: copy.aoi, since: copy.tick, epoch: copy.epoch };
      await s.call("state/subscribe", resume);
      if (area.declared) await s.declare(area.declared); // the copy may be of the one before
      if (plays) await play.begin().catch(unable);
      live();
    },
    told: take,
    lost,
  });
}

/** Reaches the server through the host that shows the page. */
function visit() {
  document.body.classList.add("guest");
  return new Host(copy, {
    async open(host) {
      if (host.context.availableDisplayModes?.includes("fullscreen")) byID("larger").hidden = false;
      await survey(host);
      await host.declare(area.declared);
    },
    told: take,
    lost,
    live,
    less() {
      const target = stage.controls.target;
      link.declare(/** @type {any} */ (area.less([target.x, target.y, target.z])));
    },
  });
}

const link = window.parent === window ? connect() : visit();
byID("play").hidden = link instanceof Host;

/** @param {Moment} moment */
function hear(moment) {
  if (moment.kind !== "social.said") return;
  const line = document.createElement("div");
  const who = document.createElement("b");
  who.textContent = (moment.payload.name ?? moment.payload.speaker) + " ";
  line.append(who, moment.payload.text);
  write(line);
}

/**
 * Asks who is looking, where the server wants to know.
 * @param {string} why
 */
function ask(why) {
  byID("why").textContent = why;
  byID("ask").hidden = false;
}

/** @param {string} text */
function status(text) {
  state = text;
  byID("state").textContent = text;
  byID("dot").className = text === "live" ? "live" : "";
}

/**
 * Says what there is, ten times a second at most.
 * @param {number} now
 */
function tell(now) {
  if (!stale || now - told < 100) return;
  stale = false;
  told = now;
  overlay.refresh();
  const n = copy.entities.size;
  const hour = copy.world.get("time")?.hour ?? 12;
  const minutes = Math.round((hour % 1) * 60) % 60;
  const weather = copy.world.get("weather")?.kind ?? "clear";
  byID("count").textContent = `${n.toLocaleString("en")} ${n === 1 ? "entity" : "entities"}`;
  byID("tick").textContent = `tick ${copy.tick}`;
  byID("time").textContent = `${String(Math.floor(hour)).padStart(2, "0")}:${String(minutes).padStart(2, "0")}, ${weather}`;
  byID("hint").hidden = n > 0;
  details();
}

/** Says what is selected. */
function details() {
  const card = byID("card");
  const entity = stage.selected === undefined ? undefined : copy.entities.get(stage.selected);
  card.hidden = entity === undefined;
  if (!entity) return;
  card.replaceChildren();
  const title = document.createElement("b");
  title.textContent = entity.name ? `${entity.name} (${entity.id})` : entity.id;
  card.append(title);
  for (const [name, value] of facts(entity)) {
    const row = document.createElement("div");
    const label = document.createElement("span");
    label.textContent = name;
    row.append(label, value);
    card.append(row);
  }
}

/** @param {number[]} list */
const metres = (list) => list.map((x) => Math.round(x * 1000) / 1000).join(", ");

/**
 * @param {Entity} entity
 * @returns {[string, string][]}
 */
function facts(entity) {
  /** @type {[string, string][]} */
  const rows = [["position", metres(entity.pos)]];
  if (entity.shape) {
    rows.push(["shape", entity.shape.kind], ["size", metres(entity.shape.size.map((x, i) => x * entity.scale[i]))]);
    const m = entity.material;
    rows.push(["material", [m?.name, css(m?.color ?? entity.shape.color)].filter(Boolean).join(" ")]);
  }
  if (entity.parent) rows.push(["parent", entity.parent]);
  if (entity.tags?.length) rows.push(["tags", entity.tags.join(", ")]);
  if (entity.rigidBody) rows.push(["body", entity.rigidBody.type]);
  if (entity.light) rows.push(["light", `${entity.light.kind} ${css(entity.light.color)}`]);
  return rows;
}

// Through whose camera the page looks: whose it is told to in its address as soon as he has one.
let seat = params.get("camera") ?? "";

/** Offers the cameras that there are. */
function seats() {
  const list = /** @type {HTMLSelectElement} */ (byID("seats"));
  const agents = [...copy.rows("camera.rigs").keys()].sort();
  list.replaceChildren(new Option("your own view", ""), ...agents.map((agent) => new Option(`camera of ${agent}`, agent)));
  list.hidden = agents.length === 0;
  if (agents.includes(seat)) stage.ride(seat);
  seated();
}

/** Shows through whose camera the page looks. */
function seated() {
  const list = /** @type {HTMLSelectElement} */ (byID("seats"));
  const value = stage.through ?? "";
  stale = true; // whose panels are on the screen goes by that
  if (list.value !== value) list.value = value;
}

/** Looks by itself again. */
function leave() {
  seat = "";
  stage.ride(undefined);
  seated();
}

/** Moves the area along with the camera. */
function roam() {
  if (state !== "live") return;
  const now = performance.now();
  if (now - declared < 500) return;
  const target = stage.controls.target;
  const next = area.next([target.x, target.y, target.z], stage.camera.position.distanceTo(target), copy.entities.size);
  if (!next) return;
  declared = now;
  link.declare(next).catch(() => {}); // the next connection subscribes anew
}

const held = new Set();
addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
  if (play.on) {
    document.body.classList.remove("touch"); // there is a keyboard
    if (play.key(event.code, true, event.repeat)) event.preventDefault();
    return;
  }
  held.add(event.code);
  if (event.code === "KeyF") see();
  if (event.code === "Escape") pick(undefined);
});
addEventListener("keyup", (event) => {
  held.delete(event.code);
  if (play.on) play.key(event.code, false, false);
});
addEventListener("blur", () => {
  held.clear();
  play.release();
});

/**
 * Walks about by the keys that are held.
 * @param {number} dt
 */
function walk(dt) {
  const ahead = Number(held.has("KeyW") || held.has("ArrowUp")) - Number(held.has("KeyS") || held.has("ArrowDown"));
  const right = Number(held.has("KeyD") || held.has("ArrowRight")) - Number(held.has("KeyA") || held.has("ArrowLeft"));
  const up = Number(held.has("KeyE")) - Number(held.has("KeyQ"));
  if (!ahead && !right && !up) return;
  leave();
  stage.walk(ahead, right, up, dt);
}

/** Looks at everything. */
function see() {
  leave();
  stage.fit();
}

/** @param {string | undefined} id */
function pick(id) {
  stage.select(id);
  details();
  if (!(link instanceof Host)) return;
  const entity = id === undefined ? undefined : copy.entities.get(id);
  const text = entity ? `The person has selected ${entity.id}${entity.name ? ` (${entity.name})` : ""} in the view of the world.` : "";
  link.call("ui/update-model-context", { content: text ? [{ type: "text", text }] : [] }).catch(() => {}); // a host may not know it
}

/** Where the pointer went down. @type {[number, number]} */
let pressed = [0, 0];
const canvas = stage.renderer.domElement;
for (const type of /** @type {const} */ (["pointerdown", "pointermove", "pointerup", "pointercancel"])) {
  canvas.addEventListener(type, (event) => {
    if (play.on && event.pointerType === "touch") play.finger(event);
  });
}
canvas.addEventListener("pointermove", (event) => {
  if (play.on) {
    if (event.buttons && event.pointerType !== "touch") play.turn(event.movementX, event.movementY);
  } else if (event.buttons && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) >= 5) leave();
});
canvas.addEventListener("wheel", (event) => (play.on ? play.zoom(event.deltaY) : leave()), { passive: true });
canvas.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]));
canvas.addEventListener("click", (event) => {
  if (play.on && document.body.classList.contains("touch")) return; // that was a tap
  if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) >= 5) return;
  const id = stage.at(event.clientX, event.clientY);
  if (play.on) play.click(id);
  else pick(id);
});
canvas.addEventListener("dblclick", (event) => {
  const id = stage.at(event.clientX, event.clientY);
  if (id === undefined || play.on) return;
  leave();
  stage.visit(id);
});
byID("larger").addEventListener("click", () => {
  if (link instanceof Host) link.call("ui/request-display-mode", { mode: "fullscreen" }).catch(() => {});
});
byID("fit").addEventListener("click", see);
byID("seats").addEventListener("change", (event) => {
  const list = /** @type {HTMLSelectElement} */ (event.target);
  seat = list.value;
  stage.ride(seat || undefined);
  list.blur(); // keys walk
});

/** Asks under which name somebody plays: that of the last time, unless he changes it. */
function meet() {
  /** @type {HTMLInputElement} */ (byID("who").firstElementChild).value = memory?.getItem(remembered) ?? "player-" + crypto.getRandomValues(new Uint16Array(1))[0];
  byID("who").hidden = false;
}

/**
 * Comes into the world as a player.
 * @param {string} name
 */
function join(name) {
  identity.agentId = name;
  plays = true;
  pick(undefined);
  if (link instanceof Socket) link.again();
}

byID("play").addEventListener("click", () => (params.get("agent") ? join(identity.agentId) : meet()));
byID("who").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name")).trim();
  if (!name) return;
  byID("who").hidden = true;
  memory?.setItem(remembered, name);
  join(name);
});
byID("leave").addEventListener("click", () => {
  plays = false;
  play.end();
  identity.agentId = params.get("agent") ?? "viewer";
  if (link instanceof Socket) link.again();
});
byID("back").addEventListener("click", () => {
  byID("back").blur();
  play.begin().catch(unable);
});

// Browsers are silent until a person presses something.
for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => sound.begin(), { capture: true });
const silent = "limina.silent";
/** @param {boolean} muted */
function mute(muted) {
  sound.mute(muted);
  byID("mute").textContent = muted ? "sound: off" : "sound: on";
}
byID("mute").addEventListener("click", () => {
  byID("mute").blur();
  mute(!sound.muted);
  memory?.setItem(silent, sound.muted ? "yes" : "no");
});
mute((memory?.getItem(silent) ?? (link instanceof Host ? "yes" : "no")) === "yes"); // a chat is quiet until one wants it otherwise

byID("act").addEventListener("click", () => {
  byID("act").blur();
  play.press("KeyE");
});
for (const tap of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#taps [data-key]"))) {
  tap.addEventListener("pointerdown", (event) => event.preventDefault()); // it is no click, and takes no focus
  tap.addEventListener("pointerup", () => play.press(tap.dataset.key ?? ""));
}
if (matchMedia("(pointer: coarse)").matches) document.body.classList.add("touch");

byID("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  identity.agentId = String(form.get("agent") || (plays ? identity.agentId : "viewer"));
  if (plays && form.get("profile")) playing.splice(0, playing.length, String(form.get("profile")));
  else identity.profile = String(form.get("profile") || "system.readonly");
  identity.token = String(form.get("token") || "") || undefined;
  if (link instanceof Socket) link.again();
});

new ResizeObserver(() => stage.resize(byID("stage").clientWidth, byID("stage").clientHeight)).observe(byID("stage"));

let last = performance.now();
/** @param {number} now */
function frame(now) {
  const dt = (now - last) / 1000;
  last = now;
  walk(dt);
  roam();
  play.frame();
  tell(now);
  overlay.values(stage.clock.at(now));
  if (stage.frame(now, dt) || overlay.busy) overlay.frame(now);
  const e = stage.camera.matrixWorld.elements;
  sound.frame([e[12], e[13], e[14]], [-e[8], -e[9], -e[10]]);
  requestAnimationFrame(frame);
}
status("connecting");
requestAnimationFrame(frame);
if (params.has("play") && !plays && link instanceof Socket) meet();
Object.assign(globalThis, { limina: { copy, stage, link, play, sound } }); // for the console
