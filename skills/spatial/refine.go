package spatial

import (
	"container/heap"
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// The places within the radius are taken as one square cell, and cells are taken apart into four, those first that may hold the
// nearest place, until none can hold one that is better than the best that was found. What is in the way at all places of a cell
// is in the way of a box that is smaller by the cell, at its middle: so a cell with such a thing over each of its floors is
// dropped as a whole. Cells of a size are taken apart no further. So no place is better, by more than what is given up, that
// would do wherever in a cell of that size it were. Generated ground is left to the grid: how high a box stands on it is
// another number at each place, and takes long to find.
const (
	finest  = 1.0 / 256 // half the edge of the smallest cells, in metres
	givenUp = 0.01      // better than this by less is not worth looking
)

// cell is a square of places.
type cell struct {
	x, z, h float64        // its middle, from near, and half its edge
	bound   float64        // no place in it is nearer, as [search.cost] has it
	near    []*solid.Found // what is in its column
	seq     int            // of equal bounds the older one comes first
}

// cells is a heap of cells, the nearest first.
type cells []*cell

func (c cells) Len() int      { return len(c) }
func (c cells) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *cells) Push(x any)   { *c = append(*c, x.(*cell)) } //nolint:forcetypeassert // nothing else is pushed

func (c cells) Less(i, j int) bool {
	if c[i].bound != c[j].bound {
		return c[i].bound < c[j].bound
	}
	return c[i].seq < c[j].seq
}

func (c *cells) Pop() any {
	old := *c
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*c = old[:len(old)-1]
	return last
}

// refine looks for places that are better than the best so far. It reports false if it gave up.
func (s *search) refine() bool {
	h := finest
	for h < s.in.Radius {
		h *= 2
	}
	s.tests = 0
	s.add(0, 0, h, s.around)
	for len(s.cells) > 0 {
		c := heap.Pop(&s.cells).(*cell) //nolint:forcetypeassert // nothing else was pushed
		if c.bound >= s.least-givenUp {
			return true // as are all others
		}
		if c.h <= finest {
			continue
		}
		if s.tests > maxTests {
			return false
		}
		for _, dx := range [2]float64{-0.5, 0.5} {
			for _, dz := range [2]float64{-0.5, 0.5} {
				s.add(c.x+float64(dx*c.h), c.z+float64(dz*c.h), c.h/2, c.near)
			}
		}
	}
	return true
}

// add tries the place of a cell that is nearest to the side and keeps the cell, unless no place in it can be better than the
// best so far.
func (s *search) add(x, z, h float64, near []*solid.Found) {
	closeX, closeZ := min(max(0, x-h), x+h), min(max(0, z-h), z+h)
	d := length(closeX, closeZ)
	if d > s.in.Radius || d >= s.least {
		return
	}
	at := s.at(x, z)
	s.seq++
	s.tests++
	c := &cell{x: x, z: z, h: h, near: s.column(at, h, near), seq: s.seq}
	c.bound = s.reach(at, h, d, c.near)
	if c.bound >= s.least {
		return
	}
	s.try(closeX, closeZ, c.near)
	heap.Push(&s.cells, c)
}

// level is a floor of a cell.
type level struct {
	y   float64
	top *solid.Found // whose top it is, nil for the level ground
}

// reach returns how far the nearest place of a cell is at least, whose middle is at and which is d away to the side; +Inf if
// there is none.
func (s *search) reach(at world.Vec3, h, d float64, near []*solid.Found) float64 {
	least := math.Inf(1)
	for _, l := range s.levels(at, h, near) {
		if c := s.cost(d, l.y); c < least && c < s.least && s.carries(at, h, l) && !s.blocked(at, h, l, near) {
			least = c
		}
	}
	return least
}

// levels returns all that there may be to stand on at the places of a cell, but generated ground.
func (s *search) levels(at world.Vec3, h float64, near []*solid.Found) []level {
	if s.in.Floating {
		return []level{{y: at[1]}}
	}
	var all []level
	generated := false
	for _, f := range near {
		b := &f.Bounds
		switch {
		case f.Solid.Kind == solid.Field:
			generated = true
		case b.Lo[0] <= at[0]+h && b.Hi[0] >= at[0]-h && b.Lo[2] <= at[2]+h && b.Hi[2] >= at[2]-h:
			all = append(all, level{b.Hi[1], f})
		}
	}
	if generated { // and no level ground beside it
		return all
	}
	all = slices.DeleteFunc(all, func(l level) bool { return l.y <= 0 })
	return append(all, level{})
}

// carries reports whether something may stand on a level at a place of a cell: whether that has anything of the top of which
// it is, as [floors] looks for it.
func (s *search) carries(at world.Vec3, h float64, l level) bool {
	if l.top == nil {
		return true
	}
	s.tests++
	at[1] = l.y
	return solid.Overlap(upright(at, world.Vec3{2 * h, 4 * topmost, 2 * h}), l.top.Solid, 0)
}

// blocked reports whether something is in the way on a level at all places of a cell.
func (s *search) blocked(at world.Vec3, h float64, l level, near []*solid.Found) bool {
	if !s.in.Floating {
		at[1] = l.y + s.in.Size[1]/2
		if at[1] > world.MaxNumber {
			return true
		}
	}
	common := s.in.Size // what the boxes at all places have in common, but for its margin
	common[0], common[2] = common[0]-2*h, common[2]-2*h
	return common[0] > 0 && common[2] > 0 && !s.clear(near, s.box(at, common))
}
