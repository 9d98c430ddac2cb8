// Package exchange holds the skills that take scenes out of a world and put them into one:
// scene.export and scene.import, as GLB files that modelling programs and game engines read and
// write.
//
// # What is in a file
//
// Each entity is a node with its name, its parent and its transform, exactly. What glTF has no place for is
// in the node's extras under "limina": the entity's id, tags, shape, material, body and light. What
// an entity looks like is a node below it, scaled to the size of its shape; all shapes of one kind
// share their geometry.
//
// What comes back from such a file is as it was, but for the ids: an id is never used twice, so the
// answer says which is now which. From files that others made come nodes, their names and transforms,
// and their meshes in one colour each.
//
// There is one difference between a world and such a file: a world does not shear (see [world.Transform]), programs
// that read glTF do. It shows where a turned child has an unevenly scaled parent.
//
// The second form, a log, is two texts: a manifest, and a line for each entity and mesh; docs/scene-log.md
// describes it. It keeps what a GLB file keeps.
//
// The third form, events, is that of the original engine as far as it is documented: a line for each call
// that makes something, in a chain of hashes. To import it is to make these calls again.
package exchange

import (
	"cmp"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/world"
)

// Deps is what the skills of this package act on.
type Deps struct {
	World  *world.World
	Meshes *mesh.Meshes
	Dir    string // the only folder in which files are read and written; "" for none

	// Turns is what files are written and read in; nil for turns of their own.
	Turns *registry.Turns
}

// All returns the skills of this package.
func All(d Deps) []registry.Skill {
	d.Turns = cmp.Or(d.Turns, registry.NewTurns(0))
	return []registry.Skill{Export(d), Import(d)}
}
