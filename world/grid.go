package world

import "math"

// grid finds entities by place: every entity is in one cell of a uniform grid over x and z, with its
// position in world space. There are no cells along y: worlds are flat far more often than not, and
// a query then visits a cell per column instead of a stack of empty ones.
//
// Cells exist while something is in them. Coordinates beyond the last cell belong to it, so the
// world has no edge.
type grid struct {
	inverse float64 // 1 / size of a cell
	index   map[uint64]uint32
	cells   []cell
	free    []uint32
	count   int // entities
}

type cell struct {
	key   uint64
	items dense[item]
}

type item struct {
	pos Vec3
	id  ID
}

const lastCell = 1<<31 - 1

func newGrid(size float64) grid {
	return grid{inverse: 1 / size, index: map[uint64]uint32{}}
}

// column returns the number of the cell along one axis. It never decreases as x grows.
func (g *grid) column(x float64) int32 {
	f := x * g.inverse
	switch {
	case f >= lastCell:
		return lastCell
	case f <= -lastCell:
		return -lastCell
	}
	i := int32(f) // towards zero
	if float64(i) > f {
		i--
	}
	return i
}

func key(cx, cz int32) uint64 { return uint64(uint32(cx))<<32 | uint64(uint32(cz)) }

func (g *grid) key(p Vec3) uint64 { return key(g.column(p[0]), g.column(p[2])) }

// add puts an entity into the grid and returns its cell and its place in it.
func (g *grid) add(id ID, p Vec3) (c, at uint32) {
	k := g.key(p)
	c, ok := g.index[k]
	if !ok {
		c = g.open(k)
	}
	items := &g.cells[c].items
	it := items.add()
	it.pos, it.id = p, id
	g.count++
	return c, uint32(items.n - 1)
}

func (g *grid) open(k uint64) uint32 {
	if n := len(g.free); n > 0 {
		c := g.free[n-1]
		g.free = g.free[:n-1]
		g.cells[c].key = k
		g.index[k] = c
		return c
	}
	c := uint32(len(g.cells))
	g.cells = append(g.cells, cell{key: k})
	g.index[k] = c
	return c
}

// remove takes an entity out. The last one of the cell takes its place and is returned, 0 if none.
func (g *grid) remove(c, at uint32) (moved ID) {
	items := &g.cells[c].items
	items.cut(int(at))
	g.count--
	if int(at) < items.n {
		return items.at(int(at)).id
	}
	if items.n == 0 {
		g.close(c)
	}
	return 0
}

// close forgets an empty cell and keeps a small one's memory for the next.
func (g *grid) close(c uint32) {
	cl := &g.cells[c]
	delete(g.index, cl.key)
	if cap(cl.items.first) > 64 {
		cl.items = dense[item]{}
	}
	g.free = append(g.free, c)
}

// stays moves an entity within its cell; it reports false, and does nothing, if p is in another.
func (g *grid) stays(c, at uint32, p Vec3) bool {
	cl := &g.cells[c]
	if g.key(p) != cl.key {
		return false
	}
	cl.items.at(int(at)).pos = p
	return true
}

// span is a range of cells, both ends included.
type span struct{ x0, x1, z0, z1 int32 }

func (g *grid) span(lo, hi Vec3) span {
	return span{g.column(lo[0]), g.column(hi[0]), g.column(lo[2]), g.column(hi[2])}
}

// visit calls fn with the items of every cell that may hold something in the range: in no order,
// and more cells than asked for when going through all of them is cheaper.
func (g *grid) visit(s span, fn func([]item)) {
	wide, deep := int64(s.x1)-int64(s.x0)+1, int64(s.z1)-int64(s.z0)+1
	const lookup = 2 // what finding a cell costs, in cells of a linear pass
	all := int64(len(g.cells))
	if wide > all || deep > all || wide*deep*lookup > all {
		for i := range g.cells {
			g.cells[i].visit(fn)
		}
		return
	}
	for x := s.x0; ; x++ {
		for z := s.z0; ; z++ {
			if c, ok := g.index[key(x, z)]; ok {
				g.cells[c].visit(fn)
			}
			if z == s.z1 {
				break
			}
		}
		if x == s.x1 {
			break
		}
	}
}

func (c *cell) visit(fn func([]item)) {
	fn(c.items.first)
	for _, piece := range c.items.more {
		fn(piece)
	}
}

// within calls fn with every entity within r of center, in no order, and the square of its distance.
func (g *grid) within(center Vec3, r float64, fn func(it *item, dist2 float64)) {
	if !(r >= 0) || !center.fits() {
		return
	}
	r2 := float64(r * r)
	g.visit(g.ball(center, r), func(items []item) {
		for i := range items {
			it := &items[i]
			x, y, z := it.pos[0]-center[0], it.pos[1]-center[1], it.pos[2]-center[2]
			// Dist2, by hand because this is where the time goes.
			if d2 := float64(x*x) + float64(y*y) + float64(z*z); d2 <= r2 {
				fn(it, d2)
			}
		}
	})
}

// ball is the range of cells that holds every position whose squared distance, as it is computed, is
// at most r²: a little more than r, because the computation rounds, and squares of next to nothing
// are nothing.
func (g *grid) ball(center Vec3, r float64) span {
	reach := func(x float64) float64 { return r + float64((math.Abs(x)+r)*1e-12) + 1e-150 }
	rx, rz := reach(center[0]), reach(center[2])
	return g.span(Vec3{center[0] - rx, 0, center[2] - rz}, Vec3{center[0] + rx, 0, center[2] + rz})
}

// between calls fn with every entity between lo and hi, both included, in no order.
func (g *grid) between(lo, hi Vec3, fn func(id ID)) {
	if !(lo[0] <= hi[0] && lo[1] <= hi[1] && lo[2] <= hi[2]) {
		return
	}
	g.visit(g.span(lo, hi), func(items []item) {
		for i := range items {
			if p := items[i].pos; p.Max(lo) == p && p.Min(hi) == p {
				fn(items[i].id)
			}
		}
	})
}
