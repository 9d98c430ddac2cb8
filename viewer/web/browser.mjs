// Looks at a world through the page, in a real browser, while it is built. Usage: node browser.mjs LIMINA [FOLDER]; pictures go to the
// folder. Chromium draws by software here: frames are slow, so nothing is asked of their number but that there are some.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { build } from "esbuild";
import { browser, call, close, folder, open, patience, pictures, resume, serve } from "./room.mjs";

/**
 * Makes a GLB file of a square two metres wide on which an image lies turned by a quarter to the left, with bumps.
 * @param {Buffer} albedo
 * @param {Buffer} bumps
 */
function sign(albedo, bumps) {
  const parts = [
    Buffer.from(new Float32Array([-1, 1, 0, 1, 1, 0, 1, -1, 0, -1, -1, 0]).buffer), // from the left above, clockwise
    Buffer.from(new Float32Array([1, 0, 1, 1, 0, 1, 0, 0]).buffer), Buffer.from(new Uint16Array([0, 3, 2, 0, 2, 1]).buffer), albedo, bumps,
  ];
  const views = [];
  let at = 0;
  const bin = Buffer.concat(parts.flatMap((part) => {
    views.push({ buffer: 0, byteOffset: at, byteLength: part.length });
    const rest = -part.length & 3;
    at += part.length + rest;
    return [part, Buffer.alloc(rest)];
  }));
  const text = JSON.stringify({
    asset: { version: "2.0" }, buffers: [{ byteLength: bin.length }], bufferViews: views,
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: "VEC3", min: [-1, -1, 0], max: [1, 1, 0] }, { bufferView: 1, componentType: 5126, count: 4, type: "VEC2" },
      { bufferView: 2, componentType: 5123, count: 6, type: "SCALAR" },
    ],
    images: [{ bufferView: 3, mimeType: "image/png" }, { bufferView: 4, mimeType: "image/png" }], textures: [{ source: 0 }, { source: 1 }],
    materials: [{ name: "sign", pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 }, normalTexture: { index: 1 } }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }], nodes: [{ mesh: 0 }], scenes: [{ nodes: [0] }], scene: 0,
  });
  const json = Buffer.from(text + " ".repeat(-text.length & 3));
  const head = (...words) => Buffer.from(new Uint32Array(words).buffer);
  return Buffer.concat([head(0x46546c67, 2, 28 + json.length + bin.length, json.length, 0x4e4f534a), json, head(bin.length, 0x004e4942), bin]);
}

/** Waits until the page holds what the server does: the same entities in the same places, which answers tell to a hundredth of a millimetre. */
async function converges(page, at) {
  const all = (await call(at, "scene.queryEntities", {})).entities.map((e) => [e.entity, e.position]);
  await page.waitForFunction(
    (all) => {
      const { entities } = globalThis.limina.copy;
      return entities.size === all.length && all.every(([id, pos]) => pos.every((x, i) => Math.abs(entities.get(id)?.pos[i] - x) < 1e-5));
    },
    all,
    patience,
  );
  return all.length;
}

/** Waits until a picture has been drawn of what the page holds, with all that it needed for it. */
async function drawn(page, name) {
  await page.waitForFunction(() => {
    const { stage } = globalThis.limina;
    if (stage.renderer.getContext().isContextLost()) return false;
    return stage.awaited.size === 0 && stage.surfaces.awaited.size === 0 && stage.fresh.size === 0 && !stage.goal && !stage.grown && !stage.dirty && stage.motion.still;
  }, undefined, patience);
  if (pictures && name) await page.screenshot({ path: join(pictures, name + ".png") });
}

/**
 * A PNG file.
 * @param {number} side
 * @param {(x: number, y: number) => number[]} at
 */
function png(side, at) {
  const rows = Array.from({ length: side }, (_, y) => [0, ...Array.from({ length: side }, (_, x) => at(x, y)).flat()]);
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, at(0, 0).length === 4 ? 6 : 2], 8); // eight bits of red, green and blue, and of how opaque it is
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.from(rows.flat()))), chunk("IEND", Buffer.alloc(0))]);
}

/** Which way the edge of a brick leans, to the right and up. */
const edge = (x, y) => [[-1, -1, 1, 1][[0, 1, 30, 31].indexOf((x + (Math.floor(y / 16) % 2) * 16) % 32)] ?? 0, [1, 1, -1, -1][[0, 1, 14, 15].indexOf(y % 16)] ?? 0];
const mortar = (x, y) => edge(x, y).some((lean) => lean !== 0);
const bent = (x, y) => [128 + 90 * edge(x, y)[0], 128 + 90 * edge(x, y)[1], 210];

try {
  // What is built appears.
  const world = join(folder, "world");
  const files = join(folder, "files");
  await mkdir(files);
  let server = await serve("--port", "0", "--world", world, "--files", files);
  let at = server.at;
  const { page, complaints } = await open(`http://${at}/view`);
  await page.getByText("Nothing is here yet").waitFor(patience);
  await call(at, "architecture.building", { width: 8, depth: 6 });
  const made = await call(at, "world.batch", {
    operations: [
      { as: "ball", skill: "scene.createEntity", input: { shape: "sphere", size: 1.2, position: [6, 0.6, 2], color: 0xd03a2a } },
      { as: "pane", skill: "scene.createEntity", input: { shape: "box", size: 1.5, position: [7, 0.75, 5], material: "glass" } },
      { as: "lamp", skill: "scene.createEntity", input: { shape: "sphere", size: 0.4, position: [3, 2.2, 5], color: 0xffd080 } },
      { skill: "three.setLight", input: { entity: "$lamp.entity", intensity: 1 } },
      { skill: "scene.setName", input: { entity: "$ball.entity", name: "the red ball" } },
      { skill: "ui.label", input: { anchor: { kind: "world", entity: "$ball.entity", offset: [0, 1, 0] }, text: "a ball" } },
      { skill: "ui.hudPanel", input: { anchor: { kind: "screen", corner: "top-left" }, title: "To do", lines: ["a garden"] } },
    ],
  });
  const ball = made.results[0].result.entity;
  await converges(page, at);
  await page.getByText("a ball").waitFor(patience);
  await page.getByText("a garden").waitFor(patience);
  await drawn(page, "house");

  // The picture is finished as the world says: each pixel is graded, the lamp shines, corners are darker; and not, when that is over.
  const finished = async (args) => {
    const { enabled } = await call(at, "render.enablePost", args);
    await page.waitForFunction(
      ([on, args]) => {
        const { post, dirty } = globalThis.limina.stage;
        return post.on === on && !dirty && Object.entries(args).every(([part, value]) => Object.entries(value).every(([name, x]) => name === "enabled" || post.look[part]?.[name] === x));
      }, [enabled, enabled ? args : {}], patience);
    return page.evaluate(() => {
      const { stage } = globalThis.limina;
      const gl = stage.renderer.getContext();
      const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
      const pixels = new Uint8Array(4 * width * height);
      stage.post.render(stage.scene, stage.camera);
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return { pixels: btoa(Array.from(pixels, (byte) => String.fromCharCode(byte)).join("")), error: gl.getError() };
    }).then(({ pixels, error }) => {
      assert.equal(error, 0);
      return Buffer.from(pixels, "base64");
    });
  };
  const only = (part, values) => Object.fromEntries(["ao", "bloom", "grade"].map((name) => [name, name === part ? values : { enabled: false }]));
  const plain = await finished({ enabled: false });
  const grade = { exposure: 1.3, contrast: 0.7, saturation: 0.4 };
  const graded = await finished(only("grade", grade));
  let wrong = 0;
  for (let i = 0; i < plain.length; i += 4) {
    const c = [0, 1, 2].map((k) => ((plain[i + k] / 255) * grade.exposure - 0.5) * grade.contrast + 0.5);
    const grey = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    if (c.some((x, k) => Math.abs(graded[i + k] - 255 * Math.min(Math.max(grey + (x - grey) * grade.saturation, 0), 1)) > 1.01)) wrong++;
  }
  assert.equal(wrong, 0, "pixels that are not graded as package render does it");
  const compare = (other) => {
    let [brighter, darker] = [0, 0];
    for (let i = 0; i < plain.length; i += 4) {
      if (other[i + 1] > plain[i + 1] + 4) brighter++;
      if (other[i + 1] < plain[i + 1] - 4) darker++;
    }
    return { brighter, darker, of: plain.length / 4 };
  };
  const shines = compare(await finished(only("bloom", { strength: 3, radius: 0.8, threshold: 0.5 })));
  assert.ok(shines.brighter > 1000 && shines.darker === 0, `with bloom ${JSON.stringify(shines)}`);
  const occluded = compare(await finished(only("ao", { scale: 1.5 })));
  assert.ok(occluded.darker > 500 && occluded.darker < occluded.of / 4 && occluded.brighter === 0, `with occlusion ${JSON.stringify(occluded)}`);
  await finished({});
  await drawn(page, "finished");
  assert.ok(plain.equals(await finished({ enabled: false })), "what was before");

  // The graphics device may lose all that it has, and get it again.
  await page.evaluate(async () => {
    const { renderer } = globalThis.limina.stage;
    const device = renderer.getContext().getExtension("WEBGL_lose_context");
    await new Promise((done) => {
      renderer.domElement.addEventListener("webglcontextlost", () => setTimeout(done), { once: true }); // it is allowed once all have been told
      device.loseContext();
    });
    device.restoreContext();
  });
  await drawn(page, "restored");
  assert.ok(plain.equals(await finished({ enabled: false })), "what was before the graphics device lost it");

  // What is clicked is told.
  const spot = await page.evaluate((id) => globalThis.limina.stage.project(globalThis.limina.copy.entities.get(id).pos), ball);
  await page.mouse.click(spot.x, spot.y);
  await page.getByText(`the red ball (${ball})`).waitFor(patience);

  // What changes, changes; what goes, goes.
  await call(at, "three.setTransform", { entity: ball, position: [6, 3, 2] });
  await page.locator("#card").getByText("6, 3, 2").waitFor(patience);
  await call(at, "scene.destroyEntity", { entity: ball });
  await converges(page, at);
  await page.locator("#card").waitFor({ state: "hidden", ...patience });
  await page.getByText("a ball").waitFor({ state: "detached", ...patience });

  // A post stands there that has health left, and burns: a fire is where it is said to be, in its colour.
  const lit = await call(at, "world.batch", {
    operations: [
      { as: "post", skill: "scene.createEntity", input: { size: 0.5, position: [6, 0.25, 2] } },
      { skill: "stats.create", input: { entity: "$post.entity", stats: [{ name: "hp", value: 40, maxValue: 100 }] } },
      { as: "fire", skill: "vfx.create", input: { config: { startColor: [1, 0, 1, 1], endColor: [1, 0, 1, 1], startSize: 2, endSize: 2, startSpeed: 0, gravity: 0, shape: "point", blendMode: "alpha", emissionRate: 20 } } },
      { skill: "vfx.attach", input: { vfxId: "$fire.vfxId", entity: "$post.entity", offset: [0, 1.5, 0] } },
      { skill: "vfx.play", input: { vfxId: "$fire.vfxId" } },
    ],
  });
  const [post, fire] = [lit.results[0].result.entity, lit.results[2].result.vfxId];
  await page.waitForFunction(() => document.querySelector(".health i")?.style.width === "40%", undefined, patience);
  await page.waitForFunction(() => globalThis.limina.stage.particles.count > 5, undefined, patience);
  const seenAt = (place) => page.evaluate(async (place) => {
    const { stage } = globalThis.limina;
    for (let i = 0; i < 600 && stage.renderer.getContext().isContextLost(); i++) await new Promise((done) => setTimeout(done, 100)); // as software may, too, on a busy machine
    const { x, y } = stage.project(place);
    const gl = stage.renderer.getContext();
    const ratio = stage.renderer.getPixelRatio();
    const pixel = new Uint8Array(4);
    stage.renderer.render(stage.scene, stage.camera);
    gl.readPixels(Math.round(x * ratio), Math.round(gl.drawingBufferHeight - y * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return [...pixel];
  }, place);
  const [red, green, blue] = await seenAt([6, 1.75, 2]);
  assert.ok(red > 200 && green < 60 && blue > 200, `the fire is ${red}, ${green}, ${blue}`);

  // The page looks through somebody's camera, which goes with the post, until somebody moves it.
  const rig = await call(at, "camera.thirdPerson", { target: post, distance: 6 });
  await page.locator("#seats").selectOption({ index: 1 });
  const rides = (place) => page.waitForFunction(
    (place) => globalThis.limina.stage.camera.position.toArray().every((x, i) => Math.abs(x - place[i]) < 0.01), place, patience);
  await rides(rig.position);
  await call(at, "three.setTransform", { entity: post, position: [7, 0.25, 2] });
  await rides([rig.position[0] + 1, rig.position[1], rig.position[2]]);
  await page.waitForFunction(() => globalThis.limina.stage.motion.still, undefined, patience);
  if (pictures) await page.screenshot({ path: join(pictures, "camera.png") });
  await call(at, "camera.firstPerson", { target: post });
  await page.waitForFunction((post) => globalThis.limina.stage.inside === post, post, patience);
  await page.keyboard.press("KeyF");
  assert.deepEqual(await page.evaluate(() => [globalThis.limina.stage.through, globalThis.limina.stage.inside, document.getElementById("seats").value]), [undefined, undefined, ""]);
  await call(at, "vfx.destroy", { vfxId: fire });

  // What hangs by a rope is drawn with it.
  const { entity: hung } = await call(at, "scene.createEntity", { size: 0.3, position: [9, 2, 2], dynamic: true });
  await call(at, "physics.addJoint", { entity: hung, kind: "rope", toAt: [9, 4, 2] });
  await page.waitForFunction((id) => {
    const rope = globalThis.limina.stage.ropes.meshes.get(id);
    return rope?.visible && Math.abs(rope.scale.y - 2) < 0.1 && Math.abs(rope.position.y - 3) < 0.1;
  }, hung, patience);
  await call(at, "scene.destroyEntity", { entity: hung });
  await page.waitForFunction(() => globalThis.limina.stage.ropes.group.children.length === 0, undefined, patience);
  // A character is a person, who walks as it goes and stands when it is there; with it goes all of him.
  const { entity: floor } = await call(at, "scene.createEntity", { position: [9, -0.5, 2], scale: [20, 1, 20], static: true });
  const { entity: walker } = await call(at, "player.spawn", { position: [9, 1, -4] });
  const stands = (stride) => page.waitForFunction(([id, stride]) => {
    const drawn = globalThis.limina.stage.drawn.get(id);
    return drawn?.slots.length === 20 && drawn.gait.speed === 0 && drawn.gait.stride >= stride;
  }, [walker, stride], patience);
  await stands(0);
  await call(at, "player.move", { entity: walker, forward: 1, seconds: 1 });
  await stands(2);
  // A panel for who plays it is on his screen: not on this one, until it looks through his camera.
  await call(at, "ui.hudPanel", { anchor: { kind: "screen", corner: "bottom-left", entity: walker }, text: "his" });
  const { handle: ours } = await call(at, "ui.hudPanel", { anchor: { kind: "screen", corner: "bottom-right" }, text: "everybody's" });
  await page.locator(".corner.bottom-right .panel").waitFor(patience);
  const his = page.locator(".corner.bottom-left .panel");
  assert.equal(await his.count(), 0);
  await call(at, "camera.thirdPerson", { target: walker });
  await page.locator("#seats").selectOption({ index: 1 });
  await his.getByText("his").waitFor(patience);
  await page.keyboard.press("KeyF");
  await his.waitFor({ state: "detached", ...patience });
  await call(at, "ui.remove", { handle: ours });
  for (const entity of [walker, floor]) await call(at, "scene.destroyEntity", { entity });
  await page.waitForFunction(() => ![...globalThis.limina.stage.pools.keys()].some((key) => /^(ball|limb)/.test(key)), undefined, patience);
  await call(at, "scene.destroyEntity", { entity: post });
  await page.waitForFunction(() => globalThis.limina.stage.particles.count === 0 && !document.querySelector(".health"), undefined, patience);

  // Images lie on things as package render lays them: upright, not mirrored, from the middle of the thing on, once in a metre. They have it rough and bumpy where they say so.
  const colors = { red: [220, 30, 30], green: [30, 200, 30], blue: [40, 40, 220], yellow: [220, 220, 30] };
  const quarters = (x, y) => colors[y < 8 ? (x < 8 ? "red" : "green") : x < 8 ? "blue" : "yellow"];
  await writeFile(join(files, "quarters.png"), png(16, quarters));
  await writeFile(join(files, "other.png"), png(16, () => colors.green));
  await writeFile(join(files, "bricks.png"), png(64, (x, y) => (mortar(x, y) ? [200, 195, 185] : [160, 80, 60])));
  await writeFile(join(files, "bricks_n.png"), png(64, (x, y) => bent(x, y)));
  await writeFile(join(files, "bricks_r.png"), png(64, (x, y) => (mortar(x, y) ? [255, 255, 255] : [90, 90, 90])));
  await call(at, "material.import", { name: "quarters", albedo: "quarters.png", scale: 1 });
  await call(at, "material.import", { name: "bricks", albedo: "bricks.png", normal: "bricks_n.png", roughness: "bricks_r.png", triplanar: true, scale: 1 });
  const { entity: die } = await call(at, "scene.createEntity", { size: 2, position: [14, 5, 8], material: "quarters" });
  await converges(page, at);
  const hues = ([r, g, b]) => (r > 1.5 * g ? "red" : b > 1.5 * g ? "blue" : g > 1.5 * r ? "green" : b < 0.6 * r ? "yellow" : `${r}, ${g}, ${b}`);
  const from = (eye, target) => page.evaluate(([eye, target]) => {
    const { stage } = globalThis.limina;
    stage.follows = stage.grown = false;
    stage.goal = undefined; // it may be on its way to see all of what has come
    stage.camera.position.set(...eye);
    stage.controls.target.set(...target);
    stage.controls.update();
    stage.camera.updateMatrixWorld();
  }, [eye, target]);
  const sides = {
    "+x": [[0, 0, -1], [0, 1, 0], [1, 0, 0]], "-x": [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], "+y": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
    "-y": [[1, 0, 0], [0, 0, 1], [0, -1, 0]], "+z": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "-z": [[-1, 0, 0], [0, 1, 0], [0, 0, -1]],
  };
  for (const [name, [right, up, out]] of Object.entries(sides)) {
    const place = (x, y, z) => [14, 5, 8].map((c, i) => c + x * right[i] + y * up[i] + z * out[i]);
    await from(place(0.3, 0.2, 6), place(0, 0, 0));
    await drawn(page);
    const seen = [];
    for (const y of [0.75, 0.25, -0.25, -0.75]) for (const x of [-0.75, -0.25, 0.25, 0.75]) seen.push(hues(await seenAt(place(x, y, 1))));
    const [upper, lower] = [["red", "green", "red", "green"], ["blue", "yellow", "blue", "yellow"]];
    assert.deepEqual(seen, [...upper, ...lower, ...upper, ...lower], name);
  }
  await call(at, "world.batch", {
    operations: [
      { skill: "scene.createEntity", input: { name: "wall", size: 2, position: [11.5, 5, 8], material: "bricks", scale: [1, 1, 0.2], rotationEuler: [0, 0.4, 0] } },
      { skill: "scene.createEntity", input: { name: "round", shape: "sphere", size: 2, position: [16.5, 5, 8], material: "bricks" } },
    ],
  });
  await converges(page, at);
  await from([15, 6, 13], [14, 5, 8]);
  await drawn(page, "surfaces");
  await call(at, "material.import", { name: "quarters", albedo: "other.png", scale: 1 });
  await page.waitForFunction(() => globalThis.limina.stage.surfaces.awaited.size === 0 && globalThis.limina.stage.surfaces.textures.size === 4, undefined, patience);
  let anew = "";
  for (let tries = 0; tries < 600 && anew !== "green"; tries++) { // the page may not have heard of it yet
    anew = hues(await seenAt([14.25, 5.25, 9]));
    if (anew !== "green") await new Promise((done) => setTimeout(done, 100));
  }
  assert.equal(anew, "green", "what was imported anew");
  for (const name of ["wall", "round"]) await call(at, "scene.forEach", { name, skill: "scene.destroyEntity" });
  await call(at, "scene.destroyEntity", { entity: die });

  // Through what has holes one sees what is behind. Light is where its image says.
  const gap = (x) => x % 16 < 8;
  await writeFile(join(files, "bars.png"), png(32, (x) => [...colors.red, gap(x) ? 60 : 255]));
  await writeFile(join(files, "lit.png"), png(32, (x) => (gap(x) ? [255, 255, 255] : [0, 0, 0])));
  await call(at, "material.import", { name: "bars", albedo: "bars.png", scale: 0.5, cutoff: 0.5 });
  await call(at, "material.import", { name: "lit", albedo: "bars.png", light: "lit.png", scale: 0.5 });
  await call(at, "world.batch", {
    operations: [
      { skill: "scene.createEntity", input: { name: "gate", size: 2, position: [14, 5, 8], material: "bars", scale: [1, 1, 0.02] } },
      { skill: "scene.createEntity", input: { name: "gate", size: 4, position: [14, 5, 6], color: 0x2020f0, scale: [1, 1, 0.02] } },
      { as: "lit", skill: "scene.createEntity", input: { name: "gate", size: 2, position: [17, 5, 8], material: "lit", scale: [1, 1, 0.02] } },
      { skill: "three.setMaterial", input: { entity: "$lit.entity", emissive: 0x00ff00 } },
    ],
  });
  await converges(page, at);
  await page.waitForFunction(() => globalThis.limina.stage.surfaces.awaited.size === 0, undefined, patience);
  await from([15, 5.5, 13], [15, 5, 8]);
  await drawn(page, "holes");
  const bars = [];
  for (const x of [-0.75, -0.25, 0.25, 0.75]) bars.push(hues(await seenAt([14 + x, 5, 8.02])));
  assert.deepEqual(bars, ["blue", "red", "blue", "red"], "bars, and what is behind them");
  const glow = [];
  for (const x of [-0.75, -0.25, 0.25, 0.75]) glow.push((await seenAt([17 + x, 5, 8.02]))[1] > 150);
  assert.deepEqual(glow, [true, false, true, false], "light where its image says");
  await call(at, "scene.forEach", { name: "gate", skill: "scene.destroyEntity" });

  // A panel on the screen shows a counter and a timer as they are.
  await call(at, "game.counter", { name: "coins", action: "set", value: 7 });
  await call(at, "game.timer", { name: "limit", duration: 3661, direction: "countdown" });
  await call(at, "game.timer", { name: "limit", action: "pause" });
  await call(at, "ui.hudPanel", { anchor: { kind: "screen", corner: "top-right" }, text: "{counter:coins} coins, {timer:limit} left" });
  const hud = page.locator(".corner.top-right .panel");
  await hud.getByText("7 coins, 1:01:01 left").waitFor(patience);
  await call(at, "game.counter", { name: "coins", action: "increment" });
  await hud.getByText("8 coins, 1:01:01 left").waitFor(patience);
  await call(at, "game.timer", { name: "limit", action: "resume" });
  await hud.getByText("8 coins, 1:00:59 left").waitFor(patience);

  // The images of a model lie on it as its file says, here turned by a quarter, from both sides and mirrored too.
  await writeFile(join(files, "sign.glb"), sign(png(16, quarters), png(16, () => [160, 128, 240])));
  const { entity: signpost } = await call(at, "asset.place", { assetId: "sign", position: [14, 5, 8], ground: false });
  await converges(page, at);
  const rows = async (eye) => {
    await from(eye, [14, 5, 8]);
    await drawn(page, "model");
    const seen = [];
    for (const y of [0.5, -0.5]) for (const x of [-0.5, 0.5]) seen.push(hues(await seenAt([14 + x, 5 + y, 8])));
    return seen;
  };
  assert.deepEqual(await rows([14.3, 5.2, 12]), ["green", "yellow", "red", "blue"], "a model, from the front");
  assert.deepEqual(await rows([14.3, 5.2, 4]), ["green", "yellow", "red", "blue"], "a model, from behind");
  await call(at, "three.setTransform", { entity: signpost, scale: [-1, 1, 1] });
  await converges(page, at);
  assert.deepEqual(await rows([14.3, 5.2, 12]), ["yellow", "green", "blue", "red"], "a mirrored model");
  for (const { entity } of (await call(at, "scene.queryEntities", { below: signpost })).entities.reverse()) await call(at, "scene.destroyEntity", { entity });
  await call(at, "scene.destroyEntity", { entity: signpost });
  await converges(page, at);
  await page.keyboard.press("KeyF");

  // Somebody comes in and speaks. Words go after a while, by the clock and not by when this looks.
  await page.evaluate(() => {
    const seen = (globalThis.bubbles = []);
    const look = (node) => {
      if (node.checkVisibility({ visibilityProperty: true })) seen.push(node.textContent);
      else if (node.isConnected) requestAnimationFrame(() => look(node));
    };
    new MutationObserver((all) => {
      for (const node of all.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node.classList?.contains("bubble")) requestAnimationFrame(() => look(node));
      }
    }).observe(document.getElementById("overlay"), { childList: true, subtree: true });
  });
  const visitor = await open(`http://${at}/view`);
  await visitor.page.evaluate(async (url) => {
    const socket = new WebSocket(url);
    await new Promise((opened) => (socket.onopen = opened));
    const say = (id, method, params) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    say(1, "initialize", { agentId: "ann", sessionId: "s", profile: "social.actor" });
    say(2, "tools/call", { name: "agent.embody", arguments: { position: [0, 0.9, 6] } });
    say(3, "tools/call", { name: "social.say", arguments: { text: "A fine house!" } });
  }, `ws://${at}/`);
  await page.locator(".agent").getByText("ann").waitFor(patience);
  await page.waitForFunction(() => globalThis.bubbles.includes("A fine house!"), undefined, patience);
  await converges(page, at);
  await visitor.page.close();

  // Ground and what is on it; the grid is gone then. At night one still sees.
  const region = await call(at, "world.generateRegion", { seed: 7, type: "hills", bounds: { minTx: -1, minTz: -1, maxTx: 0, maxTz: 0 } });
  await call(at, "world.populateBiome", { regionId: region.regionId, seed: 3 });
  const count = await converges(page, at);
  assert.ok(count > 20, `${count} entities`);
  await page.keyboard.press("KeyF");
  await drawn(page, "ground");
  assert.equal(await page.evaluate(() => globalThis.limina.stage.grounds), 4);

  // Water has the colour of its material, and what glows hides what is below it. It ripples where whoever looks lets it.
  const pool = (await call(at, "world.addWater", { level: 40, size: 30, center: [0, 0] })).entity;
  await page.waitForFunction((pool) => globalThis.limina.stage.waters.has(pool), pool, patience);
  const over = async (high) => {
    await drawn(page); // with all in the frame
    await page.evaluate(([pool, high]) => {
      const { stage } = globalThis.limina;
      const { x, y, z } = stage.waters.get(pool).position;
      stage.camera.position.set(x + 5, y + high, z + 5);
      stage.controls.target.set(x, y, z);
      stage.controls.update();
    }, [pool, high]);
    await drawn(page);
    return seenAt([0, 40, 0]);
  };
  const clear = await over(12);
  assert.ok(clear[2] > clear[0], `water is ${clear}`);
  await call(at, "three.setMaterial", { entity: pool, color: 0x300000, emissive: 0xff2000 });
  await page.waitForFunction((pool) => globalThis.limina.copy.entities.get(pool).material?.emissive === 0xff2000, pool, patience);
  const lava = await over(12);
  assert.ok(lava[0] > 200 && lava[2] < 90, `lava is ${lava}`);
  assert.deepEqual(await page.evaluate(() => [globalThis.limina.stage.waves.still, globalThis.limina.stage.waves.time.value]), [true, 0]);
  await call(at, "three.setMaterial", { entity: pool, color: 0x2b5d72, emissive: 0 });
  await page.waitForFunction((pool) => !globalThis.limina.copy.entities.get(pool).material?.emissive, pool, patience);
  await over(2);
  const ripples = await page.evaluate(async () => {
    const { stage } = globalThis.limina;
    const { waves, renderer } = stage;
    const gl = renderer.getContext();
    const shot = () => {
      const all = new Uint8Array(4 * gl.drawingBufferWidth * 40);
      renderer.render(stage.scene, stage.camera);
      gl.readPixels(0, Math.round(gl.drawingBufferHeight / 2), gl.drawingBufferWidth, 40, gl.RGBA, gl.UNSIGNED_BYTE, all);
      return all;
    };
    const before = shot();
    waves.still = false;
    const moved = waves.step(5000, 0.016);
    waves.still = true;
    const after = shot();
    return [moved, before.filter((x, i) => Math.abs(x - after[i]) > 2).length / before.length];
  });
  assert.ok(ripples[0] && ripples[1] > 0.01, `the waves move: ${ripples}`);
  await call(at, "scene.destroyEntity", { entity: pool });
  await call(at, "world.setTime", { time: 21 });
  await call(at, "world.setWeather", { weather: "snow", intensity: 1 });
  await page.getByText("21:00, snow").waitFor(patience);
  if (pictures) await page.screenshot({ path: join(pictures, "night.png") });
  const snowy = await page.evaluate(() => {
    const { backdrop, light, weather } = globalThis.limina.stage;
    return [backdrop.uniforms.sky.value.r, light.sun.intensity, weather.flakes.visible];
  });
  await call(at, "world.setWeather", { weather: "clear" });
  await page.getByText("21:00, clear").waitFor(patience);
  const fair = await page.evaluate(() => {
    const { backdrop, light, weather } = globalThis.limina.stage;
    return [backdrop.uniforms.sky.value.r, light.sun.intensity, weather.flakes.visible];
  });
  assert.ok(snowy[0] > 2 * fair[0] && snowy[1] < fair[1] / 2 && snowy[2] && !fair[2], `sky, sun and flakes are ${snowy} in snow and ${fair} on a clear night`);

  // The server goes, another one goes on with its world, and so does the page.
  await server.end();
  await page.locator("#state").getByText("next try").waitFor(patience);
  server = await resume("--port", at.split(":").at(-1), "--world", world);
  await call(at, "scene.createEntity", { position: [0, 9, 0] });
  assert.equal(await converges(page, at), count + 1);
  await page.locator("#state").getByText("live").waitFor(patience);
  await server.end();
  assert.deepEqual(complaints.filter((text) => !/WebSocket connection/.test(text)), []);
  await page.close();

  // Where a token is needed the page asks for it, and takes the one in its address.
  const tokens = join(folder, "tokens.yaml");
  await writeFile(tokens, "tokens:\n  - token: 0123456789abcdef0123456789abcdef\n    principal: watcher\n    profiles: [system.readonly]\n", { mode: 0o600 });
  server = await serve("--port", "0", "--listen", "0.0.0.0:0", "--token-file", tokens);
  at = "127.0.0.1:" + server.at.split(":").at(-1);
  const asked = await open(`http://${at}/view`);
  await asked.page.locator("#ask").waitFor(patience);
  await asked.page.getByPlaceholder("token").fill("0123456789abcdef0123456789abcdef");
  await asked.page.getByPlaceholder("agent").fill("watcher");
  await asked.page.getByRole("button", { name: "Look" }).click();
  await asked.page.locator("#state").getByText("live").waitFor(patience);
  assert.ok(await asked.page.locator("#ask").isHidden());
  const given = await open(`http://${at}/view?agent=watcher#token=0123456789abcdef0123456789abcdef`);
  await given.page.locator("#state").getByText("live").waitFor(patience);
  await server.end();

  // A host of MCP Apps shows the page beside a picture: it reaches the server through the host alone.
  server = await serve("--port", "0");
  at = server.at;
  await call(at, "scene.createEntity", { shape: "sphere", size: 2, position: [0, 1, 0], color: 0x3a6ad0 });
  await call(at, "scene.setName", { entity: "ent_0", name: "blue" });
  const { outputFiles } = await build({ entryPoints: ["test/host.js"], bundle: true, format: "esm", write: false });
  const script = `<!doctype html><link rel="icon" href="data:,"><script type="module">${outputFiles[0].text.replaceAll("</script", "<\\/script")}</script>`;
  const site = createServer((_, response) => response.setHeader("Content-Type", "text/html; charset=utf-8").end(script)).listen(0, "127.0.0.1");
  await once(site, "listening");
  const host = await browser.newPage({ viewport: { width: 700, height: 560 } });
  host.setDefaultTimeout(patience.timeout);
  const errors = [];
  host.on("pageerror", (error) => errors.push(String(error)));
  host.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await host.goto(`http://127.0.0.1:${site.address().port}/#http://${at}/mcp`);
  await host.waitForFunction(() => globalThis.seen?.height === 440, undefined, patience);
  const app = host.frames().find((frame) => frame.parentFrame());
  await app.waitForFunction(() => globalThis.limina?.copy.entities.size === 1, undefined, patience);
  await call(at, "architecture.building", { position: [0, 0, -9] });
  await app.waitForFunction(() => globalThis.limina.copy.entities.size === 10, undefined, patience);
  await call(at, "three.setMaterial", { entity: "ent_0", color: 0x30a030 });
  await app.waitForFunction(() => globalThis.limina.copy.entities.get("ent_0").material?.color === 0x30a030, undefined, patience);
  await call(at, "scene.destroyEntity", { entity: "ent_1" });
  await app.waitForFunction(() => !globalThis.limina.copy.entities.has("ent_1"), undefined, patience);
  await drawn(app, undefined);
  if (pictures) await host.screenshot({ path: join(pictures, "app.png") });
  const ballAt = await app.evaluate(() => globalThis.limina.stage.project(globalThis.limina.copy.entities.get("ent_0").pos));
  await app.locator("canvas").click({ position: { x: ballAt.x, y: ballAt.y } });
  await host.waitForFunction(() => globalThis.seen.context.length > 0, undefined, patience);
  await app.getByRole("button", { name: "larger" }).click();
  await host.waitForFunction(() => globalThis.seen.modes.length > 0, undefined, patience);
  await host.evaluate(() => globalThis.end());
  const seen = await host.evaluate(() => globalThis.seen);
  assert.deepEqual(seen.apps, ["scene_render"]);
  assert.equal(seen.contents.mimeType, "text/html;profile=mcp-app");
  assert.deepEqual(seen.contents._meta.ui.csp.connectDomains, []);
  assert.deepEqual(seen.context, ["The person has selected ent_0 (blue) in the view of the world."]);
  assert.deepEqual([seen.modes, seen.ended], [["fullscreen"], true]);
  assert.deepEqual(errors, []);
  await server.end();
  site.close();
  console.log(`the page showed ${count} entities`);
} finally {
  await close();
}
