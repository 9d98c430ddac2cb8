package decompose

import (
	"cmp"
	"math"
	"slices"

	"github.com/limina-mcp/limina/world/convex"
)

// cut is where a body may be cut, and what that comes to.
type cut struct {
	axis     int
	at, cost float64
}

// cuts finds the best cut across each axis; one that is infinitely dear is none.
func (c *cutter) cuts(b *body) (best [3]cut) {
	size := b.hi.Sub(b.lo)
	for k := range best {
		best[k] = cut{axis: k, cost: math.Inf(1)}
		short := 1 - size[k]/max(size[0], size[1], size[2])
		planes := b.planes(k, c.flat)
		for i, s := range b.sweep(k, planes, c.flat) {
			if cost := c.cost(&s, planes[i], short); cost < best[k].cost-float64(1e-9*cost) {
				best[k].at, best[k].cost = planes[i].at, cost
			}
		}
	}
	return best
}

// cost is what a cut comes to: how much the two hulls have too much, and a little more unless there is a side of the body and one of the two is as good as its
// hull, so that walls come off, and a little if a body is short there, by how much of its length. It is infinite if there is nothing on one side.
func (c *cutter) cost(h *halves, p plane, short float64) float64 {
	var excess, room [2]float64
	comes := false
	for k := range h.sides {
		if !h.sides[k].any {
			return math.Inf(1)
		}
		if c.enclose(h.sides[k].at[:], convex.MaxPoints, float64(near*c.flat), c.flat) {
			room[k] = c.hulls.Volume()
			excess[k] = max(0, room[k]-max(0, h.volumes[k]))
		}
		comes = comes || excess[k] <= float64(p.clean*room[k])
	}
	sum := excess[0] + excess[1]
	if p.clean > 0 && comes || room[0]+room[1] == 0 {
		return sum
	}
	uneven := math.Abs(room[0]-room[1]) / (room[0] + room[1])
	return sum + float64(sum*(0.02+float64(0.1*uneven)+float64(0.1*short)))
}

// plane is where along an axis a body may be cut.
type plane struct {
	at    float64
	clean float64 // how much of the hull of one side may be too much, for it to count as one that comes off; 0 if it cannot
}

const (
	faces  = 10 // planes where a body has sides that are looked at, of each axis
	evenly = 7  // others

	clean     = 0.03 // of the hull of what comes off: how much of it may be too much
	cleanSkin = 0.15 // of that of a skin
)

// planes returns where along an axis a body may be cut, in rising order: none takes off what is nearly flat, of which nobody can tell how much it has too much, but of a skin.
func (b *body) planes(axis int, flat float64) (list []plane) {
	lo, hi := b.lo[axis], b.hi[axis]
	if b.hollow && hi-lo > float64(8*flat) { // a wall comes off that has no thickness
		list = append(list, plane{lo + float64(2.2*flat), cleanSkin}, plane{hi - float64(2.2*flat), cleanSkin})
	}
	if !b.hollow {
		for _, at := range b.sides(axis, float64(2*flat)) {
			list = append(list, plane{at, clean})
		}
	}
	if hi-lo > float64(2*(evenly+1)*flat) {
		for i := range evenly {
			list = append(list, plane{at: lo + float64((hi-lo)*float64(i+1))/(evenly+1)})
		}
	}
	slices.SortStableFunc(list, func(a, b plane) int { return cmp.Compare(a.at, b.at) })
	return slices.CompactFunc(list, func(a, b plane) bool { return a.at == b.at })
}

// sides returns where across an axis the largest sides of a body are, but for those within margin of its ends.
func (b *body) sides(axis int, margin float64) (list []float64) {
	type wall struct{ at, area float64 }
	var found []wall
	for i := range b.list {
		f := &b.list[i]
		if !f.real {
			continue
		}
		n := f.facing()
		if at := f.at[0][axis]; math.Abs(n[axis]) > float64(0.9999*n.Len()) && at > b.lo[axis]+margin && at < b.hi[axis]-margin {
			found = append(found, wall{at, math.Abs(n[axis])})
		}
	}
	slices.SortStableFunc(found, func(a, b wall) int { return cmp.Compare(a.at, b.at) })
	merged := found[:0]
	for _, f := range found {
		if n := len(merged); n > 0 && f.at-merged[n-1].at <= float64(1e-3*(b.hi[axis]-b.lo[axis])) {
			merged[n-1].area += f.area
		} else {
			merged = append(merged, f)
		}
	}
	slices.SortStableFunc(merged, func(a, b wall) int { return cmp.Compare(b.area, a.area) })
	for _, f := range merged[:min(len(merged), faces)] {
		list = append(list, f.at)
	}
	return list
}
