package solid

import "github.com/limina-mcp/limina/world"

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

// Between returns how b is to a. Its Gap is that of a to b, too.
//
// The gap of solids that are apart is exact up to rounding; where one of them is an uneven sphere (its radii
// differ), a cylinder or a cone and they nearly touch, a tenth of a millimetre at most, and mostly a hundredth of that. So is the depth of boxes, wedges, capsules and
// balls in each other, which is the least of all directions, and of equal ones that upwards.
//
// The depth of an uneven sphere, a cylinder or a cone parts them, too, and is the least of all directions near its normal. In quite
// another direction there may be a lesser one, but not along an axis of either nor from centre to centre. Where
// one millimetre from centre to centre parts them, as where they only touch, it is a millimetre at most.
//
// The depth in ground is how far up the other one has to go to be out of it, along the normal, which is up
// then; two pieces of ground are never in each other.
//
// Hulls are as boxes are, to a ten-thousandth of their size, but for two that have so many edges that not all pairs of them are tried; these are as cylinders are. How a Model is to
// something is how that of its parts is that is nearest to it, or deepest in it: who is moved so may still be in another one.
func Between(a, b Solid) Contact {
	switch {
	case a.Kind == Model || b.Kind == Model:
		return betweenParts(&a, &b)
	case a.Kind == Field:
		return onField(&a, &b)
	case b.Kind == Field:
		c := onField(&b, &a)
		return Contact{c.Gap, c.Normal.Scale(-1)}
	}
	_, ra := a.core(unit(0))
	_, rb := b.core(unit(0))
	var c Contact
	if v := nearest(&a, &b, b.Center.Sub(a.Center)); v.Len() > sharp {
		c = Contact{Gap: v.Len(), Normal: v.Scale(1 / v.Len())}
	} else {
		c = overlap(&a, &b)
	}
	c.Gap -= ra + rb
	return c
}

// Within reports whether a and b are at most so far apart, which is 0 or more: whether [Between] has a gap of that or less, but for rounding.
// What is in each other is. To know that takes a fraction of the time, where they are.
func Within(a, b Solid, far float64) bool {
	if a.Kind == Model || b.Kind == Model {
		return anyParts(&a, &b, far, func(p, q Solid) bool { return Within(p, q, far) })
	}
	if a.Kind == Field || b.Kind == Field {
		return Between(a, b).Gap <= far
	}
	_, ra := a.core(unit(0))
	_, rb := b.core(unit(0))
	return nearest(&a, &b, b.Center.Sub(a.Center)).Len() <= max(ra+rb+far, sharp)
}

// Overlap reports whether a box, which is not to be ground, and o are in each other by a depth, 0 or more, or by more than that:
// whether [Between] has a gap of -deep or less, but for rounding. To know that much mostly takes a fraction of the time.
func Overlap(box, o Solid, deep float64) bool {
	if o.Kind == Model {
		return anyParts(&box, &o, 0, func(p, q Solid) bool { return Overlap(p, q, deep) })
	}
	smaller, eroded := box, box.Kind == Box && o.Kind != Field
	for i := range smaller.Half {
		smaller.Half[i] -= deep
		eroded = eroded && smaller.Half[i] > 0
	}
	if eroded {
		// Whatever way parts what is so much smaller on all sides from o, parts the box from it but for deep at least, and for
		// the space diagonal of that at most.
		_, r := o.core(unit(0))
		apart := nearest(&smaller, &o, o.Center.Sub(smaller.Center)).Len() - r
		if apart <= 0 || apart > 2*deep {
			return apart <= 0
		}
	}
	return Between(box, o).Gap <= -deep
}

// nearest returns the shortest vector from the core of a to the core of b, zero if they overlap. It looks
// along v first, which is what leads from centre to centre or a better guess, and may be none: the centre of a hull or a wedge is that
// of the box around it, and need not be within. It is the algorithm of Gilbert, Johnson and Keerthi (1988): the distance of two convex bodies is
// that of the origin from their difference, which is approached through simplices of its points.
func nearest(a, b *Solid, v world.Vec3) world.Vec3 {
	if v.Len() < sharp {
		v = world.Vec3{0, 1, 0}
	}
	var s simplex
	for range 64 {
		p := between(a, b, v)
		// No point of the difference is nearer to the origin than this plane.
		if v.Dot(v)-v.Dot(p) <= 1e-12*max(1, v.Dot(v)) && s.n > 0 || s.has(p) {
			break
		}
		s.add(p)
		last := v
		v = s.reduce()
		if s.n == 4 || v.Len() < sharp {
			return world.Vec3{}
		}
		if s.n > 1 && v.Dot(v) >= last.Dot(last) { // as near as rounding lets it come
			return last
		}
	}
	return v
}

// between returns the vector from where the core of a is farthest along n to where that of b is least far. Its
// part along n is how far they are apart in that direction.
func between(a, b *Solid, n world.Vec3) world.Vec3 {
	p, _ := b.core(n.Scale(-1))
	q, _ := a.core(n)
	return p.Sub(q)
}
