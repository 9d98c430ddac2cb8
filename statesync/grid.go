package statesync

import (
	"math"
	"slices"
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

// exponentOf returns the level of views with a radius.
func exponentOf(radius float64) int {
	_, e := math.Frexp(radius / cellsPerRadius)
	return max(e, 0)
}

// cellsPerRadius is how many cells a radius is long at least. More make for fewer views that are asked
// in vain, and for more memory per view.
const cellsPerRadius = 2

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
