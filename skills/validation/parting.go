package validation

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// part moves a unit out of whatever it is in: by the given way if that frees it, else as far to a side, else to the sides of all that it
// is in. Where none does and it is not far in, the other rises off it or goes down from it, or it or the other becomes a little shorter on that
// side: a roof on a post, an arch on piers under a deck, or beams that overlap where they meet, are not to be torn apart for a few centimetres. Slabs on
// one level part across it, as far as they overlap there: that is more than the slabs are thick, and much less than
// they are long. Else it goes farther to a side, else onto what is in its way. What then hangs in the air comes down.
// Part returns which of the two has changed, and what repairs it.
func (c *check) part(u, other *unit, way world.Vec3) (changed *unit, fix func(*unit) []Op) {
	d := way.Len()
	gives := !other.exempt && !c.stage.floor(other)
	switch {
	case c.aside(u, []world.Vec3{way, {d, 0, 0}, {-d, 0, 0}, {0, 0, d}, {0, 0, -d}}):
		return u, placeAt
	case c.ease(u):
		return u, placeAt
	case gives && math.Abs(way[1]) > 0.7*d && d <= u.bounds.Size()[1]/4 && c.aside(other, []world.Vec3{way.Scale(-1)}):
		return other, placeAt
	case c.stage.shorten(u, other, way):
		return u, placeAndScale
	case gives && c.stage.shorten(other, u, way.Scale(-1)):
		return other, placeAndScale
	}
	across := past(u.bounds, other.bounds)
	for _, way := range across {
		if c.stage.shorten(u, other, way) {
			return u, placeAndScale
		}
	}
	ways := across
	size := u.bounds.Size()
	for _, far := range []float64{1, 2} {
		for i, k := range []world.Vec3{{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}} {
			ways = append(ways, k.Scale(size[i/2*2]*far))
		}
	}
	if !c.aside(u, ways) {
		c.stage.lift(u)
	}
	return u, placeAt
}

// past returns the ways along x and z that bring b out of the box around other, the shortest first.
func past(b, other solid.Bounds) []world.Vec3 {
	var ways []world.Vec3
	for _, i := range []int{0, 2} {
		var up, down world.Vec3
		up[i], down[i] = other.Hi[i]-b.Lo[i], other.Lo[i]-b.Hi[i]
		ways = append(ways, up, down)
	}
	slices.SortStableFunc(ways, func(a, b world.Vec3) int { return cmp.Compare(a.Len(), b.Len()) })
	return ways
}

// aside moves a unit the first of these ways that frees it, and reports whether one did.
func (c *check) aside(u *unit, ways []world.Vec3) bool {
	start, deep := u.at(), c.stage.founded(u)
	for _, d := range ways {
		c.stage.move(u, start.Add(d).Sub(u.at()))
		if c.fits(u, deep) {
			c.stage.settle(u)
			return true
		}
	}
	c.stage.move(u, start.Sub(u.at()))
	return false
}

// ease pushes a unit to the sides out of what it is in, one thing after the other, as out of the corner of a room. It reports whether
// that frees it within a quarter of its own width.
func (c *check) ease(u *unit) bool {
	const level = 0.1 // the most that a way to the side goes up or down, of its length
	start, size := u.at(), u.bounds.Size()
	for range 8 {
		o := c.stage.inTheWay(u)
		if o == nil {
			break
		}
		contact := between(o, u)
		if math.Abs(contact.Normal[1]) > level {
			break
		}
		c.stage.move(u, contact.Normal.Scale(-contact.Gap))
	}
	way := u.at().Sub(start)
	c.stage.move(u, way.Scale(-1))
	return way.Len() <= min(size[0], size[2])/4 && c.aside(u, []world.Vec3{way})
}

// fits reports whether u is in nothing else, no deeper in the ground than that, and within bounds.
func (c *check) fits(u *unit, deep float64) bool {
	if c.stage.sunk(u) > max(deep, tolerance) {
		return false
	}
	if c.bounds != nil {
		if _, out := inside(u.bounds, *c.bounds); out > tolerance {
			return false
		}
	}
	return c.stage.inTheWay(u) == nil
}

// inTheWay returns a unit that u is in, nil if there is none.
func (s *stage) inTheWay(u *unit) *unit {
	for _, o := range s.grid.near(u.bounds, 0) {
		if o == u || o.gone || o.walks {
			continue
		}
		if _, cuts := cut(o, u); cuts {
			return o
		}
	}
	return nil
}

// lift raises u until it is in nothing: above the bounds of each unit that is in its way, each of them once. Where numbers are so
// large that a step changes nothing it stays in something.
func (s *stage) lift(u *unit) {
	for range s.units {
		o := s.inTheWay(u)
		if o == nil {
			break
		}
		s.move(u, world.Vec3{0, max(o.bounds.Hi[1]-u.bounds.Lo[1], tolerance), 0})
	}
	s.settle(u)
}

// settle lets u come down on what is below it, if it touches nothing.
func (s *stage) settle(u *unit) {
	if d := s.drop([]*unit{u}); d > tolerance {
		s.move(u, world.Vec3{0, -d, 0})
	}
}
