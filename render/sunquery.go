package render

import (
	"math"
	"math/bits"
)

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
