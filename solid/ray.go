package solid

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// Ray returns how far along dir, which must have length 1, a ray from a point meets s: 0 from inside. It
// is false if it does not meet it.
func (s *Solid) Ray(from, dir world.Vec3) (distance float64, hit bool) {
	if s.Kind == Model {
		distance = math.Inf(1)
		for _, part := range s.Parts() {
			if d, meets := part.Ray(from, dir); meets {
				distance, hit = min(distance, d), true
			}
		}
		return distance, hit
	}
	rel := from.Sub(s.Center)
	var o, d world.Vec3 // in the space of s
	for i, a := range s.Axes {
		o[i], d[i] = a.Dot(rel), a.Dot(dir)
	}
	switch s.Kind {
	case Field:
		return s.rayField(o, d)
	case Ball:
		for i, h := range s.Half { // the space in which it is a ball of radius 1; distances stay
			o[i], d[i] = o[i]/h, d[i]/h
		}
		return rayBall(o, d, 1)
	case Cylinder, Cone:
		enter, leave, ok := s.pierce(o, d)
		return max(enter, 0), ok && leave >= 0
	case Wedge:
		enter, leave, ok := s.slice(o, d)
		return max(enter, 0), ok && leave >= 0
	case Hull:
		enter, leave, ok := s.cut(o, d)
		return max(enter, 0), ok && leave >= 0
	case Capsule:
		return rayCapsule(o, d, s.Half[0], s.Half[1]-s.Half[0])
	default:
		return raySlabs(o, d, s.Half.Scale(-1), s.Half)
	}
}

// raySlabs is the method of slabs: inside a box is between all three pairs of its sides.
func raySlabs(o, d, lo, hi world.Vec3) (float64, bool) {
	near, far := 0.0, math.Inf(1)
	for i := range o {
		if d[i] == 0 {
			if o[i] < lo[i] || o[i] > hi[i] {
				return 0, false
			}
			continue
		}
		a, b := (lo[i]-o[i])/d[i], (hi[i]-o[i])/d[i]
		near, far = max(near, min(a, b)), min(far, max(a, b))
	}
	return near, near <= far
}

func rayBall(o, d world.Vec3, radius float64) (float64, bool) {
	c := o.Dot(o) - float64(radius*radius)
	if c <= 0 {
		return 0, true
	}
	return smallerRoot(d.Dot(d), o.Dot(d), c)
}

// smallerRoot returns the smaller t with a·t² + 2b·t + c = 0, if there is one and it is not negative.
func smallerRoot(a, b, c float64) (float64, bool) {
	disc := float64(b*b) - float64(a*c)
	if a == 0 || disc < 0 {
		return 0, false
	}
	t := (-b - math.Sqrt(disc)) / a
	return t, t >= 0
}

// rayCapsule meets the side, an endless cylinder, between the caps, or else the caps.
func rayCapsule(o, d world.Vec3, radius, half float64) (float64, bool) {
	nearest := o
	nearest[1] -= min(max(o[1], -half), half)
	if nearest.Dot(nearest) <= float64(radius*radius) {
		return 0, true
	}
	side, flat := world.Vec3{o[0], 0, o[2]}, world.Vec3{d[0], 0, d[2]}
	if t, ok := smallerRoot(flat.Dot(flat), side.Dot(flat), side.Dot(side)-float64(radius*radius)); ok {
		if y := o[1] + float64(t*d[1]); math.Abs(y) <= half {
			return t, true
		}
	}
	best, hit := math.Inf(1), false
	for _, end := range [2]float64{half, -half} {
		if t, ok := rayBall(world.Vec3{o[0], o[1] - end, o[2]}, d, radius); ok && t < best {
			best, hit = t, true
		}
	}
	return best, hit
}
