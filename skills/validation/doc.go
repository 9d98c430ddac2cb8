// Package validation holds scene.validate, the skill that checks by geometry what agents have built:
// what floats, cuts into something else, has sunk, is there twice, is out of bounds or cannot be
// reached. Every finding comes with the operations that repair it.
//
// A check works on a copy of the scene, in units: an entity without a parent and everything below it,
// which move together. What is below a mere group, without a shape or a body, is one unit only as far as its parts touch each other, so that what
// hangs in the air in a group is found, and a repair moves nothing else of it; parts of one group are never said to be in each other. What one finding repairs is repaired in that copy before the next one is
// looked for, so that a single mistake is reported once, and so that all repairs together leave
// nothing to report.
//
// What is built of beams and walls is in each other where these are joined, so such an overlap is repaired by declaring it: both get the tag
// [solid.Joined]. So is one that only a move out of proportion would end.
//
// What would fall over is found by letting go of everything in a physics engine that is opened for the
// check and closed after it: the world does not hear of it.
package validation

import (
	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Movers say what moves beside what the physics moves. Either may be nil: nothing does.
type Movers struct {
	Follows func(v *world.View, id world.ID) bool // it follows a path: nothing is said of it
	Driven  func(v *world.View, id world.ID) bool // it does, or plays a clip that moves it
}

func (m *Movers) follows(v *world.View, id world.ID) bool {
	return m.Follows != nil && m.Follows(v, id)
}

func (m *Movers) driven(v *world.View, id world.ID) bool { return m.Driven != nil && m.Driven(v, id) }

// All returns the skills of this package on w, the agents' bodies in it, its physics, what their calls
// take turns in, and what else moves. Each of the last three may be nil.
func All(w *world.World, a *agents.Agents, p *physics.Physics, turns *registry.Turns, moves *Movers) []registry.Skill {
	return []registry.Skill{Validate(w, a, p, turns, moves)}
}
