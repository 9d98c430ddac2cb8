// Package decompose finds convex pieces that together take up the room that a surface of triangles encloses.
//
//	pieces := decompose.Surface(points, triangles, 64)
//
// Models that come from elsewhere are such surfaces. Bodies, rays and whoever walks need to know what is inside of them, and can only work with what is convex (package convex).
//
// A surface falls into what hangs together, each of which is cut in two where that takes away most of what its hull has too much, and again, until little is
// left. Cuts are along the axes, by preference where the surface has a side. This is how approximate convex decomposition goes (Mamou and Ghorbel, 2009; Wei et al., 2022), with a measure that needs
// no grid: the volume of a body is what its triangles add up to, closed where they are cut.
//
// Products are rounded one by one, so that every platform gets the same pieces.
package decompose

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/convex"
)

const (
	corners = 32    // of a piece, at most
	few     = 8     // parts of a surface: if there are no more, one that is convex may have as many corners as a piece can
	near    = 2e-3  // of the size of a piece: how far from its hull a point may be
	thin    = 2e-3  // of the size of a surface: half of how thick that is which is flat
	inside  = 0.1   // of that: how far from an edge of its box it is looked where along it a body is
	enough  = 0.005 // of the room that the parts of a surface take up: how much the hulls of all pieces may have too much
	little  = 0.1   // of what is enough: how much a piece may have too much and is left alone
	gain    = 0.95  // of what a hull has too much: what a good cut leaves of it, at most
	fair    = 0.05  // of a hull: how much of it may be too much where no cut is good
	empty   = 0.02  // of a hull: what encloses less than that encloses nothing
	crack   = 0.02  // of the area of a surface: the largest hole that is none; and of its size, how far from its end what is there may be
	cloud   = 8     // pieces of what has more parts than it may have pieces and encloses nothing, as leaves do
	fine    = 12000 // triangles: what has more is made coarser
	coarse  = 96.0  // cells along its longest side, in each of which is one point then; half as many if there are still too many
)

// Surface returns the corners of at most so many convex pieces. Triangles are counterclockwise from outside; holes, as at the foot of a house that was
// made to be looked at, are taken to be closed. What encloses nothing, because it has no inside or its outside is within, is a skin: its pieces are the
// hulls of parts of it, and what is flat is some thousandths of its size thick. Pieces have 4 to 64 corners and may lie in one another. There are none of a surface that has
// no extent, or one that is not finite. It takes time for each piece and each triangle: of a model of some thousands with 64 pieces, a second at most.
func Surface(points [][3]float32, triangles [][3]uint32, most int) (pieces [][]world.Vec3) {
	s, scale := read(points, triangles)
	if s == nil {
		return nil
	}
	for cells := coarse; len(s.triangles) > fine && cells > 2; cells /= 2 {
		s.coarsen(cells)
	}
	flat := float64(thin * s.size())
	parts := s.parts()
	if len(parts) > most {
		parts, most = s.together(parts, most)
	}
	c := &cutter{flat: flat, corners: corners}
	if len(parts) <= few {
		c.corners = convex.MaxPoints
	}
	for _, part := range parts {
		c.bodies = append(c.bodies, part.body(c))
	}
	c.corners = corners
	c.tolerate()
	c.divide(most)
	c.join()
	for _, b := range c.bodies {
		if piece := b.hull.corners; len(piece) >= 4 {
			for i := range piece {
				piece[i] = piece[i].Scale(scale)
			}
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// cutter cuts bodies.
type cutter struct {
	hulls     convex.Hulls
	points    []convex.Vec // of the hull that was made last
	corners   int          // of a piece, at most
	flat      float64      // half of how thick that is taken to be which is flat
	bodies    []*body
	tolerated float64 // how much the hulls of all pieces together may have too much
}

// hull is the least convex body around some points, or one within it that has fewer corners.
type hull struct {
	corners []world.Vec3
	volume  float64
}

// around returns the hull of points, see [convex.Hulls.Make].
func (c *cutter) around(points []world.Vec3, most int, near, flat float64) (h hull, ok bool) {
	if !c.enclose(points, most, near, flat) {
		return hull{}, false
	}
	for _, p := range c.hulls.Corners() {
		h.corners = append(h.corners, world.Vec3(p))
	}
	h.volume = c.hulls.Volume()
	return h, true
}

// enclose makes the hull of points.
func (c *cutter) enclose(points []world.Vec3, most int, near, flat float64) bool {
	c.points = c.points[:0]
	for _, p := range points {
		c.points = append(c.points, convex.Vec(p))
	}
	return c.hulls.Make(c.points, most, near, flat)
}

// tolerate says how much is enough, before anything was cut.
func (c *cutter) tolerate() {
	for _, b := range c.bodies {
		room := b.volume
		if b.hollow {
			room = b.hull.volume
		}
		c.tolerated += float64(enough * room)
	}
}

// divide cuts bodies until there are so many, or their hulls have little too much.
func (c *cutter) divide(most int) {
	done := map[*body]bool{}
	for len(c.bodies) < most {
		var left float64
		worst := -1
		for i, b := range c.bodies {
			left += b.excess()
			if !done[b] && b.excess() > float64(little*c.tolerated) && (worst < 0 || b.excess() > c.bodies[worst].excess()) {
				worst = i
			}
		}
		if worst < 0 || left <= c.tolerated {
			return
		}
		low, high, ok := c.halve(c.bodies[worst])
		if !ok {
			done[c.bodies[worst]] = true
			continue
		}
		c.bodies[worst] = low
		c.bodies = append(c.bodies, high)
	}
}

// halve cuts a body where it is best cut; it is false if that is no use.
func (c *cutter) halve(b *body) (low, high *body, ok bool) {
	cuts := c.cuts(b)
	best := slices.MinFunc(cuts[:], func(a, b cut) int { return cmp.Compare(a.cost, b.cost) })
	if math.IsInf(best.cost, 1) {
		return nil, nil, false
	}
	if b.hollow || best.cost <= float64(gain*b.excess()) {
		low, high = c.split(b, best)
		return low, high, true
	}
	if b.excess() <= float64(fair*b.hull.volume) {
		return nil, nil, false
	}
	// No cut takes much away, as of a ring, whose halves have to be cut again: the next ones decide.
	after := math.Inf(1)
	for _, first := range cuts {
		if math.IsInf(first.cost, 1) {
			continue
		}
		var sum float64
		l, h := c.split(b, first)
		for _, half := range []*body{l, h} {
			then := half.excess()
			for _, next := range c.cuts(half) {
				then = min(then, next.cost)
			}
			sum += then
		}
		if sum < after {
			after, low, high = sum, l, h
		}
	}
	return low, high, true
}

// pair is two bodies that may be put together, and what they are then.
type pair struct{ a, b, both *body }

// join puts bodies together that are nearly convex then.
func (c *cutter) join() {
	spare := float64(little * c.tolerated) // of all that are joined
	var pairs []pair
	for i, a := range c.bodies {
		pairs = c.pair(pairs, a, c.bodies[i+1:], spare)
	}
	for len(pairs) > 0 {
		p := slices.MinFunc(pairs, func(p, q pair) int { return cmp.Compare(p.both.excess(), q.both.excess()) })
		if p.both.excess() > spare {
			return
		}
		spare -= p.both.excess()
		pairs = slices.DeleteFunc(pairs, func(q pair) bool { return q.a == p.a || q.b == p.a || q.a == p.b || q.b == p.b })
		c.bodies = slices.DeleteFunc(c.bodies, func(b *body) bool { return b == p.a || b == p.b })
		pairs = c.pair(pairs, p.both, c.bodies, spare)
		c.bodies = append(c.bodies, p.both)
	}
}

// pair appends those of some bodies that have little too much together with another.
func (c *cutter) pair(pairs []pair, a *body, others []*body, spare float64) []pair {
	for _, b := range others {
		if a.hollow != b.hollow || !touches(a, b, c.flat) {
			continue
		}
		h, ok := c.around(slices.Concat(a.hull.corners, b.hull.corners), c.corners, float64(near*c.flat), c.flat)
		if !ok {
			continue
		}
		both := &body{hollow: a.hollow, lo: a.lo.Min(b.lo), hi: a.hi.Max(b.hi), volume: a.hull.volume + b.hull.volume, hull: h}
		if both.excess() <= spare {
			pairs = append(pairs, pair{a, b, both})
		}
	}
	return pairs
}

// touches reports whether the boxes around two bodies do.
func touches(a, b *body, flat float64) bool {
	for k := range 3 {
		if a.lo[k] > b.hi[k]+flat || b.lo[k] > a.hi[k]+flat {
			return false
		}
	}
	return true
}
