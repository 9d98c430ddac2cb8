// Package scene holds the skills that add, remove, find and name entities: scene.createEntity,
// scene.destroyEntity, scene.queryEntities, scene.inspect and scene.setName.
package scene

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package on w. Queries tell what entities do by themselves as lives know it.
func All(w *world.World, lives ...Lives) []registry.Skill {
	return []registry.Skill{CreateEntity(w), DestroyEntity(w), QueryEntities(w, lives...), Inspect(w), SetName(w)}
}

// Lives says what an entity does by itself, nil if nothing. It goes by the world alone.
type Lives func(v *world.View, id world.ID) *Behavior
