// Package physics moves the bodies of a world: what has a [world.Body] falls, rolls, collides and comes
// to rest, by the same bits on every machine and at every replay.
//
//	w := world.New(world.Config{})
//	p := physics.New(w, physics.Config{Open: rapier.New("").Open, Gravity: -9.81})
//
// From then on whoever sets a body in w.Bodies sees it move with the simulation steps. Whoever moves
// an entity that has a body moves the body, and puts it there at rest; one who moves a kinematic body
// in a step pushes what is in its way. A body has the size of the entity's shape, at the entity's scale;
// see [NewForm].
//
// A [Character] is a kinematic capsule that goes where [Physics.Send] sends it: each step walks it as far
// as it comes, and what it meets stops it, carries it, or is pushed. What else moves it in a step is taken
// for where it is to go.
//
// # What is authoritative
//
// The world is. Transactions change it and know nothing of an engine: what a rollback takes back never
// was. Commits only note which entities they touched; at the beginning of a step those are compared
// with what the engine has been told, in the order of the commits, and the engine is told the rest.
// Water bears what floats, and brakes it, as a force that follows from where the body and the water are.
// Impulses wait in private components for the next step. After it, what moved is written back in the
// step's own transaction, so that viewers get it like any other change. Bodies that sleep cost nothing.
//
// # The engine
//
// It is behind [Engine]; package rapier has it. A world without a dynamic body never opens one. The
// first that gets one has it opened in the background, and simulation steps, nothing else, wait until
// it is there. An engine that fails is replaced by a new one that is made from the world, which loses
// no entity and no velocity, but what rested may stir: so the world counts it, and whoever replays the
// log must have it happen at the same step; see [Physics.RebuildAt].
package physics
