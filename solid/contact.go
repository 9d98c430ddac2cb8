package solid

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// Contact is how two solids are to each other.
type Contact struct {
	// Gap is how far they are apart. Below zero it is how deep they are in each other: after that
	// way along Normal the second is out of the first.
	Gap float64
	// Normal points from the first to the second and has length 1.
	Normal world.Vec3
}

// sharp is the distance under which two cores count as one inside the other, in metres.
const sharp = 1e-7

// Between returns how b is to a. The gap of solids that are apart is exact up to rounding, and so is
// the depth of boxes, which is the least of all directions (by the theorem of separating axes), and
// of balls in each other. The depth of others is the least that a search finds; it is not too little to
// part them by more than a millimetre. The depth in ground is how far up the other one has to go to be
// out of it, along the normal, which is up then; two pieces of ground are never in each other.
func Between(a, b Solid) Contact {
	switch {
	case a.Kind == Field:
		return onField(&a, &b)
	case b.Kind == Field:
		c := onField(&b, &a)
		return Contact{c.Gap, c.Normal.Scale(-1)}
	}
	_, ra := a.core(world.Vec3{1, 0, 0})
	_, rb := b.core(world.Vec3{1, 0, 0})
	v, last := nearest(a, b)
	if n := v.Len(); n > sharp {
		return Contact{Gap: n - ra - rb, Normal: v.Scale(1 / n)}
	}
	best := Contact{Gap: math.Inf(-1), Normal: world.Vec3{0, 1, 0}}
	try := func(axis world.Vec3) {
		n := axis.Len()
		if n < 1e-9 {
			return
		}
		axis = axis.Scale(1 / n)
		for range 2 {
			// From the last of a in this direction to the first of b.
			gap := b.Support(axis.Scale(-1)).Sub(a.Support(axis)).Dot(axis)
			if gap > best.Gap {
				best = Contact{gap, axis}
			}
			axis = axis.Scale(-1)
		}
	}
	// Upwards first: of equal depths the first one counts, and what stands in something is best lifted.
	try(world.Vec3{0, 1, 0})
	for i := range 3 {
		try(a.Axes[i])
		try(b.Axes[i])
	}
	for i := range 3 {
		for j := range 3 {
			try(a.Axes[i].Cross(b.Axes[j]))
		}
	}
	try(b.Center.Sub(a.Center))
	try(last)
	if a.Kind != Box || b.Kind != Box {
		// What is round has more directions than its axes: look around the best of these.
		for h := 0.5; h > 1e-6; h /= 2 {
			n := best.Normal
			side := n.Cross(unit(smallest(n)))
			up := n.Cross(side)
			for _, d := range [...]world.Vec3{side, up, side.Add(up), side.Sub(up)} {
				try(n.Add(d.Scale(h)))
				try(n.Sub(d.Scale(h)))
			}
		}
	}
	return best
}

// smallest returns the axis along which v is least.
func smallest(v world.Vec3) (axis int) {
	for i := range v {
		if math.Abs(v[i]) < math.Abs(v[axis]) {
			axis = i
		}
	}
	return axis
}

// nearest returns the shortest vector from the core of a to the core of b, zero if they overlap, and
// the last one that it went by, which is their normal if they only just do. It is the algorithm of Gilbert, Johnson and Keerthi (1988): the distance of two convex bodies is that
// of the origin from their difference, which is approached through simplices of its points.
func nearest(a, b Solid) (v, last world.Vec3) {
	point := func(dir world.Vec3) world.Vec3 { // of b - a, farthest against dir
		p, _ := b.core(dir.Scale(-1))
		q, _ := a.core(dir)
		return p.Sub(q)
	}
	v = b.Center.Sub(a.Center)
	if v.Len() < sharp {
		return world.Vec3{}, v
	}
	var s simplex
	for range 64 {
		p := point(v)
		// No point of the difference is nearer to the origin than this plane.
		if v.Dot(v)-v.Dot(p) <= 1e-12*max(1, v.Dot(v)) && s.n > 0 || s.has(p) {
			break
		}
		s.add(p)
		last = v
		v = s.reduce()
		if s.n == 4 || v.Len() < sharp {
			return world.Vec3{}, last
		}
		if s.n > 1 && v.Dot(v) >= last.Dot(last) { // as near as rounding lets it come
			return last, last
		}
	}
	return v, v
}
