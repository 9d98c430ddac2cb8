package terrain

import "math"

// Far is how far from the origin lands go, in metres along x and z; beyond it they are as at their
// border.
const Far = 1e6

// The noises that a land uses each have seeds of their own, so far apart that octaves do not meet.
const (
	saltHeight = (iota + 1) << 8
	saltRidges
	saltWarpX
	saltWarpZ
	saltCoast
	saltHeat
	saltRain
)

func (l *Land) salted(salt uint64) uint64 { return mix(uint64(l.Seed)) + salt }

// shifted moves coordinates by parts of a feature that the seed decides: at the corners of the lattices all noises are 0, and they
// are not to meet at the origin of every land.
func (l *Land) shifted(u, v float64) (float64, float64) {
	const part = 1 << 32
	h := mix(uint64(l.Seed) ^ 0x0ff5e7)
	return u + float64(h>>32)/part, v + float64(h&(part-1))/part
}

// octaves of the heights: the finest is 1/16 of the coarsest.
const octaves = 5

// Height returns how high the land is at a place, in metres. Without works it is within three times the relief of the base.
func (l *Land) Height(x, z float64) float64 { return l.worked(l.Works.List(), x, z) }

// worked returns how high the land is at a place with these works.
func (l *Land) worked(works []Work, x, z float64) float64 {
	y := l.natural(x, z)
	for i := range works {
		y = works[i].change(x, z, y)
	}
	return y
}

// natural returns how high the land is without works.
func (l *Land) natural(x, z float64) float64 {
	x, z = min(max(x, -Far), Far), min(max(z, -Far), Far)
	u, v := l.shifted(x/l.FeatureSize, z/l.FeatureSize)
	if l.Warp > 0 {
		bend := float64(0.5 * l.Warp)
		du := fractal(l.salted(saltWarpX), u, v, 2, 0.5)
		dv := fractal(l.salted(saltWarpZ), u, v, 2, 0.5)
		u, v = u+float64(bend*du), v+float64(bend*dv)
	}
	return l.Base + float64(l.Relief*l.profile(u, v))
}

// profile returns the height in parts of the relief; u and v count features.
func (l *Land) profile(u, v float64) float64 {
	switch l.Type {
	case Mountains:
		// Squared, valleys become wide and tops steep.
		t := float64(0.5 * (min(max(l.rough(u, v), -1), 1.5) + 1))
		return float64(1.7*float64(t*t)) - 0.45
	case Desert:
		// Dunes: ridges that lie across the wind, on soft ground.
		dunes := blend(fractal(l.salted(saltHeight), u, float64(0.4*v), 2, l.Roughness), ridged(l.salted(saltRidges), u, float64(0.4*v), 2, l.Roughness), l.Ridges)
		return float64(0.7*dunes) + float64(0.4*fractal(l.salted(saltCoast), float64(0.3*u), float64(0.3*v), 3, 0.5))
	case Beach:
		// Flat where it crosses sea level: the cube of what it would be, and a little of that itself.
		c := min(max(fractal(l.salted(saltCoast), u, v, 2, 0.4)+0.12, -1), 1)
		shore := float64(0.35*c) + float64(1.4*float64(float64(c*c)*c))
		return shore + float64(float64(0.3*smooth(0.2, 0.6, c))*(l.rough(float64(2*u), float64(2*v))+0.5))
	case Islands:
		// Land where a coarse noise is high, with the usual heights on it; else a bottom that is almost flat.
		c := fractal(l.salted(saltCoast), u, v, 4, 0.45)
		up := smooth(0.02, 0.75, c)
		return float64(up*(0.75+float64(0.5*l.rough(float64(1.7*u), float64(1.7*v))))) + float64(0.5*min(max(c, -0.9), 0.12)) - 0.03
	}
	return l.rough(u, v)
}

// rough returns round or ridged ground, as the land has it.
func (l *Land) rough(u, v float64) float64 {
	round, sharp := 0.0, 0.0
	if l.Ridges < 1 {
		round = fractal(l.salted(saltHeight), u, v, octaves, l.Roughness)
	}
	if l.Ridges > 0 {
		sharp = ridged(l.salted(saltRidges), u, v, octaves, l.Roughness)
	}
	return blend(round, sharp, l.Ridges)
}

// tile returns in which tile a coordinate is.
func tileOf(x float64) int { return int(math.Floor(min(max(x, -Far), Far) / Size)) }

// TileAt returns the numbers of the tile in which a place is.
func TileAt(x, z float64) (tx, tz int) { return tileOf(x), tileOf(z) }
