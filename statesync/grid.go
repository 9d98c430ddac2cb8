package statesync

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// grid finds the views that a place may matter to. It is a grid of interest: its cells hold views, not
// entities, so an entity that moves looks into one cell and an entity that rests costs nothing.
//
// Areas differ in size, so there are levels: each level's cells are twice as wide as those of the one
// below, and a view is on the level whose cells are about half its radius. Levels exist while they
// are used, which in most worlds one or two are.
type grid struct {
	levels []*level // those in use
	whole  []*View  // views of the whole world, which are in no cell
}

type level struct {
	exponent int
	width    float64 // of a cell, in metres: 2^exponent
	inverse  float64 // 2^-exponent
	cells    map[uint64]*cell
	views    int
	lo, hi   [3]int32 // all cells are between them
}

// cell holds the views whose sphere has something in it.
type cell struct {
	part []*View // … a part of the cell
	full []*View // … all of it
}

// How much of a cell is in an area.
const (
	none uint8 = iota
	part
	full
)

// lastCell is the number of the outermost cells along an axis, which have no outer end.
const lastCell = 1<<20 - 1

// exponentOf returns the level of views with a radius.
func exponentOf(radius float64) int {
	_, e := math.Frexp(radius / cellsPerRadius)
	return max(e, 0)
}

// cellsPerRadius is how many cells a radius is long at least. More make for fewer views that are asked
// in vain, and for more memory per view.
const cellsPerRadius = 2

func (l *level) coordinate(x float64) int32 {
	return int32(min(max(math.Floor(x*l.inverse), -lastCell), lastCell))
}

func (l *level) at(p *world.Vec3) [3]int32 {
	return [3]int32{l.coordinate(p[0]), l.coordinate(p[1]), l.coordinate(p[2])}
}

func cellKey(c [3]int32) uint64 {
	const mask = 1<<21 - 1
	return uint64(c[0]&mask)<<42 | uint64(c[1]&mask)<<21 | uint64(c[2]&mask)
}

// shell returns a bound for region.entered: how much less than the square of a radius the square of a
// distance can be if it was more before a move.
func (l *level) shell(before, now *world.Vec3) uint64 {
	most := l.width * cellsPerRadius // no radius is longer
	step := now.Dist(*before)
	return math.Float64bits(float64(2.001*most)*step + float64(most*most)*1e-12)
}

// outside reports whether there can be no cell at c.
func (l *level) outside(c [3]int32) bool {
	return c[0] < l.lo[0] || c[0] > l.hi[0] || c[1] < l.lo[1] || c[1] > l.hi[1] || c[2] < l.lo[2] || c[2] > l.hi[2]
}

// move takes a view from one area to another; nil is no area.
func (g *grid) move(v *View, from, to *Area) {
	if from != nil && from.Whole {
		g.whole = without(g.whole, v)
		from = nil
	}
	if to != nil && to.Whole {
		g.whole = append(g.whole, v)
		to = nil
	}
	if from != nil && to != nil && exponentOf(from.Radius) == exponentOf(to.Radius) {
		g.level(exponentOf(to.Radius)).move(v, from, to)
		return
	}
	if from != nil {
		l := g.level(exponentOf(from.Radius))
		l.move(v, from, nil)
		if l.views--; l.views == 0 {
			g.levels = slices.DeleteFunc(g.levels, func(x *level) bool { return x == l })
		}
	}
	if to != nil {
		l := g.level(exponentOf(to.Radius))
		l.move(v, nil, to)
		l.views++
	}
}

func (g *grid) level(exponent int) *level {
	for _, l := range g.levels {
		if l.exponent == exponent {
			return l
		}
	}
	l := &level{exponent: exponent, width: math.Ldexp(1, exponent), inverse: math.Ldexp(1, -exponent), cells: map[uint64]*cell{}}
	g.levels = append(g.levels, l)
	return l
}

// move changes those cells in which the two areas differ.
func (l *level) move(v *View, from, to *Area) {
	var was, is reach
	if from != nil {
		was = l.reach(from)
	}
	if to != nil {
		is = l.reach(to)
		l.widen(is)
	}
	was.each(func(c [3]int32) { l.set(v, c, was.cover(l, c), is.cover(l, c)) })
	is.each(func(c [3]int32) {
		if !was.has(c) {
			l.set(v, c, none, is.cover(l, c))
		}
	})
}

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

// widen keeps in mind that there are cells in a reach.
func (l *level) widen(r reach) {
	if len(l.cells) == 0 {
		l.lo, l.hi = r.lo, r.hi
	}
	for i := range l.lo {
		l.lo[i], l.hi[i] = min(l.lo[i], r.lo[i]), max(l.hi[i], r.hi[i])
	}
}

// set changes how much of a cell is in a view's area.
func (l *level) set(v *View, at [3]int32, was, is uint8) {
	if was == is {
		return
	}
	key := cellKey(at)
	c := l.cells[key]
	if c == nil {
		c = &cell{}
		l.cells[key] = c
	}
	switch was {
	case part:
		c.part = without(c.part, v)
	case full:
		c.full = without(c.full, v)
	}
	switch is {
	case part:
		c.part = append(c.part, v)
	case full:
		c.full = append(c.full, v)
	}
	if len(c.part) == 0 && len(c.full) == 0 {
		delete(l.cells, key)
	}
}

// without removes v, which is in list; the last one takes its place.
func without(list []*View, v *View) []*View {
	last := len(list) - 1
	if i := slices.Index(list, v); i >= 0 {
		list[i] = list[last]
		list[last] = nil
		return list[:last]
	}
	return list
}
