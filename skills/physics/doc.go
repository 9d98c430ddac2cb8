// Package physics holds the skills about bodies: physics.applyImpulse pushes one, physics.raycast and
// physics.overlap find them, physics.collisionEvents tells who touched whom, and physics.settle waits
// until all has come to rest and reports what moved and fell.
//
// What is asked is answered from the world, not from the engine: it is true at once, also for what
// was made a moment ago, and before the engine has started.
package physics

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	bodies "github.com/limina-mcp/limina/world/physics"

	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package on w and its physics. Each of walks says whether an entity is on its way
// somewhere by other means than the physics; physics.settle waits for it then.
func All(w *world.World, p *bodies.Physics, walks ...func(v *world.View, id world.ID) bool) []registry.Skill {
	colliders := solid.NewIndex(w, p.Collider)
	return []registry.Skill{
		Raycast(w, colliders), Overlap(w, colliders), ApplyImpulse(w, p), Settle(w, p, walks...), CollisionEvents(p),
	}
}
