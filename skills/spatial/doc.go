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

// body is the room that something takes up.
type body struct {
	id    world.ID     // of the entity, 0 of a point
	group bool         // a group: the parts are what is below it
	tree  *node        // of its parts, at least one
	box   solid.Bounds // around all of them
	mid   world.Vec3   // of the box
}

// spot is a place as a body.
func spot(p world.Vec3) body {
	return body{tree: plant(partOf(point(p))), box: solid.Bounds{Lo: p, Hi: p}, mid: p}
}

// thing returns an entity as a body: itself if it has a shape; what is below it, if it is only a group; or else the
// point where it is.
func thing(v *world.View, id world.ID) (body, error) {
	if !v.Exists(id) {
		return body{}, v.Unknown(id)
	}
	if s, ok := solid.Of(v.World(), v, id); ok {
		return body{id: id, tree: plant(partOf(s)), box: s.Bounds(), mid: s.Center}, nil
	}
	b := body{id: id, group: true, box: solid.Tree(v.World(), v, id)}
	b.mid = b.box.Center()
	parts := below(nil, v, id, nil)
	if len(parts) == 0 {
		parts = []part{partOf(upright(b.box.Center(), b.box.Size()))}
	}
	b.tree = plant(parts...)
	return b, nil
}

// below appends all that is below an entity and takes up room, but for what is part of a body.
func below(list []part, v *world.View, id world.ID, but *body) []part {
	for _, child := range v.Children(id) {
		same := but != nil && child == but.id
		if same && but.group {
			continue
		}
		if s, ok := solid.Of(v.World(), v, child); ok && !same {
			list = append(list, partOf(s))
		}
		list = below(list, v, child, but)
	}
	return list
}

// upright returns an upright box with a middle and a size.
func upright(at, size world.Vec3) solid.Solid {
	return solid.New(world.Shape{Kind: "box", Size: size}, world.Transform{Position: at, Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}})
}
