// Package scene holds the skills that add, remove and find entities: scene.createEntity,
// scene.destroyEntity, scene.queryEntities and scene.inspect.
package scene

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package on w.
func All(w *world.World) []registry.Skill {
	return []registry.Skill{CreateEntity(w), DestroyEntity(w), QueryEntities(w), Inspect(w)}
}
