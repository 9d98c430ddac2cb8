package render

import (
	"image"
	"image/color"
	"math"
)

// Texture is an image that is sampled anywhere, from near and far: the image, and others of it, each half as wide and as high as the one
// before, down to one texel. Its rows are counted from the top.
type Texture struct {
	levels []texels
}

// texels are red, green and blue of each, and how opaque it is where not all are wholly.
type texels struct {
	width, height int
	parts         int // 3 or 4
	at            []uint8
}

// NewTexture returns an image as a texture of at most side texels each way, but at least one.
func NewTexture(img image.Image, side int) *Texture {
	level := texelsOf(img)
	t := &Texture{}
	for {
		if max(level.width, level.height) <= max(side, 1) {
			t.levels = append(t.levels, level)
		}
		if level.width == 1 && level.height == 1 {
			return t
		}
		level = level.shrink(max(level.width/2, 1), max(level.height/2, 1))
	}
}

// Mean returns the mean of all texels, 0xRRGGBB.
func (t *Texture) Mean() uint32 {
	c := t.levels[len(t.levels)-1].at
	return uint32(c[0])<<16 | uint32(c[1])<<8 | uint32(c[2])
}

// Image returns the finest image of t.
func (t *Texture) Image() *image.NRGBA {
	l := &t.levels[0]
	img := image.NewNRGBA(image.Rect(0, 0, l.width, l.height))
	for i := range l.width * l.height {
		img.Pix[4*i+3] = 0xff
		copy(img.Pix[4*i:], l.at[l.parts*i:][:l.parts])
	}
	return img
}

// Bytes is how much memory t takes.
func (t *Texture) Bytes() (n int) {
	for _, l := range t.levels {
		n += len(l.at)
	}
	return n
}

// texelsOf returns the pixels of an image; one black one of an image without any.
func texelsOf(img image.Image) texels {
	b := img.Bounds()
	t := texels{width: b.Dx(), height: b.Dy(), parts: 3}
	if b.Empty() {
		return texels{1, 1, 3, make([]uint8, 3)}
	}
	if o, ok := img.(interface{ Opaque() bool }); ok && !o.Opaque() {
		t.parts = 4
	}
	t.at = make([]uint8, 0, t.parts*t.width*t.height)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			switch img := img.(type) {
			case *image.NRGBA:
				t.at = append(t.at, img.Pix[img.PixOffset(x, y):][:t.parts]...)
			case *image.YCbCr:
				c := img.YCbCrAt(x, y)
				r, g, b := color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
				t.at = append(t.at, r, g, b)
			default:
				c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
				t.at = append(t.at, []uint8{c.R, c.G, c.B, c.A}[:t.parts]...)
			}
		}
	}
	return t
}

// shrink returns a smaller image, each texel of which is the mean of what it covers.
func (t *texels) shrink(width, height int) texels {
	out := texels{width, height, t.parts, make([]uint8, 0, t.parts*width*height)}
	all := uint64(t.width) * uint64(t.height)
	for y := range height {
		// In units of which a texel here has height and one there t.height, row y covers from y·t.height on.
		for x := range width {
			var sum [4]uint64
			for j := y * t.height / height; j*height < (y+1)*t.height; j++ {
				high := min((y+1)*t.height, (j+1)*height) - max(y*t.height, j*height)
				for i := x * t.width / width; i*width < (x+1)*t.width; i++ {
					part := uint64(high) * uint64(min((x+1)*t.width, (i+1)*width)-max(x*t.width, i*width))
					c := t.at[t.parts*(j*t.width+i):]
					sum[0], sum[1], sum[2] = sum[0]+part*uint64(c[0]), sum[1]+part*uint64(c[1]), sum[2]+part*uint64(c[2])
					if t.parts == 4 {
						sum[3] += part * uint64(c[3])
					}
				}
			}
			for _, s := range sum[:t.parts] {
				out.at = append(out.at, uint8((s+all/2)/all))
			}
		}
	}
	return out
}

// level returns which of a texture's images shows what a pixel of the picture covers as much of as size says, and how much of the next, which
// is the same one if there is none.
func (t *Texture) level(size float64) (first, next *texels, part float64) {
	last := len(t.levels) - 1
	covers := size * float64(max(t.levels[0].width, t.levels[0].height)) // texels
	level := 0
	for covers >= 2 && level < last {
		covers /= 2
		level++
	}
	return &t.levels[level], &t.levels[min(level+1, last)], min(max(covers-1, 0), 1)
}

// sample returns what a texture shows at a place, u to the right and v up, that repeats from 1 to 1; where each pixel of the picture covers as much of
// it as size says, texels of about that size are taken.
func (t *Texture) sample(u, v, size float64) rgb {
	first, next, part := t.level(size)
	c := first.sample(u, v)
	if part > 0 && next != first {
		c = mix(c, next.sample(u, v), part)
	}
	return c
}

// opacity returns how opaque a texture is where sample returns what it shows, from 0 to 1.
func (t *Texture) opacity(u, v, size float64) float64 {
	if t.levels[0].parts == 3 {
		return 1
	}
	first, next, part := t.level(size)
	a := first.opacity(u, v)
	if part > 0 && next != first {
		a += float64(part * (next.opacity(u, v) - a))
	}
	return a
}

// sample returns what is between the four texels about a place.
func (t *texels) sample(u, v float64) rgb {
	x0, x1, fx := beside(u, t.width)
	y0, y1, fy := beside(-v, t.height)
	top := mix(t.texel(x0, y0), t.texel(x1, y0), fx)
	return mix(top, mix(t.texel(x0, y1), t.texel(x1, y1), fx), fy)
}

// beside returns the two of n texels, the middles of which a place is between, and how far it is from the first to the second.
func beside(u float64, n int) (i, j int, f float64) {
	part := u - math.Floor(u)
	if !(part < 1) { // u is a little less than a whole number, or none at all
		part = 0
	}
	at := float64(part*float64(n)) - 0.5
	low := math.Floor(at)
	i = int(low)
	j, f = i+1, at-low
	if i < 0 {
		i = n - 1
	}
	if j >= n {
		j = 0
	}
	return i, j, f
}

// opacity is sample, of how opaque they are.
func (t *texels) opacity(u, v float64) float64 {
	x0, x1, fx := beside(u, t.width)
	y0, y1, fy := beside(-v, t.height)
	at := func(x, y int) float64 { return float64(t.at[4*(y*t.width+x)+3]) / 255 }
	top := at(x0, y0)
	top += float64(fx * (at(x1, y0) - top))
	bottom := at(x0, y1)
	bottom += float64(fx * (at(x1, y1) - bottom))
	return top + float64(fy*(bottom-top))
}

func (t *texels) texel(x, y int) rgb {
	c := t.at[t.parts*(y*t.width+x):]
	return rgb{float64(c[0]) / 255, float64(c[1]) / 255, float64(c[2]) / 255}
}
