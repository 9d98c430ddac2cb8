// Package inspector holds inspector.snapshot, which shows people and debuggers what a server holds.
package inspector

import (
	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Deps is what the skills of this package need beside the registry that runs them.
type Deps struct {
	World    *world.World
	Agents   *agents.Agents
	Profiles *profiles.Set // default [profiles.Builtin]

	Stuck func(v *world.View, id world.ID) string // why an entity that is on its way does not get on, "" if it does; nil: nobody knows
	Path  func(v *world.View, id world.ID) string // which path an entity follows, "" for none; nil: nobody knows
}

// All returns the skills of this package.
func All(d Deps) []registry.Skill {
	if d.Profiles == nil {
		d.Profiles = profiles.Builtin()
	}
	return []registry.Skill{Snapshot(d)}
}
