// Package architecture holds the skills that put up whole structures: architecture.building, and
// architecture.rebuild, which changes one.
//
// A structure is made of ordinary entities, static boxes and wedges, in one commit: either all of it stands or
// nothing does. It can be taken apart and changed with the scene, three and ecs skills afterwards.
package architecture

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package on w.
func All(w *world.World) []registry.Skill {
	plans := world.NewComponent[BuildingIn](w, "building", world.Private)
	return []registry.Skill{Building(w, plans), Rebuild(w, plans)}
}
