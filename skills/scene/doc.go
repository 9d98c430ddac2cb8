// Package scene holds the skills that add, remove, find and name entities: scene.createEntity,
// scene.destroyEntity, scene.queryEntities, scene.inspect and scene.setName.
package scene

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package on w.
func All(w *world.World) []registry.Skill {
	return []registry.Skill{CreateEntity(w), DestroyEntity(w), QueryEntities(w), Inspect(w), SetName(w)}
}
