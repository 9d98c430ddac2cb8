package render

// Post is what is done to a picture when it is drawn, before lines, outlines and words are laid over it, in this order: what
// corners keep of the light, the shine about what is bright, the colours. The zero value does nothing. It is done in the style
// [Shaded] only, to each view of a sheet by itself. Numbers beyond what is said here are taken for the nearest that is not.
type Post struct {
	AO    *AO    // nil for none
	Bloom *Bloom // nil for none
	Grade *Grade // nil for none
}

// AO is ambient occlusion: corners and what is below things get less light. It is found in the picture alone, so what
// the picture does not show takes no light away. It falls on objects only: the sky, the ground that is not built, water,
// particles, what is clear and what shines have none.
type AO struct {
	Radius           float64 // how far things darken each other, metres: 0.01 to 10
	Scale            float64 // how much light they take, 0 to 4
	DistanceExponent float64 // how fast that falls off, 0 to 8: the share of the way left to the radius, to this power
	Thickness        float64 // what is nearer to the camera than a place by more than this does not darken it, metres: more than 0
	Samples          int     // how many places are looked at, 1 to 64; fewer in large pictures, see mostTaps
	ResolutionScale  float64 // how much finer than the picture it is computed, 0.25 to 1
	Intensity        float64 // how much of it shows, 0 to 1
}

// Bloom is a shine about what is bright: what is brighter than the threshold is blurred, and added. How bright something is, its strongest
// of red, green and blue says. Nothing is as bright as it can be until a tenth above the threshold. The sky and the ground that is not built do not shine.
type Bloom struct {
	Strength  float64 // of what is added, 0 to 4
	Radius    float64 // how far it spreads, 0 to 1: a standard deviation of so much of a sixteenth of the picture's height
	Threshold float64 // 0 to 1
}

// Grade changes colours. Each part of a colour, from 0 to 1 as it is on the screen, becomes
//
//	c = (c·Exposure - 1/2)·Contrast + 1/2
//
// and then, with the grey of the same brightness l = 0.2126·red + 0.7152·green + 0.0722·blue,
//
//	c = l + (c - l)·Saturation
//
// and what is beyond 0 or 1 is taken for that. With 1, 1, 1 nothing changes.
type Grade struct {
	Exposure   float64 // 0 to 8
	Contrast   float64 // 0 to 4
	Saturation float64 // 0 to 4
}

// within returns x, or the end of the range that it is beyond; lo for what is no number.
func within(x, lo, hi float64) float64 {
	if !(x >= lo) {
		return lo
	}
	return min(x, hi)
}

// grade changes the colours of the view.
func (d *drawing) grade(g *Grade) {
	exposure, contrast, saturation := within(g.Exposure, 0, 8), within(g.Contrast, 0, 4), within(g.Saturation, 0, 4)
	var to [256]float64
	for i := range to {
		to[i] = float64((float64(float64(i)/255*exposure)-0.5)*contrast) + 0.5
	}
	bands(d.img.Rect.Dy(), d.options.Workers, func(from, until int) {
		for y := from; y < until; y++ {
			for x := range d.img.Rect.Dx() {
				px := d.pixel(x, y)
				c := rgb{to[px[0]], to[px[1]], to[px[2]]}
				l := float64(0.2126*c.r) + float64(0.7152*c.g) + float64(0.0722*c.b)
				mix(rgb{l, l, l}, c, saturation).put(px)
			}
		}
	})
}
