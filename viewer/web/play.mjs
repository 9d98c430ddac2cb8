// Plays in a world through the page, in a real browser. Usage: node play.mjs LIMINA [FOLDER]; pictures go to the folder.
import assert from "node:assert/strict";
import { join } from "node:path";
import { far } from "./far.mjs";
import { call, close, open, patience, pictures, serve } from "./room.mjs";

/* global limina: what a page has for the console */

/** Waits until something holds in a page. */
const until = (page, holds, arg) => page.waitForFunction(holds, arg, patience);

/** Where the character is, as the server says. */
const where = async (at, entity) => (await call(at, "scene.queryEntities", { entity })).entities[0].position;

/** Holds keys down until something holds, and lets go of them. */
async function hold(page, keys, holds, arg) {
  for (const key of keys) await page.keyboard.down(key);
  try {
    await until(page, holds, arg);
  } finally {
    for (const key of keys) await page.keyboard.up(key);
  }
  await until(page, () => limina.play.steering.said.forward === 0 && limina.play.steering.open === 0);
}

try {
  const { at, end } = await serve("--port", "0");
  const { results } = await call(at, "world.batch", { operations: [
    { skill: "scene.createEntity", input: { scale: [40, 0.2, 40], position: [0, -0.1, 0], static: true, color: 0x88aa77 }, as: "floor" },
    { skill: "scene.createEntity", input: { scale: [1.2, 2, 0.1], position: [0, 1, 2], static: true, material: "wood" }, as: "door" },
    { skill: "interaction.register", input: { entity: "$door.entity", prompt: "Open the door", type: "open", config: { open: { rotationEuler: [0, 1.5, 0], hinge: [-0.6, 0, 0], seconds: 0.5 } } } },
    { skill: "scene.createEntity", input: { shape: "figure", scale: [0.7, 1.7, 0.7], position: [-1.6, 0.85, 0], name: "smith" }, as: "smith" },
    { skill: "dialogue.define", input: { id: "smith", name: "The smith", startNode: "hello", nodes: [
      { id: "hello", text: "A sword?", speaker: "Smith", choices: [{ text: "Gladly.", nextNodeId: "sold", effects: { game: { counter: { name: "sold" } } } }, { text: "No.", nextNodeId: "" }] },
      { id: "sold", text: "May it serve you.", speaker: "Smith" }] } },
    { skill: "interaction.register", input: { entity: "$smith.entity", prompt: "Talk to the smith", type: "talk", config: { treeId: "smith" } } },
    { skill: "item.define", input: { id: "coin", name: "Gold coin" } },
    { skill: "scene.createEntity", input: { size: 0.3, position: [1.2, 0.15, 0.4], color: 0xffd700 }, as: "coin" },
    { skill: "interaction.register", input: { entity: "$coin.entity", prompt: "Take the coin", type: "pickup", config: { itemId: "coin" } } },
    { skill: "scene.createEntity", input: { position: [0, 0.4, -8], scale: [1.2, 0.4, 2], dynamic: true, mass: 200 }, as: "cart" },
    { skill: "trigger.create", input: { entity: "$cart.entity", center: [0, 1, 0], size: [1.2, 1.6, 2] }, as: "seat" },
    { skill: "trigger.onEnter", input: { triggerId: "$seat.triggerId", action: { type: "call", target: "input.bind", data: { entity: "$entity", name: "drive", sources: ["KeyS", "KeyW"], type: "axis" } } } },
    { skill: "trigger.onExit", input: { triggerId: "$seat.triggerId", action: { type: "call", target: "input.unbind", data: { entity: "$entity", name: "drive" } } } },
    { skill: "event.listen", input: { eventName: "input.moved:drive", action: { type: "setState", if: 'input("drive") > 0.5', data: { game: { counter: { name: "driven" } } } } } },
    ...["Dig", "Mow"].map((name) => ({ skill: "quest.define", input: { id: name.toLowerCase(), name, objectives: [{ id: "do", type: "custom", description: "Do it", required: 1 }] } })),
    { skill: "quest.define", input: { id: "drive", name: "Drive", objectives: [{ id: "go", type: "custom", description: "Drive the cart", required: 1, config: { event: "input.moved:drive" } }], config: { autoAccept: true } } },
    { skill: "ui.hudPanel", input: { text: "sold: {counter:sold}", anchor: { kind: "screen", corner: "top-right" } } },
  ] });
  const [, door, , smith, , , , coin] = results.map((r) => r.result?.entity ?? r.output?.entity ?? r.entity);

  // Who presses play says a name, and has a character.
  const { page, complaints } = await open(`http://${at}/view`);
  await page.getByRole("button", { name: "play", exact: true }).click();
  await page.getByPlaceholder("your name").fill("ann");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator("body.playing").waitFor(patience);
  await until(page, () => limina.copy.entities.get(limina.play.id)?.["player.owner"] === "ann" && limina.copy.entities.get(limina.play.id).character.grounded);
  const me = await page.evaluate(() => globalThis.limina.play.id);
  await page.locator(".agent").getByText("ann").waitFor(patience);
  const start = await where(at, me);

  // The floor, which ends at the height of the plain, is seen from near, too, and not the plain.
  const [red, green, blue] = await page.evaluate(() => {
    const { stage } = globalThis.limina;
    const gl = stage.renderer.getContext();
    const pixel = new Uint8Array(4);
    stage.renderer.render(stage.scene, stage.camera);
    gl.readPixels(Math.round(gl.drawingBufferWidth * 0.7), Math.round(gl.drawingBufferHeight * 0.1), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return pixel;
  });
  assert.ok(green > red + 15 && green > blue + 15, `the floor is ${red}, ${green}, ${blue}`);

  // Keys send it where the camera looks, and it stands when they are let go.
  const yaw = await page.evaluate(() => globalThis.limina.play.yaw);
  await hold(page, ["KeyS"], ([x, , z]) => Math.hypot(limina.copy.entities.get(limina.play.id).pos[0] - x, limina.copy.entities.get(limina.play.id).pos[2] - z) > 1.5, start);
  const [x, , z] = await where(at, me);
  assert.ok((x - start[0]) * Math.sin(yaw) + (z - start[2]) * Math.cos(yaw) < -1, `it went from ${start} to ${[x, z]}`);
  await call(at, "three.setTransform", { entity: me, position: start }); // what can be done is there
  await until(page, ([x, , z]) => Math.hypot(limina.copy.entities.get(limina.play.id).pos[0] - x, limina.copy.entities.get(limina.play.id).pos[2] - z) < 0.1, start);
  await page.evaluate(() => { // a jump may be over between two frames
    const { copy, play } = limina;
    const told = play.told.bind(play);
    limina.top = 0;
    play.told = (news) => {
      limina.top = Math.max(limina.top, copy.entities.get(play.id)?.pos[1] ?? 0);
      told(news);
    };
  });
  await page.keyboard.press("Space");
  await until(page, (y) => limina.top > y + 0.4, start[1]);
  await until(page, () => limina.copy.entities.get(limina.play.id).character.grounded);
  await page.keyboard.press("KeyC");
  await until(page, () => limina.copy.entities.get(limina.play.id).character.crouching);
  await page.keyboard.press("KeyC");
  await until(page, () => !limina.copy.entities.get(limina.play.id).character.crouching);
  if (pictures) await page.screenshot({ path: join(pictures, "play.png") });

  // What can be done is said, and done by its key, or by a click on it.
  await page.evaluate(() => (globalThis.limina.play.yaw = 0));
  await page.locator("#act").getByText("E: Open the door").waitFor(patience);
  const closed = await page.evaluate((id) => globalThis.limina.copy.entities.get(id).rot, door);
  await page.keyboard.press("KeyE");
  await until(page, ([id, rot]) => Math.abs(limina.copy.entities.get(id).rot[1] - rot[1]) > 0.6, [door, closed]);
  const click = async (id, then) => { // again, as somebody does who has missed: the camera makes way for what is between
    for (let tries = 0; tries < 30 && !(await then.isVisible()); tries++) {
      const spot = await page.evaluate((id) => {
        const { play, stage, copy } = limina;
        const [from, to] = [copy.entities.get(play.id).pos, copy.entities.get(id).pos];
        play.yaw = Math.atan2(to[0] - from[0], to[2] - from[2]) + 0.5; // past the character
        play.frame();
        stage.frame(performance.now(), 0);
        return stage.project(copy.entities.get(id).pos);
      }, id);
      await page.locator("canvas").click({ position: { x: spot.x, y: spot.y } });
      await then.waitFor({ timeout: 6000 }).catch(() => {});
    }
    await then.waitFor(patience);
  };
  await click(coin, page.locator("#log").getByText("you have picked up 1 × coin"));
  await page.keyboard.press("KeyI");
  await page.locator("#bag").getByText("1 × Gold coin").waitFor(patience);
  await page.locator("#bag").getByRole("button", { name: "drop" }).click();
  await page.locator("#bag").getByText("You have nothing.").waitFor(patience);
  await page.keyboard.press("KeyI");
  assert.ok(await page.locator("#bag").isHidden());
  await click(smith, page.locator("#talk").getByText("A sword?"));
  await page.locator("#log").getByText("Smith A sword?").waitFor(patience);
  if (pictures) await page.screenshot({ path: join(pictures, "talk.png") });
  await page.keyboard.press("Digit1");
  await page.locator("#talk").getByText("May it serve you.").waitFor(patience);
  await page.keyboard.press("KeyE");
  assert.ok(await page.locator("#talk").isHidden());
  await page.locator(".hudPanel").getByText("sold: 1").waitFor(patience);
  await page.keyboard.press("Enter");
  await page.keyboard.type("well met");
  await page.keyboard.press("Enter");
  await page.locator("#log").getByText("well met").waitFor(patience);

  // What the game gives to drive has the keys that it says, and quests are told.
  await call(at, "quest.offer", { entity: me, questId: "drive" });
  await page.locator("#log").getByText("Drive: a quest (J)").waitFor(patience);
  await call(at, "three.setTransform", { entity: me, position: [0, 1.7, -8] });
  await page.locator("#given").getByText("S W: drive").waitFor(patience);
  const aboard = await where(at, me);
  await page.keyboard.down("KeyW");
  await page.locator("#log").getByText("Drive: completed").waitFor(patience);
  await page.keyboard.up("KeyW");
  const still = await where(at, me);
  assert.ok(Math.hypot(still[0] - aboard[0], still[2] - aboard[2]) < 0.2, `who drives has walked from ${aboard} to ${still}`);
  await page.keyboard.press("KeyJ");
  await page.locator("#quests").getByText("Drive: completed").waitFor(patience);
  // What is offered is accepted and declined there.
  for (const questId of ["dig", "mow"]) await call(at, "quest.offer", { entity: me, questId });
  const offered = (name) => page.locator("#quests > div", { hasText: name });
  await offered("Mow: offered").getByRole("button", { name: "decline" }).click();
  await offered("Mow").waitFor({ ...patience, state: "detached" });
  await offered("Dig: offered").getByRole("button", { name: "accept" }).click();
  await page.locator("#log").getByText("Dig: a quest (J)").waitFor(patience);
  await offered("Dig").getByRole("button", { name: "track" }).click();
  await until(page, () => limina.play.quests.get("dig").tracked === true);
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#quests").isHidden());
  await call(at, "three.setTransform", { entity: me, position: start });
  await until(page, () => document.getElementById("given").textContent === "");

  // It is heard, until somebody does not want to.
  await page.evaluate(() => {
    const { sound } = limina;
    const meter = sound.context.createAnalyser();
    sound.out.connect(meter);
    limina.level = () => {
      const samples = new Float32Array(meter.fftSize);
      meter.getFloatTimeDomainData(samples);
      return Math.max(...samples);
    };
  });
  const loud = () => until(page, () => limina.level() > 0.02);
  const silent = () => until(page, () => limina.level() < 1e-3);
  await silent();
  const { handle } = await call(at, "audio.playAt", { freq: 440, secs: 10, position: start }); // a page that draws slowly misses what is short
  await loud();
  await call(at, "audio.stop", { handle });
  await silent();
  await call(at, "audio.playBGM", { trackId: "battle" });
  await loud();
  await page.locator("#mute").click();
  await silent();
  await page.locator("#mute").click();
  await loud();
  await call(at, "audio.stopBGM", {});
  await silent();

  // A gamepad does it, too.
  await page.evaluate(() => {
    limina.pads = [{ connected: true, axes: [0, -1, 0, 0], buttons: [] }];
    navigator.getGamepads = () => limina.pads;
  });
  await until(page, ([x, , z]) => Math.hypot(limina.copy.entities.get(limina.play.id).pos[0] - x, limina.copy.entities.get(limina.play.id).pos[2] - z) > 1, start);
  await page.evaluate(() => (globalThis.limina.pads = [{ connected: true, axes: [0, 0, 0, 0], buttons: [{ value: 0 }, { value: 1 }] }]));
  await until(page, () => limina.copy.entities.get(limina.play.id).character.crouching);
  await page.evaluate(() => (globalThis.limina.pads = []));
  await page.keyboard.press("KeyC");
  await until(page, () => !limina.copy.entities.get(limina.play.id).character.crouching);

  // One looks through its eyes, or as the game has it.
  await page.keyboard.press("KeyV");
  await until(page, () => limina.stage.inside === limina.play.id);
  await page.keyboard.press("KeyV");
  await until(page, () => limina.stage.inside === undefined);
  await call(at, "camera.cut", { position: [0, 20, 0], target: [0, 0, 0.1], agent: "ann" });
  await until(page, () => limina.stage.camera.position.y > 19);
  await page.mouse.move(480, 300);
  await page.mouse.down();
  await page.mouse.move(580, 320, { steps: 4 });
  await page.mouse.up();
  await until(page, () => limina.stage.camera.position.y < 9);

  // Who has lost his character gets another one; who is back has his; who leaves looks on.
  await call(at, "scene.destroyEntity", { entity: me });
  await page.getByRole("button", { name: "come again" }).click();
  await until(page, (old) => limina.play.id !== old && limina.copy.entities.has(limina.play.id), me);
  const again = await page.evaluate(() => globalThis.limina.play.id);
  await page.reload();
  await page.getByRole("button", { name: "play", exact: true }).click();
  assert.equal(await page.getByPlaceholder("your name").inputValue(), "ann");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator("body.playing").waitFor(patience);
  assert.equal(await page.evaluate(() => globalThis.limina.play.id), again);
  await page.getByRole("button", { name: "leave" }).click();
  await page.locator("body:not(.playing)").waitFor(patience);
  await page.locator("#state").getByText("live").waitFor(patience);
  assert.deepEqual(complaints, []);
  await page.close();

  // Fingers walk, look about, tap and drive.
  const { page: phone, complaints: phones } = await open(`http://${at}/view?play&agent=cleo`, { viewport: { width: 800, height: 400 }, hasTouch: true });
  await phone.locator("body.playing").waitFor(patience);
  await until(phone, () => limina.copy.entities.get(limina.play.id)?.character.grounded);
  const hers = await phone.evaluate(() => globalThis.limina.play.id);
  const fingers = await phone.context().newCDPSession(phone);
  const touch = (type, ...points) => fingers.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const before = await where(at, hers);
  await touch("touchStart", [150, 250]);
  await touch("touchMove", [150, 180]);
  await until(phone, ([x, , z]) => Math.hypot(limina.copy.entities.get(limina.play.id).pos[0] - x, limina.copy.entities.get(limina.play.id).pos[2] - z) > 1, before);
  if (pictures) await phone.screenshot({ path: join(pictures, "touch.png") });
  const looked = await phone.evaluate(() => globalThis.limina.play.yaw);
  await touch("touchStart", [150, 180], [500, 150]); // a second finger looks about
  await touch("touchMove", [150, 180], [560, 150]);
  await touch("touchMove", [150, 180], [600, 150]);
  await until(phone, (yaw) => limina.play.yaw < yaw - 0.1, looked);
  await touch("touchEnd");
  await until(phone, () => limina.play.steering.said.forward === 0 && limina.play.steering.open === 0);
  await phone.locator("#taps").getByText("crouch").tap();
  await until(phone, () => limina.copy.entities.get(limina.play.id).character.crouching);
  await phone.locator("#taps").getByText("crouch").tap();
  await until(phone, () => !limina.copy.entities.get(limina.play.id).character.crouching);
  await call(at, "three.setTransform", { entity: hers, position: [-1.6, 0.9, 0.9] });
  await phone.locator("#act").getByText("Talk to the smith").tap();
  await phone.locator("#talk").getByText("No.").tap();
  await until(phone, () => document.getElementById("talk").hidden);
  await phone.locator("#taps").getByText("say").tap();
  await phone.keyboard.type("ahoy");
  await phone.locator("#say input").press("Enter");
  await phone.locator("#log").getByText("ahoy").waitFor(patience);
  await call(at, "three.setTransform", { entity: hers, position: [0, 1.7, -8] });
  const gas = await phone.locator("#drive").getByText("drive +").boundingBox();
  const driven = async () => (await call(at, "game.counter", { name: "driven", action: "get" })).value;
  const had = await driven();
  await touch("touchStart", [gas.x + gas.width / 2, gas.y + gas.height / 2]);
  await until(phone, () => limina.play.controls.said.get("drive")?.value === 1 && !limina.play.controls.said.get("drive").open);
  await touch("touchEnd");
  await until(phone, () => limina.play.controls.said.get("drive").value === 0 && !limina.play.controls.said.get("drive").open);
  for (let tries = 0; tries < 100 && (await driven()) === had; tries++) await new Promise((done) => setTimeout(done, 50));
  assert.equal(await driven(), had + 1);
  assert.deepEqual(phones, []);
  await phone.close();
  await end();

  // Who plays from far away sees his character go at once, and where the server has it in the end: 150 ms there and 150 ms back, or 30 more, or less.
  const abroad = await serve("--port", "0");
  await call(abroad.at, "world.batch", { operations: [
    { skill: "scene.createEntity", input: { scale: [200, 0.2, 200], position: [0, -0.1, 0], static: true } },
    { skill: "scene.createEntity", input: { scale: [20, 3, 0.2], position: [0, 1.5, 8], static: true } },
  ] });
  const way = await far(abroad.at, { delay: 150, jitter: 30 });
  const { page: dan, complaints: dans } = await open(`http://${way.at}/view?play&agent=dan`, { viewport: { width: 320, height: 200 } });
  await dan.locator("body.playing").waitFor(patience);
  await until(dan, () => limina.copy.entities.get(limina.play.id)?.character.grounded);
  const his = await dan.evaluate(() => {
    const { copy, play, stage } = limina;
    stage.post.render = () => {}; // what counts is where he is, in frames as often as they should come
    limina.frames = []; // where he was drawn
    limina.keys = [];
    const frame = () => {
      limina.frames.push({ now: performance.now(), pos: [...stage.pose(play.id).pos], camera: stage.controls.target.toArray(), told: [...copy.entities.get(play.id).pos] });
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    for (const type of ["keydown", "keyup"]) addEventListener(type, ({ code, repeat }) => !repeat && limina.keys.push({ now: performance.now(), type, code }));
    play.yaw = Math.PI / 2; // along x
    return play.id;
  });
  const told = () => dan.evaluate(() => limina.copy.entities.get(limina.play.id).pos);
  const settled = () => until(dan, () => { // where the server has him, who stands
    const [a, b] = [limina.frames.at(-1), limina.frames.findLast(({ now }) => now < performance.now() - 1500)];
    const apart = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    return b && apart(a.pos, b.pos) < 0.001 && apart(a.pos, a.told) < 0.001 && limina.play.steering.open === 0;
  });
  await settled();
  const home = await told();
  const alone = async (/** @type {() => Promise<void>} */ does) => { // nothing gets to him, nor from him
    way.hold(true);
    const before = await told();
    await does();
    assert.deepEqual(await told(), before);
    way.hold(false);
  };
  await alone(async () => {
    await dan.keyboard.down("KeyW");
    await until(dan, ([x]) => limina.stage.pose(limina.play.id).pos[0] > x + 0.3 && limina.stage.controls.target.x > x + 0.3, home);
    await dan.keyboard.up("KeyW");
  });
  await settled();
  await alone(async () => {
    await dan.keyboard.press("Space");
    await until(dan, ([, y]) => limina.stage.pose(limina.play.id).pos[1] > y + 0.3, home);
  });
  await settled();
  await alone(async () => {
    await dan.keyboard.press("KeyC");
    await until(dan, ([, y]) => limina.stage.pose(limina.play.id).pos[1] < y - 0.2, home);
  });
  await until(dan, () => limina.copy.entities.get(limina.play.id).character.crouching);
  await dan.keyboard.press("KeyC");
  await settled();
  const went = await where(abroad.at, his); // hardly anywhere: to the server all of that came at once
  assert.ok(Math.hypot(went[0] - home[0], went[2] - home[2]) < 1 && Math.abs(went[1] - home[1]) < 0.02, `from ${home} to ${went}`);

  const runs = async (/** @type {string[]} */ ...keys) => {
    await settled();
    await dan.evaluate(() => (limina.frames.length = limina.keys.length = 0));
    await hold(dan, keys, () => limina.frames.length > 5 && performance.now() > (limina.keys[0]?.now ?? Infinity) + 1500);
    await settled();
    return dan.evaluate(() => {
      const { frames, keys } = limina;
      const [down, up] = [keys[0].now, keys.find(({ type }) => type === "keyup").now];
      const apart = (p, q) => Math.hypot(p[0] - q[0], p[2] - q[2]);
      const end = frames.at(-1).pos;
      const first = frames.find(({ pos }) => apart(pos, frames[0].pos) > 0.01);
      const steps = frames.slice(1).map((f, i) => ({ by: f.pos.map((x, n) => x - frames[i].pos[n]), dt: (f.now - frames[i].now) / 1000, now: f.now }));
      const after = frames.filter(({ now }) => now > up).slice(1);
      return {
        first: first.now - down, stops: Math.max(...after.map(({ pos }) => apart(pos, end))), end, far: Math.max(...frames.map(({ pos }) => pos[2])),
        ahead: first.told.every((x, i) => x === frames[0].told[i]),
        back: Math.min(...steps.filter(({ now }) => now < up).map(({ by }) => by[0])),
        leap: Math.max(...steps.map(({ by, dt }) => Math.hypot(by[0], by[2]) - 1.7 * 8 * dt)),
        jump: Math.max(...steps.map(({ by }) => Math.hypot(by[0], by[2]))),
      };
    });
  };
  const run = await runs("ShiftLeft", "KeyW");
  console.log(`150 ± 30 ms away: he runs ${run.first.toFixed(0)} ms after the key, is ${run.stops.toFixed(2)} m off when he has stopped, and goes ${run.jump.toFixed(2)} m in a frame at most`);
  assert.ok(run.ahead, "he has waited for the server");
  assert.ok(run.stops < 1.6, `he is ${run.stops} m off after the key was let go`); // 2.4 m it is to the server and back
  assert.ok(run.back > -0.1, `he goes ${run.back} m back in a frame`);
  assert.ok(run.leap < 0.3, `he leaps ${run.leap} m farther than he runs`);
  await call(abroad.at, "three.setTransform", { entity: his, position: [0, home[1], 3] });
  await until(dan, () => Math.abs(limina.stage.pose(limina.play.id).pos[2] - 3) < 0.01);
  await dan.evaluate(() => (limina.play.yaw = 0));
  const wall = await runs("KeyW");
  assert.ok(wall.end[2] > 7.3 && wall.far < 7.9, `he comes to ${wall.end}, and was drawn at ${wall.far}`);
  assert.deepEqual(dans, []);
  await dan.close();
  way.end();
  await abroad.end();

  // Where players may have no more than player.limited they play with that.
  const strict = await serve("--port", "0", "--profiles-allowed", "player.limited,system.readonly");
  await call(strict.at, "scene.createEntity", { scale: [40, 0.2, 40], position: [0, -0.1, 0], static: true });
  const bob = await open(`http://${strict.at}/view?play&agent=bob`);
  await bob.page.locator("body.playing").waitFor(patience);
  await until(bob.page, () => limina.copy.entities.get(limina.play.id)?.["player.owner"] === "bob");
  await bob.page.keyboard.press("Enter");
  await bob.page.keyboard.type("well met");
  await bob.page.keyboard.press("Enter");
  await bob.page.locator("#log").getByText("missing permission: social.act").waitFor(patience);
  assert.deepEqual(bob.complaints, []);
  await strict.end();
  console.log("played");
} finally {
  await close();
}
