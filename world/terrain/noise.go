package terrain

import "math"

// lattice returns 64 bits that depend on a seed and on a point with whole coordinates; those of
// neighbours, and those of one point under neighbouring seeds, have nothing to do with each other.
// Each coordinate is spread over the word by an odd constant and mixed in by [mix].
func lattice(seed uint64, x, z int64) uint64 {
	return mix(mix(seed^uint64(x)*0x9e3779b97f4a7c15) ^ uint64(z)*0xd1b54a32d192ed03)
}

// mix is the finalizer of SplitMix64 (Stafford's variant 13 of the one in MurmurHash3): every bit of
// the argument changes each bit of the result about every other time.
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// noise is gradient noise, in the way of Perlin (1985, with the smoother curve of 2002): each point with
// whole coordinates has a slope of its own, and what is between four of them is blended. It is 0 at
// those points, smooth between them, and from -1 to 1; most of it is within a quarter of 0.
func noise(seed uint64, x, z float64) float64 {
	fx, fz := math.Floor(x), math.Floor(z)
	dx, dz := x-fx, z-fz
	ix, iz := int64(fx), int64(fz)
	u, v := fade(dx), fade(dz)
	near := blend(slope(lattice(seed, ix, iz), dx, dz), slope(lattice(seed, ix+1, iz), dx-1, dz), u)
	far := blend(slope(lattice(seed, ix, iz+1), dx, dz-1), slope(lattice(seed, ix+1, iz+1), dx-1, dz-1), u)
	return blend(near, far, v)
}

// slope returns the height at dx, dz of a plane through 0 whose slopes along x and z, from -1 to 1, are
// the two halves of the bits.
func slope(bits uint64, dx, dz float64) float64 {
	const one = 1 << 31
	gx, gz := float64(int32(bits>>32))/one, float64(int32(bits))/one
	return float64(gx*dx) + float64(gz*dz)
}

// fade goes from 0 to 1 with no slope and no bend at its ends: 6t⁵ - 15t⁴ + 10t³.
func fade(t float64) float64 {
	inner := float64(t*(float64(t*6)-15)) + 10
	return float64(float64(float64(t*t)*t) * inner)
}

func blend(a, b, t float64) float64 { return a + float64(t*(b-a)) }

// smooth goes from 0 at lo to 1 at hi, without a corner.
func smooth(lo, hi, x float64) float64 {
	t := min(max((x-lo)/(hi-lo), 0), 1)
	return float64(float64(t*t) * (3 - float64(2*t)))
}

// spread brings the noise to where sums of it use most of the room from -1 to 1.
const spread = 1.9

// octave gives the next octave its coordinates: twice as fine, and turned by an angle whose sine is 0.6,
// so that the lattices do not fall on each other.
func octave(x, z float64) (float64, float64) {
	return float64(1.6*x) - float64(1.2*z), float64(1.2*x) + float64(1.6*z)
}

// fractal is the sum of octaves of noise, each twice as fine as the one before it and gain times as
// strong: from -spread to spread, mostly within 1.
func fractal(seed uint64, x, z float64, octaves int, gain float64) float64 {
	sum, all, strength := 0.0, 0.0, 1.0
	for i := range octaves {
		sum += float64(strength * noise(seed+uint64(i), x, z))
		all += strength
		strength = float64(strength * gain)
		x, z = octave(x, z)
	}
	return float64(sum*spread) / all
}

// ridged is fractal with its zeros turned to crests: from -1 in the hollows to 1 on the ridges. Detail
// grows on what is high and leaves the hollows smooth.
func ridged(seed uint64, x, z float64, octaves int, gain float64) float64 {
	sum, all, strength, weight := 0.0, 0.0, 1.0, 1.0
	for i := range octaves {
		crest := 1 - math.Abs(float64(spread*noise(seed+uint64(i), x, z)))
		crest = float64(max(crest, 0) * max(crest, 0))
		sum += float64(float64(strength*weight) * crest)
		all += strength
		weight = min(float64(crest*1.6), 1)
		strength = float64(strength * gain)
		x, z = octave(x, z)
	}
	return float64(2*sum)/all - 1
}
