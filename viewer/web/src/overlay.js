// Words over the picture: names of agents, what they say, panels.

import { fill, isFor, offsetOf } from "./values.js";

/** @import { Copy, Entity, Moment, News, Vec3 } from "./copy.js" */
/** @import { Stage } from "./stage.js" */

const mostLabels = 150;
const mostBars = 60;
const spoken = 8000; // milliseconds for which words are shown

const corners = ["top-left", "top-center", "top-right", "center", "bottom-left", "bottom-center", "bottom-right"];

/**
 * @param {string} tag
 * @param {string} kind
 * @param {string} [text]
 */
function element(tag, kind, text) {
  const e = document.createElement(tag);
  e.className = kind;
  if (text !== undefined) e.textContent = text;
  return e;
}

/**
 * A colour of Limina as CSS writes it.
 * @param {number} c
 */
export const css = (c) => "#" + c.toString(16).padStart(6, "0");

/**
 * How high the top of an entity is over its position.
 * @param {Entity} entity
 */
function top(entity) {
  return entity.shape ? (entity.shape.size[1] * Math.abs(entity.scale[1])) / 2 : 0;
}

/**
 * How much health is left of an entity, of 1; undefined if it has none, or no end of it.
 * @param {Entity} entity
 */
export function health(entity) {
  const stats = /** @type {{name: string, value: number, min: number, max?: number}[] | undefined} */ (entity.stats);
  const hp = stats?.find((s) => s.name === "hp") ?? stats?.find((s) => s.name === "health");
  if (hp?.max === undefined || hp.max <= hp.min) return undefined;
  return Math.min(Math.max((hp.value - hp.min) / (hp.max - hp.min), 0), 1);
}

/** Overlay writes over a stage. */
export class Overlay {
  /**
   * @param {HTMLElement} parent
   * @param {Stage} stage
   * @param {Copy} copy
   * @param {() => string} agent who looks
   */
  constructor(parent, stage, copy, agent) {
    this.agent = agent;
    this.stage = stage;
    this.copy = copy;
    this.floating = element("div", "floating");
    parent.append(this.floating);
    /** @type {Record<string, HTMLElement>} */
    this.corners = {};
    for (const corner of corners) {
      this.corners[corner] = element("div", "corner " + corner);
      parent.append(this.corners[corner]);
    }
    /** Words that hang in the world, by what they are. @type {Map<string, {node: HTMLElement, at: () => Vec3 | undefined, until: number}>} */
    this.labels = new Map();
    /** Entities that are the body or a character of an agent. @type {Set<string>} */
    this.agents = new Set();
    /** Entities that have health. @type {Set<string>} */
    this.living = new Set();
    /** Panels on the screen, by handle. @type {Map<string, HTMLElement>} */
    this.fixed = new Map();
    /** Texts that show values of the game, and at which entity they are. @type {Map<HTMLElement, {text: string, of?: string}>} */
    this.filled = new Map();
  }

  /**
   * Takes over what a message was about.
   * @param {News} news
   */
  told(news) {
    if (news.whole) {
      this.agents.clear();
      this.living.clear();
    }
    for (const id of news.removed) {
      this.agents.delete(id);
      this.living.delete(id);
    }
    for (const entity of news.changes) {
      if (entity.agent === undefined && entity["player.owner"] === undefined) this.agents.delete(entity.id);
      else this.agents.add(entity.id);
      if (health(entity) === undefined) this.living.delete(entity.id);
      else this.living.add(entity.id);
    }
    for (const moment of news.events) if (moment.kind === "social.said") this.said(moment);
  }

  /** Takes over agents, health and panels from the copy. */
  refresh() {
    const wanted = new Set();
    for (const id of this.agents) {
      const entity = this.copy.entities.get(id);
      if (!entity || wanted.size >= mostLabels) continue;
      const key = "agent " + id;
      wanted.add(key);
      this.#label(key, "agent", entity.name ?? entity.agent ?? String(entity["player.owner"]), () => this.#over(id, 0.25));
    }
    for (const id of [...this.living].slice(0, mostBars)) {
      const entity = this.copy.entities.get(id);
      const left = entity && health(entity);
      if (left === undefined) continue;
      wanted.add("health " + id);
      this.#bar(id, left);
    }
    const screen = new Set();
    for (const [handle, panel] of this.copy.rows("ui.panels")) {
      if (panel.anchor?.kind === "screen") {
        if (!isFor(panel, this.copy, this.agent())) continue;
        screen.add(handle);
        this.#panel(handle, panel);
      } else if (wanted.size < mostLabels) {
        wanted.add(handle);
        this.labels.get(handle)?.node.remove();
        this.labels.delete(handle);
        this.#place(handle, this.#body(panel), () => this.#anchor(panel.anchor), Infinity);
      }
    }
    for (const [key, label] of this.labels) {
      if (label.until === Infinity && !wanted.has(key)) this.#drop(key);
    }
    for (const [handle, node] of this.fixed) {
      if (screen.has(handle)) continue;
      node.remove();
      this.fixed.delete(handle);
    }
  }

  /**
   * Shows what somebody has said, over who says it.
   * @param {Moment} moment
   */
  said(moment) {
    const { text, speaker, position } = moment.payload ?? {};
    const key = "said " + (moment.entity ?? speaker);
    this.#drop(key);
    const node = element("div", "bubble", text);
    this.#place(key, node, () => (moment.entity && this.#over(moment.entity, 0.9)) || moment.at || position, performance.now() + spoken);
  }

  /**
   * @param {string} key
   * @param {string} kind
   * @param {string} text
   * @param {() => Vec3 | undefined} at
   */
  #label(key, kind, text, at) {
    const there = this.labels.get(key);
    if (there) there.node.textContent = text;
    else this.#place(key, element("div", kind, text), at, Infinity);
  }

  /**
   * @param {string} id
   * @param {number} left of 1
   */
  #bar(id, left) {
    const key = "health " + id;
    let node = this.labels.get(key)?.node;
    if (!node) {
      node = element("div", "health");
      node.append(element("i", ""));
      this.#place(key, node, () => this.#over(id, 0.12), Infinity);
    }
    const full = /** @type {HTMLElement} */ (node.firstElementChild);
    full.style.width = Math.round(left * 100) + "%";
    full.className = left > 0.3 ? "" : "low";
  }

  /**
   * @param {string} key
   * @param {HTMLElement} node
   * @param {() => Vec3 | undefined} at
   * @param {number} until
   */
  #place(key, node, at, until) {
    this.labels.set(key, { node, at, until });
    this.floating.append(node);
    this.stage.dirty = true;
  }

  /** @param {string} key */
  #drop(key) {
    this.labels.get(key)?.node.remove();
    this.labels.delete(key);
  }

  /**
   * @param {string} id
   * @param {number} more metres over the top
   * @returns {Vec3 | undefined}
   */
  #over(id, more) {
    const entity = this.copy.entities.get(id);
    const at = this.stage.pose(id)?.pos;
    return entity && at && [at[0], at[1] + top(entity) + more, at[2]];
  }

  /**
   * @param {{entity?: string, point?: Vec3, offset?: Vec3, axes?: string}} anchor
   * @returns {Vec3 | undefined}
   */
  #anchor(anchor) {
    const pose = anchor.entity ? this.stage.pose(anchor.entity) : undefined;
    const at = anchor.entity ? pose?.pos : (anchor.point ?? [0, 0, 0]);
    const by = offsetOf(anchor, pose?.rot);
    return at && [at[0] + by[0], at[1] + by[1], at[2] + by[2]];
  }

  /** @param {any} panel */
  #body(panel) {
    const node = element("div", "panel " + panel.kind);
    const write = (/** @type {string} */ tag, /** @type {string} */ text) => {
      const line = element(tag, "", fill(text, this.copy, panel.anchor?.entity, this.copy.step));
      if (text.includes("{")) this.filled.set(line, { text, of: panel.anchor?.entity });
      node.append(line);
    };
    if (panel.title) write("b", panel.title);
    if (panel.text) write("div", panel.text);
    for (const line of panel.lines ?? []) write("div", line);
    return node;
  }

  /**
   * Writes anew what shows values of the game that have changed. It is to be called before each frame.
   * @param {number} step
   */
  values(step) {
    for (const [line, { text, of }] of this.filled) {
      if (!line.isConnected) {
        this.filled.delete(line);
        continue;
      }
      const now = fill(text, this.copy, of, step);
      if (line.textContent !== now) line.textContent = now;
    }
  }

  /**
   * @param {string} handle
   * @param {any} panel
   */
  #panel(handle, panel) {
    const node = this.#body(panel);
    const old = this.fixed.get(handle);
    this.fixed.set(handle, node);
    if (old) old.replaceWith(node);
    else (this.corners[panel.anchor.corner] ?? this.corners["top-left"]).append(node);
  }

  /**
   * Moves the words to where they belong. It is to be called after each frame.
   * @param {number} now
   */
  frame(now) {
    for (const [key, label] of this.labels) {
      if (now > label.until) {
        this.#drop(key);
        continue;
      }
      const at = label.at();
      const spot = at && this.stage.project(at);
      if (!spot || spot.distance > 200) {
        label.node.style.display = "none";
        continue;
      }
      label.node.style.display = "";
      label.node.style.transform = `translate(-50%, -100%) translate(${spot.x.toFixed(1)}px, ${spot.y.toFixed(1)}px)`;
      label.node.style.zIndex = String(Math.round(10000 - spot.distance * 10));
    }
  }

  /** Whether there are words that go by themselves, so that frames have to be drawn. */
  get busy() {
    for (const label of this.labels.values()) if (label.until !== Infinity) return true;
    return false;
  }
}
