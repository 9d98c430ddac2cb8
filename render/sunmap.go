package render

import (
	"math"
	"slices"
)

// sunmap is what the sun sees of a rectangle.
type sunmap struct {
	*frame
	near    []float32 // not a number where what is thinner than a sample may throw a shadow
	face    []int32   // the face that is so near, counted from 1; nil if there is no ground
	folds   float64   // how many metres ground has to be over something to throw a shadow on it
	columns int       // of cells
	starts  []int32   // cell i has the faces of list from starts[i] to starts[i+1]
	list    []int32
}

const (
	sunSamples = 1 << 20 // of all its maps together
	sunSide    = 1 << 12 // samples of a map along one side at most
	sunFine    = 400     // samples in a metre at most
	sunMargin  = 4       // samples around what is asked for
	cellSide   = 16      // samples of a cell, which has a list of the faces in it
)

// touch is how much nearer to the sun something has to be to throw a shadow, in metres, of which the numbers that are compared have seven digits.
func touch(s float64) float64 { return 1e-3 + float64(1e-6*math.Abs(s)) }

// newSunmap returns the map of a rectangle, whose middle is at eye.
func (s *Scene) newSunmap(sun, eye Vec3, r stretch, samples int, holed []*paper, workers int) *sunmap {
	wide, high := max(r.hi.x-r.lo.x, 0.01), max(r.hi.y-r.lo.y, 0.01)
	scale := min(math.Sqrt(float64(samples)/float64(wide*high)), sunFine, sunSide/max(wide, high))
	width, height := int(math.Ceil(wide*scale))+2*sunMargin, int(math.Ceil(high*scale))+2*sunMargin
	l := newLens(&Camera{Position: eye, Target: eye.Sub(sun), Height: float64(height) / scale}, width, height)
	b := builder{
		fr:    &frame{lens: l, width: width, height: height, holed: holed},
		scene: s, sun: sun, takes: blocking, lathes: map[latheKey]*lathe{},
	}
	b.all((*Object).casts)
	ground := slices.ContainsFunc(b.fr.faces, func(f face) bool { return s.Objects[f.object].Kind == Field })
	c := newCanvas(width*height, ground)
	b.fr.fill(c, workers)
	m := &sunmap{frame: b.fr, near: c.near, face: c.face, folds: fold + 2/scale}
	m.sort()
	for i := range m.faces {
		if f := &m.faces[i]; s.Objects[f.object].Kind != Field {
			m.doubt(f)
		}
	}
	return m
}

// box returns the cells that a face is in, from and up to, without the last.
func (m *sunmap) box(f *face) (x0, y0, x1, y1 int) {
	left, right := int32(math.MaxInt32), int32(math.MinInt32)
	top, bottom := left, right
	for _, c := range m.corners[f.first:f.last] {
		left, right, top, bottom = min(left, c.x), max(right, c.x), min(top, c.y), max(bottom, c.y)
	}
	const unit = sub * cellSide
	rows := (m.height + cellSide - 1) / cellSide
	x0, y0 = max(int(left/unit), 0), max(int(top/unit), 0)
	return x0, y0, min(int(right/unit)+1, m.columns), min(int(bottom/unit)+1, rows)
}

// sort fills the lists of the cells.
func (m *sunmap) sort() {
	m.columns = (m.width + cellSide - 1) / cellSide
	rows := (m.height + cellSide - 1) / cellSide
	m.starts = make([]int32, m.columns*rows+1)
	each := func(do func(cell int, number int32)) {
		for i := range m.faces {
			x0, y0, x1, y1 := m.box(&m.faces[i])
			for y := y0; y < y1; y++ {
				for x := x0; x < x1; x++ {
					do(y*m.columns+x, int32(i))
				}
			}
		}
	}
	each(func(cell int, _ int32) { m.starts[cell+1]++ })
	for i := range m.starts[1:] {
		m.starts[i+1] += m.starts[i]
	}
	m.list = make([]int32, m.starts[len(m.starts)-1])
	next := slices.Clone(m.starts)
	each(func(cell int, number int32) {
		m.list[next[cell]] = number
		next[cell]++
	})
}

// doubt has the samples about a face so thin that it may be between them ask the faces.
func (m *sunmap) doubt(f *face) {
	corners := m.corners[f.first:f.last]
	var from, to corner
	longest, twice := int64(0), int64(0)
	a := corners[len(corners)-1]
	for _, b := range corners {
		dx, dy := int64(b.x-a.x), int64(b.y-a.y)
		twice += int64(a.x-corners[0].x)*int64(b.y-corners[0].y) - int64(a.y-corners[0].y)*int64(b.x-corners[0].x)
		if square := dx*dx + dy*dy; square > longest {
			from, to, longest = a, b, square
		}
		a = b
	}
	length := math.Sqrt(float64(longest))
	if math.Abs(float64(twice)) > float64(2*1.5*sub)*length { // half of it is its area
		return
	}
	doubtful := float32(math.NaN())
	steps := int(length/sub) + 1
	for k := range steps + 1 {
		t := float64(k) / float64(steps)
		x := int(float64(from.x)+float64(t*float64(to.x-from.x))) / sub
		y := int(float64(from.y)+float64(t*float64(to.y-from.y))) / sub
		for j := max(y-2, 0); j <= min(y+2, m.height-1); j++ {
			for i := max(x-2, 0); i <= min(x+2, m.width-1); i++ {
				m.near[j*m.width+i] = doubtful
			}
		}
	}
}

// flat returns how near to the sun a plane with a normal is, from sample to sample.
func (m *sunmap) flat(normal Vec3) plane {
	facing := normal.Dot(m.lens.forward)
	if math.Abs(facing) < 1e-6 {
		facing = 1e-6
	}
	return plane{dx: normal.Dot(m.lens.originX) / facing, dy: normal.Dot(m.lens.originY) / facing}
}

// count counts the samples within w and h of a place of a plane that have nothing before it, and those that have. Some may be neither.
func (m *sunmap) count(sl *sunlight, p *plane, v *vertex, w, h float64) (lit, dark, all int) {
	limit, folds := touch(v.s)-v.s, float32(m.folds)
	left, top := v.x-0.5, v.y-0.5 // of the middle, in samples whose middles are whole
	i0, i1 := max(int(left-w), 0), min(int(left+w)+1, m.width-1)
	j0, j1 := max(int(top-h), 0), min(int(top+h)+1, m.height-1)
	for j := j0; j <= j1; j++ {
		at := limit + float64(p.dy*(float64(j)-top)) + float64(p.dx*(float64(i0)-left))
		first := j*m.width + i0
		for i, n := range m.near[first : j*m.width+i1+1] {
			switch most := float32(at); {
			case n <= most, n <= most+folds && m.face != nil && sl.ground(m.face[first+i], m):
				lit++
			case n > most:
				dark++
			}
			at += p.dx
		}
	}
	return lit, dark, (i1 - i0 + 1) * (j1 - j0 + 1)
}

const (
	widest   = 5   // how much of a map is asked for one pixel, in samples; what shows more of it is seen as if it showed the middle of that
	filtered = 1.5 // what shows more samples than this has as much shade as these have

	// fold is how many metres ground may be over something and throw no shadow on it, beside two samples: it is smooth, and its facets, of which there
	// are fewer here than in the picture, are not.
	fold = 0.1
)

// lit is sunlight.lit for what the map shows of a plane.
func (m *sunmap) lit(sl *sunlight, a *spread, p *plane, own int32, soft bool) float64 {
	l := m.lens
	v := l.project(a.at)
	ux, uy, vx, vy := a.x.Dot(l.x), a.x.Dot(l.y), a.y.Dot(l.x), a.y.Dot(l.y)
	w, h := math.Abs(ux)+math.Abs(vx), math.Abs(uy)+math.Abs(vy)
	if most := max(w, h); most > widest {
		k := widest / most
		ux, uy, vx, vy, w, h = ux*k, uy*k, vx*k, vy*k, w*k, h*k
	}
	if !soft {
		switch lit, dark, all := m.count(sl, p, &v, w/2, h/2); {
		case lit == all:
			return 1
		case dark == all:
			return 0
		case max(w, h) > filtered && lit+dark > 0:
			return float64(lit) / float64(lit+dark)
		}
	}
	limit := touch(v.s) - v.s
	q := query{m: m, sl: sl, own: own, soft: soft, least: math.Inf(1)}
	for k := range q.at {
		s, t := float64(k/4*4+k%4)/16+1.0/32-0.5, float64(k%4*4+k/4)/16+1.0/32-0.5
		dx, dy := float64(s*ux)+float64(t*vx), float64(s*uy)+float64(t*vy)
		q.at[k] = place2{float64((v.x + dx) * sub), float64((v.y + dy) * sub)}
		q.near[k] = limit + float64(dx*p.dx) + float64(dy*p.dy)
		q.least = min(q.least, q.near[k])
	}
	q.middle, q.w, q.h = place2{float64(v.x * sub), float64(v.y * sub)}, float64(w*sub/2)+1, float64(h*sub/2)+1
	return q.lit()
}
