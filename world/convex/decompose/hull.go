package decompose

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// hull is the least convex body around points, or one within it that has fewer corners.
type hull struct {
	corners []world.Vec3
	volume  float64
}

// side is a triangle of a hull, counterclockwise from outside.
type side struct {
	at      [3]int
	normal  world.Vec3 // of length 1
	off     float64
	first   int // of the points that are outside of it, and of no other side's; -1 if there are none
	far     int // the farthest of them
	outside float64
}

// sees reports whether a point is outside of a side, and not in its plane.
func (s *side) sees(p *world.Vec3) bool { return s.above(p) > exact }

// above returns how far a point is outside of a side.
func (s *side) above(p *world.Vec3) float64 { return s.normal.Dot(*p) - s.off }

// exact is how far from one another what is in one plane, or in one place, may be for rounding. Surfaces have a size from 1 to 2.
const exact = 1e-9

// hullmaker makes hulls one after the other in the same memory.
type hullmaker struct {
	points      []world.Vec3
	next        []int // by point: that which is outside of the same side
	sides, kept []side
	edges, ring [][2]int
}

// around returns the hull of points: with the farthest point taken in first, again and again, until none is farther outside than near, or it has as many corners
// as it may (Barber, Dobkin and Huhdanpaa, 1996). Points that are all within flat of a plane have none.
func (m *hullmaker) around(points []world.Vec3, most int, near, flat float64) (h hull, ok bool) {
	if !m.make(points, most, near, flat) {
		return hull{}, false
	}
	for i := range m.sides {
		for _, k := range m.sides[i].at {
			if !slices.Contains(h.corners, points[k]) {
				h.corners = append(h.corners, points[k])
			}
		}
	}
	h.volume = m.volume()
	return h, true
}

// make finds the sides of what around returns.
func (m *hullmaker) make(points []world.Vec3, most int, near, flat float64) bool {
	first, ok := simplex(points, flat)
	if !ok {
		return false
	}
	m.points, m.sides, m.next = points, m.sides[:0], slices.Grow(m.next[:0], len(points))[:len(points)]
	for _, at := range [4][3]int{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}} {
		m.sides = append(m.sides, m.side(first[at[0]], first[at[1]], first[at[2]]))
	}
	for i := range points {
		m.give(i, m.sides)
	}
	for corners := len(first); corners < most; {
		best := -1
		for i := range m.sides {
			if m.sides[i].outside > near && (best < 0 || m.sides[i].outside > m.sides[best].outside) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		if m.grow(m.sides[best].far) {
			corners++
		} else {
			m.sides[best].outside = 0 // rounding does not let it see a whole horizon
		}
	}
	return true
}

// volume is that of the hull that was made last.
func (m *hullmaker) volume() (sum float64) {
	from := m.points[m.sides[0].at[0]]
	for i := range m.sides {
		at := &m.sides[i].at
		a, b, c := m.points[at[0]].Sub(from), m.points[at[1]].Sub(from), m.points[at[2]].Sub(from)
		sum += a.Dot(b.Cross(c)) / 6
	}
	return sum
}

// side returns the side of three points.
func (m *hullmaker) side(a, b, c int) side {
	s := side{at: [3]int{a, b, c}, first: -1}
	s.normal = m.points[b].Sub(m.points[a]).Cross(m.points[c].Sub(m.points[a]))
	long := max(m.points[a].Dist(m.points[b]), m.points[b].Dist(m.points[c]), m.points[c].Dist(m.points[a]))
	if n := s.normal.Len(); n > float64(exact*long) {
		s.normal = s.normal.Scale(1 / n)
	} else { // of three on a line nobody is outside
		s.normal = world.Vec3{}
	}
	s.off = s.normal.Dot(m.points[a])
	return s
}

// give notes a point with that of some sides that it is farthest outside of.
func (m *hullmaker) give(i int, sides []side) {
	best, far := -1, exact
	for k := range sides {
		if d := sides[k].above(&m.points[i]); d > far {
			best, far = k, d
		}
	}
	if best < 0 {
		return
	}
	s := &sides[best]
	m.next[i], s.first = s.first, i
	if far > s.outside {
		s.far, s.outside = i, far
	}
}

// grow takes a point in: all sides that see it go, and the edges around them are joined with it. It is false if those edges make no ring.
func (m *hullmaker) grow(p int) bool {
	m.edges, m.ring, m.kept = m.edges[:0], m.ring[:0], m.kept[:0]
	for i := range m.sides {
		s := &m.sides[i]
		if s.sees(&m.points[p]) {
			m.edges = append(m.edges, [2]int{s.at[0], s.at[1]}, [2]int{s.at[1], s.at[2]}, [2]int{s.at[2], s.at[0]})
		} else {
			m.kept = append(m.kept, *s)
		}
	}
	for _, e := range m.edges {
		if slices.Contains(m.edges, [2]int{e[1], e[0]}) {
			continue
		}
		if e[0] == p || e[1] == p || slices.ContainsFunc(m.ring, func(o [2]int) bool { return o[0] == e[0] || o[1] == e[1] }) {
			return false
		}
		m.ring = append(m.ring, e)
	}
	if len(m.ring) < 3 {
		return false
	}
	old := len(m.kept)
	for _, e := range m.ring {
		m.kept = append(m.kept, m.side(e[0], e[1], p))
	}
	for i := range m.sides {
		if m.sides[i].sees(&m.points[p]) {
			for k := m.sides[i].first; k >= 0; {
				after := m.next[k]
				m.give(k, m.kept[old:])
				k = after
			}
		}
	}
	m.sides, m.kept = m.kept, m.sides
	return true
}

// simplex returns four points that are far apart, the first three counterclockwise as seen from where the fourth is not.
func simplex(points []world.Vec3, flat float64) (at [4]int, ok bool) {
	if len(points) < 4 {
		return at, false
	}
	at[0], _ = farthest(points, func(p world.Vec3) float64 { return -p[0] })
	a := points[at[0]]
	at[1], _ = farthest(points, func(p world.Vec3) float64 { return p.Dist2(a) })
	along := points[at[1]].Sub(a)
	at[2], _ = farthest(points, func(p world.Vec3) float64 {
		across := along.Cross(p.Sub(a))
		return across.Dot(across)
	})
	n := along.Cross(points[at[2]].Sub(a))
	wide := n.Len()
	if wide <= float64(flat*along.Len()) {
		return at, false
	}
	n = n.Scale(1 / wide)
	above, up := farthest(points, func(p world.Vec3) float64 { return n.Dot(p.Sub(a)) })
	below, down := farthest(points, func(p world.Vec3) float64 { return -n.Dot(p.Sub(a)) })
	if max(up, down) <= flat {
		return at, false
	}
	if at[3] = below; up > down { // as seen from there the three are clockwise
		at[1], at[2], at[3] = at[2], at[1], above
	}
	return at, true
}

// farthest returns the first of the points of which a measure is largest.
func farthest(points []world.Vec3, measure func(p world.Vec3) float64) (best int, far float64) {
	far = math.Inf(-1)
	for i, p := range points {
		if d := measure(p); d > far {
			best, far = i, d
		}
	}
	return best, far
}
