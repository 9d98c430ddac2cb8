package render

import (
	"math"
	"math/bits"
	"slices"
)

// sunlight tells what of the sun gets to places that a picture shows. Seen from the sun, which is far away, what throws shadows is a picture of
// polygons: a place is in the shade if one of them is before it there. That is asked of the polygons themselves wherever the coarse picture that
// is kept of them does not tell for a whole pixel, so that shadows have no steps, however much a picture shows.
type sunlight struct {
	objects []Object
	towards Vec3
	maps    []*sunmap // from the one that is about the least
}

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

// place2 is where something is for the sun.
type place2 struct{ x, y float64 }

// stretch is a rectangle; the zero stretch holds nothing.
type stretch struct {
	lo, hi place2
	some   bool
}

func (r *stretch) hold(x, y, reach float64) {
	if !r.some {
		*r = stretch{place2{x - reach, y - reach}, place2{x + reach, y + reach}, true}
		return
	}
	r.lo = place2{min(r.lo.x, x-reach), min(r.lo.y, y-reach)}
	r.hi = place2{max(r.hi.x, x+reach), max(r.hi.y, y+reach)}
}

// within returns what of a rectangle is in another one too.
func (r stretch) within(other *stretch) stretch {
	r.lo = place2{max(r.lo.x, other.lo.x), max(r.lo.y, other.lo.y)}
	r.hi = place2{min(r.hi.x, other.hi.x), min(r.hi.y, other.hi.y)}
	r.some = r.some && other.some && r.lo.x < r.hi.x && r.lo.y < r.hi.y
	return r
}

func (r *stretch) area() float64 {
	return float64(max(r.hi.x-r.lo.x, 0.01) * max(r.hi.y-r.lo.y, 0.01))
}

// newSunlight returns the light that comes from a direction on those faces, of what a painter is going to paint, that gets. It has one map of all that
// shows and can have shadows on it, and in perspective, if that pays, a finer one of the nearer half; so many samples in all.
func (p *painter) newSunlight(s *Scene, towards Vec3, gets func(*face) bool, samples int, holed []*paper, workers int) *sunlight {
	out := &sunlight{objects: s.Objects, towards: towards}
	right, up, forward := (&Camera{Position: towards}).axes()
	var casters stretch
	for i := range s.Objects {
		o := &s.Objects[i]
		if at, r := o.Transform.Position, radius(o); o.casts() && sane(at) && r <= far {
			casters.hold(at.Dot(right), at.Dot(up), r)
		}
	}
	type spot struct{ x, y, s float64 }
	var spots []spot
	var all, nearer stretch
	depths := 0.0
	width, height := p.fr.width, p.fr.height
	step := 2 * p.samples
	for j := 0; j < height+step-1; j += step { // up to the last, also if it is between steps
		r := p.at(min(j, height-1))
		for i := 0; i < width+step-1; i += step {
			i := min(i, width-1)
			var at Vec3
			s := r.ground.distance
			switch {
			case r.face[i] != 0:
				if !gets(&p.fr.faces[r.face[i]-1]) {
					continue
				}
				s = p.fr.lens.distance(float64(r.near[i]))
				at = r.point(i, s)
			case r.ground.shaded:
				at = Vec3{r.ground.u + float64(float64(i)*r.ground.byU), 0, r.ground.v + float64(float64(i)*r.ground.byV)}
			default:
				continue
			}
			x, y := at.Dot(right), at.Dot(up)
			if x < casters.lo.x || x > casters.hi.x || y < casters.lo.y || y > casters.hi.y {
				continue
			}
			all.hold(x, y, 0)
			spots = append(spots, spot{x, y, s})
			depths += at.Dot(forward)
		}
	}
	if len(spots) == 0 {
		return out
	}
	depth := depths / float64(len(spots))
	wanted := []stretch{all}
	if p.fr.lens.perspective {
		order := make([]float64, len(spots))
		for i := range spots {
			order[i] = spots[i].s
		}
		slices.Sort(order)
		middle := order[len(order)/2]
		for i := range spots {
			if s := &spots[i]; s.s <= middle {
				nearer.hold(s.x, s.y, 0)
			}
		}
		if 4*nearer.area() < all.area() {
			wanted = []stretch{nearer, all}
		}
	}
	for _, r := range wanted {
		// What is between the places that were asked for is a little beside them.
		more := 0.05 * max(r.hi.x-r.lo.x, r.hi.y-r.lo.y)
		r = stretch{place2{r.lo.x - more, r.lo.y - more}, place2{r.hi.x + more, r.hi.y + more}, true}.within(&casters)
		if !r.some {
			continue
		}
		eye := right.Scale((r.lo.x + r.hi.x) / 2).Add(up.Scale((r.lo.y + r.hi.y) / 2)).Add(forward.Scale(depth))
		out.maps = append(out.maps, s.newSunmap(towards, eye, r, samples/len(wanted), holed, workers))
	}
	return out
}

// sunny reports whether the sun may shine on a face.
func (f *face) sunny() bool { return f.slope != 0 || f.sun > 0 }

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

// spread is what of a plane a pixel shows, or a sample: a parallelogram about a place.
type spread struct {
	at, normal Vec3
	x, y       Vec3 // its sides, from left to right and down
}

// spread returns what so many samples from one on, each way, show of a plane with a normal that the sample shows at a place at distance s.
func (l *lens) spread(at Vec3, s float64, normal Vec3, samples float64) spread {
	out := spread{at: at, normal: normal}
	ray := l.forward
	if l.perspective {
		ray = at.Sub(l.eye)
	}
	k := normal.Dot(ray)
	if math.Abs(k) < 1e-12 {
		return out
	}
	x, y := l.originX.Add(l.rayX.Scale(s)).Scale(samples), l.originY.Add(l.rayY.Scale(s)).Scale(samples)
	out.x, out.y = x.Sub(ray.Scale(normal.Dot(x)/k)), y.Sub(ray.Scale(normal.Dot(y)/k))
	middle := (samples - 1) / (2 * samples)
	out.at = at.Add(out.x.Scale(middle)).Add(out.y.Scale(middle))
	return out
}

// nobody is the number of an object that is none.
const nobody = -1

// lit returns how much of the sun gets to what so many samples of a lens, from one on, each way, show of a plane with a normal. That one shows a place
// at distance s, of an object or of nobody's.
func (sl *sunlight) lit(lens *lens, at Vec3, s float64, normal Vec3, samples float64, object int32) float64 {
	for _, m := range sl.maps {
		v := m.lens.project(at)
		if !(v.x >= sunMargin && v.y >= sunMargin && v.x < float64(m.width-sunMargin) && v.y < float64(m.height-sunMargin)) {
			continue
		}
		f := m.flat(normal)
		own, soft := sl.owner(object, normal)
		if !soft {
			if lit, dark, all := m.count(sl, &f, &v, 0.5, 0.5); lit == all {
				return 1
			} else if dark == all {
				return 0
			}
		}
		a := lens.spread(at, s, normal, samples)
		return m.lit(sl, &a, &f, own, soft)
	}
	return 1
}

// owner returns of what object a place with a normal has no shadow, and whether the map may show it in one all the same.
func (sl *sunlight) owner(object int32, normal Vec3) (own int32, soft bool) {
	if object == nobody {
		return nobody, false
	}
	switch sl.objects[object].Kind {
	case Solid, Field:
		if normal.Dot(sl.towards) <= 0 { // it looks as if the sun got there, because it looks round
			return object, true
		}
		return nobody, false
	case Box, Wedge:
		return object, false
	}
	return object, true
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

// ground reports whether a face, counted from 1, is of ground.
func (sl *sunlight) ground(number int32, m *sunmap) bool {
	return number > 0 && sl.objects[m.faces[number-1].object].Kind == Field
}

// query asks the faces of a map which of some places they are before.
type query struct {
	m      *sunmap
	sl     *sunlight
	own    int32 // the object that the places are on, if it throws no shadow on itself
	soft   bool  // nor, if that is ground, any other ground
	at     [16]place2
	near   [16]float64
	least  float64 // of near
	middle place2
	w, h   float64 // how far the places are from the middle, at most
	dark   uint16  // those that are in the shade
}

func (q *query) lit() float64 {
	const unit = sub * cellSide
	m := q.m
	x0, x1 := max(int((q.middle.x-q.w)/unit), 0), min(int((q.middle.x+q.w)/unit), m.columns-1)
	y0, y1 := max(int((q.middle.y-q.h)/unit), 0), min(int((q.middle.y+q.h)/unit), len(m.starts)/m.columns-1)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			cell := y*m.columns + x
			for _, number := range m.list[m.starts[cell]:m.starts[cell+1]] {
				if q.shade(&m.faces[number]); q.dark == math.MaxUint16 {
					return 0
				}
			}
		}
	}
	return 1 - float64(bits.OnesCount16(q.dark))/16
}

// shade marks the places that a face is before.
func (q *query) shade(f *face) {
	if f.hi <= q.least || f.object == q.own {
		return
	}
	over := 0.0
	if q.sl.objects[f.object].Kind == Field {
		if over = q.m.folds; q.soft && q.sl.objects[q.own].Kind == Field {
			return
		}
	}
	corners := q.m.corners[f.first:f.last]
	inside, outside := ^q.dark, ^q.dark // of the edges so far all have them to one side, or to the other
	a := corners[len(corners)-1]
	for _, b := range corners {
		dx, dy := float64(b.x-a.x), float64(b.y-a.y)
		ax, ay := float64(a.x), float64(a.y)
		a = b
		middle, some := float64(dx*(q.middle.y-ay))-float64(dy*(q.middle.x-ax)), float64(math.Abs(dx)*q.h)+float64(math.Abs(dy)*q.w)
		switch {
		case middle < -some:
			inside = 0
		case middle > some:
			outside = 0
		default:
			for k := range q.at {
				side := float64(dx*(q.at[k].y-ay)) - float64(dy*(q.at[k].x-ax))
				if side < 0 {
					inside &^= 1 << k
				} else if side > 0 {
					outside &^= 1 << k
				}
			}
		}
		if inside|outside == 0 {
			return
		}
	}
	paper := on(q.m.holed, f.object)
	for left := inside | outside; left != 0; left &= left - 1 {
		k := bits.TrailingZeros16(left)
		x, y := q.at[k].x/sub-0.5, q.at[k].y/sub-0.5
		near := min(max(f.at+float64(f.dx*x)+float64(f.dy*y), f.lo), f.hi)
		if near > q.near[k]+over && (paper == nil || q.m.there(f, paper, x, y, near)) {
			q.dark |= 1 << k
		}
	}
}

// there reports whether a face with holes has none at a place.
func (m *sunmap) there(f *face, p *paper, x, y, near float64) bool {
	l := m.lens
	at := l.origin.Add(l.originX.Scale(x)).Add(l.originY.Scale(y)).Add(l.ray.Scale(l.distance(near)))
	_, metres := l.covers(at, l.distance(near), f.normal, 1)
	var here patch
	here.set(p, m.lie(f), at, f.normal, metres)
	return here.there()
}
