package world

import "math"

// Quat is a rotation: x, y, z, w. The rotations that a world stores have length 1.
type Quat [4]float64

// NoRotation is the rotation that turns nothing.
func NoRotation() Quat { return Quat{0, 0, 0, 1} }

// Mul returns the rotation that turns by r first and by q then.
func (q Quat) Mul(r Quat) Quat {
	return Quat{
		float64(q[3]*r[0]) + float64(q[0]*r[3]) + float64(q[1]*r[2]) - float64(q[2]*r[1]),
		float64(q[3]*r[1]) - float64(q[0]*r[2]) + float64(q[1]*r[3]) + float64(q[2]*r[0]),
		float64(q[3]*r[2]) + float64(q[0]*r[1]) - float64(q[1]*r[0]) + float64(q[2]*r[3]),
		float64(q[3]*r[3]) - float64(q[0]*r[0]) - float64(q[1]*r[1]) - float64(q[2]*r[2]),
	}
}

// Conj returns the opposite rotation, for a q of length 1.
func (q Quat) Conj() Quat { return Quat{-q[0], -q[1], -q[2], q[3]} }

// Rotate returns v turned by q, for a q of length 1.
func (q Quat) Rotate(v Vec3) Vec3 {
	u := Vec3{q[0], q[1], q[2]}
	t := u.Cross(v).Scale(2)
	return v.Add(t.Scale(q[3])).Add(u.Cross(t))
}

// len2 returns the square of the length of q.
func (q Quat) len2() float64 {
	return float64(q[0]*q[0]) + float64(q[1]*q[1]) + float64(q[2]*q[2]) + float64(q[3]*q[3])
}

// Unit returns q made to have length 1, and false if q is too short to have a direction. A q that
// has length 1 already, up to rounding, is returned bit for bit.
func (q Quat) Unit() (Quat, bool) {
	const slack = 1e-12
	l2 := q.len2()
	if math.Abs(l2-1) <= slack {
		return q, true
	}
	if !(l2 >= 1e-24) || math.IsInf(l2, 0) {
		return NoRotation(), false
	}
	l := math.Sqrt(l2)
	return Quat{q[0] / l, q[1] / l, q[2] / l, q[3] / l}, true
}

// QuatFromEuler returns the rotation by the angles x, y, z in radians about the axes of the same
// name, applied in the order XYZ that three.js means: about z first, about x last.
func QuatFromEuler(x, y, z float64) Quat {
	s1, c1 := Sincos(x / 2)
	s2, c2 := Sincos(y / 2)
	s3, c3 := Sincos(z / 2)
	return Quat{
		float64(float64(s1*c2)*c3) + float64(float64(c1*s2)*s3),
		float64(float64(c1*s2)*c3) - float64(float64(s1*c2)*s3),
		float64(float64(c1*c2)*s3) + float64(float64(s1*s2)*c3),
		float64(float64(c1*c2)*c3) - float64(float64(s1*s2)*s3),
	}
}

// QuatBetween returns the shortest rotation that turns one direction into another; both have length 1. Between those that are opposite, to some 1e-7, it
// is a half turn about a direction across them. It takes no sine, so it is the same on every platform.
func QuatBetween(from, to Vec3) Quat {
	axis := from.Cross(to)
	const least2 = 1e-14 // shorter ones are mostly rounding
	if q := (Quat{axis[0], axis[1], axis[2], 1 + from.Dot(to)}); q.len2() > least2 {
		q, _ = q.Unit()
		return q
	}
	least := 0
	for i := range from {
		if math.Abs(from[i]) < math.Abs(from[least]) {
			least = i
		}
	}
	var across Vec3
	across[least] = 1
	axis = from.Cross(across)
	q, _ := Quat{axis[0], axis[1], axis[2], 0}.Unit()
	return q
}

// Yaw returns the rotation about the y axis that turns the z axis towards the direction (x, ·, z),
// and false if that has no length. It takes no sine, so it is the same on every platform.
func Yaw(x, z float64) (Quat, bool) {
	l := math.Sqrt(float64(x*x) + float64(z*z))
	if !(l > 1e-12) || math.IsInf(l, 0) {
		return NoRotation(), false
	}
	cos := min(max(z/l, -1), 1)
	s, c := math.Sqrt((1-cos)/2), math.Sqrt((1+cos)/2)
	if x < 0 {
		s = -s
	}
	return Quat{0, s, 0, c}, true
}

// Heading returns the rotation about the y axis that turns the z axis to where q turns it, seen from above, and false if q has that stand upright.
func (q Quat) Heading() (Quat, bool) {
	front := q.Rotate(Vec3{0, 0, 1})
	return Yaw(front[0], front[2])
}
