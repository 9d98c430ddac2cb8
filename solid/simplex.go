package solid

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// simplex is up to four points.
type simplex struct {
	p [4]world.Vec3
	n int
}

func (s *simplex) add(p world.Vec3) {
	s.p[s.n] = p
	s.n++
}

func (s *simplex) has(p world.Vec3) bool {
	for _, q := range s.p[:s.n] {
		if p == q {
			return true
		}
	}
	return false
}

// set makes s the simplex of the given points.
func (s *simplex) set(points ...world.Vec3) { s.n = copy(s.p[:], points) }

// reduce returns the point of s that is nearest to the origin and leaves in s only the points that
// it lies between. If the origin is inside of four points, all stay. The regions of a triangle are
// told apart as in Ericson, Real-Time Collision Detection (2005), 5.1.5.
func (s *simplex) reduce() world.Vec3 {
	switch s.n {
	case 1:
		return s.p[0]
	case 2:
		return s.segment(s.p[0], s.p[1])
	case 3:
		return s.triangle(s.p[0], s.p[1], s.p[2])
	}
	return s.tetrahedron()
}

func (s *simplex) segment(a, b world.Vec3) world.Vec3 {
	ab := b.Sub(a)
	t := -a.Dot(ab)
	if t <= 0 {
		s.set(a)
		return a
	}
	d := ab.Dot(ab)
	if t >= d {
		s.set(b)
		return b
	}
	s.set(a, b)
	return a.Add(ab.Scale(t / d))
}

// triangle goes by the normal of the triangle, also for the point: what comes from the products of lengths
// loses all digits of a direction where the triangle is slim.
func (s *simplex) triangle(a, b, c world.Vec3) world.Vec3 {
	ab, ac := b.Sub(a), c.Sub(a)
	n := ab.Cross(ac)
	d1, d2 := -ab.Dot(a), -ac.Dot(a)
	if d1 <= 0 && d2 <= 0 {
		s.set(a)
		return a
	}
	d3, d4 := -ab.Dot(b), -ac.Dot(b)
	if d3 >= 0 && d4 <= d3 {
		s.set(b)
		return b
	}
	vc := n.Dot(a.Cross(b))
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		return s.segment(a, b)
	}
	d5, d6 := -ab.Dot(c), -ac.Dot(c)
	if d6 >= 0 && d5 <= d6 {
		s.set(c)
		return c
	}
	vb := n.Dot(c.Cross(a))
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		return s.segment(a, c)
	}
	va := n.Dot(b.Cross(c))
	if va <= 0 && d4-d3 >= 0 && d5-d6 >= 0 {
		return s.segment(b, c)
	}
	s.set(a, b, c)
	return n.Scale(n.Dot(a) / n.Dot(n))
}

func (s *simplex) tetrahedron() world.Vec3 {
	const flat = 1e-9 // a height under this part of its edges is none: on which side of what has none the origin is says nothing
	p := s.p
	size := max(p[1].Dist(p[0]), p[2].Dist(p[0]), p[3].Dist(p[0]))
	var best simplex
	var nearest world.Vec3
	outside := false
	for _, f := range [4][4]int{{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}} {
		a, b, c, other := p[f[0]], p[f[1]], p[f[2]], p[f[3]]
		n := b.Sub(a).Cross(c.Sub(a))
		side := n.Dot(other.Sub(a))
		if float64(-n.Dot(a)*side) > 0 && math.Abs(side) > flat*float64(n.Len()*size) { // the origin is on the side of the other point
			continue
		}
		var t simplex
		at := t.triangle(a, b, c)
		if !outside || at.Dot(at) < nearest.Dot(nearest) {
			outside, best, nearest = true, t, at
		}
	}
	if !outside {
		return world.Vec3{}
	}
	*s = best
	return nearest
}
