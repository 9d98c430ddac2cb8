// The picture: what there is of a copy, drawn by three.js.

import {
  BoxGeometry, BufferGeometry, Color, DoubleSide, EdgesGeometry, FrontSide, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, PlaneGeometry, Quaternion, Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Around, within } from "./around.js";
import { Backdrop } from "./backdrop.js";
import { Clock } from "./clock.js";
import { Gait, isFigure, parts, tint } from "./figure.js";
import { Light } from "./light.js";
import { Motion } from "./motion.js";
import { Particles } from "./particles.js";
import { Pool } from "./pool.js";
import { Post } from "./post.js";
import { aim, Rider, tremor } from "./rig.js";
import { Ropes } from "./ropes.js";
import { isOwn, make, pieceOf, read, shapeOf } from "./shapes.js";
import { Surfaces } from "./surfaces.js";
import { banksOf, courseOf, coverOf, ribbon } from "./water.js";
import { Waves } from "./waves.js";
import { airOf, Weather, whiten } from "./weather.js";

/** @import { Intersection, Material } from "three" */
/** @import { Copy, Entity, News, Quat } from "./copy.js" */
/** @import { Pose } from "./motion.js" */
/** @import { Slot } from "./pool.js" */
/** @import { Drawn as Predicted } from "./predict.js" */
/** @import { Rig, Shot } from "./rig.js" */
/** @import { Set as PaperSet } from "./surfaces.js" */

// How much of what is behind it something clear keeps from sight, as in the pictures of scene.render.
const clearCover = 0.35;

// How long what is new glows, in milliseconds.
const glow = 1200;

// The field of view of whoever looks by himself, in degrees.
const ownFOV = 50;

// What there may be for a camera to be kept from behind it, ten times a second.
const mostWalls = 5000;

// How the name of a material begins that is made of images.
const papered = '{"set":';

const position = new Vector3();
const rotation = new Quaternion();
const other = new Quaternion();
const scale = new Vector3();
const matrix = new Matrix4();
const color = new Color();
const whole = new Matrix4();

/**
 * What an entity is drawn as, as it was told: one instance, or those of the parts of a figure; whether the size of its shape counts; how it walks, if it is a
 * figure.
 * @typedef {{key: string, slots: Slot[], entity: Entity, sized: boolean, gait?: Gait}} Drawn
 */

/**
 * What one plays, where the page has it: pose is that, was where the server has it, and height what it is tall.
 * @typedef {{id: string, pose: Pose, was: Pose, height: number, low: boolean, aloft: boolean}} Self
 */

/** @param {Entity} entity @returns {[number, number, number]} how large it is */
const sizeOf = ({ shape, scale }) => /** @type {[number, number, number]} */ (shape?.size.map((x, i) => Math.abs(x * scale[i])));

/** @param {Entity} entity whether it is a character that crouches */
const isLow = (entity) => /** @type {any} */ (entity.character)?.crouching === true;

/** @param {Entity} entity whether it is a character that jumps or falls */
const isAloft = (entity) => entity.character !== undefined && /** @type {any} */ (entity.character).grounded !== true;

/** @param {Entity} entity what a character has of its height when it crouches */
function lowered({ character }) {
  const { halfHeight = 0.5, radius = 0.35 } = /** @type {{halfHeight?: number, radius?: number}} */ (character ?? {});
  return (halfHeight + 2 * radius) / (2 * halfHeight + 2 * radius);
}

/** @param {Pose} a @param {Pose} b */
const samePose = (a, b) => a.pos.every((x, i) => x === b.pos[i]) && a.rot.every((x, i) => x === b.rot[i]);

/** Stage draws a copy on a canvas. */
export class Stage {
  /**
   * @param {HTMLElement} parent of the canvas
   * @param {Copy} copy
   * @param {(entity: string) => Promise<{positions: string, normals?: string, triangles: string, coords?: string, colors?: string}>} geometry asks the
   *   server what an entity looks like
   * @param {(hash: string) => Promise<{mimeType: string, data: string}>} image asks the server for an image of a material
   */
  constructor(parent, copy, geometry, image) {
    this.copy = copy;
    this.geometry = geometry;
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    parent.append(this.renderer.domElement);

    this.scene = new Scene();
    this.things = new Group();
    this.scene.add(this.things);
    this.camera = new PerspectiveCamera(ownFOV, 1, 0.1, 4000);
    this.camera.position.set(9, 6, 12);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.maxDistance = 2000;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.controls.addEventListener("start", () => (this.follows = false));

    /** Whether the camera moves so that everything shows: until somebody moves it. */
    this.follows = true;
    /** @type {{target: Vector3, distance: number} | undefined} */
    this.goal = undefined;
    /** Whether there is something since the camera was told where to go, and when that was. */
    this.grown = false;
    this.aimed = 0;
    this.dirty = true;

    /** @type {Map<string, Pool>} */
    this.pools = new Map();
    /** @type {Map<string, Drawn>} */
    this.drawn = new Map();
    /** @type {Map<string, BufferGeometry>} */
    this.geometries = new Map();
    /** Entities that wait for a geometry, by its name. @type {Map<string, Set<string>>} */
    this.awaited = new Map();
    /** @type {Map<string, Material>} */
    this.materials = new Map();
    /** @type {Map<string, Mesh>} */
    this.waters = new Map();
    /** Entities that shine. @type {Set<string>} */
    this.lamps = new Set();
    /** Until when an entity that is new is shown so, by its id. @type {Map<string, number>} */
    this.fresh = new Map();
    /** @type {string | undefined} */
    this.selected = undefined;
    this.grounds = 0;
    /** Figures that walk, or come to a stand. @type {Set<string>} */
    this.walkers = new Set();

    this.clock = new Clock();
    this.motion = new Motion();
    /** What one plays. @type {Self | undefined} */
    this.self = undefined;
    /** What hangs on it. @type {Set<string>} */
    this.worn = new Set();
    this.around = new Around(copy, (name) => (isOwn(name) ? this.#own(name) : this.geometries.get(name)), (id) => this.pose(id));
    this.particles = new Particles(this.scene, copy, (id) => this.pose(id));
    this.ropes = new Ropes(this.scene, copy, (id) => this.pose(id));
    /** The agent through whose camera the page looks; undefined for its own. @type {string | undefined} */
    this.through = undefined;
    /** The page's own camera on what its player plays, in place of that. @type {Rig | undefined} */
    this.led = undefined;
    this.rider = new Rider();
    /** What that camera is in, and so is not drawn. @type {string | undefined} */
    this.inside = undefined;
    /** How near that camera has to be to what it looks at, of 1, and when that was looked at. */
    this.near = 1;
    this.probed = 0;

    this.surfaces = new Surfaces(this.renderer, image, () => (this.dirty = true));
    this.light = new Light(this.scene);
    this.backdrop = new Backdrop(this.scene, this.renderer);
    this.weather = new Weather(this.scene);
    this.waves = new Waves();
    this.#shine();
    this.post = new Post(this.renderer);
    // The graphics device forgets all when its driver starts anew, or the computer has slept. The renderer gives it again what it has itself.
    this.renderer.domElement.addEventListener("webglcontextrestored", () => {
      this.backdrop.reflect();
      this.dirty = true;
    });
    this.outline = new LineSegments(
      new EdgesGeometry(new BoxGeometry(1, 1, 1)),
      new LineBasicMaterial({ color: 0xff8c1a, depthTest: false, transparent: true }),
    );
    this.outline.renderOrder = 10;
    this.outline.visible = false;
    this.outline.matrixAutoUpdate = false;
    this.scene.add(this.outline);
    this.raycaster = new Raycaster();
  }

  /**
   * Takes over what a message was about.
   * @param {News} news
   */
  told(news) {
    if (news.whole) for (const id of [...this.drawn.keys(), ...this.waters.keys(), ...this.lamps, ...this.ropes.meshes.keys()]) this.#remove(id);
    for (const id of news.removed) this.#remove(id);
    const stripped = (news.whole || news.world.includes("materials")) && this.#paper(news);
    const now = performance.now();
    this.around.told(news);
    if (this.self && (news.whole || news.changes.some(({ id, parent }) => parent !== undefined || this.worn.has(id)))) this.#wear();
    this.clock.told(news.step, this.copy.world.get("timeScale") ?? 1, now);
    for (const entity of news.changes) {
      const before = this.drawn.get(entity.id)?.entity;
      if (before && !news.moved) this.motion.told(entity.id, before, entity, now);
      this.#show(entity);
      if (!before && !news.moved && news.changes.length <= 500) this.fresh.set(entity.id, now + glow);
    }
    for (const name of news.world) {
      if (name === "time" || name === "lighting") this.#shine();
      if (name === "render.post") {
        this.post.set(this.copy.world.get("render.post"));
        this.backdrop.cover(!this.post.on);
      }
      if (name === "weather" || name === "world.sky") {
        this.weather.set(this.#weather());
        this.#shine();
      }
    }
    if (stripped) this.#strip();
    this.dirty = true;
    if (news.changes.length > 0 || news.removed.length > 0) this.grown = true;
  }

  /**
   * Takes over which materials are made of images, and shows anew what has one that is other than before. It returns whether there are such materials.
   * @param {News} news
   */
  #paper(news) {
    const names = new Set(this.surfaces.told(this.copy.rows("materials")));
    if (names.size === 0) return false;
    const changes = new Set(news.changes.map(({ id }) => id));
    for (const { entity } of [...this.drawn.values()]) {
      if (names.has(entity.material?.name ?? "") && !changes.has(entity.id)) this.#show(entity);
    }
    return true;
  }

  /** Lets go of materials made of images that nothing has any more. */
  #strip() {
    const used = new Set([...this.pools.values()].map(({ mesh }) => mesh.material));
    for (const [surface, material] of this.materials) {
      if (!surface.startsWith(papered) || used.has(material)) continue;
      material.dispose();
      this.materials.delete(surface);
    }
  }

  /** @param {string} id */
  #remove(id) {
    const water = this.waters.get(id);
    if (water) {
      this.scene.remove(water);
      water.geometry.dispose();
      this.waters.delete(id);
    }
    this.lamps.delete(id);
    this.ropes.remove(id);
    this.fresh.delete(id);
    this.motion.going.delete(id);
    this.walkers.delete(id);
    const drawn = this.drawn.get(id);
    if (drawn) {
      this.#erase(drawn);
      this.drawn.delete(id);
    }
    if (this.selected === id) this.select(undefined);
  }

  /** @param {Drawn} drawn */
  #erase(drawn) {
    for (const slot of drawn.slots) {
      slot.pool.remove(slot);
      if (!slot.pool.empty) continue;
      slot.pool.dispose();
      this.pools.delete(slot.pool.key);
    }
    this.#forget(drawn.key.slice(0, drawn.key.indexOf("|")));
    if (drawn.key.startsWith("ground")) this.grounds--;
  }

  /**
   * Lets go of a geometry of the server's that nothing has any more.
   * @param {string} name
   */
  #forget(name) {
    const geometry = this.geometries.get(name);
    if (!geometry || isOwn(name)) return;
    for (const pool of this.pools.values()) if (pool.mesh.geometry === geometry) return;
    geometry.dispose();
    this.geometries.delete(name);
  }

  /** @param {Entity} entity */
  #show(entity) {
    if (entity.light && entity.light.kind !== "directional") this.lamps.add(entity.id);
    else this.lamps.delete(entity.id);
    this.ropes.told(entity);
    if (entity.water) this.#flood(entity);
    if (!entity.shape) {
      const drawn = this.drawn.get(entity.id);
      if (drawn) this.#erase(drawn);
      this.drawn.delete(entity.id);
      return;
    }
    const shape = shapeOf(entity);
    const person = isFigure(entity);
    let geometry = this.geometries.get(shape.name);
    let name = person ? "figure" : shape.name;
    let sized = shape.sized;
    if (!geometry && shape.ask) {
      this.#ask(shape.name, entity.id);
      if (entity.ground) return;
      name = "box"; // until it is known
      sized = true;
      geometry = this.geometries.get(name);
    }
    if (!person) geometry = this.#own(name);
    const m = entity.material ?? {};
    const glows = this.lamps.has(entity.id);
    const set = glows ? undefined : this.surfaces.sets.get(m.name ?? "");
    const look = {
      set, signs: set && entity.scale.map((x) => (x < 0 ? -1 : 1)),
      mapped: set?.mapped === true && geometry?.hasAttribute("uv") === true && shape.ask && !sized,
      roughness: Math.round((m.roughness ?? set?.baseRoughness ?? 0.8) * 20) / 20,
      metalness: Math.round((m.metalness ?? set?.metalness ?? 0) * 20) / 20,
      emissive: m.emissive ?? 0,
      clear: m.name === "glass",
      glows,
      colored: entity.ground !== undefined && m.color === undefined,
      mirrored: !person && entity.scale[0] * entity.scale[1] * entity.scale[2] < 0,
      both: shape.ask,
    };
    const shadows = { cast: (m.castShadow ?? true) && !look.clear && !look.glows, receive: m.receiveShadow ?? true };
    const surface = JSON.stringify(look);
    const rest = person ? parts({ stride: 0, speed: 0, low: isLow(entity), aloft: false }, sizeOf(entity)) : [];
    const names = person ? rest.map(pieceOf) : [name];
    const finish = "|" + surface + (shadows.cast ? "c" : "") + (shadows.receive ? "r" : "");
    const key = person ? "figure|" + names.join() + finish : name + finish;
    let drawn = this.drawn.get(entity.id);
    if (drawn?.key !== key) {
      const slots = names.map((piece) => {
        let pool = this.pools.get(piece + finish);
        if (!pool) {
          pool = new Pool(this.things, piece + finish, this.#own(piece), this.#material(surface, look), shadows);
          this.pools.set(piece + finish, pool);
        }
        return pool.add(entity.id);
      });
      const was = drawn;
      drawn = { key, slots, entity, sized, gait: person ? (was?.gait ?? new Gait(entity.pos)) : undefined };
      this.drawn.set(entity.id, drawn);
      if (was) this.#erase(was); // only now, since what nothing has any more is let go of
      if (entity.ground) this.grounds++;
    }
    drawn.entity = entity;
    drawn.sized = sized;
    if (drawn.gait) this.walkers.add(entity.id); // also who is there at once has walked there, if a picture takes long
    this.#place(drawn);
    const own = look.colored ? 0xffffff : (m.color ?? entity.shape.color);
    const dressed = person && !m.name;
    for (const [i, slot] of drawn.slots.entries()) {
      slot.color.setHex(dressed ? tint(rest[i].tone, entity.id, own) : own);
      slot.pool.paint(slot.index, slot.color);
    }
    if (this.selected === entity.id) this.select(entity.id);
  }

  /**
   * Draws an entity where it is now.
   * @param {Drawn} drawn
   */
  #place(drawn) {
    this.#matrix(drawn.entity, drawn.sized);
    const hidden = this.inside !== undefined && within(this.copy, drawn.entity, this.inside);
    if (hidden) matrix.makeScale(0, 0, 0);
    const { gait, entity } = drawn;
    if (!gait || hidden) {
      for (const slot of drawn.slots) slot.pool.place(slot.index, matrix);
      return;
    }
    whole.compose(position, rotation, scale.set(1, 1, 1));
    const self = this.self?.id === entity.id ? this.self : undefined;
    const pose = { stride: gait.stride, speed: gait.speed, low: self?.low ?? isLow(entity), aloft: self?.aloft ?? isAloft(entity) };
    const size = sizeOf(entity);
    if (self) size[1] = self.height;
    for (const [i, part] of parts(pose, size).entries()) {
      matrix.compose(position.fromArray(part.pos), rotation.fromArray(part.rot), scale.fromArray(part.size)).premultiply(whole);
      drawn.slots[i].pool.place(drawn.slots[i].index, matrix);
    }
  }

  /**
   * The geometry of a name: one that is known, or else one that make makes.
   * @param {string} name
   */
  #own(name) {
    let geometry = this.geometries.get(name);
    if (!geometry) {
      geometry = make(name);
      this.geometries.set(name, geometry);
    }
    return geometry;
  }

  /**
   * Where an entity is drawn now.
   * @param {string} id
   * @returns {Pose | undefined}
   */
  pose(id) {
    const entity = this.copy.entities.get(id);
    return entity && this.#at(entity);
  }

  /**
   * Where an entity is between two messages of the server's.
   * @param {string} id
   * @returns {Pose | undefined}
   */
  served(id) {
    return this.motion.at(id, performance.now()) ?? this.copy.entities.get(id);
  }

  /**
   * Where an entity is drawn: as it is served, but for what one plays, and what hangs on that.
   * @param {Entity} entity
   * @returns {Pose}
   */
  #at(entity) {
    const { self } = this;
    if (self?.id === entity.id) return self.pose;
    const served = this.motion.at(entity.id, performance.now()) ?? entity;
    if (!self || !this.worn.has(entity.id)) return served;
    const by = rotation.fromArray(self.pose.rot).multiply(other.fromArray(self.was.rot).invert());
    const off = position.fromArray(served.pos).sub(new Vector3(...self.was.pos)).applyQuaternion(by).add(new Vector3(...self.pose.pos));
    return { pos: [off.x, off.y, off.z], rot: /** @type {Quat} */ (by.multiply(other.fromArray(served.rot)).toArray()) };
  }

  /**
   * Draws what one plays where it is predicted to be, until another is; undefined: where the server has it.
   * @param {string} id
   * @param {Predicted | undefined} at
   */
  play(id, at) {
    const entity = this.copy.entities.get(id);
    const before = this.self;
    const was = this.served(id);
    if (!at || !entity?.shape || !was) {
      this.self = undefined;
      if (before) this.#redraw(before.id);
      this.worn.clear();
      return;
    }
    const size = sizeOf(entity);
    const height = at.low === isLow(entity) ? size[1] : size[1] * (at.low ? lowered(entity) : 1 / lowered(entity)); // the server has the other yet
    /** @type {Pose} */
    const pose = {
      pos: [at.feet[0], at.feet[1] + height / 2, at.feet[2]],
      rot: at.yaw === undefined ? was.rot : [0, Math.sin(at.yaw / 2), 0, Math.cos(at.yaw / 2)],
    };
    const { low, aloft } = at;
    const moved = !before || before.id !== id || before.low !== low || before.aloft !== aloft || !samePose(before.pose, pose) || !samePose(before.was, was);
    this.self = { id, pose, was, height, low, aloft };
    if (before?.id !== id) this.#wear();
    if (moved) this.#redraw(id);
  }

  /**
   * Draws what one plays, and what hangs on it.
   * @param {string} id
   */
  #redraw(id) {
    this.#move(id);
    for (const part of this.worn) this.#move(part);
    this.dirty = true;
  }

  /** Finds out what hangs on what one plays. */
  #wear() {
    this.worn.clear();
    if (!this.self) return;
    for (const entity of this.copy.entities.values()) if (entity.parent !== undefined && entity.id !== this.self.id && within(this.copy, entity, this.self.id)) this.worn.add(entity.id);
  }

  /**
   * Sets matrix to where an entity is, and how large.
   * @param {Entity} entity
   * @param {boolean} sized
   */
  #matrix(entity, sized) {
    const { pos, rot } = this.#at(entity);
    position.fromArray(pos);
    rotation.fromArray(rot);
    scale.fromArray(entity.scale);
    if (sized && entity.shape) scale.multiply(new Vector3(...entity.shape.size));
    if (entity.ground) scale.set(Math.abs(scale.x), Math.abs(scale.y), Math.abs(scale.z));
    matrix.compose(position, rotation, scale);
  }

  /**
   * @param {string} surface
   * @param {{set?: PaperSet, signs?: number[], roughness: number, metalness: number, emissive: number, clear: boolean, glows: boolean, colored: boolean, mirrored: boolean, both: boolean}} look
   * @returns {Material}
   */
  #material(surface, look) {
    let material = this.materials.get(surface);
    if (!material && look.set) {
      material = this.surfaces.make(look.set, { ...look, signs: look.signs ?? [1, 1, 1] });
      this.materials.set(surface, material);
    }
    if (!material) {
      const side = look.both || look.mirrored ? DoubleSide : FrontSide;
      material = look.glows
        ? new MeshBasicMaterial({ side })
        : new MeshStandardMaterial({
            roughness: look.roughness, metalness: look.metalness, emissive: look.emissive, vertexColors: look.colored, side,
            transparent: look.clear, opacity: look.clear ? clearCover : 1, depthWrite: !look.clear,
          });
      if (look.colored) whiten(material);
      this.materials.set(surface, material);
    }
    return material;
  }

  /**
   * Asks the server for a geometry, once, and shows those anew that wait for it.
   * @param {string} name
   * @param {string} id
   */
  #ask(name, id) {
    const waiting = this.awaited.get(name);
    if (waiting) {
      waiting.add(id);
      return;
    }
    this.awaited.set(name, new Set([id]));
    this.geometry(id).then(
      (told) => {
        this.geometries.set(name, read(told));
        const ids = this.awaited.get(name) ?? [];
        this.awaited.delete(name);
        for (const waiting of ids) {
          const entity = this.copy.entities.get(waiting);
          if (entity) this.#show(entity);
        }
        this.dirty = true;
      },
      () => this.awaited.delete(name), // the entity has gone, or the connection: see complete
    );
  }

  /** Asks anew for what could not be told, as the connection was lost. */
  complete() {
    this.surfaces.complete();
    for (const entity of this.copy.entities.values()) {
      if (!entity.shape) continue;
      const shape = shapeOf(entity);
      if (shape.ask && !this.geometries.has(shape.name)) this.#show(entity);
    }
  }

  /** @param {Entity} entity */
  #flood(entity) {
    const water = /** @type {NonNullable<Entity["water"]>} */ (entity.water);
    let mesh = this.waters.get(entity.id);
    if (!mesh) {
      mesh = new Mesh(
        new PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
        new MeshStandardMaterial({ transparent: true, roughness: 0.15, metalness: 0.1, side: DoubleSide }),
      );
      mesh.receiveShadow = true;
      this.waves.dress(mesh);
      this.waters.set(entity.id, mesh);
      this.scene.add(mesh);
    }
    const material = /** @type {MeshStandardMaterial} */ (mesh.material);
    const color = entity.material?.color ?? water.color;
    material.color.setHex(color);
    material.emissive.setHex(entity.material?.emissive ?? 0);
    this.waves.tell(material, material.emissive.getHex() !== 0, water.line?.length ? (water.flow ?? 0) : undefined);
    material.opacity = coverOf(entity.material?.emissive ?? 0);
    const turned = new Quaternion().fromArray(entity.rot);
    if (water.line?.length) {
      const { line, half } = courseOf(entity, turned);
      const banks = banksOf(line, half);
      mesh.geometry.dispose();
      mesh.geometry = ribbon(banks, color);
      mesh.position.fromArray(banks[0][0]);
      material.color.setHex(0xffffff); // its points have theirs
      material.vertexColors = true;
      // Where it ends in the sea, as high as that, it is drawn first and alone.
      mesh.renderOrder = -1;
      material.polygonOffset = true;
      material.polygonOffsetFactor = material.polygonOffsetUnits = -1;
      return;
    }
    mesh.position.fromArray(entity.pos);
    const way = new Vector3(1, 0, 0).applyQuaternion(turned); // level, however it is tilted
    mesh.rotation.set(0, Math.hypot(way.x, way.z) > 1e-6 ? Math.atan2(-way.z, way.x) : 0, 0);
    mesh.scale.set(water.size * Math.abs(entity.scale[0]), 1, water.size * Math.abs(entity.scale[2]));
  }

  /** The weather, which there is none of in space. */
  #weather() {
    return this.copy.world.get("world.sky")?.kind === "space" ? undefined : this.copy.world.get("weather");
  }

  /** Sets sun and sky by the time of day, the weather and the lighting of the world. */
  #shine() {
    const air = airOf(this.#weather());
    this.light.set(this.copy.world.get("lighting"), this.copy.world.get("time")?.hour ?? 12, air);
    this.backdrop.set(this.light.night, air, this.copy.world.get("world.sky") ?? { kind: "air" });
  }

  /**
   * The smallest upright box around what is drawn, without the ground unless there is nothing else.
   * @returns {{lo: Vector3, hi: Vector3} | undefined}
   */
  bounds() {
    const lo = new Vector3(Infinity, Infinity, Infinity);
    const hi = lo.clone().negate();
    const half = new Vector3();
    for (const without of [true, false]) {
      for (const entity of this.copy.entities.values()) {
        if (!entity.shape || (entity.ground && without)) continue;
        this.#matrix(entity, true);
        const e = matrix.elements;
        for (let i = 0; i < 3; i++) half.setComponent(i, (Math.abs(e[i]) + Math.abs(e[i + 4]) + Math.abs(e[i + 8])) / 2);
        lo.min(position.clone().sub(half));
        hi.max(position.clone().add(half));
      }
      if (lo.x <= hi.x) return { lo, hi };
    }
    return undefined;
  }

  /** Moves the camera, gently, so that everything shows; from then on also what is added, until somebody moves it. */
  fit() {
    this.ride(undefined);
    this.follows = true;
    this.grown = false;
    const box = this.bounds();
    if (box) this.#aim(box.lo, box.hi);
  }

  /**
   * @param {Vector3} lo
   * @param {Vector3} hi
   */
  #aim(lo, hi) {
    const radius = Math.max(hi.clone().sub(lo).length() / 2, 1.5);
    const angle = (Math.min(this.camera.fov, this.camera.fov * this.camera.aspect) * Math.PI) / 360;
    this.goal = { target: lo.clone().add(hi).multiplyScalar(0.5), distance: (radius / Math.sin(angle)) * 1.05 };
    this.dirty = true;
  }

  /**
   * Moves the camera, gently, to an entity.
   * @param {string} id
   */
  visit(id) {
    const entity = this.copy.entities.get(id);
    if (!entity) return;
    this.ride(undefined);
    this.follows = false;
    this.#matrix(entity, true);
    const r = entity.shape ? Math.max(scale.length() / 2, 0.5) : 1;
    this.#aim(position.clone().subScalar(r), position.clone().addScalar(r));
  }

  /**
   * Outlines an entity, or none.
   * @param {string | undefined} id
   */
  select(id) {
    this.selected = id;
    const entity = id === undefined ? undefined : this.copy.entities.get(id);
    this.outline.visible = entity?.shape !== undefined;
    if (entity?.shape) {
      this.#matrix(entity, true);
      this.outline.matrix.copy(matrix);
      this.outline.matrixWorldNeedsUpdate = true;
    }
    this.dirty = true;
  }

  /**
   * The entity that is seen at a place of the page.
   * @param {number} x
   * @param {number} y
   * @returns {string | undefined}
   */
  at(x, y) {
    const box = this.renderer.domElement.getBoundingClientRect();
    const spot = new Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    this.raycaster.setFromCamera(spot, this.camera);
    const [hit] = this.raycaster.intersectObjects(this.things.children, false);
    if (hit?.instanceId === undefined) return undefined;
    return /** @type {Pool} */ (hit.object.userData.pool).ids[hit.instanceId];
  }

  /**
   * Where a place of the world is on the page, in pixels; undefined if it is behind the camera.
   * @param {[number, number, number]} at
   * @returns {{x: number, y: number, distance: number} | undefined}
   */
  project(at) {
    const v = new Vector3(...at);
    const distance = v.distanceTo(this.camera.position);
    v.project(this.camera);
    if (v.z > 1 || v.z < -1) return undefined;
    const { clientWidth, clientHeight } = this.renderer.domElement;
    return { x: ((v.x + 1) / 2) * clientWidth, y: ((1 - v.y) / 2) * clientHeight, distance };
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
    this.dirty = true;
    if (this.follows) this.fit();
  }

  /**
   * Moves the camera and what it looks at, in its own directions: each of -1, 0 and 1.
   * @param {number} ahead
   * @param {number} right
   * @param {number} up
   * @param {number} dt in seconds
   */
  walk(ahead, right, up, dt) {
    this.ride(undefined);
    this.follows = false;
    this.goal = undefined;
    const target = this.controls.target;
    const forward = target.clone().sub(this.camera.position).setY(0).normalize();
    const by = new Vector3(-forward.z, 0, forward.x).multiplyScalar(right).addScaledVector(forward, ahead).add(new Vector3(0, up, 0));
    by.multiplyScalar(Math.max(this.camera.position.distanceTo(target), 4) * Math.min(dt, 0.1));
    target.add(by);
    this.camera.position.add(by);
    this.dirty = true;
  }

  /**
   * Looks through the camera of an agent, or by itself again, from where it is then.
   * @param {string | undefined} agent
   */
  ride(agent) {
    if (this.through === agent && !this.led) return;
    this.#mount(agent, undefined);
    if (agent !== undefined) return;
    this.camera.fov = ownFOV;
    const { target } = this.controls;
    const away = target.clone().sub(this.camera.position);
    target.copy(this.camera.position).add(away.setLength(Math.max(away.length(), 3)));
    this.dirty = true;
  }

  /**
   * Looks by a camera of the page's own on an entity, until ride is called.
   * @param {Rig} rig
   */
  lead(rig) {
    if (this.led?.target !== rig.target) this.#mount(undefined, rig);
    this.led = rig;
  }

  /**
   * Gives the camera to an agent's, or one of the page's own; to neither: to who moves it by hand.
   * @param {string | undefined} agent
   * @param {Rig | undefined} rig
   */
  #mount(agent, rig) {
    this.through = agent;
    this.led = rig;
    this.controls.enabled = agent === undefined && !rig;
    this.follows = false;
    this.goal = undefined;
    this.near = 1;
    this.#enter(undefined);
  }

  /**
   * Leaves out what the camera is in.
   * @param {string | undefined} id
   */
  #enter(id) {
    if (this.inside === id) return;
    this.inside = id;
    for (const drawn of this.drawn.values()) this.#place(drawn);
    this.dirty = true;
  }

  /**
   * Moves the camera along with the one that it looks through.
   * @param {number} now
   * @param {number} dt
   */
  #ride(now, dt) {
    const rig = this.led ?? /** @type {Rig | undefined} */ (this.copy.rows("camera.rigs").get(this.through ?? ""));
    const step = this.clock.at(now);
    const to = rig && aim(rig, rig.target === undefined ? undefined : this.pose(rig.target), step);
    if (!rig || !to) return; // it stays where it is
    this.#enter(rig.kind === "firstPerson" ? rig.target : undefined);
    if (rig.collisionCheck) to.position = this.#clear(rig, to, now);
    const shot = this.rider.step(rig, to, dt);
    const off = tremor(rig, step);
    const before = this.camera.position.clone();
    const { target } = this.controls;
    const was = target.clone();
    this.camera.position.set(shot.position[0] + off[0], shot.position[1] + off[1], shot.position[2] + off[2]);
    target.set(shot.lookAt[0] + off[0], shot.lookAt[1] + off[1], shot.lookAt[2] + off[2]);
    if (before.equals(this.camera.position) && was.equals(target) && this.camera.fov === shot.fov) return;
    this.camera.fov = shot.fov;
    this.camera.lookAt(target);
    this.dirty = true;
  }

  /**
   * Where a camera comes to be if nothing is to be between it and its target.
   * @param {Rig} rig
   * @param {Shot} to
   * @param {number} now
   * @returns {[number, number, number]}
   */
  #clear(rig, to, now) {
    const from = new Vector3(...to.lookAt);
    const back = new Vector3(...to.position).sub(from);
    const distance = back.length();
    if (now - this.probed > 100 && this.drawn.size <= mostWalls) {
      this.probed = now;
      this.raycaster.set(from, back.clone().normalize());
      this.raycaster.near = 0;
      this.raycaster.far = distance + 0.2;
      const hit = this.raycaster.intersectObjects(this.things.children, false).find((hit) => this.#hinders(hit, /** @type {string} */ (rig.target)));
      this.raycaster.far = Infinity;
      this.near = hit ? Math.min(Math.max(hit.distance - 0.2, 0.3) / distance, 1) : 1;
    }
    const at = from.addScaledVector(back, this.near);
    return [at.x, at.y, at.z];
  }

  /**
   * Whether something that a ray has met is in the way of a camera on a target: not what the target is part of, nor glass.
   * @param {Intersection} hit
   * @param {string} target
   */
  #hinders(hit, target) {
    const pool = /** @type {Pool} */ (hit.object.userData.pool);
    if (hit.instanceId === undefined || /** @type {Material} */ (pool.mesh.material).transparent) return false;
    const top = (/** @type {Entity | undefined} */ entity) => {
      for (let up = entity; up; up = up.parent === undefined ? undefined : this.copy.entities.get(up.parent)) entity = up;
      return entity?.id;
    };
    return top(this.copy.entities.get(pool.ids[hit.instanceId])) !== top(this.copy.entities.get(target));
  }

  /**
   * Draws a frame, if anything is new, and reports whether it did.
   * @param {number} now in milliseconds
   * @param {number} dt since the last time, in seconds
   * @returns {boolean}
   */
  frame(now, dt) {
    if (this.follows && this.grown && now - this.aimed > 250) {
      this.aimed = now;
      this.fit();
    }
    if (this.goal) this.#travel(dt);
    if (this.motion.step(now, (id) => this.#move(id))) this.dirty = true;
    this.#stride(dt);
    if (this.through === undefined && !this.led) this.controls.update();
    else this.#ride(now, dt);
    if (this.particles.step(this.clock.at(now))) this.dirty = true;
    if (this.fresh.size > 0) this.#flash(now);
    if (this.weather.step(dt, this.camera.position)) this.dirty = true;
    if (this.waves.step(now, dt)) this.dirty = true;
    if (!this.dirty) return false;
    this.dirty = false;
    this.ropes.place();
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.min(Math.max(distance / 200, 0.05), 1);
    this.camera.far = Math.max(4000, distance * 4);
    this.camera.updateProjectionMatrix();
    this.particles.measure(this.camera, this.renderer.domElement.height);
    this.backdrop.frame(this.controls.target, distance, this.weather.sight, this.grounds === 0);
    const lamps = [...this.lamps].map((id) => this.copy.entities.get(id)).filter((entity) => entity !== undefined);
    this.light.aim(this.controls.target, distance, lamps);
    this.post.render(this.scene, this.camera);
    return true;
  }

  /**
   * Draws something that is on its way where it is.
   * @param {string} id
   */
  #move(id) {
    const drawn = this.drawn.get(id);
    if (drawn) this.#place(drawn);
    if (drawn?.gait) this.walkers.add(id);
    if (this.selected === id) this.select(id);
  }

  /**
   * Has those who walk move their legs, by where they are now.
   * @param {number} dt
   */
  #stride(dt) {
    for (const id of this.walkers) {
      const drawn = this.drawn.get(id);
      const pose = this.pose(id);
      if (!drawn?.gait || !pose || !drawn.gait.step(pose.pos, pose.rot, dt)) {
        this.walkers.delete(id);
        continue;
      }
      this.#place(drawn);
      this.dirty = true;
    }
  }

  /** @param {number} dt */
  #travel(dt) {
    const goal = /** @type {{target: Vector3, distance: number}} */ (this.goal);
    const part = 1 - Math.exp(-6 * Math.min(dt, 0.1));
    const target = this.controls.target;
    const away = this.camera.position.clone().sub(target);
    const from = away.length();
    const to = from + (goal.distance - from) * part;
    target.lerp(goal.target, part);
    this.camera.position.copy(away.setLength(to).add(target));
    this.dirty = true;
    if (target.distanceTo(goal.target) < goal.distance * 0.002 && Math.abs(to - goal.distance) < goal.distance * 0.002) this.goal = undefined;
  }

  /**
   * Lets what is new glow for a moment.
   * @param {number} now
   */
  #flash(now) {
    for (const [id, until] of this.fresh) {
      const drawn = this.drawn.get(id);
      if (now >= until) this.fresh.delete(id);
      if (drawn) {
        const t = Math.max((until - now) / glow, 0);
        for (const slot of drawn.slots) slot.pool.paint(slot.index, color.copy(slot.color).lerp(new Color(1, 0.75, 0.3), t * 0.7));
      }
    }
    this.dirty = true;
  }
}
