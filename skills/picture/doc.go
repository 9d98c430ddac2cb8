// Package picture lets agents see what they build: scene.render answers with a picture of the world
// and says in text what shows where.
//
// [Copy] makes a [render.Scene] of a world, for programs that want pictures of their own.
package picture

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ui"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package on w. Panels that stand in the world are drawn too.
func All(w *world.World, panels *ui.Panels) []registry.Skill {
	return []registry.Skill{Render(w, panels)}
}
