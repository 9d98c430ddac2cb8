package render

import (
	"image"
	"math"

	"github.com/limina-mcp/limina/world"
)

// mostTaps bounds the places that the ambient occlusion of a view looks at: in large pictures it looks at fewer about each place.
const mostTaps = 16_000_000

const (
	grain   = 4    // the pattern of places repeats after so many cells, each way, and is blurred away over as many
	gain    = 4.0  // what makes a corner of two walls about half as bright as a wall, with Scale 1
	flat    = 0.12 // the sine of how far something has to stand out of a surface to take light from it
	fades   = 64   // how many steps the falloff has
	largest = 0.25 // how much of the picture's height is looked at about a place, at most
)

// occlusion is the ambient occlusion of a view while it is computed: in cells of size × size pixels.
type occlusion struct {
	*painter
	radius, scale, thickness float64
	taps                     int
	size, width, height      int // of a cell in pixels; of the view in cells
	pixels                   image.Point

	offsets [grain * grain][]spot
	fade    [fades]float64 // by how far of the radius something is away

	open     []float32 // how much of the light gets to a cell
	distance []float32 // of what it shows, 0 for nothing
}

type spot struct{ x, y float64 }

// occlude takes from each pixel of img what ambient occlusion takes.
func (p *painter) occlude(img *image.RGBA, a *AO, workers int) {
	o := p.newOcclusion(img.Rect.Size(), a)
	bands(o.height, workers, func(from, to int) {
		for y := from; y < to; y++ {
			for x := range o.width {
				o.cell(x, y)
			}
		}
	})
	intensity := within(a.Intensity, 0, 1)
	bands(o.pixels.Y, workers, func(from, to int) {
		for y := from; y < to; y++ {
			for x := range o.pixels.X {
				if open := o.smooth(x, y); open < 1 {
					i := img.PixOffset(img.Rect.Min.X+x, img.Rect.Min.Y+y)
					left := 1 - float64(intensity*(1-open))
					for k := range 3 {
						img.Pix[i+k] = uint8(float64(float64(img.Pix[i+k])*left) + 0.5)
					}
				}
			}
		}
	})
}

func (p *painter) newOcclusion(pixels image.Point, a *AO) *occlusion {
	o := &occlusion{
		painter: p, pixels: pixels,
		radius: within(a.Radius, 0.01, 10), scale: within(a.Scale, 0, 4), thickness: within(a.Thickness, 1e-6, far),
		size: int(1/within(a.ResolutionScale, 0.25, 1) + 0.5),
	}
	o.width, o.height = (pixels.X+o.size-1)/o.size, (pixels.Y+o.size-1)/o.size
	o.open, o.distance = make([]float32, o.width*o.height), make([]float32, o.width*o.height)
	o.taps = max(min(a.Samples, 64, mostTaps/len(o.open)), 1)
	for i := range o.offsets {
		// A spiral by the golden angle, which fills a disc evenly, turned otherwise in each cell of the pattern.
		for k := range o.taps {
			angle := float64(2.399963229728653*float64(k)) + float64(i*7%16)*(2*math.Pi/16)
			sin, cos := world.Sincos(angle)
			r := math.Sqrt((float64(k) + 0.5) / float64(o.taps))
			o.offsets[i] = append(o.offsets[i], spot{float64(r * cos), float64(r * sin)})
		}
	}
	exponent := within(a.DistanceExponent, 0, 8)
	for i := range o.fade {
		o.fade[i] = power(1-(float64(i)+0.5)/fades, exponent)
	}
	return o
}

// power returns x to a power that is not negative, the same on every platform; the power has 12 binary places.
func power(x, exponent float64) float64 {
	whole, part := math.Modf(exponent)
	y := 1.0
	for range int(whole) {
		y *= x
	}
	for range 12 {
		x, part = math.Sqrt(x), 2*part
		if part >= 1 {
			y, part = y*x, part-1
		}
	}
	return y
}

// at returns which point a pixel shows, the number of its face, and how far away it is; no face for none that gets occlusion.
func (o *occlusion) at(x, y int) (p Vec3, number int32, s float64) {
	i, j := x*o.samples, y*o.samples
	at := j*o.fr.width + i
	number = o.canvas.face[at]
	if number == 0 {
		return p, 0, 0
	}
	s = o.fr.lens.distance(float64(o.canvas.near[at]))
	from, by := o.fr.lens.row(j)
	return o.fr.lens.point(&from, &by, float64(i), s), number, s
}

// glows reports whether a face shines by itself, not only at places that an image says.
func (o *occlusion) glows(number int32) bool {
	i := o.fr.faces[number-1].object
	object := &o.objects[i]
	return o.lamps != nil && o.reach[i].glow != nil || object.Emissive != 0 && (object.Surface == nil || object.Surface.Light == nil)
}

// cell computes a cell, by the pixel in its middle.
func (o *occlusion) cell(cx, cy int) {
	x, y := min(cx*o.size+o.size/2, o.pixels.X-1), min(cy*o.size+o.size/2, o.pixels.Y-1)
	p, number, s := o.at(x, y)
	i := cy*o.width + cx
	o.open[i] = 1
	if number == 0 {
		return
	}
	o.distance[i] = float32(s)
	reach := float64(o.radius*o.fr.lens.scale) / float64(o.samples)
	if o.fr.lens.perspective {
		reach /= s
	}
	reach = min(reach, largest*float64(o.pixels.Y))
	if !(reach >= 1) {
		return
	}
	normal := o.fr.normal(&o.fr.faces[number-1], p)
	sum := 0.0
	for _, off := range o.offsets[cx%grain+cy%grain*grain] {
		qx, qy := x+int(math.Floor(float64(off.x*reach)+0.5)), y+int(math.Floor(float64(off.y*reach)+0.5))
		if qx < 0 || qy < 0 || qx >= o.pixels.X || qy >= o.pixels.Y {
			continue
		}
		q, there, nearer := o.at(qx, qy)
		if there == 0 || there == number || s-nearer > o.thickness || o.glows(there) {
			continue
		}
		v := q.Sub(p)
		away := v.Len()
		if !(away < o.radius) || away < 1e-9 {
			continue
		}
		if out := v.Dot(normal)/away - flat; out > 0 {
			sum += float64(out * o.fade[int(away/o.radius*fades)])
		}
	}
	o.open[i] = float32(max(1-float64(float64(gain*o.scale)*sum)/float64(o.taps), 0))
}

// smooth returns how much of the light gets to a pixel: the mean of the cells about it that show something as far away.
func (o *occlusion) smooth(x, y int) float64 {
	at := y*o.samples*o.fr.width + x*o.samples
	number := o.canvas.face[at]
	if number == 0 || o.glows(number) {
		return 1
	}
	s := o.fr.lens.distance(float64(o.canvas.near[at]))
	cx, cy := x/o.size-grain/2, y/o.size-grain/2
	sum, n := 0.0, 0
	for j := max(cy, 0); j < min(cy+grain, o.height); j++ {
		for i := max(cx, 0); i < min(cx+grain, o.width); i++ {
			if there := float64(o.distance[j*o.width+i]); there != 0 && math.Abs(there-s) < o.radius {
				sum += float64(o.open[j*o.width+i])
				n++
			}
		}
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}
