package statesync

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// level is the grid of interest for areas of about one size.
type level struct {
	exponent int
	width    float64 // of a cell, in metres: 2^exponent
	inverse  float64 // 2^-exponent
	cells    map[uint64]*cell
	views    int
	lo, hi   world.Vec3 // all cells are between them
	near     []*cell    // of fetch
}

// cell holds the views whose sphere has something in it.
type cell struct {
	part []*View // … a part of the cell
	full []*View // … all of it
}

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

// outside reports whether there can be no cell at p.
func (l *level) outside(p *world.Vec3) bool {
	return p[0] < l.lo[0] || p[0] > l.hi[0] || p[1] < l.lo[1] || p[1] > l.hi[1] || p[2] < l.lo[2] || p[2] > l.hi[2]
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

// fetch is a part of Hub.fetch: it looks at the cells that things move from, which most of them do not leave, and at the
// lists of views there.
func (l *level) fetch(changes []world.Change) (sum uint64) {
	const line = 8 // views in the lists of which the cache takes in at once
	l.near = l.near[:0]
	for i := range changes {
		if c := &changes[i]; c.What&(world.Created|world.Moved) == world.Moved && !l.outside(&c.Before) {
			if near := l.cells[cellKey(l.at(&c.Before))]; near != nil {
				l.near = append(l.near, near)
			}
		}
	}
	for _, c := range l.near {
		sum += uint64(len(c.part))
	}
	for _, c := range l.near {
		for i := 0; i < len(c.part); i += line {
			if c.part[i] != nil {
				sum++
			}
		}
	}
	clear(l.near)
	return sum
}

// widen keeps in mind that there are cells in a reach.
func (l *level) widen(r reach) {
	empty := len(l.cells) == 0
	for i := range l.lo {
		lo, _ := l.edges(r.lo[i])
		_, hi := l.edges(r.hi[i])
		if empty {
			l.lo[i], l.hi[i] = lo, hi
		}
		l.lo[i], l.hi[i] = min(l.lo[i], lo), max(l.hi[i], hi)
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
