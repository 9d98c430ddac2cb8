package render

// knee is how far above the threshold of a [Bloom] something shines with all that it has.
const knee = 0.1

// fine is how many parts a level of a pixel has while it is blurred.
const fine = 64

// bloom adds the shine of what is bright to the view.
func (d *drawing) bloom(b *Bloom) {
	w, h := d.img.Rect.Dx(), d.img.Rect.Dy()
	threshold := within(b.Threshold, 0, 1)
	var shine [3][]int32
	for i := range shine {
		shine[i] = make([]int32, w*h)
	}
	bright := false
	for y := range h {
		for x := range w {
			if !d.shines(x, y) {
				continue
			}
			px := d.pixel(x, y)
			share := within((float64(max(px[0], px[1], px[2]))/255-threshold)/knee, 0, 1)
			if share == 0 {
				continue
			}
			bright = true
			for i := range shine {
				shine[i][y*w+x] = int32(float64(px[i]) * share * fine)
			}
		}
	}
	if !bright {
		return
	}
	// Three means over 2·reach+1 pixels have a variance of reach·(reach+1).
	reach := int(within(b.Radius, 0, 1)*float64(h)/16 + 0.5)
	for _, part := range shine {
		blur(part, w, h, reach, d.options.Workers)
	}
	strength := within(b.Strength, 0, 4) / fine
	for y := range h {
		for x := range w {
			px := d.pixel(x, y)
			for i := range shine {
				if more := shine[i][y*w+x]; more > 0 {
					px[i] = uint8(min(float64(px[i])+float64(float64(more)*strength)+0.5, 255))
				}
			}
		}
	}
}

// shines reports whether a pixel shows something that can shine.
func (d *drawing) shines(x, y int) bool {
	at := y*d.samples*d.frame.width + x*d.samples
	return d.canvas.face[at] != 0 || d.panes != nil && d.glass.face[at] != 0 || d.sparks[y*d.img.Rect.Dx()+x]
}

// blur replaces each value by the mean of those about it, three times in each direction. Beyond the edges there is nothing.
func blur(part []int32, w, h, reach, workers int) {
	if reach == 0 {
		return
	}
	bands(h, workers, func(from, to int) {
		line := newLine(w, reach)
		for y := from; y < to; y++ {
			line.blur(part[y*w:], 1)
		}
	})
	bands(w, workers, func(from, to int) {
		line := newLine(h, reach)
		for x := from; x < to; x++ {
			line.blur(part[x:], w)
		}
	})
}

// line is what the blur of a line needs.
type line struct {
	a, b  []int32
	reach int
}

func newLine(n, reach int) *line { return &line{make([]int32, n), make([]int32, n), reach} }

// blur blurs every step-th value of part.
func (l *line) blur(part []int32, step int) {
	all := int32(0)
	for i := range l.a {
		l.a[i] = part[i*step]
		all |= l.a[i]
	}
	if all == 0 {
		return
	}
	for range 3 {
		mean(l.b, l.a, l.reach)
		l.a, l.b = l.b, l.a
	}
	for i, v := range l.a {
		part[i*step] = v
	}
}

// mean sets each of to to the mean of what is about it in from, within reach.
func mean(to, from []int32, reach int) {
	sum := int64(0)
	for _, v := range from[:min(reach, len(from))] {
		sum += int64(v)
	}
	for i := range to {
		if in := i + reach; in < len(from) {
			sum += int64(from[in])
		}
		if out := i - reach - 1; out >= 0 {
			sum -= int64(from[out])
		}
		to[i] = int32(sum / int64(2*reach+1))
	}
}
