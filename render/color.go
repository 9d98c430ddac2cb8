package render

import "github.com/limina-mcp/limina/world"

// rgb is a colour, each part from 0 to 1.
type rgb struct{ r, g, b float64 }

func rgbOf(c uint32) rgb {
	return rgb{float64(c>>16&255) / 255, float64(c>>8&255) / 255, float64(c&255) / 255}
}

// What night makes of the light that is everywhere, of the sun, which is the moon then, and of the sky.
var (
	nightColor    = rgb{0.38, 0.42, 0.56}
	moonColor     = rgb{0.70, 0.82, 1}
	nightSky      = rgb{0.04, 0.06, 0.13}
	nightHorizon  = rgb{0.13, 0.16, 0.26}
	nightBackdrop = rgb{0.30, 0.32, 0.42} // of the ground that is not built
)

// What it is in between, at sunset and sunrise.
var (
	duskSun      = rgb{1, 0.66, 0.42}
	duskSky      = rgb{0.58, 0.47, 0.56}
	duskHorizon  = rgb{0.99, 0.64, 0.38}
	duskBackdrop = rgb{1, 0.88, 0.78}
)

// night returns how far it is night, 0 to 1.
func (l *Light) night() float64 {
	if !(l.Night > 0) {
		return 0
	}
	return min(l.Night, 1)
}

// dimmed returns what night leaves of white light, where it makes it another colour.
func (l *Light) dimmed(color rgb) rgb { return mix(rgb{1, 1, 1}, color, l.night()) }

// dusk returns how far the sun is setting or rising, 0 to 1: most half way into the night.
func (l *Light) dusk() float64 {
	n := l.night()
	return float64(float64(4*n) * (1 - n))
}

// warmed returns what dusk leaves of white light, where it makes it another colour.
func (l *Light) warmed(color rgb) rgb { return mix(rgb{1, 1, 1}, color, l.dusk()) }

// average returns the colour between three.
func average(a, b, c uint32) (mean uint32) {
	for shift := 0; shift <= 16; shift += 8 {
		mean |= ((a>>shift&255 + b>>shift&255 + c>>shift&255) / 3) << shift
	}
	return mean
}

// times returns c, lit by light.
func (c rgb) times(light rgb) rgb {
	return rgb{float64(c.r * light.r), float64(c.g * light.g), float64(c.b * light.b)}
}

func (c rgb) scale(k float64) rgb { return rgb{float64(c.r * k), float64(c.g * k), float64(c.b * k)} }

func (c rgb) add(d rgb) rgb { return rgb{c.r + d.r, c.g + d.g, c.b + d.b} }

// mix returns a, and b instead as far as t says.
func mix(a, b rgb, t float64) rgb {
	return rgb{a.r + float64(t*(b.r-a.r)), a.g + float64(t*(b.g-a.g)), a.b + float64(t*(b.b-a.b))}
}

func (c rgb) put(px []uint8) {
	_ = px[3]
	px[0], px[1], px[2], px[3] = level(c.r), level(c.g), level(c.b), 255
}

func level(x float64) uint8 { return uint8(min(max(float64(x*255)+0.5, 0), 255)) }

// over lays c over what is in a pixel already.
func (c rgb) over(px []uint8, cover float64) {
	mix(rgb{float64(px[0]) / 255, float64(px[1]) / 255, float64(px[2]) / 255}, c, cover).put(px)
}

// idColor returns a colour that differs much between neighbouring ids.
func idColor(id world.ID) uint32 {
	h := uint64(id) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	part := func(shift uint) uint32 { return 48 + uint32(h>>shift&0xff)*200/255 }
	return part(16)<<16 | part(32)<<8 | part(48)
}
