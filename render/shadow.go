package render

// shadows is what a lamp sees to one side.
type shadows struct {
	lens *lens
	near []float32
}

// depths returns how near what throws shadows is, for each sample of a square picture that a light takes.
func (s *Scene) depths(l *lens, side int, sun Vec3, holed []*paper, workers int, casts func(*Object) bool) []float32 {
	b := builder{
		fr:    &frame{lens: l, width: side, height: side, holed: holed},
		scene: s, sun: sun, takes: blocking, lathes: map[latheKey]*lathe{},
	}
	b.all(casts)
	canvas := newCanvas(side*side, false)
	b.fr.fill(canvas, workers)
	return canvas.near
}

// between returns which part of the four samples about x, y is no nearer than the limit, which grows by byX from one sample
// to the next in a row and by byY from row to row, each weighed by how close it is. There are side samples in a row.
func (sh *shadows) between(x, y float64, side int, limit, byX, byY float64) float64 {
	i, j := int(x), int(y)
	at := j*side + i
	upper, lower := sh.near[at:at+2], sh.near[at+side:at+side+2]
	fx, fy := x-float64(i), y-float64(j)
	limit -= float64(fx*byX) + float64(fy*byY)
	a, b := open(upper[0], float32(limit)), open(upper[1], float32(limit+byX))
	c, d := open(lower[0], float32(limit+byY)), open(lower[1], float32(limit+byX+byY))
	if a == b && b == c && c == d {
		return a
	}
	top, bottom := a+float64(fx*(b-a)), c+float64(fx*(d-c))
	return top + float64(fy*(bottom-top))
}

func open(near, limit float32) float64 {
	if near > limit {
		return 0
	}
	return 1
}
