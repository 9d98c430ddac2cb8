package solid

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// Bounds is a box along the world's axes.
type Bounds struct{ Lo, Hi world.Vec3 }

// Nothing returns the bounds of nothing: joined with others they leave these as they are.
func Nothing() Bounds {
	inf := math.Inf(1)
	return Bounds{Lo: world.Vec3{inf, inf, inf}, Hi: world.Vec3{-inf, -inf, -inf}}
}

// Empty reports whether there is nothing in b, not even a point.
func (b Bounds) Empty() bool {
	return !(b.Lo[0] <= b.Hi[0] && b.Lo[1] <= b.Hi[1] && b.Lo[2] <= b.Hi[2])
}

// Join returns the bounds of both.
func (b Bounds) Join(o Bounds) Bounds { return Bounds{b.Lo.Min(o.Lo), b.Hi.Max(o.Hi)} }

// Size returns the extents of b, which must not be empty.
func (b Bounds) Size() world.Vec3 { return b.Hi.Sub(b.Lo) }

// Center returns the middle of b, which must not be empty.
func (b Bounds) Center() world.Vec3 { return b.Lo.Add(b.Hi).Scale(0.5) }

// Moved returns b moved by d.
func (b Bounds) Moved(d world.Vec3) Bounds { return Bounds{b.Lo.Add(d), b.Hi.Add(d)} }

// Near reports whether b and o are at most d metres apart along each axis.
func (b Bounds) Near(o Bounds, d float64) bool {
	for i := range 3 {
		if b.Lo[i] > o.Hi[i]+d || o.Lo[i] > b.Hi[i]+d {
			return false
		}
	}
	return true
}

// Tree returns the bounds of an entity and everything below it. An entity without a shape is a
// point; only one that does not exist has empty bounds.
func Tree(w *world.World, v *world.View, id world.ID) Bounds {
	p, ok := v.Position(id)
	if !ok {
		return Nothing()
	}
	b := Bounds{p, p}
	if s, ok := Of(w, v, id); ok {
		b = s.Bounds()
	} else if len(v.Children(id)) > 0 {
		b = Nothing() // a group is what is in it
	}
	for _, child := range v.Children(id) {
		b = b.Join(Tree(w, v, child))
	}
	return b
}
