package solid

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// overlap returns how the core of b is to that of a where they overlap: along which normal it takes least
// to part them, and how far, as a gap below zero.
//
// The difference of cores that are boxes, wedges, lines and points has flat faces, and the normal is that of one of
// them, or what is square to two edges. What is curved has more normals than that, and the search goes
// on from the best of these.
func overlap(a, b *Solid) Contact {
	best := Contact{Gap: math.Inf(-1)}
	both := func(axis world.Vec3) {
		best.improve(a, b, axis)
		best.improve(a, b, axis.Scale(-1))
	}
	// Upwards first: of equal depths the first one counts, and what stands in something is best lifted.
	both(unit(1))
	faces, others := a.faces(), b.faces()
	for i := range max(len(faces), len(others)) {
		for _, list := range [2][]world.Vec3{faces, others} {
			if i < len(list) {
				both(list[i])
			}
		}
	}
	runs, across := a.edges(), b.edges()
	few := len(runs)*len(across) <= manyEdges
	for _, e := range runs {
		for _, f := range across {
			if few {
				both(e.Cross(f))
			}
		}
	}
	if few && !a.curved() && !b.curved() {
		return best
	}
	// Where they part on the way from centre to centre is a normal that is right if they only touch.
	if c := b.Center.Sub(a.Center); c.Len() > sharp {
		both(c)
		var v world.Vec3
		for d := margin; v == (world.Vec3{}) && d < 1e9; d *= 4 {
			out := b.Moved(c.Scale(d / c.Len()))
			v = nearest(a, &out, c)
		}
		best.improve(a, b, v)
	}
	back := Contact{Gap: math.Inf(-1)}
	back.improve(a, b, best.Normal.Scale(-1))
	tie := back.Gap > best.Gap-1e-9
	best.descend(a, b)
	if tie { // and how deep they are must not depend on which of them is a
		if back.descend(a, b); back.Gap > best.Gap {
			best = back
		}
	}
	return best
}

// manyEdges is how many pairs of edges of two hulls are tried at most.
const manyEdges = 512

// improve makes c how b is to a along an axis if they are less deep in each other along it, and reports
// whether they are.
func (c *Contact) improve(a, b *Solid, axis world.Vec3) bool {
	l := axis.Len()
	if l < 1e-9 {
		return false
	}
	n := axis.Scale(1 / l)
	gap := between(a, b, n).Dot(n)
	if gap > c.Gap {
		*c = Contact{gap, n}
		return true
	}
	return false
}

// margin is how much farther than needed b is moved before it is asked where it is nearest, in metres: what
// only touches is nearest in no direction.
const margin = 1e-3

// descend goes from c to a normal along which a and b are least deep in each other of all around it: it
// moves b out along the normal and finds the shortest way from a to it, along which they are no deeper. This
// is the proximal point method (Rockafellar, Monotone operators and the proximal point algorithm, 1976): to
// move b out by d adds d/2·|n-c|² to the depth, of which the normal n with the least is sought, and that is
// just enough to make it convex.
func (c *Contact) descend(a, b *Solid) {
	const enough = 1e-6 // metres; a gain that is not worth going on for
	for range 64 {
		from := *c
		out := b.Moved(c.Normal.Scale(margin - c.Gap))
		v := nearest(a, &out, c.Normal)
		for c.improve(a, b, v) { // and on in the same direction, twice as far
			v = c.Normal.Add(c.Normal.Sub(from.Normal))
		}
		if c.Gap-from.Gap < enough {
			return
		}
	}
}
