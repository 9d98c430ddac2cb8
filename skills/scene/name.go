package scene

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// SetNameIn is the input of scene.setName.
type SetNameIn struct {
	Entity world.ID `json:"entity" jsonschema_description:"What gets the name."`
	Name   string   `json:"name" jsonschema_description:"The name, at most 256 bytes; an empty one takes the name away. Names need not differ."`
}

// SetNameOut is the output of scene.setName.
type SetNameOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

// SetName is scene.setName.
func SetName(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[SetNameIn, SetNameOut]{
		Name:        "scene.setName",
		Title:       "Name an entity",
		Description: `Give an entity a name, or another one. Pictures show names, scene.queryEntities and scene.forEach find things by them. For a sign that is seen in the world use ui.label. Example: {"entity":"ent_3","name":"town hall"}`,
		Keywords:    "rename title call identify",
		Sets:        "name",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetNameIn) (SetNameOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (SetNameOut, error) {
				return SetNameOut{OK: true}, tx.SetName(in.Entity, in.Name)
			})
		},
	})
}
