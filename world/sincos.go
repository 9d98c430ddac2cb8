package world

import "math"

// Sincos returns the sine and cosine of x radians, to about an ulp for the angles people use.
//
// The standard library's are not used because Go may fuse their multiplications and additions,
// which it does on arm64 and GOAMD64=v3: the last bit of a rotation would depend on the machine.
// It may be called concurrently.
func Sincos(x float64) (sin, cos float64) {
	const (
		half = math.Pi / 2
		high = 1.5707963267341256e+00 // the first 33 bits of π/2, so that k*high is exact
		low  = 6.0771005065061922e-11 // the rest of it
	)
	if math.Abs(x) > 1<<20 {
		x = math.Mod(x, 2*math.Pi) // exact in itself; what is lost is lost in x already
	}
	k := math.RoundToEven(x / half)
	r := (x - float64(k*high)) - float64(k*low)
	s, c := taylor(r)
	switch int64(k) & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}

// taylor returns the sine and cosine of x, |x| ≤ π/4, by their series; the first term left out is
// below half an ulp of the sum.
func taylor(x float64) (sin, cos float64) {
	z := float64(x * x)
	var s, c float64
	for n := 17.0; n >= 3; n -= 2 {
		s = float64(z*(1-s)) / float64(n*(n-1))
	}
	for n := 18.0; n >= 2; n -= 2 {
		c = float64(z*(1-c)) / float64(n*(n-1))
	}
	return x - float64(x*s), 1 - c
}
