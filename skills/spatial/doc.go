// Package spatial holds the skills that answer questions about room: what is nearest to a place, how
// large something is as it stands there, how far two things are apart, and where there is space. They
// go by what entities look like, turned and scaled as they are, whether they have a body or not, so
// that nobody has to work it out from coordinates.
package spatial

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package on w; things is [solid.NewLooks] of it.
func All(w *world.World, things *solid.Index) []registry.Skill {
	return []registry.Skill{Nearest(w, things), Bounds(w), Measure(w), FreeSpace(w, things)}
}

// point is a place as a solid.
func point(p world.Vec3) solid.Solid {
	return solid.New(world.Shape{Kind: "sphere"}, world.Transform{Position: p, Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}})
}

// thing returns an entity as a solid: itself if it has a shape; the box around its children, if it is
// only a group of them; or else the point where it is.
func thing(v *world.View, id world.ID) (solid.Solid, error) {
	if !v.Exists(id) {
		return solid.Solid{}, v.Unknown(id)
	}
	if s, ok := solid.Of(v.World(), v, id); ok {
		return s, nil
	}
	return upright(solid.Tree(v.World(), v, id)), nil
}

// upright returns bounds as a solid.
func upright(b solid.Bounds) solid.Solid {
	at := world.Transform{Position: b.Center(), Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}}
	return solid.New(world.Shape{Kind: "box", Size: b.Size()}, at)
}
