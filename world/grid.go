package world

import (
	"math"

	"github.com/limina-mcp/limina/internal/slab"
)

// grid finds entities by place: every entity is in one cell of a uniform grid over x and z, with its
// position in world space. There are no cells along y: worlds are flat far more often than not, and
// a query then visits a cell per column instead of a stack of empty ones.
//
// Cells exist while something is in them, and are found by the block that they are in, because a query
// looks for many side by side. Coordinates beyond the last cell belong to it, so the world has no edge.
type grid struct {
	inverse float64           // 1 / size of a cell
	index   map[uint64]uint32 // of the blocks, by the key of their place
	blocks  []block
	unused  []uint32 // blocks without cells, which are not in the index
	cells   []cell
	free    []uint32
	count   int       // entities
	memory  slab.Pool // of pieces
}

// block is a square of cells.
type block struct {
	cells [blockSide * blockSide]uint32 // by slot: the cell's number, + 1; 0: there is none
	used  int                           // how many there are
}

const (
	blockBits = 2
	blockSide = 1 << blockBits
)

type cell struct {
	key   uint64
	items items
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

// split returns the key of the block that a cell is in and its slot there.
func split(k uint64) (block uint64, slot int) {
	cx, cz := int32(k>>32), int32(k)
	return key(cx>>blockBits, cz>>blockBits), slotOf(cx, cz)
}

// slotOf is where a block has the cell of that column and row, whose higher bits do not matter.
func slotOf(x, z int32) int { return int(x&(blockSide-1))<<blockBits | int(z&(blockSide-1)) }

// add puts an entity into the grid and returns its cell and its place in it.
func (g *grid) add(id ID, p Vec3) (c, at uint32) {
	c = g.cell(g.key(p))
	items := &g.cells[c].items
	it := items.lengthen(&g.memory)
	it.pos, it.id = p, id
	g.count++
	return c, uint32(items.n - 1)
}

// cell returns the number of a cell, which begins to exist if it did not.
func (g *grid) cell(k uint64) uint32 {
	place, slot := split(k)
	b, ok := g.index[place]
	if !ok {
		b = g.openBlock(place)
	}
	if c := g.blocks[b].cells[slot]; c != 0 {
		return c - 1
	}
	c := g.open(k)
	g.blocks[b].cells[slot] = c + 1
	g.blocks[b].used++
	return c
}

func (g *grid) openBlock(place uint64) (b uint32) {
	if n := len(g.unused); n > 0 {
		b = g.unused[n-1]
		g.unused = g.unused[:n-1]
	} else {
		b = uint32(len(g.blocks))
		g.blocks = append(g.blocks, block{})
	}
	g.index[place] = b
	return b
}

func (g *grid) open(k uint64) uint32 {
	if n := len(g.free); n > 0 {
		c := g.free[n-1]
		g.free = g.free[:n-1]
		g.cells[c].key = k
		return c
	}
	g.cells = append(g.cells, cell{key: k})
	return uint32(len(g.cells) - 1)
}

// remove takes an entity out. The last one of the cell takes its place and is returned, 0 if none.
func (g *grid) remove(c, at uint32) (moved ID) {
	items := &g.cells[c].items
	items.shorten(int(at), &g.memory)
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
	place, slot := split(cl.key)
	b := g.index[place]
	bl := &g.blocks[b]
	bl.cells[slot] = 0
	if bl.used--; bl.used == 0 {
		delete(g.index, place)
		g.unused = append(g.unused, b)
	}
	if cap(cl.items.first) > 64 {
		cl.items = items{}
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
			g.cells[i].items.visit(fn)
		}
		return
	}
	for bx := s.x0 >> blockBits; bx <= s.x1>>blockBits; bx++ {
		for bz := s.z0 >> blockBits; bz <= s.z1>>blockBits; bz++ {
			if b, ok := g.index[key(bx, bz)]; ok {
				g.visitBlock(b, s.within(bx, bz), fn)
			}
		}
	}
}

// visitBlock calls fn with the items of the cells in a range of a block.
func (g *grid) visitBlock(b uint32, s span, fn func([]item)) {
	cells := &g.blocks[b].cells
	for x := s.x0; x <= s.x1; x++ {
		for z := s.z0; z <= s.z1; z++ {
			if c := cells[slotOf(x, z)]; c != 0 {
				g.cells[c-1].items.visit(fn)
			}
		}
	}
}

// within is the part of a range that is in a block, counted from where that begins.
func (s span) within(bx, bz int32) span {
	x, z := bx<<blockBits, bz<<blockBits
	const last = blockSide - 1
	return span{max(s.x0, x) - x, min(s.x1, x|last) - x, max(s.z0, z) - z, min(s.z1, z|last) - z}
}

// around calls fn with the items of every cell that may hold something within r of center.
func (g *grid) around(center Vec3, r float64, fn func([]item)) {
	if r >= 0 && center.fits() {
		g.visit(g.ball(center, r), fn)
	}
}

// dist2 is Dist2, by hand because this is where the time goes.
func (it *item) dist2(center *Vec3) float64 {
	x, y, z := it.pos[0]-center[0], it.pos[1]-center[1], it.pos[2]-center[2]
	return float64(x*x) + float64(y*y) + float64(z*z)
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
