// Package batch holds world.batch, which runs many skills in one call, and scene.forEach, which runs one for many entities.
//
// The operations of a batch go one after the other, each the whole way of a call: its input is checked,
// its permission too, and its event is in the trace. They share one transaction, so they make one
// commit, which is one step for world.undo. A batch is atomic, unless it says bestEffort: the first
// operation that fails undoes all that came before it.
//
// An operation may use what an earlier one has answered: in its input, a string of the form
// "$name.field" stands for that field of the answer of the operation that is called name; a number
// stands for an element of a list, and "$name" for all of the answer. "$$" at the beginning is a dollar
// sign.
//
// What cannot be part of a batch: another batch, skills.call, world.undo and world.redo, and skills
// that do what no transaction takes back. Slow skills can: the batch is slow itself.
package batch

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of the package.
func All(w *world.World) []registry.Skill {
	turns := registry.NewTurns(1) // of all that keep the world for long
	return []registry.Skill{batchSkill(w, turns), each(w, turns)}
}
