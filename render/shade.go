package render

import "image"

// painter colours a canvas that was filled.
type painter struct {
	fr         *frame
	canvas     *canvas
	samples    int         // in a pixel, each way
	sunlight   *sunlight   // nil if there are no shadows
	skylight   *sunlight   // what is under the open sky, where it snows; else nil
	light      rgb         // of the sun
	sun        Vec3        // the direction towards it
	papers     []*paper    // for each object what lies on it; empty if nothing lies on any
	everywhere rgb         // what night leaves of the light that is everywhere
	lamps      *bulbs      // nil if there are none
	reach      []lamplight // for each object; empty if there are no lamps
	colors     []rgb
	emits      []rgb // for each object its own light; nil if none has any
	objects    []Object
	flat       bool // no light, no shadow: colours as they are
	lines      bool // faces are not painted: lines will be
	back       *backdrop
	air        *air // nil on a clear day
}

// picture paints all pixels of img, which is as large as the frame.
func (p *painter) picture(img *image.RGBA, workers int) {
	bands(img.Rect.Dy(), workers, func(from, to int) {
		for y := from; y < to; y++ {
			p.row(img, y)
		}
	})
}

// row paints one row of pixels: at one point if all samples of a pixel show the same face, else at
// each of them.
func (p *painter) row(img *image.RGBA, y int) {
	n, width := p.samples, p.fr.width
	first := p.at(y * n)
	second := first
	if n == 2 {
		second = p.at(y*n + 1)
	}
	start := img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y)
	pix := img.Pix[start : start+4*img.Rect.Dx()]
	upper := p.canvas.face[y*n*width:][:width]
	lower := p.canvas.face[(y*n+n-1)*width:][:width]
	last, lastPixel := int32(-1), pix[:4]
	for x := range img.Rect.Dx() {
		px := pix[4*x : 4*x+4]
		i := x * n
		number := upper[i]
		if same(number, upper[i+n-1], lower[i], lower[i+n-1]) {
			if number == last {
				copy(px, lastPixel)
				continue
			}
			first.color(i, float64(n)).put(px)
			last = -1
			if p.even(number) {
				last, lastPixel = number, px
			}
			continue
		}
		last = -1
		sum := first.color(i, 1).add(first.color(i+1, 1)).add(second.color(i, 1)).add(second.color(i+1, 1))
		sum.scale(0.25).put(px)
	}
}

// ClearCover is how much of what is behind it something clear keeps from sight, of 1.
const ClearCover = 0.35

// glaze lays what is clear over the pixels of img that are painted already. Of several panes behind each other the nearest shows.
func (p *painter) glaze(img *image.RGBA, workers int) {
	n, width := p.samples, p.fr.width
	bands(img.Rect.Dy(), workers, func(from, to int) {
		rows := make([]*painterRow, n)
		for y := from; y < to; y++ {
			clear(rows)
			for x := range img.Rect.Dx() {
				var sum rgb
				covered := 0
				for k := range n * n {
					i := x*n + k%n
					number := p.canvas.face[(y*n+k/n)*width+i]
					if number == 0 {
						continue
					}
					if rows[k/n] == nil {
						rows[k/n] = p.at(y*n + k/n)
					}
					f := &p.fr.faces[number-1]
					c := p.colors[f.object]
					if f.tint != 0 {
						c = rgbOf(f.tint)
					}
					c = rows[k/n].shaded(f, i, 1, c)
					if p.air != nil {
						c = p.air.veil(c, p.fr.lens.distance(float64(rows[k/n].near[i])))
					}
					sum = sum.add(c)
					covered++
				}
				if covered > 0 {
					at := img.PixOffset(img.Rect.Min.X+x, img.Rect.Min.Y+y)
					sum.scale(1/float64(covered)).over(img.Pix[at:at+4], ClearCover*float64(covered)/float64(n*n))
				}
			}
		}
	})
}

// even reports whether a face looks the same everywhere.
func (p *painter) even(number int32) bool {
	if number == 0 || p.back.over || p.air != nil && p.fr.lens.perspective {
		return false
	}
	f := &p.fr.faces[number-1]
	if p.lamps != nil && !p.flat && len(p.reach[f.object].list) > 0 {
		return false
	}
	if on(p.papers, f.object) != nil || p.skylight != nil && f.snowy() {
		return false
	}
	return p.flat || f.slope == 0 && (p.sunlight == nil || f.sun <= 0 || p.objects[f.object].NoReceive)
}

// painterRow is a painter with what does not change in a row of samples.
type painterRow struct {
	*painter
	face   []int32
	near   []float32
	at, by Vec3 // sample i shows, at distance s, the point at + i·originX + s·(by + i·rayX)
	ground backdropRow
}

func (p *painter) at(j int) *painterRow {
	width := p.fr.width
	r := &painterRow{painter: p, face: p.canvas.face[j*width:][:width], near: p.canvas.near[j*width:][:width]}
	r.at, r.by = p.fr.lens.row(j)
	r.ground = p.back.row(p, j)
	return r
}

// point returns the point that sample i shows at distance s.
func (r *painterRow) point(i int, s float64) Vec3 {
	return r.fr.lens.point(&r.at, &r.by, float64(i), s)
}

// color returns what sample i shows. So many samples each way, it being the first, show the same face.
func (r *painterRow) color(i int, samples float64) rgb {
	number := r.face[i]
	if number == 0 || r.lines {
		sky := r.ground.sky
		if r.back.stars {
			l := r.fr.lens
			sky = sky.add(starlight(r.by.Add(l.rayX.Scale(float64(i))), float64(r.samples)/l.scale))
		}
		return r.ground.color(i, samples, nowhere, sky)
	}
	f := &r.fr.faces[number-1]
	c := r.colors[f.object]
	if f.tint != 0 && !r.flat {
		c = rgbOf(f.tint)
	}
	if !r.flat {
		c = r.shaded(f, i, samples, c)
	}
	if r.air != nil {
		c = r.air.veil(c, r.fr.lens.distance(float64(r.near[i])))
	}
	if r.back.over {
		c = r.ground.color(i, samples, float64(r.near[i]), c)
	}
	return c
}

// shaded returns a face's colour in the light that gets to it, and its own.
func (r *painterRow) shaded(f *face, i int, samples float64, c rgb) rgb {
	if on(r.papers, f.object) == nil {
		c = r.snowed(f, i, samples, c)
	}
	c = r.lit(f, i, samples, c)
	if r.emits == nil {
		return c
	}
	if p := on(r.papers, f.object); p != nil && p.light != nil { // textured has added it
		return c
	}
	return c.add(r.emits[f.object])
}

// lit returns a face's colour in the light that gets to it.
func (r *painterRow) lit(f *face, i int, samples float64, c rgb) rgb {
	sun, fill := f.sun, f.fill
	o := &r.objects[f.object]
	shadowed := r.sunlight != nil && !o.NoReceive
	var lamps lamplight
	if r.lamps != nil {
		lamps = r.reach[f.object]
	}
	if lamps.glow != nil {
		return c.times(*lamps.glow)
	}
	if p := on(r.papers, f.object); p != nil {
		return r.textured(p, f, i, samples, c, lamps.list)
	}
	var light rgb // of the lamps
	if len(lamps.list) > 0 || f.slope != 0 || shadowed && sun > 0 {
		s := r.fr.lens.distance(float64(r.near[i]))
		at := r.point(i, s)
		if len(lamps.list) > 0 {
			light = r.lamps.on(lamps.list, at, r.fr.normal(f, at), f.normal, !o.NoReceive)
		}
		if f.slope != 0 {
			by := &r.fr.slopes[f.slope-1]
			sun, fill = sun+by.sun.Dot(at), fill+by.fill.Dot(at)
		}
		if shadowed && sun > 0 {
			sun = float64(sun * r.shone(f, at, s, samples))
		}
	}
	sun = max(sun, 0)
	all := r.everywhere.scale(fill).add(rgb{float64(sun * r.light.r), float64(sun * r.light.g), float64(sun * r.light.b)})
	return c.times(all.add(light))
}

// shone returns which part of the sun's light gets to what so many samples show of a face about a place at distance s.
func (r *painterRow) shone(f *face, at Vec3, s, samples float64) float64 {
	normal := f.normal
	if !r.fr.lens.sees(at, normal) {
		normal = normal.Scale(-1)
	}
	return r.sunlight.lit(r.fr.lens, at, s, normal, samples, f.object)
}

// same reports whether all samples of a pixel show the same face.
func same(a, b, c, d int32) bool { return a == b && b == c && c == d }
