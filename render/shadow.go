package render

// shadowSide is how many samples the sun's picture has each way.
const shadowSide = 1024

// shadows is what the sun sees, or a lamp to one side.
type shadows struct {
	lens *lens
	near []float32
	bias float64 // of the sun: how much nearer to the sun something has to be to throw a shadow, where the sun is overhead
}

// newShadows takes the sun's picture of what is near the ball.
func newShadows(s *Scene, sun Vec3, about ball, holed []*paper, workers int) *shadows {
	r := float64(about.radius * 1.3)
	c := Camera{Position: about.center.Add(sun.Scale(r)), Target: about.center, Height: 2 * r}
	l := newLens(&c, shadowSide, shadowSide)
	near := s.depths(l, shadowSide, sun, holed, workers, (*Object).casts)
	return &shadows{lens: l, near: near, bias: 1.5 / l.scale}
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

// lit returns how much of the sun gets to a point that the sun sees at x, y, at distance s: 0 to 1.
// slant is the sine of the sun's height over the surface there.
func (sh *shadows) lit(x, y, s, slant float64) float64 {
	x, y = x-0.5, y-0.5
	if !(x >= 0 && y >= 0 && x < shadowSide-1 && y < shadowSide-1) {
		return 1
	}
	return sh.between(x, y, shadowSide, sh.bias/max(slant, flattest)-s, 0, 0)
}

// flattest is the sine of the sun's height over a surface below which what shades the surface itself is not told from what shades it
// from elsewhere: the sun gives it next to no light.
const flattest = 0.05

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
