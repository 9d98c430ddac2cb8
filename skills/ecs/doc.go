// Package ecs holds the skills that change one component of one entity at a time: its transform
// (ecs.updateComponent) and its tags (ecs.addComponent, ecs.removeComponent).
package ecs

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package on w.
func All(w *world.World) []registry.Skill {
	return []registry.Skill{UpdateComponent(w), AddComponent(w), RemoveComponent(w)}
}
