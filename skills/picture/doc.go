// Package picture lets agents see what they build: scene.render answers with a picture of the world
// and says in text what shows where. scene.geometry and scene.image are for programs that draw the world themselves.
//
// [Source.Copy] makes a [render.Scene] of a world, for programs that want pictures of their own.
package picture

import "github.com/limina-mcp/limina/registry"

// All returns the skills of this package.
func All(s Source) []registry.Skill {
	s.gallery = &gallery{}
	all := []registry.Skill{Render(s), ReadGeometry(s)}
	if s.Materials != nil {
		all = append(all, ReadImage(s))
	}
	return all
}
