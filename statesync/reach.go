package statesync

import "math"

// How much of a cell is in an area.
const (
	none uint8 = iota
	part
	full
)

// lastCell is the number of the outermost cells along an axis, which have no outer end.
const lastCell = 1<<20 - 1

// reach is an area with the cells that it may have something in. The zero reach has none.
type reach struct {
	area   *Area
	lo, hi [3]int32
}

// reach takes an area a little wider than it is, because distances are computed with rounding.
func (l *level) reach(a *Area) reach {
	out := reach{area: a}
	for i, x := range a.Center {
		r := a.Radius + slack(x, a.Radius)
		out.lo[i], out.hi[i] = l.coordinate(x-r), l.coordinate(x+r)
	}
	return out
}

func slack(x, r float64) float64 { return float64((math.Abs(x)+r)*1e-12) + 1e-150 }

func (r *reach) has(c [3]int32) bool {
	return r.area != nil &&
		c[0] >= r.lo[0] && c[0] <= r.hi[0] && c[1] >= r.lo[1] && c[1] <= r.hi[1] && c[2] >= r.lo[2] && c[2] <= r.hi[2]
}

func (r *reach) each(fn func([3]int32)) {
	if r.area == nil {
		return
	}
	for x := r.lo[0]; x <= r.hi[0]; x++ {
		for y := r.lo[1]; y <= r.hi[1]; y++ {
			for z := r.lo[2]; z <= r.hi[2]; z++ {
				fn([3]int32{x, y, z})
			}
		}
	}
}

// cover tells how much of a cell is in the area: it says none and full only where there is no doubt.
func (r *reach) cover(l *level, c [3]int32) uint8 {
	if !r.has(c) {
		return none
	}
	var near2, far2, most float64
	for i, x := range r.area.Center {
		lo, hi := l.edges(c[i])
		near := max(lo-x, 0, x-hi)
		far := max(x-lo, hi-x)
		near2, far2 = near2+float64(near*near), far2+float64(far*far)
		most = max(most, math.Abs(x))
	}
	s := slack(most, r.area.Radius)
	outer, inner := r.area.Radius+s, max(r.area.Radius-s, 0)
	switch {
	case near2 > float64(outer*outer):
		return none
	case far2 < float64(inner*inner):
		return full
	}
	return part
}

// edges returns where a cell begins and ends along an axis.
func (l *level) edges(c int32) (lo, hi float64) {
	lo, hi = float64(c)*l.width, float64(c+1)*l.width
	if c <= -lastCell {
		lo = math.Inf(-1)
	}
	if c >= lastCell {
		hi = math.Inf(1)
	}
	return lo, hi
}
