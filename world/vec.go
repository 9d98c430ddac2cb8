package world

import "math"

// Vec3 is a point or a direction: x to the right, y up, z towards the viewer, in metres.
//
// Every product here and in the rest of the package is rounded by an explicit float64(…) before it
// is summed. Without that Go may fuse the two operations on some platforms (arm64, GOAMD64=v3; see
// golang/go#17895), and a replay there would end in another world.
type Vec3 [3]float64

// Add returns a + b.
func (a Vec3) Add(b Vec3) Vec3 { return Vec3{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// Sub returns a - b.
func (a Vec3) Sub(b Vec3) Vec3 { return Vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Scale returns a with every coordinate multiplied by k.
func (a Vec3) Scale(k float64) Vec3 {
	return Vec3{float64(a[0] * k), float64(a[1] * k), float64(a[2] * k)}
}

// Mul returns the coordinates of a multiplied by those of b.
func (a Vec3) Mul(b Vec3) Vec3 {
	return Vec3{float64(a[0] * b[0]), float64(a[1] * b[1]), float64(a[2] * b[2])}
}

// Dot returns the scalar product.
func (a Vec3) Dot(b Vec3) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

// Cross returns the vector product.
func (a Vec3) Cross(b Vec3) Vec3 {
	return Vec3{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

// Dist2 returns the square of the distance between a and b. It is what every test of "within a
// radius" compares, here and on the wire.
func (a Vec3) Dist2(b Vec3) float64 {
	d := a.Sub(b)
	return d.Dot(d)
}

// Dist returns the distance between a and b.
func (a Vec3) Dist(b Vec3) float64 { return math.Sqrt(a.Dist2(b)) }

// Flat returns the distance between a and b as seen from above.
func (a Vec3) Flat(b Vec3) float64 {
	x, z := a[0]-b[0], a[2]-b[2]
	return math.Sqrt(float64(x*x) + float64(z*z))
}

// Len returns the length of a.
func (a Vec3) Len() float64 { return math.Sqrt(a.Dot(a)) }

// Unit returns a made to have length 1, and false, and a as it is, if it has no direction: if it is 0 or not finite.
func (a Vec3) Unit() (Vec3, bool) {
	largest := max(math.Abs(a[0]), math.Abs(a[1]), math.Abs(a[2]))
	if !(largest > 0 && largest <= math.MaxFloat64) {
		return a, false
	}
	a = Vec3{a[0] / largest, a[1] / largest, a[2] / largest} // so that squares are neither 0 nor infinite
	l := a.Len()
	return Vec3{a[0] / l, a[1] / l, a[2] / l}, true
}

// Min returns the smaller of each pair of coordinates.
func (a Vec3) Min(b Vec3) Vec3 { return Vec3{min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2])} }

// Max returns the larger of each pair of coordinates.
func (a Vec3) Max(b Vec3) Vec3 { return Vec3{max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2])} }
