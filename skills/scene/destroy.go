package scene

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// DestroyEntityIn is the input of scene.destroyEntity.
type DestroyEntityIn struct {
	Entity world.ID `json:"entity" jsonschema_description:"Id of the entity to remove, such as ent_3."`
}

// DestroyEntityOut is the output of scene.destroyEntity.
type DestroyEntityOut struct {
	Removed bool `json:"removed" jsonschema_description:"Whether there was such an entity."`
}

// DestroyEntity is scene.destroyEntity.
func DestroyEntity(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[DestroyEntityIn, DestroyEntityOut]{
		Name:  "scene.destroyEntity",
		Title: "Remove an entity",
		Description: "Remove an entity for good, with its body, its tags and the entities that are its children. " +
			`An id that nobody has is no error: the answer is then removed:false. To change an entity instead, use three.setTransform or three.setMaterial. Example: {"entity":"ent_3"}`,
		Published:   true,
		Keywords:    "delete remove clear kill rid everything",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Destroys,
		Idempotent:  true,
		Handle: func(c *registry.Call, in DestroyEntityIn) (DestroyEntityOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (DestroyEntityOut, error) {
				return DestroyEntityOut{Removed: tx.Destroy(in.Entity)}, nil
			})
		},
	})
}
