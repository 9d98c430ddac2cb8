package validation

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
)

// cellSize of the grid, in metres; a unit over more than manyCells is looked at by everybody.
const (
	cellSize  = 4
	manyCells = 25
)

// grid finds the units near a place. Its zero value is empty.
type grid struct {
	cells map[cell][]*unit
	large []*unit
	asked uint64 // how often for what is near
}

type cell struct{ x, z int }

// span returns the cells that bounds cover, false if they are too many.
func span(b solid.Bounds) (lo, hi cell, ok bool) {
	at := func(v float64) int { return int(math.Floor(min(max(v, -1e6), 1e6) / cellSize)) }
	lo, hi = cell{at(b.Lo[0]), at(b.Lo[2])}, cell{at(b.Hi[0]), at(b.Hi[2])}
	return lo, hi, (hi.x-lo.x+1)*(hi.z-lo.z+1) <= manyCells
}

func (g *grid) add(u *unit) {
	lo, hi, ok := span(u.bounds)
	if !ok {
		g.large = append(g.large, u)
		return
	}
	if g.cells == nil {
		g.cells = map[cell][]*unit{}
	}
	for x := lo.x; x <= hi.x; x++ {
		for z := lo.z; z <= hi.z; z++ {
			g.cells[cell{x, z}] = append(g.cells[cell{x, z}], u)
		}
	}
}

func (g *grid) remove(u *unit) {
	lo, hi, ok := span(u.bounds)
	if !ok {
		g.large = without(g.large, u)
		return
	}
	for x := lo.x; x <= hi.x; x++ {
		for z := lo.z; z <= hi.z; z++ {
			g.cells[cell{x, z}] = without(g.cells[cell{x, z}], u)
		}
	}
}

func without(list []*unit, u *unit) []*unit {
	return slices.DeleteFunc(list, func(o *unit) bool { return o == u })
}

// near returns the units whose bounds are at most d metres from b along each axis, in id order.
func (g *grid) near(b solid.Bounds, d float64) []*unit {
	b.Lo, b.Hi = b.Lo.Sub([3]float64{d, d, d}), b.Hi.Add([3]float64{d, d, d})
	g.asked++
	var found []*unit
	look := func(list []*unit) {
		for _, u := range list {
			if u.seen != g.asked && u.bounds.Near(b, 0) {
				u.seen = g.asked
				found = append(found, u)
			}
		}
	}
	look(g.large)
	if lo, hi, ok := span(b); ok {
		for x := lo.x; x <= hi.x; x++ {
			for z := lo.z; z <= hi.z; z++ {
				look(g.cells[cell{x, z}])
			}
		}
	} else {
		for _, list := range g.cells {
			look(list)
		}
	}
	slices.SortFunc(found, func(a, b *unit) int { return int(a.root) - int(b.root) })
	return found
}
