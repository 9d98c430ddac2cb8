// The scene of cmd/moving in Rapier's own JavaScript: COUNT boxes over a floor. Prints the mean time of a
// step in nanoseconds, after 30 of them, over STEPS; or, with "asleep", over STEPS after all have come
// to rest; the same of World.step's bookkeeping; and where the last box is, if it is awake, so that the two
// can be seen to do the same.
import RAPIER from "@dimforge/rapier3d-deterministic-compat";

const [count, steps, mode] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4]];
await RAPIER.init();
const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
world.timestep = 1 / 60;
const events = new RAPIER.EventQueue(true);
const box = (body, half) => {
	const made = world.createRigidBody(body);
	world.createCollider(
		RAPIER.ColliderDesc.cuboid(...half).setFriction(0.5).setActiveEvents(RAPIER.ActiveEvents.COLLISION_EVENTS), made);
	return made;
};
box(RAPIER.RigidBodyDesc.fixed().setTranslation(0, -0.5, 0), [500, 0.5, 500]);
let last;
for (let i = 0; i < count; i++) {
	const [x, y, z] = mode === "asleep"
		? [(i % 100) * 1.5, 0.5, Math.floor(i / 100) * 1.5]
		: [(i % 10) * 1.1 + Math.floor(i / 100) * 0.05, 1 + Math.floor(i / 100) * 1.3, (Math.floor(i / 10) % 10) * 1.1];
	last = box(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, y, z).setCcdEnabled(true), [0.5, 0.5, 0.5]);
}
// What World.step does, without its bookkeeping in JavaScript, which goes over all bodies in every step:
// that is measured for itself.
const step = () => world.physicsPipeline.step(
	world.gravity, world.integrationParameters, world.islands, world.broadPhase, world.narrowPhase, world.bodies, world.colliders,
	world.softBodies, world.impulseJoints, world.multibodyJoints, world.ccdSolver, events, undefined);
for (let i = 0; i < (mode === "asleep" ? 200 : 30); i++) step();
const time = (work, n) => {
	const start = process.hrtime.bigint();
	for (let i = 0; i < n; i++) work();
	return Number(process.hrtime.bigint() - start) / n;
};
const ns = time(step, steps);
const place = last && !last.isSleeping() ? Object.values(last.translation()).join(" ") : "";
const books = time(() => world.mapNewSoftBodies(), steps);
console.log(ns, books, place);
