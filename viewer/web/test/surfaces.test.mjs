import assert from "node:assert/strict";
import { test } from "node:test";
import { Surfaces } from "../src/surfaces.js";

globalThis.createImageBitmap = async (file) => ({ width: 1, height: 1, text: await file.text() });

const hash = (letter) => letter.repeat(64);
const set = (more) => ({ albedo: hash("a"), scale: 0.5, normalStrength: 1, sharpness: 4, metalness: 0, baseRoughness: 0.85, color: 0xffffff, mean: 0x808080, ...more });
const look = { roughness: 0.85, metalness: 0, emissive: 0, both: false, mirrored: false, signs: [1, 1, 1] };

/** Surfaces whose server answers when it is told to; asked are the hashes that it was asked for. */
function surfaces() {
  const asked = [];
  let answers = [];
  const image = (hash) => new Promise((resolve, reject) => {
    asked.push(hash[0]);
    answers.push((good) => (good ? resolve({ mimeType: "image/png", data: btoa("of " + hash[0]) }) : reject(new Error("lost"))));
  });
  let changes = 0;
  const s = new Surfaces({ capabilities: { getMaxAnisotropy: () => 4 } }, image, () => changes++);
  const answer = async (good) => {
    for (const one of answers.splice(0)) one(good);
    await new Promise((done) => setImmediate(done));
  };
  return { s, asked, answer, changes: () => changes };
}

/** The uniforms of a material. */
function uniforms(material) {
  const shader = { uniforms: {}, vertexShader: "#include <begin_vertex>", fragmentShader: "#include <map_fragment> #include <roughnessmap_fragment> #include <normal_fragment_maps> #include <emissivemap_fragment>" };
  material.onBeforeCompile(shader);
  assert.ok(!shader.fragmentShader.includes("#include"), "what is replaced in the shader is there");
  return shader.uniforms;
}

test("materials that are new, other or gone are named", () => {
  const { s } = surfaces();
  const [a, b] = [set({}), set({ scale: 2 })];
  assert.deepEqual(s.told(new Map([["cobble", a], ["slate", b]])), ["cobble", "slate"]);
  assert.deepEqual(s.told(new Map([["cobble", a], ["slate", b]])), []);
  assert.deepEqual(s.told(new Map([["cobble", b]])), ["cobble", "slate"]);
});

test("an image is asked for once, stands in by its mean colour until it is there, and goes with the last material that has it", async () => {
  const { s, asked, answer, changes } = surfaces();
  const cobble = set({ normal: hash("b") });
  s.told(new Map([["cobble", cobble]]));
  const [one, two] = [uniforms(s.make(cobble, look)), uniforms(s.make(cobble, { ...look, roughness: 0.1 }))];
  assert.deepEqual(asked, ["a", "b"]);
  assert.deepEqual([...one.albedoImage.value.image.data], [0x80, 0x80, 0x80, 255]);
  await answer(true);
  assert.equal(changes(), 2);
  assert.equal(one.albedoImage.value.image.text, "of a");
  assert.equal(two.bumpImage.value.image.text, "of b");
  assert.deepEqual([...one.roughImage.value.image.data], [255, 255, 255, 255]);
  assert.equal(uniforms(s.make(cobble, look)).albedoImage.value, one.albedoImage.value);
  assert.deepEqual(asked, ["a", "b"]);
  s.told(new Map([["cobble", set({ albedo: hash("b") })]]));
  assert.equal(s.textures.size, 1); // b is looked at as directions, not as colours
});

test("what could not be told is asked for anew, unless nobody wants it any more", async () => {
  const { s, asked, answer } = surfaces();
  const cobble = set({});
  s.told(new Map([["cobble", cobble]]));
  const mine = uniforms(s.make(cobble, look));
  await answer(false);
  s.complete();
  s.complete();
  assert.deepEqual(asked, ["a", "a"]);
  s.told(new Map());
  await answer(true);
  assert.equal(s.textures.size, 0);
  assert.ok(mine.albedoImage.value.image.data);
  s.complete();
  assert.deepEqual(asked, ["a", "a"]);
});

test("a material lies on a thing as its coordinates say where it is to and the thing has some", () => {
  const { s } = surfaces();
  const crate = set({ mapped: true, triplanar: true });
  assert.deepEqual(Object.keys(s.make(crate, { ...look, mapped: true }).defines).filter((name) => /MAPPED|TRIPLANAR/.test(name)), ["MAPPED"]);
  assert.deepEqual(Object.keys(s.make(crate, look).defines).filter((name) => /MAPPED|TRIPLANAR/.test(name)), ["TRIPLANAR"]);
});

test("what has holes throws a shadow that has them, and light is where its image says, once that is there", async () => {
  const { s, asked, answer } = surfaces();
  const leaves = set({ cutoff: 0.5, mapped: true, light: hash("c") });
  s.told(new Map([["leaves", leaves]]));
  const material = s.make(leaves, { ...look, mapped: true, emissive: 0xff0000 });
  assert.deepEqual(Object.keys(material.defines).filter((name) => name !== "STANDARD"), ["MAPPED", "HOLED", "LIT"]);
  const { depth } = material.userData;
  assert.deepEqual(Object.keys(depth.defines), ["MAPPED", "HOLED", "LIT"]);
  const [own, thrown] = [uniforms(material), uniforms(depth)];
  assert.equal(own.cutoff.value, 0.5);
  assert.equal(thrown.albedoImage, own.albedoImage);
  assert.deepEqual([...own.lightImage.value.image.data], [0, 0, 0, 255]);
  assert.deepEqual(asked, ["a", "c"]);
  await answer(true);
  assert.equal(own.lightImage.value.image.text, "of c");
  const plain = s.make(set({}), look);
  assert.equal(plain.userData.depth, undefined);
  assert.deepEqual(Object.keys(plain.defines), ["STANDARD"]);
  let gone = false;
  depth.addEventListener("dispose", () => (gone = true));
  material.dispose();
  assert.ok(gone);
});
