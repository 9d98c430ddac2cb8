package render

import "math"

// Stars are where they are for everybody: each side of a cube around the eye is cut into squares, of which some have one.
const (
	starRows  = 48    // of squares on a side
	starEvery = 6     // of so many squares one has a star, about
	starSmall = 0.001 // radius of the smallest, at a distance of 1
	starLarge = 0.008 // … and of the largest: no further than to the edge of its square
)

// starlight returns what of the light of stars comes from a direction, of which a pixel shows so much, at a distance of 1.
func starlight(dir Vec3, pixel float64) rgb {
	side := 0
	for k := range dir {
		if math.Abs(dir[k]) > math.Abs(dir[side]) {
			side = k
		}
	}
	far := math.Abs(dir[side])
	if !(far > 0) {
		return rgb{}
	}
	u, v := (dir[(side+1)%3]/far+1)/2*starRows, (dir[(side+2)%3]/far+1)/2*starRows
	face := uint64(side * 2)
	if dir[side] < 0 {
		face++
	}
	square := (face*starRows+uint64(min(max(u, 0), starRows-1)))*starRows + uint64(min(max(v, 0), starRows-1))
	part := func(k uint64) float64 { return chance(square*8 + k) }
	if part(0)*starEvery >= 1 {
		return rgb{}
	}
	du := (u - math.Floor(u) - 0.3 - float64(0.4*part(1))) * 2 / starRows
	dv := (v - math.Floor(v) - 0.3 - float64(0.4*part(2))) * 2 / starRows
	bright := part(3)
	radius := min(max(pixel, starSmall)*(0.7+float64(0.6*bright)), starLarge)
	off := math.Sqrt(float64(du*du)+float64(dv*dv)) / radius
	if off >= 1 {
		return rgb{}
	}
	light := (1 - off) * (0.25 + float64(0.75*bright*bright))
	warm := part(4)
	return rgb{light * (0.85 + float64(0.15*warm)), light * 0.92, light * (1 - float64(0.15*warm))}
}
