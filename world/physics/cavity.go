package physics

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// What is here finds out what of a vessel is hollow: where water comes in only over a rim, or never, if one way is up.

// hold is what of a vessel is hollow, if one way is up.
type hold struct {
	cavities []cavity
	room     float64 // of all of them, in m³
	of       []uint8 // by cell of the grid: one more than the index of the cavity that it is of; 0: of none
}

// cavity is a room in a vessel that water comes into over a rim, or not at all.
type cavity struct {
	rim   []world.Vec3 // where water comes in first, if it tilts one way or the other; none: nowhere
	cells []cell       // their part is how much room they have, in m³
}

// Measures of looking for cavities.
const (
	finest = 16   // so many cells the longest side of a vessel has, and each at most
	coarse = 8    // … and at least
	tight  = 1.01 // walls are taken for so much larger, so that they meet
	few    = 4    // a cavity has so many cells at least …
	lots   = 255  // … and a vessel so many cavities at most
)

// grid is cells in the axes of a vessel, the outermost of which are outside.
type grid struct {
	lo, cell world.Vec3
	n        [3]int
	wall     [3][]bool // by axis and cell: whether there is something between it and the next
	solid    []bool
}

// lay returns the grid of a vessel.
func (s *vessel) lay() *grid {
	g := &grid{}
	size := s.around.Size()
	longest := max(size[0], size[1], size[2])
	for k := range size {
		n := min(max(int(math.Ceil(size[k]/longest*finest)), coarse), finest)
		g.cell[k] = size[k] / float64(n)
		g.n[k] = n + 2
		// What is built is symmetric, and where its halves meet is no place to look through.
		g.lo[k] = s.around.Lo[k] - float64(g.cell[k]*(1-0.0873))
	}
	count := g.n[0] * g.n[1] * g.n[2]
	g.solid = make([]bool, count)
	for k := range g.wall {
		g.wall[k] = make([]bool, count)
	}
	for i := range s.planks {
		whole := s.planks[i].form.at(s.planks[i].at.Position, s.planks[i].at.Rotation)
		for _, piece := range whole.Parts() {
			g.block(piece.Scaled(tight))
		}
	}
	return g
}

// middle returns where the middle of the cell k along an axis is.
func (g *grid) middle(axis, k int) float64 {
	return g.lo[axis] + float64(g.cell[axis]*(float64(k)+0.5))
}

func (g *grid) place(i int) (at world.Vec3) {
	for axis, k := range g.seat(i) {
		at[axis] = g.middle(axis, k)
	}
	return at
}

func (g *grid) seat(i int) [3]int {
	return [3]int{i % g.n[0], i / g.n[0] % g.n[1], i / g.n[0] / g.n[1]}
}

// stride is how far it is from a cell to the next along an axis.
func (g *grid) stride(axis int) int { return [3]int{1, g.n[0], g.n[0] * g.n[1]}[axis] }

// block notes what a convex solid is in the way of.
func (g *grid) block(s solid.Solid) {
	room := s.Bounds()
	var lo, hi [3]int // the cells whose middles may be in it
	for k := range lo {
		lo[k] = max(int(math.Floor((room.Lo[k]-g.lo[k])/g.cell[k]-0.5)), 0)
		hi[k] = min(int(math.Ceil((room.Hi[k]-g.lo[k])/g.cell[k]-0.5)), g.n[k]-1)
	}
	for axis := range lo {
		one, other := (axis+1)%3, (axis+2)%3
		step := g.stride(axis)
		for a := lo[one]; a <= hi[one]; a++ {
			for b := lo[other]; b <= hi[other]; b++ {
				from, dir := world.Vec3{}, world.Vec3{}
				from[one], from[other], dir[axis] = g.middle(one, a), g.middle(other, b), 1
				far := from
				from[axis], far[axis] = room.Lo[axis]-1, room.Hi[axis]+1
				enter, meets := s.Ray(from, dir)
				leave, leaves := s.Ray(far, dir.Scale(-1))
				if !meets || !leaves {
					continue
				}
				first, last := from[axis]+enter, far[axis]-leave
				base := a*g.stride(one) + b*g.stride(other)
				for k := max(lo[axis]-1, 0); k <= hi[axis]; k++ {
					at := g.middle(axis, k)
					i := base + k*step
					if at >= first && at <= last {
						g.solid[i] = true
					}
					if k+1 < g.n[axis] && last >= at && first <= g.middle(axis, k+1) {
						g.wall[axis][i] = true
					}
				}
			}
		}
	}
}

// each visits the cells next to one that nothing keeps from it.
func (g *grid) each(i int, visit func(k int)) {
	for axis, k := range g.seat(i) {
		step := g.stride(axis)
		if k > 0 && !g.wall[axis][i-step] {
			visit(i - step)
		}
		if k < g.n[axis]-1 && !g.wall[axis][i] {
			visit(i + step)
		}
	}
}

// spills returns how high water outside has to be to come into each cell, whose heights are given: +Inf where it never does.
func (g *grid) spills(heights []float64) (spill []float64) {
	spill = make([]float64, len(heights))
	for i := range spill {
		spill[i] = math.Inf(1)
		for axis, k := range g.seat(i) {
			if k == 0 || k == g.n[axis]-1 {
				spill[i] = heights[i]
			}
		}
	}
	for changed, round := true, 0; changed; round++ {
		changed = false
		for k := range spill {
			i := k
			if round%2 == 1 {
				i = len(spill) - 1 - k
			}
			least := spill[i]
			g.each(i, func(k int) { least = min(least, max(spill[k], heights[i])) })
			if least < spill[i] {
				spill[i], changed = least, true
			}
		}
	}
	return spill
}

// hold returns what of a grid is hollow if that is up.
func (g *grid) hold(up world.Vec3) *hold {
	heights := make([]float64, len(g.solid))
	for i := range heights {
		heights[i] = g.place(i).Dot(up)
	}
	spill, h := g.spills(heights), &hold{of: make([]uint8, len(heights))}
	kept := func(i int) bool { return !g.solid[i] && spill[i] > heights[i]+1e-9 }
	seen := make([]bool, len(spill))
	for i := range spill {
		if seen[i] || !kept(i) || len(h.cavities) == lots {
			continue
		}
		var lid, all []int
		for open := []int{i}; len(open) > 0; {
			at := open[len(open)-1]
			if open = open[:len(open)-1]; seen[at] {
				continue
			}
			seen[at] = true
			all = append(all, at)
			g.each(at, func(k int) {
				if kept(k) {
					open = append(open, k)
				} else if !g.solid[k] {
					lid = append(lid, k)
				}
			})
		}
		if len(all) < few {
			continue
		}
		c := cavity{cells: g.cells(all)}
		if !math.IsInf(spill[i], 1) {
			c.rim = g.rim(lid, up)
		}
		for k := range c.cells {
			h.room += c.cells[k].part
		}
		h.cavities = append(h.cavities, c)
		for _, k := range all {
			h.of[k] = uint8(len(h.cavities))
		}
	}
	return h
}

// rim returns those places of the surface that is over a cavity where water comes in first, whichever way that tilts.
func (g *grid) rim(lid []int, up world.Vec3) (rim []world.Vec3) {
	half := extent(0, up, g.cell) / 2 // water comes in between the cells that it stands in and those of the surface
	side := up.Cross(world.Vec3{1, 0, 0})
	if other := up.Cross(world.Vec3{0, 0, 1}); other.Len() > side.Len() {
		side = other
	}
	front := side.Cross(up)
	for _, way := range [...]world.Vec3{side, front, side.Scale(-1), front.Scale(-1), side.Add(front), side.Sub(front), front.Sub(side), side.Add(front).Scale(-1)} {
		best, far := world.Vec3{}, math.Inf(-1)
		for _, i := range lid {
			if at := g.place(i); at.Dot(way) > far {
				best, far = at, at.Dot(way)
			}
		}
		if at := best.Sub(up.Scale(half)); !slices.Contains(rim, at) {
			rim = append(rim, at)
		}
	}
	return rim
}

// cells puts the cells of a cavity together to a few.
func (g *grid) cells(all []int) (list []cell) {
	lo, hi := g.seat(all[0]), g.seat(all[0])
	for _, i := range all {
		for k, at := range g.seat(i) {
			lo[k], hi[k] = min(lo[k], at), max(hi[k], at)
		}
	}
	var sums [along * along * along]struct {
		n      float64
		at     world.Vec3
		lo, hi world.Vec3
	}
	for _, i := range all {
		nth, scale := 0, 1
		for k, at := range g.seat(i) {
			nth += scale * ((at - lo[k]) * along / (hi[k] - lo[k] + 1))
			scale *= along
		}
		s, at := &sums[nth], g.place(i)
		if s.n == 0 {
			s.lo, s.hi = at, at
		}
		s.n, s.at, s.lo, s.hi = s.n+1, s.at.Add(at), s.lo.Min(at), s.hi.Max(at)
	}
	room := g.cell[0] * g.cell[1] * g.cell[2]
	for i := range sums {
		if s := &sums[i]; s.n > 0 {
			list = append(list, cell{at: s.at.Scale(1 / s.n), half: s.hi.Sub(s.lo).Add(g.cell).Scale(0.5), part: float64(s.n * room)})
		}
	}
	return list
}

// at returns which cell of the grid a place is in, false if none.
func (g *grid) at(p world.Vec3) (i int, ok bool) {
	for axis := range p {
		k := int(math.Floor((p[axis] - g.lo[axis]) / g.cell[axis]))
		if k < 0 || k >= g.n[axis] {
			return 0, false
		}
		i += k * g.stride(axis)
	}
	return i, true
}
