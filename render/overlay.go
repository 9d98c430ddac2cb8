package render

import (
	"cmp"
	"image"
	"image/draw"
	"math"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/limina-mcp/limina/world"
)

var (
	highlightColor = rgb{1, 0.45, 0}
	inkColor       = rgb{0.10, 0.12, 0.15}
	paperColor     = rgb{1, 1, 1}
	axisColors     = [3]rgb{{0.80, 0.15, 0.15}, {0.10, 0.55, 0.15}, {0.15, 0.30, 0.85}}
)

// mostLabels is how many labels a view has at most: more would hide the picture.
const mostLabels = 60

// overlay draws what lies over the objects: water, particles, and, when the colours are what [Post] makes of them, lines, outlines, texts, labels.
func (d *drawing) overlay(seen []Visible) {
	if d.options.Style == Wireframe {
		d.wires()
	}
	d.waters()
	post := &d.scene.Post
	if d.options.Style != Shaded {
		post = &Post{}
	}
	if post.Bloom != nil {
		d.sparks = make([]bool, d.img.Rect.Dx()*d.img.Rect.Dy())
	}
	d.particles()
	d.drops()
	if post.Bloom != nil {
		d.bloom(post.Bloom)
	}
	if post.Grade != nil {
		d.grade(post.Grade)
	}
	pen := pen{d: d}
	if d.options.Axes {
		pen.axes()
	}
	marked := d.outlines()
	if !d.options.NoPanels {
		pen.texts()
	}
	words := d.options.Style == Shaded && d.options.View != Sheet && !d.options.NoPanels
	if words {
		pen.speeches()
	}
	pen.labels(seen, marked)
	if d.options.Axes || d.options.View == Sheet {
		pen.caption()
	}
	if words {
		pen.notes()
	}
}

// wires draws the edges of all objects.
func (d *drawing) wires() {
	fr := d.faces(both, func(*Object) bool { return true })
	n := float64(sub * d.samples)
	for i := range fr.faces {
		f := &fr.faces[i]
		c := rgbOf(d.scene.Objects[f.object].Color)
		c = mix(c, inkColor, 0.35)
		points := fr.corners[f.first:f.last]
		a := points[len(points)-1]
		for _, b := range points {
			d.line(d.end(f, a, n), d.end(f, b, n), c, 0.22)
			a = b
		}
	}
}

// end is a corner of a face as the end of a line.
func (d *drawing) end(f *face, c corner, perPixel float64) end {
	x, y := float64(c.x)/perPixel, float64(c.y)/perPixel
	n := float64(d.samples)
	near := f.at + float64(f.dx*float64(float64(x*n)-0.5)) + float64(f.dy*float64(float64(y*n)-0.5))
	return end{x, y, min(max(near, f.lo), f.hi)}
}

// waterCover is how much of what is behind it water hides.
const waterCover = 0.6

// waters lays the waters over what is behind them.
func (d *drawing) waters() {
	if len(d.scene.Waters) == 0 {
		return
	}
	fr := &frame{lens: d.lens, width: d.frame.width, height: d.frame.height}
	for i, w := range d.scene.Waters {
		if len(w.Banks) > 0 {
			fr.ribbon(int32(i), w.Banks)
			continue
		}
		wide, deep := w.Right.Len(), w.Front.Len()
		if !sane(w.Center) || !(wide > 0 && wide < far && deep > 0 && deep < far) {
			continue
		}
		a, b := w.Center.Sub(w.Front), w.Center.Add(w.Front)
		fr.add(&face{object: int32(i)}, Vec3{0, 1, 0}, a.Sub(w.Right), a.Add(w.Right), b.Add(w.Right), b.Sub(w.Right))
	}
	c := &canvas{near: slices.Clone(d.canvas.near), face: make([]int32, len(d.canvas.near))}
	fr.fill(c, d.options.Workers)
	n, dark := d.samples, d.scene.Light.dimmed(nightBackdrop)
	for y := range d.img.Rect.Dy() {
		for x := range d.img.Rect.Dx() {
			wet, number := 0, int32(0)
			for k := range n * n {
				if f := c.face[(y*n+k/n)*fr.width+x*n+k%n]; f != 0 {
					wet, number = wet+1, f
				}
			}
			if wet > 0 {
				f := &fr.faces[number-1]
				water := &d.scene.Waters[f.object]
				own := rgbOf(water.Emissive)
				color := mix(rgbOf(water.Color), paperColor, 0.12+float64(0.5*foam(f.normal))).times(dark).add(own)
				if d.air != nil {
					color = d.air.veil(color, d.lens.distance(f.at+float64(f.dx*float64(x*n))+float64(f.dy*float64(y*n))))
				}
				color.over(d.pixel(x, y), float64(max(waterCover, own.r, own.g, own.b)*float64(wet))/float64(n*n))
			}
		}
	}
}

// ribbon adds the faces of a river between its banks.
func (fr *frame) ribbon(object int32, banks [][2]Vec3) {
	for k := range len(banks) - 1 {
		a, b := banks[k], banks[k+1]
		for _, t := range [...][3]Vec3{{a[0], a[1], b[1]}, {a[0], b[1], b[0]}} {
			if !sane(t[0]) || !sane(t[1]) || !sane(t[2]) {
				continue
			}
			up := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
			if up.Len() < 1e-9 {
				continue
			}
			up = unit(up)
			if up[1] < 0 {
				up = up.Scale(-1)
			}
			fr.add(&face{object: object}, up, t[0], t[1], t[2])
		}
	}
}

// foam is how white water is whose surface faces so, from 0 to 1: none of it where it is level, all where it falls more than it flows.
func foam(up Vec3) float64 {
	t := min(max((math.Sqrt(max(0, 1-float64(up[1]*up[1])))-0.08)/0.5, 0), 1)
	return t * t * (3 - 2*t)
}

// pixel returns the bytes of a pixel, counted from the corner of the view.
func (d *drawing) pixel(x, y int) []uint8 {
	i := d.img.PixOffset(d.img.Rect.Min.X+x, d.img.Rect.Min.Y+y)
	return d.img.Pix[i : i+4]
}

// outlines draws a line around each highlighted object, also where something hides it, and returns
// where they are.
func (d *drawing) outlines() map[world.ID]image.Rectangle {
	marked := map[world.ID]image.Rectangle{}
	for _, id := range d.options.Highlight {
		parts := d.options.Groups[id].Parts
		fr := d.faces(facing, func(o *Object) bool { return o.ID == id || parts[o.ID] })
		if len(fr.faces) == 0 {
			continue
		}
		c := newCanvas(fr.width*fr.height, true)
		fr.fill(c, d.options.Workers)
		box := d.outline(c, fr.width)
		if !box.Empty() {
			marked[id] = box
		}
	}
	return marked
}

// outline draws a line around what a canvas shows, and returns the box around it.
func (d *drawing) outline(c *canvas, width int) (box image.Rectangle) {
	n, w, h := d.samples, d.img.Rect.Dx(), d.img.Rect.Dy()
	shows := func(x, y int) bool {
		return x >= 0 && y >= 0 && x < w && y < h && c.face[y*n*width+x*n] != 0
	}
	for y := range h {
		for x := range w {
			if shows(x, y) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
				continue
			}
			for _, step := range [...]image.Point{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-2, 0}, {2, 0}, {0, -2}, {0, 2}, {-1, -1}, {1, 1}, {-1, 1}, {1, -1}} {
				if shows(x+step.X, y+step.Y) {
					highlightColor.put(d.pixel(x, y))
					break
				}
			}
		}
	}
	return box.Add(d.img.Rect.Min)
}

// texts writes the texts of the scene that nothing hides.
func (p *pen) texts() {
	for _, t := range p.d.scene.Texts {
		at, ok := p.d.spot(t.At)
		if !ok || p.d.hidden(at) || len(t.Lines) == 0 {
			continue
		}
		color := paperColor
		if t.Color != 0 {
			color = rgbOf(t.Color)
		}
		lines := t.Lines[:min(len(t.Lines), 8)]
		if size := p.d.letters(at); size < 1 {
			p.small(&t, at, lines, color, size)
			continue
		}
		y := int(at.y) - lineHeight*len(lines)/2
		if t.Of != nil {
			if to, ok := p.d.spot(*t.Of); ok && to.y > float64(y+lineHeight*len(lines)) {
				p.d.line(end{at.x, float64(y + lineHeight*len(lines)), at.near}, to, inkColor, 0.5)
			}
		}
		for _, line := range lines {
			line = clip(line, 60)
			x := int(at.x) - textWidth(line)/2
			p.taken = append(p.taken, image.Rect(x-2, y, x+textWidth(line)+2, y+lineHeight))
			p.write(x, y, line, color, inkColor, 0.75)
			y += lineHeight
		}
	}
}

// How high a line of a text is in metres, and which part of its size in pixels it has at least, and is not made smaller for.
const (
	textHigh = 0.5
	textFull = 0.75
)

// letters returns how large a text is at a place, of its full size.
func (d *drawing) letters(at end) float64 {
	perMetre := d.lens.scale / float64(d.samples)
	if d.lens.perspective {
		perMetre /= d.lens.distance(at.near)
	}
	if size := perMetre * textHigh / lineHeight; size < textFull {
		return size
	}
	return 1
}

// small writes lines about a place, so much smaller.
func (p *pen) small(t *Text, at end, lines []string, color rgb, size float64) {
	wide := 0
	short := make([]string, len(lines))
	for i, line := range lines {
		short[i] = clip(line, 60)
		wide = max(wide, textWidth(short[i])+4)
	}
	high := lineHeight * len(lines)
	ink := image.NewAlpha(image.Rect(0, 0, wide, high))  // where there are letters
	card := image.NewAlpha(image.Rect(0, 0, wide, high)) // where there is paper
	for i, line := range short {
		x, y := (wide-textWidth(line))/2, i*lineHeight
		draw.Draw(card, image.Rect(x-2, y, x+textWidth(line)+2, y+lineHeight), image.Opaque, image.Point{}, draw.Src)
		pencil := font.Drawer{Dst: ink, Src: image.Opaque, Face: basicfont.Face7x13, Dot: fixed.P(x, y+basicfont.Face7x13.Ascent)}
		pencil.DrawString(line)
	}
	x0, y0 := int(math.Round(at.x-float64(float64(wide)*size)/2)), int(math.Round(at.y-float64(float64(high)*size)/2))
	w, h := max(int(float64(wide)*size), 1), max(int(float64(high)*size), 1)
	if t.Of != nil {
		if to, ok := p.d.spot(*t.Of); ok && to.y > float64(y0+h) {
			p.d.line(end{at.x, float64(y0 + h), at.near}, to, inkColor, 0.5)
		}
	}
	p.taken = append(p.taken, image.Rect(x0, y0, x0+w, y0+h))
	for y := max(-y0, 0); y < min(h, p.d.img.Rect.Dy()-y0); y++ {
		for x := max(-x0, 0); x < min(w, p.d.img.Rect.Dx()-x0); x++ {
			part := image.Rect(x*wide/w, y*high/h, max((x+1)*wide/w, x*wide/w+1), max((y+1)*high/h, y*high/h+1))
			px := p.d.pixel(x0+x, y0+y)
			inkColor.over(px, 0.75*share(card, part))
			color.over(px, share(ink, part))
		}
	}
}

// share returns how much of a part of a mask is set, 0 to 1.
func share(m *image.Alpha, part image.Rectangle) float64 {
	sum := 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			sum += int(m.AlphaAt(x, y).A)
		}
	}
	return float64(sum) / float64(255*part.Dx()*part.Dy())
}

// labels writes what objects are called: first those that are highlighted, then the largest. A label
// that would cover another is left out.
func (p *pen) labels(seen []Visible, marked map[world.ID]image.Rectangle) {
	order := slices.Clone(seen)
	slices.SortStableFunc(order, func(a, b Visible) int { return cmp.Compare(b.Pixels, a.Pixels) })
	for _, id := range p.d.options.Highlight {
		if box, ok := marked[id]; ok {
			p.label(p.d.name(id), box, highlightColor, true)
		}
	}
	if p.d.options.Labels == NoLabels {
		return
	}
	for _, v := range order {
		if _, is := marked[v.ID]; !is && len(p.taken) < mostLabels && v.Box.Dx() >= 6 && v.Box.Dy() >= 4 {
			p.label(p.d.name(v.ID), v.Box, inkColor, false)
		}
	}
}

// name returns what a label calls an object.
func (d *drawing) name(id world.ID) string {
	name := d.options.Groups[id].Name
	if i := slices.IndexFunc(d.scene.Objects, func(o Object) bool { return o.ID == id }); i >= 0 {
		name = d.scene.Objects[i].Name
	}
	if name == "" || d.options.Labels != Names {
		return id.String()
	}
	return clip(name, 24)
}

// label writes a label in the middle of a box, unless another is there and it need not be written.
func (p *pen) label(text string, box image.Rectangle, paper rgb, must bool) {
	middle := box.Min.Add(box.Max).Div(2).Sub(p.d.img.Rect.Min)
	x, y := middle.X-textWidth(text)/2, middle.Y-lineHeight/2
	area := image.Rect(x-2, y, x+textWidth(text)+2, y+lineHeight)
	if !must && slices.ContainsFunc(p.taken, area.Overlaps) {
		return
	}
	p.taken = append(p.taken, area)
	p.write(x, y, text, paperColor, paper, 0.8)
}

func clip(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return text
}
