package render

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

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

// boxSides are the faces of a box: the axis of the normal and the corners, by the bits of their
// number, in order around the face.
var boxSides = [6]struct {
	axis    int
	sign    float64
	corners [4]int
}{
	{0, 1, [4]int{1, 3, 7, 5}},
	{0, -1, [4]int{0, 4, 6, 2}},
	{1, 1, [4]int{2, 6, 7, 3}},
	{1, -1, [4]int{0, 1, 5, 4}},
	{2, 1, [4]int{4, 5, 7, 6}},
	{2, -1, [4]int{0, 2, 3, 1}},
}

// normals returns the normal of every sample of a height field.
func (h *Heights) normals() []Vec3 {
	if len(h.Normals) == len(h.At) {
		return h.Normals
	}
	n := make([]Vec3, len(h.At))
	at := func(x, z int) float64 {
		return h.At[min(max(z, 0), h.Rows-1)*h.Columns+min(max(x, 0), h.Columns-1)]
	}
	for z := range h.Rows {
		for x := range h.Columns {
			n[z*h.Columns+x] = unit(Vec3{at(x-1, z) - at(x+1, z), 2 * h.Cell, at(x, z-1) - at(x, z+1)})
		}
	}
	return n
}

// point returns where a sample of a height field is, from its middle.
func (h *Heights) point(x, z int) Vec3 {
	return Vec3{
		float64((float64(x) - float64(float64(h.Columns-1)/2)) * h.Cell), h.At[z*h.Columns+x],
		float64((float64(z) - float64(float64(h.Rows-1)/2)) * h.Cell),
	}
}

// whole reports whether a height field has as many heights as it says.
func (h *Heights) whole() bool {
	return h != nil && h.Columns >= 2 && h.Rows >= 2 && h.Cell > 0 && len(h.At) == h.Columns*h.Rows && (h.Colors == nil || len(h.Colors) == len(h.At))
}
