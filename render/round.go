package render

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// round adds a shape that is round about its y axis.
func (b *builder) round(o *Object, l *lathe) {
	size, straight := o.Size, 0.0
	if o.Kind == Capsule {
		dome := float64(min(size[0], size[1], size[2]) / 2)
		straight, size[1] = float64(size[1]/2)-dome, 2*dome
	}
	width := len(l.circle)
	b.clear()
	for _, r := range l.rings {
		for _, c := range l.circle {
			p := Vec3{float64(r.radius*c.cos) * size[0], float64(r.y*size[1]) + float64(r.end*straight), float64(r.radius*c.sin) * size[2]}
			n := Vec3{float64(r.out*c.cos) / max(size[0], 1e-9), r.upward / max(size[1], 1e-9), float64(r.out*c.sin) / max(size[2], 1e-9)}
			b.points = append(b.points, b.place.point(p))
			if b.takes != blocking {
				b.vertex(b.place.normal(n))
			}
		}
	}
	b.tell()
	for i, r := range l.rings[:len(l.rings)-1] {
		if r.sharp {
			continue
		}
		for j := range l.sides {
			a := i*width + j
			b.triangle(a, a+1, a+width, true)
			b.triangle(a+1, a+width+1, a+width, true)
		}
	}
}

// steps returns into how many parts a quarter of a round shape is divided, so that its outline is
// off by half a sample at most.
func (b *builder) steps(reach float64) int {
	v := b.fr.lens.project(b.place.at)
	samples := reach * b.fr.lens.scale / max(v.w, near)
	most := 16.0
	if b.takes == both {
		most = 3
	}
	return int(min(max(math.Ceil(math.Sqrt(samples)), 2), most))
}

type latheKey struct {
	kind  Kind
	steps int
}

// lathe returns how a round shape is divided.
func (b *builder) lathe(kind Kind, steps int) *lathe {
	if kind == Capsule {
		kind = Sphere
	}
	key := latheKey{kind, steps}
	l := b.lathes[key]
	if l == nil {
		l = newLathe(kind, steps)
		b.lathes[key] = l
	}
	return l
}

// lathe is half the outline of a body that is round about y, from its top to its bottom, with how it
// is divided around.
type lathe struct {
	rings  []ring
	sides  int
	circle []angle // of the sides, the first again at the end
}

// angle is one around the axis.
type angle struct{ sin, cos float64 }

// ring is a circle about y.
type ring struct {
	radius, y   float64 // for a body of radius 1/2 and height 1
	out, upward float64 // its normal, away from the axis and up
	sharp       bool    // the next ring starts a new surface: there is nothing between this one and it
	end         float64 // which end of a capsule it moves with: 1 the upper, -1 the lower
}

// newLathe returns a round shape divided into steps around a quarter circle.
func newLathe(kind Kind, steps int) *lathe {
	l := &lathe{sides: 4 * steps}
	for i := range l.sides + 1 {
		sin, cos := world.Sincos(2 * math.Pi * float64(i%l.sides) / float64(l.sides))
		l.circle = append(l.circle, angle{sin, cos})
	}
	switch kind {
	case Cylinder:
		l.rings = []ring{
			{y: 0.5, upward: 1},
			{radius: 0.5, y: 0.5, upward: 1, sharp: true},
			{radius: 0.5, y: 0.5, out: 1},
			{radius: 0.5, y: -0.5, out: 1, sharp: true},
			{radius: 0.5, y: -0.5, upward: -1},
			{y: -0.5, upward: -1},
		}
	case Cone:
		out := 2 / math.Sqrt(5) // the side of a cone of height 1 on a circle of radius 1/2
		l.rings = []ring{
			{y: 0.5, out: out, upward: out / 2},
			{radius: 0.5, y: -0.5, out: out, upward: out / 2, sharp: true},
			{radius: 0.5, y: -0.5, upward: -1},
			{y: -0.5, upward: -1},
		}
	default:
		for i := range 2*steps + 1 {
			sin, cos := world.Sincos(math.Pi / 2 * float64(i) / float64(steps))
			r := ring{radius: sin / 2, y: cos / 2, out: sin, upward: cos, end: 1}
			if i > steps {
				r.end = -1
			}
			l.rings = append(l.rings, r)
			if i == steps { // a capsule is cut here and moved apart
				r.end = -1
				l.rings = append(l.rings, r)
			}
		}
	}
	return l
}
