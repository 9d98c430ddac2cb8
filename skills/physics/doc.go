// Package physics holds the skills about bodies: physics.setBody gives one, physics.applyImpulse pushes one, physics.raycast and
// physics.overlap find them, physics.collisionEvents tells who touched whom, and physics.settle waits
// until all has come to rest and reports what moved and fell. physics.addJoint has one hang on another, physics.setMotor drives what hangs; physics.setGravity says how strongly all falls.
//
// What is asked is answered from the world, not from the engine: it is true at once, also for what
// was made a moment ago, and before the engine has started.
package physics

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	bodies "github.com/limina-mcp/limina/world/physics"

	"github.com/limina-mcp/limina/world"
)

// Movers say what moves entities beside the physics. What physics.settle waits for, it waits for them too.
type Movers struct {
	Walks   []func(v *world.View, id world.ID) bool // whether an entity is on its way somewhere
	Endless func(v *world.View, id world.ID) bool   // whether it goes on moving for ever, which is told and not waited for; may be nil
	Awaited []func(v *world.View) bool              // whether something is yet to be heard or done, which may have something move
	Stuck   func(v *world.View, id world.ID) string // why it does not get on, "" if it does or nobody knows; may be nil

	// Reach says why a caller who may not change the scene cannot push an entity from where he is, "" if he can. nil: he can from everywhere.
	Reach func(v *world.View, caller *profiles.Principal, id world.ID) (why string, err error)
}

// All returns the skills of this package on w and its physics.
func All(w *world.World, p *bodies.Physics, others Movers) []registry.Skill {
	colliders := solid.NewIndex(w, p.Collider)
	return []registry.Skill{
		Raycast(w, colliders), Overlap(w, colliders), SetBody(w, p), ApplyImpulse(w, p, others.Reach), Settle(w, p, others), CollisionEvents(p),
		AddJoint(w, p), RemoveJoint(w, p), SetMotor(w, p), Joints(w, p), SetGravity(w, p),
	}
}
