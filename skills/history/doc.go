// Package history holds the skills that look back and go back: world.undo, world.redo, world.history,
// world.changes and world.diff.
//
// Every call of an agent's that changed something is one step, which he can take back: the newest
// first, as long as nobody else has changed the same things since. Package world says how long steps
// are kept.
package history

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of the package.
func All(w *world.World) []registry.Skill {
	return []registry.Skill{Undo(w), Redo(w), History(w), Changes(w), Diff(w)}
}

// Step is a step of an agent's.
type Step struct {
	Skill    string `json:"skill" jsonschema_description:"The skill that was called."`
	Intent   uint64 `json:"intent" jsonschema_description:"The number of the call."`
	Revision uint64 `json:"revision" jsonschema_description:"The revision that it made."`
	Touched  int    `json:"touched" jsonschema_description:"How many things it touched: entities, their parts, rows, settings."`
}

func steps(list []world.Step) []Step {
	out := make([]Step, len(list))
	for i, s := range list {
		out[i] = Step{Skill: s.Skill, Intent: s.Intent, Revision: s.Revision, Touched: s.Touched}
	}
	return out
}
