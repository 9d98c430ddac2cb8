package render

import (
	"math"
)

// box adds a box between two corners.
func (b *builder) box(lo, hi Vec3) {
	var corners [8]Vec3
	for i := range corners {
		p := lo
		for axis := range 3 {
			if i>>axis&1 == 1 {
				p[axis] = hi[axis]
			}
		}
		corners[i] = b.place.point(p)
	}
	for i := range boxSides {
		side := &boxSides[i]
		n := b.place.turned[side.axis].Scale(math.Copysign(side.sign, side.sign*b.place.inverse[side.axis]))
		p := &side.corners
		if b.wants(corners[p[0]], n) {
			b.flat(n, corners[p[0]], corners[p[1]], corners[p[2]], corners[p[3]])
		}
	}
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

// WedgeFaces are the faces of a [Wedge] whose half extents are 1: where each looks, which has any length, and its corners, against the
// clock as seen from there. It is not to be changed.
var WedgeFaces = [5]struct {
	Out     Vec3
	Corners []Vec3
}{
	{Vec3{0, -1, 0}, []Vec3{{-1, -1, -1}, {1, -1, -1}, {1, -1, 1}, {-1, -1, 1}}},
	{Vec3{0, 0, -1}, []Vec3{{-1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {1, -1, -1}}},
	{Vec3{0, 1, 1}, []Vec3{{-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, -1}}},
	{Vec3{1, 0, 0}, []Vec3{{1, -1, -1}, {1, 1, -1}, {1, -1, 1}}},
	{Vec3{-1, 0, 0}, []Vec3{{-1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}}},
}

// wedge adds a wedge with the given half extents.
func (b *builder) wedge(half Vec3) {
	thick := half.Max(Vec3{1e-9, 1e-9, 1e-9})
	var corners [4]Vec3
	for i := range WedgeFaces {
		side := &WedgeFaces[i]
		n := b.place.normal(Vec3{side.Out[0] / thick[0], side.Out[1] / thick[1], side.Out[2] / thick[2]})
		for k, p := range side.Corners {
			corners[k] = b.place.point(p.Mul(half))
		}
		if b.wants(corners[0], n) {
			b.flat(n, corners[:len(side.Corners)]...)
		}
	}
}

// flat adds a face that is lit evenly.
func (b *builder) flat(n Vec3, points ...Vec3) {
	light := b.lightOn(n)
	f := face{object: b.object, sun: light.sun, fill: light.fill}
	b.fr.add(&f, n, points...)
}
