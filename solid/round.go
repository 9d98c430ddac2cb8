package solid

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// flattest is what counts as half the extent of a cylinder or cone that has none, in metres: it is then something that rays
// meet.
const flattest = 1e-9

// rim returns the point farthest in a direction of the ellipse around the second axis, and of itself how far that is from there.
func (s *Solid) rim(dir world.Vec3) (off world.Vec3, far float64) {
	d := world.Vec3{s.Axes[0].Dot(dir) * s.Half[0], 0, s.Axes[2].Dot(dir) * s.Half[2]}
	if far = d.Len(); far == 0 {
		return off, 0
	}
	return s.Axes[0].Scale(s.Half[0] * d[0] / far).Add(s.Axes[2].Scale(s.Half[2] * d[2] / far)), far
}

// farthest returns the point of a cylinder or cone that is farthest in a direction.
func (s *Solid) farthest(dir world.Vec3) world.Vec3 {
	off, far := s.rim(dir)
	along := s.Axes[1].Dot(dir) * s.Half[1] // of the upper end
	up := s.Axes[1].Scale(s.Half[1])
	switch {
	case s.Kind == Cone && 2*along >= far: // the apex is
		return s.Center.Add(up)
	case s.Kind == Cone || along < 0:
		return s.Center.Sub(up).Add(off)
	default:
		return s.Center.Add(up).Add(off)
	}
}

// pierce returns where a line o + t·d, in the axes of a cylinder or cone, enters and leaves it, false if it passes by.
func (s *Solid) pierce(o, d world.Vec3) (enter, leave float64, ok bool) {
	for i, h := range s.Half { // to the space in which all half extents are 1; t stays
		h = max(h, flattest)
		o[i], d[i] = o[i]/h, d[i]/h
	}
	enter, leave = math.Inf(-1), math.Inf(1)
	if d[1] != 0 {
		p, q := (-1-o[1])/d[1], (1-o[1])/d[1]
		enter, leave = min(p, q), max(p, q)
	} else if math.Abs(o[1]) > 1 {
		return 0, 0, false
	}
	// How wide it is at t: r + t·k.
	r, k := 1.0, 0.0
	if s.Kind == Cone {
		r, k = (1-o[1])/2, -d[1]/2
	}
	// Inside is where a·t² + 2b·t + c ≤ 0 and the width is no less than 0.
	side, flat := world.Vec3{o[0], 0, o[2]}, world.Vec3{d[0], 0, d[2]}
	a, b, c := flat.Dot(flat)-float64(k*k), side.Dot(flat)-float64(r*k), side.Dot(side)-float64(r*r)
	root := float64(b*b) - float64(a*c)
	if a == 0 && b == 0 || root < 0 {
		return enter, leave, c <= 0 && a <= 0 && enter <= leave
	}
	q := -(b + math.Copysign(math.Sqrt(root), b)) // one root is q/a and the other c/q, neither of them a difference of what is alike
	one, other := q/a, c/q
	switch {
	case q == 0: // b and c are 0: it touches at t = 0
		one, other = 0, 0
	case a == 0 && b > 0:
		one = math.Inf(-1)
	case a == 0:
		one = math.Inf(1)
	}
	first, last := min(one, other), max(one, other)
	switch {
	case a >= 0:
		enter, leave = max(enter, first), min(leave, last)
	case k > 0: // it is steeper than the side, and what is before the first root is in the cone's mirror image
		enter = max(enter, last)
	default:
		leave = min(leave, first)
	}
	return enter, leave, enter <= leave
}
