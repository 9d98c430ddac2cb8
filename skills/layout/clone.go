package layout

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// CloneIn is the input of scene.clone.
type CloneIn struct {
	Entity   world.ID    `json:"entity" jsonschema_description:"What to copy, with everything below it."`
	Position *world.Vec3 `json:"position,omitempty" jsonschema_description:"Where the copy goes, x, y, z in world space; where the original is, if left out."`
	Offset   world.Vec3  `json:"offset" jsonschema:"default=0 0 0" jsonschema_description:"Metres x, y, z to add to that."`
	Name     string      `json:"name,omitempty" validate:"omitempty,max=128" jsonschema_description:"Name of the copy; that of the original if left out."`
}

// CloneOut is the output of scene.clone.
type CloneOut struct {
	Entity world.ID `json:"entity" jsonschema_description:"Id of the copy."`
	Count  int      `json:"count" jsonschema_description:"How many entities were made: the copy and those below it."`

	Note string `json:"note,omitempty" jsonschema_description:"What of the original the copy does not have, if anything."`
}

// Clone is scene.clone.
func Clone(w *world.World, lacks ...Lacks) registry.Skill {
	return registry.Define(registry.Spec[CloneIn, CloneOut]{
		Name:  "scene.clone",
		Title: "Copy an entity",
		Description: "Make a copy of an entity and everything below it, with all that they are: shapes, materials, bodies, tags, names. An agent's body is copied as a thing, without the agent. " +
			`For many copies in a pattern use scene.array. Example: {"entity":"ent_3","offset":[2,0,0]}`,
		Keywords:    "duplicate copy",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in CloneIn) (CloneOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (CloneOut, error) {
				t, ok := tx.WorldTransform(in.Entity)
				if !ok {
					return CloneOut{}, tx.Unknown(in.Entity)
				}
				if in.Position != nil {
					t.Position = *in.Position
				}
				t.Position = t.Position.Add(in.Offset)
				before := tx.Len()
				id, err := clone(tx, in.Entity, t, in.Name)
				return CloneOut{Entity: id, Count: tx.Len() - before, Note: lack(&tx.View, in.Entity, lacks)}, err
			})
		},
	})
}

// clone copies an entity, beside it under the same parent, to a transform in world space.
func clone(tx *world.Tx, id world.ID, t world.Transform, name string) (world.ID, error) {
	parent := tx.Parent(id)
	t = tx.InSpaceOf(parent, t)
	return tx.Clone(id, world.Spec{Parent: parent, Position: t.Position, Rotation: t.Rotation, Scale: t.Scale, Name: name})
}
