// Package agents gives agents bodies in a world. A body is an entity that is bound to an agent's
// id; through it the agent perceives what is around and walks to where it wants to be:
//
//	a := agents.New(w)
//	w.Update(ctx, func(tx *world.Tx) error {
//		id, err := tx.Create(world.Spec{Position: world.Vec3{0, 1, 0}})
//		if err != nil {
//			return err
//		}
//		if err := a.Embody(tx, "alice", id); err != nil {
//			return err
//		}
//		return a.Approach(tx, "alice", agents.Target{Point: world.Vec3{10, 1, 0}}, 2)
//	})
//
// Who controls which body, and where each is going, is state of the world, in tables and components
// that this package declares: the world's hash, rollbacks and replays cover it. Simulation steps move
// the bodies. An agent has one body at most, and a body one agent; when the entity is destroyed the
// agent is without a body again.
//
// Who is there is state of the world too, where somebody tells it ([Agents.Attend]). What is bound to an agent ([Agents.Bind]) goes some time after the agent has.
package agents
