package convex

import (
	"math"
	"slices"
)

// side is a triangle of a hull, counterclockwise from outside.
type side struct {
	at      [3]int
	normal  Vec // of length 1
	off     float64
	first   int // of the points that are outside of it, and of no other side's; -1 if there are none
	far     int // the farthest of them
	outside float64
}

// above returns how far a point is outside of a side.
func (s *side) above(p *Vec) float64 { return dot(s.normal, *p) - s.off }

// exact is how far from one another what is in one plane, or in one place, may be for rounding, of the size of all.
const exact = 1e-9

// Hulls makes hulls, each the least convex body around some points, or one within it that has fewer corners, one after the other in the same memory. The
// zero value is ready; it is not for several goroutines at a time.
type Hulls struct {
	points      []Vec
	next        []int // by point: that which is outside of the same side
	sides, kept []side
	edges, ring [][2]int
	exact       float64
}

// sees reports whether a point is outside of a side, and not in its plane.
func (h *Hulls) sees(s *side, p *Vec) bool { return s.above(p) > h.exact }

// Make makes the hull of points: of those that are farthest along the axes, so that it is as large, then with the farthest point taken in first, again and again, until none is farther outside than near, or it has as many corners
// as it may (Barber, Dobkin and Huhdanpaa, 1996). Points that are all within flat of a plane have none, and it is false. What is said is of the one made last.
func (h *Hulls) Make(points []Vec, most int, near, flat float64) bool {
	first, ok := simplex(points, flat)
	if !ok {
		return false
	}
	h.exact = float64(exact * length(sub(points[first[1]], points[first[0]])))
	h.points, h.sides, h.next = points, h.sides[:0], slices.Grow(h.next[:0], len(points))[:len(points)]
	for _, at := range [4][3]int{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}} {
		h.sides = append(h.sides, h.side(first[at[0]], first[at[1]], first[at[2]]))
	}
	for i := range points {
		h.give(i, h.sides)
	}
	corners := len(first)
	for k := range 6 {
		i, _ := farthest(points, func(p Vec) float64 { return float64(float64(1-2*(k%2)) * p[k/2]) })
		if corners < most && slices.ContainsFunc(h.sides, func(s side) bool { return h.sees(&s, &points[i]) }) && h.grow(i) {
			corners++
		}
	}
	for corners < most {
		best := -1
		for i := range h.sides {
			if h.sides[i].outside > near && (best < 0 || h.sides[i].outside > h.sides[best].outside) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		if h.grow(h.sides[best].far) {
			corners++
		} else {
			h.sides[best].outside = 0 // rounding does not let it see a whole horizon
		}
	}
	return true
}

// Corners returns the corners of the hull, those in the same place once.
func (h *Hulls) Corners() (list []Vec) {
	for i := range h.sides {
		for _, k := range h.sides[i].at {
			if !slices.Contains(list, h.points[k]) {
				list = append(list, h.points[k])
			}
		}
	}
	return list
}

// Volume is that of the hull.
func (h *Hulls) Volume() (sum float64) {
	from := h.points[h.sides[0].at[0]]
	for i := range h.sides {
		at := &h.sides[i].at
		a, b, c := sub(h.points[at[0]], from), sub(h.points[at[1]], from), sub(h.points[at[2]], from)
		sum += dot(a, cross(b, c)) / 6
	}
	return sum
}

// side returns the side of three points.
func (h *Hulls) side(a, b, c int) side {
	s := side{at: [3]int{a, b, c}, first: -1}
	s.normal = cross(sub(h.points[b], h.points[a]), sub(h.points[c], h.points[a]))
	long := max(length(sub(h.points[a], h.points[b])), length(sub(h.points[b], h.points[c])), length(sub(h.points[c], h.points[a])))
	if n := length(s.normal); n > float64(h.exact*long) {
		s.normal = scale(s.normal, 1/n)
	} else { // of three on a line nobody is outside
		s.normal = Vec{}
	}
	s.off = dot(s.normal, h.points[a])
	return s
}

// give notes a point with that of some sides that it is farthest outside of.
func (h *Hulls) give(i int, sides []side) {
	best, far := -1, h.exact
	for k := range sides {
		if d := sides[k].above(&h.points[i]); d > far {
			best, far = k, d
		}
	}
	if best < 0 {
		return
	}
	s := &sides[best]
	h.next[i], s.first = s.first, i
	if far > s.outside {
		s.far, s.outside = i, far
	}
}

// grow takes a point in: all sides that see it go, and the edges around them are joined with it. It is false if those edges make no ring.
func (h *Hulls) grow(p int) bool {
	h.edges, h.ring, h.kept = h.edges[:0], h.ring[:0], h.kept[:0]
	for i := range h.sides {
		s := &h.sides[i]
		if h.sees(s, &h.points[p]) {
			h.edges = append(h.edges, [2]int{s.at[0], s.at[1]}, [2]int{s.at[1], s.at[2]}, [2]int{s.at[2], s.at[0]})
		} else {
			h.kept = append(h.kept, *s)
		}
	}
	for _, e := range h.edges {
		if slices.Contains(h.edges, [2]int{e[1], e[0]}) {
			continue
		}
		if e[0] == p || e[1] == p || slices.ContainsFunc(h.ring, func(o [2]int) bool { return o[0] == e[0] || o[1] == e[1] }) {
			return false
		}
		h.ring = append(h.ring, e)
	}
	if len(h.ring) < 3 {
		return false
	}
	old := len(h.kept)
	for _, e := range h.ring {
		h.kept = append(h.kept, h.side(e[0], e[1], p))
	}
	for i := range h.sides {
		if h.sees(&h.sides[i], &h.points[p]) {
			for k := h.sides[i].first; k >= 0; {
				after := h.next[k]
				h.give(k, h.kept[old:])
				k = after
			}
		}
	}
	h.sides, h.kept = h.kept, h.sides
	return true
}

// simplex returns four points that are far apart, the first three counterclockwise as seen from where the fourth is not.
func simplex(points []Vec, flat float64) (at [4]int, ok bool) {
	if len(points) < 4 {
		return at, false
	}
	at[0], _ = farthest(points, func(p Vec) float64 { return -p[0] })
	a := points[at[0]]
	at[1], _ = farthest(points, func(p Vec) float64 { return dot(sub(p, a), sub(p, a)) })
	along := sub(points[at[1]], a)
	at[2], _ = farthest(points, func(p Vec) float64 {
		across := cross(along, sub(p, a))
		return dot(across, across)
	})
	n := cross(along, sub(points[at[2]], a))
	wide := length(n)
	if wide <= float64(flat*length(along)) {
		return at, false
	}
	n = scale(n, 1/wide)
	above, up := farthest(points, func(p Vec) float64 { return dot(n, sub(p, a)) })
	below, down := farthest(points, func(p Vec) float64 { return -dot(n, sub(p, a)) })
	if max(up, down) <= flat {
		return at, false
	}
	if at[3] = below; up > down { // as seen from there the three are clockwise
		at[1], at[2], at[3] = at[2], at[1], above
	}
	return at, true
}

// farthest returns the first of the points of which a measure is largest.
func farthest(points []Vec, measure func(p Vec) float64) (best int, far float64) {
	far = math.Inf(-1)
	for i, p := range points {
		if d := measure(p); d > far {
			best, far = i, d
		}
	}
	return best, far
}
