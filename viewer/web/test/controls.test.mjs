import assert from "node:assert/strict";
import { test } from "node:test";
import { Controls, label, valueOf } from "../src/controls.js";

const gas = { name: "gas", type: "action", sources: ["KeyW", "GamepadButton7"] };
const steer = { name: "steer", type: "axis", sources: ["KeyA", "KeyD", "GamepadAxis0", "ArrowLeft", "ArrowRight"] };

test("a button is pressed or not, an axis goes to either end", () => {
  const at = (given, sources) => valueOf(given, (source) => sources[source] ?? 0);
  assert.equal(at(gas, {}), 0);
  assert.equal(at(gas, { KeyW: 1 }), 1);
  assert.equal(at(gas, { GamepadButton7: 0.4 }), 0);
  assert.equal(at(gas, { GamepadButton7: 0.6 }), 1);
  assert.equal(at(steer, { KeyA: 1 }), -1);
  assert.equal(at(steer, { KeyD: 1, ArrowRight: 1 }), 1);
  assert.equal(at(steer, { ArrowLeft: 1 }), -1);
  assert.equal(at(steer, { KeyA: 1, KeyD: 1 }), 0);
  assert.equal(at(steer, { GamepadAxis0: -0.501 }), -0.5);
  assert.ok(Object.is(at(steer, { GamepadAxis0: -0.001 }), 0));
  assert.deepEqual(["KeyW", "ArrowUp", "Digit1", "Space", "GamepadButton0"].map(label), ["W", "Up", "1", "Space", "Button0"]);
});

test("what has changed is said once the last call about it is answered, and not more often than is needed", async () => {
  const sent = [];
  const answers = [];
  const c = new Controls((name, value) => {
    sent.push([name, value]);
    return new Promise((resolve) => answers.push(resolve));
  });
  const answer = async () => {
    answers.shift()();
    await Promise.resolve();
  };
  let down = {};
  const tell = (now) => c.tell((source) => down[source] ?? 0, now);
  assert.ok(c.take([gas, steer]));
  assert.ok(!c.take([structuredClone(gas), structuredClone(steer)]));
  assert.ok(c.has("KeyA") && !c.has("KeyS"));
  tell(0);
  assert.deepEqual(sent, []); // all is at rest
  down = { KeyW: 1, KeyA: 1 };
  tell(10);
  tell(20);
  assert.deepEqual(sent.splice(0), [["gas", 1], ["steer", -1]]);
  down = { KeyA: 1 };
  tell(100); // the first has no answer yet
  assert.deepEqual(sent, []);
  await answer();
  tell(110);
  assert.deepEqual(sent.splice(0), [["gas", 0]]);
  await answer();
  await answer();
  c.pressed.set("gas", 1); // a finger
  tell(130); // too soon
  tell(160);
  assert.deepEqual(sent.splice(0), [["gas", 1]]);
  assert.ok(c.take([steer])); // who has got off has nothing to say
  down = { KeyW: 1, KeyA: 1 };
  tell(300);
  assert.deepEqual(sent, []);
  assert.ok(c.take([{ ...steer, sources: ["KeyA"] }])); // given anew it is at rest
  tell(400);
  assert.deepEqual(sent, [["steer", -1]]);
});

test("a call that fails is an answer", async () => {
  let calls = 0;
  const c = new Controls(() => (calls++, Promise.reject(new Error("no"))));
  c.take([gas]);
  for (let now = 0; now < 1000; now += 100) {
    c.tell(() => Number(now % 200 === 0), now);
    await Promise.resolve();
  }
  assert.equal(calls, 10);
});
