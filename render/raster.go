package render

import (
	"math"
	"sync"
)

// sub is how many positions a polygon's corner can have between one sample and the next.
const sub = 16

// corner is a projected corner, in units of 1/sub of a sample.
type corner struct{ x, y int32 }

// face is a flat convex polygon that is ready to be filled and coloured.
type face struct {
	plane
	lo, hi      float64 // the nearness of its farthest and its nearest corner
	sun, fill   float64 // how much light it gets from the sun and from everywhere
	first, last int32   // its corners in frame.corners
	top, bottom int32   // its first row, and the one after its last
	object      int32   // index in Scene.Objects
	slope       int32   // 1-based index in frame.slopes; 0 for a face that is lit evenly
	lie         int32   // 1-based index in frame.lies; 0 where images lie as nothing else says
	tint        uint32  // tinted and its colour; 0 for the object's
	normal      Vec3    // of its plane
}

// tinted marks a face that has a colour of its own, 0xRRGGBB.
const tinted = 1 << 24

// slope is how the light on a face changes from place to place: at p it is sun + sunBy·p.
type slope struct{ sun, fill Vec3 }

// bend is how the normal of a face changes from place to place: part i of it, not yet of length 1, is
// at[i] + by[i]·p at p.
type bend struct {
	at Vec3
	by [3]Vec3
}

// normal returns the normal of a face at a place, on the side that the lens sees.
func (fr *frame) normal(f *face, p Vec3) Vec3 {
	n := f.normal
	if f.slope != 0 && len(fr.bends) > 0 {
		b := &fr.bends[f.slope-1]
		for i := range n {
			n[i] = b.at[i] + b.by[i].Dot(p)
		}
		n = unit(n)
	}
	if !fr.lens.sees(p, f.normal) {
		n = n.Scale(-1)
	}
	return n
}

// frame is all faces of a scene as one lens sees them.
type frame struct {
	lens    *lens
	width   int // in samples
	height  int
	faces   []face
	corners []corner
	slopes  []slope
	bends   []bend // of the slopes, where there are lamps or surfaces
	lies    []lie
	holed   []*paper // for each object what lies on it, if that has holes; nil if nothing has

	store, spare [maxCorners]vertex // of add
}

// lie returns how images lie on a face, nil where nothing says so.
func (fr *frame) lie(f *face) *lie {
	if f.lie == 0 {
		return nil
	}
	return &fr.lies[f.lie-1]
}

// canvas is what a frame fills: for each sample the nearness of the nearest face, and its number,
// counted from 1.
type canvas struct {
	near []float32
	face []int32 // nil if nobody wants to know
}

func newCanvas(samples int, faces bool) *canvas {
	c := &canvas{near: make([]float32, samples)}
	for i := range c.near {
		c.near[i] = nowhere
	}
	if faces {
		c.face = make([]int32, samples)
	}
	return c
}

// nowhere is the nearness where there is nothing.
const nowhere = -math.MaxFloat32

// add takes a polygon, of at most four points, into the frame unless nothing of it shows. f is the
// face that it will be, as far as that is known. It reports whether it took it.
func (fr *frame) add(f *face, normal Vec3, points ...Vec3) bool {
	polygon := fr.store[:len(points)]
	for i, p := range points {
		polygon[i] = fr.lens.project(p)
		if v := &polygon[i]; !finite(v.x) || !finite(v.y) || !finite(v.s) {
			return false
		}
	}
	polygon = fr.lens.clip(polygon, fr.spare[:0])
	if len(polygon) < 3 {
		return false
	}
	f.first = int32(len(fr.corners))
	minX, maxX, minY, maxY := int32(math.MaxInt32), int32(math.MinInt32), int32(math.MaxInt32), int32(math.MinInt32)
	f.lo, f.hi = math.Inf(1), math.Inf(-1)
	for i := range polygon {
		v := &polygon[i]
		c := corner{int32(math.Floor(float64(v.x/v.w*sub) + 0.5)), int32(math.Floor(float64(v.y/v.w*sub) + 0.5))}
		fr.corners = append(fr.corners, c)
		minX, maxX, minY, maxY = min(minX, c.x), max(maxX, c.x), min(minY, c.y), max(maxY, c.y)
		n := -v.s
		if fr.lens.perspective {
			n = 1 / v.s
		}
		f.lo, f.hi = min(f.lo, n), max(f.hi, n)
	}
	f.last = int32(len(fr.corners))
	f.top, f.bottom = max(firstSample(minY), 0), min(firstSample(maxY), int32(fr.height))
	left, right := max(firstSample(minX), 0), min(firstSample(maxX), int32(fr.width))
	var ok bool
	f.normal = normal
	f.plane, ok = fr.lens.plane(points[0], normal)
	if f.top >= f.bottom || left >= right || !ok {
		fr.corners = fr.corners[:f.first]
		return false
	}
	fr.faces = append(fr.faces, *f)
	return true
}

// firstSample returns the first sample whose middle is at or after a position.
func firstSample(at int32) int32 { return (at - sub/2 + sub - 1) >> 4 }

// fill draws all faces into c, by bands of rows that are shared out among workers.
func (fr *frame) fill(c *canvas, workers int) {
	if fr.covers() > deepFill*float64(fr.width*fr.height) {
		fr.fillDeep(c, workers)
		return
	}
	bands(fr.height, workers, func(from, to int) {
		spans := make([]span, to-from)
		for i := range fr.faces {
			f := &fr.faces[i]
			top, bottom := max(int(f.top), from), min(int(f.bottom), to)
			if top < bottom {
				fr.scan(f, top, spans[:bottom-top])
				if p := on(fr.holed, f.object); p != nil {
					fr.paintHoled(c, p, int32(i+1), top, spans[:bottom-top])
				} else {
					fr.paint(c, int32(i+1), top, spans[:bottom-top])
				}
			}
		}
	})
}

// bands runs fn on parts of the rows from 0 to height, beside each other.
func bands(height, workers int, fn func(from, to int)) {
	if workers == 1 {
		fn(0, height)
		return
	}
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() { fn(height*i/workers, height*(i+1)/workers) })
	}
	all.Wait()
}

// span is what of a row a polygon covers: from left up to, and without, right.
type span struct{ left, right int32 }

// scan finds the spans of a polygon in the rows from top on. A sample belongs to it if its middle
// is inside, or on an edge that is above or on the left: exactly, since it is done in integers. So of
// two polygons with a common edge each sample at it belongs to one.
func (fr *frame) scan(f *face, top int, spans []span) {
	for i := range spans {
		spans[i] = span{math.MaxInt32, math.MinInt32}
	}
	points := fr.corners[f.first:f.last]
	a := points[len(points)-1]
	for _, b := range points {
		lo, hi := a, b
		a = b
		if lo.y > hi.y {
			lo, hi = hi, lo
		}
		from, to := max(int(firstSample(lo.y)), top), min(int(firstSample(hi.y)), top+len(spans))
		if from >= to {
			continue
		}
		// The first sample at or after the edge in row y is the quotient, rounded up, of
		// (lo.x - sub/2)·dy + dx·(y·sub + sub/2 - lo.y) and sub·dy; each row adds dx·sub to the former.
		dx, dy := int64(hi.x)-int64(lo.x), int64(hi.y)-int64(lo.y)
		divisor := sub * dy
		at := (int64(lo.x)-sub/2)*dy + dx*(int64(from)*sub+sub/2-int64(lo.y)) + divisor - 1
		quotient, rest := floorDiv(at, divisor)
		stepQuotient, stepRest := floorDiv(dx*sub, divisor)
		for y := from; y < to; y++ {
			s := &spans[y-top]
			s.left, s.right = min(s.left, int32(quotient)), max(s.right, int32(quotient))
			quotient, rest = quotient+stepQuotient, rest+stepRest
			if rest >= divisor {
				quotient, rest = quotient+1, rest-divisor
			}
		}
	}
}

// floorDiv returns the quotient rounded down, and what is left; b is positive.
func floorDiv(a, b int64) (quotient, rest int64) {
	quotient, rest = a/b, a%b
	if rest < 0 {
		return quotient - 1, rest + b
	}
	return quotient, rest
}

// paint fills spans, from row top on, where nothing nearer is. Of equally near faces the first wins.
func (fr *frame) paint(c *canvas, number int32, top int, spans []span) {
	f := &fr.faces[number-1]
	for i, s := range spans {
		y := top + i
		left, right := max(int(s.left), 0), min(int(s.right), fr.width)
		if left >= right {
			continue
		}
		n := f.at + float64(f.dx*float64(left)) + float64(f.dy*float64(y))
		row := c.near[y*fr.width+left : y*fr.width+right]
		var faces []int32
		if c.face != nil {
			faces = c.face[y*fr.width+left : y*fr.width+right]
		}
		last := n + float64(f.dx*float64(len(row)-1))
		if min(n, last) < f.lo || max(n, last) > f.hi {
			f.paintClamped(row, faces, number, n)
			continue
		}
		if faces == nil {
			for j := range row {
				row[j] = max(row[j], float32(n))
				n += f.dx
			}
			continue
		}
		faces = faces[:len(row)]
		for j := range row {
			if near := float32(n); near > row[j] {
				row[j], faces[j] = near, number
			}
			n += f.dx
		}
	}
}

// paintHoled is paint for a face on which something with holes lies.
func (fr *frame) paintHoled(c *canvas, p *paper, number int32, top int, spans []span) {
	f, l := &fr.faces[number-1], fr.lens
	lie := fr.lie(f)
	var here patch
	for i, s := range spans {
		y := top + i
		from, by := l.row(y)
		for x := max(int(s.left), 0); x < min(int(s.right), fr.width); x++ {
			sample := y*fr.width + x
			n := min(max(f.at+float64(f.dx*float64(x))+float64(f.dy*float64(y)), f.lo), f.hi)
			if near := float32(n); near < c.near[sample] || near == c.near[sample] && (c.face == nil || c.face[sample] <= number) {
				continue
			}
			distance := l.distance(n)
			at := l.point(&from, &by, float64(x), distance)
			_, metres := l.covers(at, distance, f.normal, 1)
			here.set(p, lie, at, f.normal, metres)
			if !here.there() {
				continue
			}
			c.near[sample] = float32(n)
			if c.face != nil {
				c.face[sample] = number
			}
		}
	}
}

// paintClamped is for the rows in which rounding has moved a steep face's edge so far that its plane
// would be nearer or farther than any of its corners.
func (f *face) paintClamped(row []float32, faces []int32, number int32, n float64) {
	for j := range row {
		near := float32(min(max(n, f.lo), f.hi))
		if near > row[j] {
			row[j] = near
			if faces != nil {
				faces[j] = number
			}
		}
		n += f.dx
	}
}
