package gltf

import "math"

// Linear returns the linear colour of 0xRRGGBB in sRGB, as glTF wants it, with alpha 1.
func Linear(color uint32) [4]float64 {
	return [4]float64{linear(color >> 16), linear(color >> 8), linear(color), 1}
}

// SRGB returns the 0xRRGGBB that is nearest to a linear colour; SRGB(Linear(c)) is c.
func SRGB(color [4]float64) uint32 { return part(color[0])<<16 | part(color[1])<<8 | part(color[2]) }

// linear is the transfer function of sRGB (IEC 61966-2-1), from the lowest byte. Its numbers are the
// same on every platform, which math.Pow does not promise.
func linear(b uint32) float64 {
	x := float64(b&255) / 255
	if x <= 0.04045 {
		return x / 12.92
	}
	y := (x + 0.055) / 1.055
	return float64(y*y) * fifthRoot(float64(y*y)) // y to the power 2.4
}

// fifthRoot returns that of x, 0 < x ≤ 1, by Newton's method.
func fifthRoot(x float64) float64 {
	r := 1.0
	for range 64 {
		r2 := float64(r * r)
		r = (float64(4*r) + x/float64(r2*r2)) / 5
	}
	return r
}

// part finds the byte whose linear value is nearest.
func part(x float64) uint32 {
	best, off := uint32(0), math.Inf(1)
	for b := range uint32(256) {
		if d := math.Abs(linear(b) - x); d < off {
			best, off = b, d
		}
	}
	return best
}
