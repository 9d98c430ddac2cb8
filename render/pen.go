package render

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// lineHeight is the height of a line of text in pixels.
const lineHeight = 13

func textWidth(text string) int { return len([]rune(text)) * basicfont.Face7x13.Advance }

// pen writes and draws over a picture.
type pen struct {
	d     *drawing
	taken []image.Rectangle // by labels
}

// write writes one line of text, its upper left corner at x, y from the view's, on paper that lets
// through what is behind it unless cover is 1.
func (p *pen) write(x, y int, text string, ink, paper rgb, cover float64) {
	img := p.d.img
	if cover > 0 {
		for j := max(y, 0); j < min(y+lineHeight, img.Rect.Dy()); j++ {
			for i := max(x-2, 0); i < min(x+textWidth(text)+2, img.Rect.Dx()); i++ {
				paper.over(p.d.pixel(i, j), cover)
			}
		}
	}
	drawer := font.Drawer{
		Dst:  img,
		Src:  image.NewUniform(color.RGBA{level(ink.r), level(ink.g), level(ink.b), 255}),
		Face: basicfont.Face7x13,
		Dot:  fixed.P(img.Rect.Min.X+x, img.Rect.Min.Y+y+basicfont.Face7x13.Ascent),
	}
	drawer.DrawString(text)
}

// end is a point of the picture, in pixels, and how near it is.
type end struct{ x, y, near float64 }

// spot returns where a point is in the picture; ok is false if it is behind the camera.
func (d *drawing) spot(p Vec3) (e end, ok bool) {
	v := d.lens.project(p)
	if d.lens.perspective && v.s < near || !finite(v.x) || !finite(v.y) || !finite(v.s) {
		return e, false
	}
	n := float64(d.samples)
	e = end{v.x / v.w / n, v.y / v.w / n, -v.s}
	if d.lens.perspective {
		e.near = 1 / v.s
	}
	return e, true
}

// hidden reports whether something is before a point, by more than a few pixels' worth of distance.
func (d *drawing) hidden(e end) bool {
	x, y := int(math.Floor(e.x)), int(math.Floor(e.y))
	if x < 0 || y < 0 || x >= d.img.Rect.Dx() || y >= d.img.Rect.Dy() {
		return false
	}
	there := d.canvas.near[y*d.samples*d.frame.width+x*d.samples]
	if there == nowhere {
		return false
	}
	s := d.lens.distance(e.near)
	slack := 4 * float64(d.samples) / d.lens.scale
	if d.lens.perspective {
		slack *= s
	}
	return s > d.lens.distance(float64(there))+slack
}

// line draws a line between two points, fainter where it is hidden.
func (d *drawing) line(a, b end, c rgb, hidden float64) {
	if !visible(&a, &b, float64(d.img.Rect.Dx()), float64(d.img.Rect.Dy())) {
		return
	}
	dx, dy := b.x-a.x, b.y-a.y
	steps := int(max(math.Abs(dx), math.Abs(dy))) + 1
	for i := range steps + 1 {
		t := float64(i) / float64(steps)
		e := end{a.x + float64(t*dx), a.y + float64(t*dy), a.near + float64(t*(b.near-a.near))}
		x, y := int(math.Floor(e.x)), int(math.Floor(e.y))
		if x < 0 || y < 0 || x >= d.img.Rect.Dx() || y >= d.img.Rect.Dy() {
			continue
		}
		cover := 1.0
		if d.hidden(e) {
			cover = hidden
		}
		c.over(d.pixel(x, y), cover)
	}
}

// visible cuts a line to a picture of a size, and reports whether anything is left of it.
func visible(a, b *end, width, height float64) bool {
	for _, side := range [...]func(e *end) float64{
		func(e *end) float64 { return e.x },
		func(e *end) float64 { return width - e.x },
		func(e *end) float64 { return e.y },
		func(e *end) float64 { return height - e.y },
	} {
		da, db := side(a), side(b)
		switch {
		case da < 0 && db < 0 || !finite(da) || !finite(db):
			return false
		case da < 0:
			*a = between(*a, *b, da/(da-db))
		case db < 0:
			*b = between(*a, *b, da/(da-db))
		}
	}
	return true
}

func between(a, b end, t float64) end {
	return end{a.x + float64(t*(b.x-a.x)), a.y + float64(t*(b.y-a.y)), a.near + float64(t*(b.near-a.near))}
}

// axes draws the axes from the origin and numbers on them; seen from a side or from above, rulers
// along the edges.
func (p *pen) axes() {
	d := p.d
	if d.view == FromCamera || d.view == Iso {
		p.tripod()
		return
	}
	h, v := &d.lens.x, &d.lens.y // the world's axes that go to the right and up, and which way
	perMetre := d.lens.scale / float64(d.samples)
	step := rulerStep(perMetre)
	width, height := float64(d.img.Rect.Dx()), float64(d.img.Rect.Dy())
	origin, _ := d.spot(Vec3{})
	ruler := func(axis Vec3, at, length float64, mark func(pixel float64, text string)) {
		name, sign := 0, 1.0
		for i := range axis {
			if math.Abs(axis[i]) > math.Abs(axis[name]) {
				name = i
			}
		}
		if axis[name] < 0 {
			sign = -1
		}
		first := math.Ceil(-at / perMetre / step)
		for k := first; at+float64(float64(k*step)*perMetre) < length && k < first+100; k++ {
			mark(at+float64(float64(k*step)*perMetre), number(sign*k*step))
		}
		mark(math.Inf(1), string("xyz"[name]))
	}
	ruler(*h, origin.x, width-20, func(x float64, text string) {
		if math.IsInf(x, 1) {
			p.write(int(width)-10, int(height)-lineHeight-1, text, axisColors[text[0]-'x'], paperColor, 0.8)
			return
		}
		d.line(end{x, height - 5, 1e30}, end{x, height, 1e30}, inkColor, 1)
		p.write(int(x)-textWidth(text)/2, int(height)-lineHeight-5, text, inkColor, paperColor, 0.5)
	})
	ruler(v.Scale(-1), height-origin.y, height-30, func(y float64, text string) {
		if math.IsInf(y, 1) {
			p.write(3, 16, text, axisColors[text[0]-'x'], paperColor, 0.8)
			return
		}
		d.line(end{0, height - y, 1e30}, end{5, height - y, 1e30}, inkColor, 1)
		if y > 22 {
			p.write(8, int(height-y)-lineHeight/2, text, inkColor, paperColor, 0.5)
		}
	})
}

// tripod draws the three axes from the origin, with numbers.
func (p *pen) tripod() {
	d := p.d
	reach := d.back.about.radius + d.back.about.center.Len()
	perMetre := d.lens.scale / float64(d.samples)
	if d.lens.perspective {
		perMetre /= max(Vec3{}.Sub(d.lens.eye).Dot(d.lens.forward), 1)
	}
	step := rulerStep(perMetre)
	count := min(max(math.Ceil(reach/2/step), 1), 20)
	for axis := range 3 {
		var to Vec3
		for k := range int(count) {
			var from Vec3
			from[axis], to[axis] = float64(k)*step, float64(k+1)*step
			a, ok1 := d.spot(from)
			b, ok2 := d.spot(to)
			if !ok1 || !ok2 {
				continue
			}
			d.line(a, b, axisColors[axis], 0.25)
			if !d.hidden(b) {
				text := number(to[axis])
				if k == int(count)-1 {
					text = string("xyz"[axis]) + " " + text
				}
				p.write(int(b.x)+3, int(b.y)-lineHeight/2, text, axisColors[axis], paperColor, 0.55)
			}
		}
	}
}

// rulerStep returns the metres between numbers on a ruler: 1, 2 or 5 times a power of ten, at
// least 36 pixels.
func rulerStep(pixelsPerMetre float64) float64 {
	for power := 0.01; power < far; power *= 10 {
		for _, step := range []float64{power, 2 * power, 5 * power} {
			if step*pixelsPerMetre >= 36 {
				return step
			}
		}
	}
	return far
}

// number writes metres with no more digits than a ruler needs.
func number(x float64) string {
	return strconv.FormatFloat(math.Round(x*100)/100+0, 'f', -1, 64)
}

// caption says in the upper left corner what is shown.
func (p *pen) caption() {
	text := string(p.d.view)
	if b := p.d.back; b.ground || b.wall {
		text += fmt.Sprintf(", grid %s m", number(b.step))
	}
	p.write(4, 2, text, inkColor, paperColor, 0.7)
}
