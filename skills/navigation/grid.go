package navigation

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// MaxCells is how many cells a grid has at most.
const MaxCells = 1 << 18

// Grid says where one can walk: a rectangle of the ground in square cells, of which some are blocked.
// Cells are numbered row by row, along x first. It is immutable.
type Grid struct {
	MinX     float64   `json:"minX"`
	MinZ     float64   `json:"minZ"`
	CellSize float64   `json:"cellSize"`
	Cols     int       `json:"cols"` // along x
	Rows     int       `json:"rows"` // along z
	Diagonal bool      `json:"diagonal,omitempty"`
	Blocked  []byte    `json:"blocked"`            // a bit for each cell
	Heights  []float64 `json:"heights,omitempty"`  // of the ground, for each cell; none: it is flat
	MaxSlope float64   `json:"maxSlope,omitempty"` // what one can climb from cell to cell, height for distance; 0: anything
}

// len is how many cells there are.
func (g *Grid) len() int { return g.Cols * g.Rows }

// walkable reports whether somebody can be in a cell.
func (g *Grid) walkable(cell int) bool { return g.Blocked[cell>>3]&(1<<(cell&7)) == 0 }

func (g *Grid) block(cell int) { g.Blocked[cell>>3] |= 1 << (cell & 7) }

// cellAt returns the cell that a point is in or above, false if it is beside the grid. The far edges
// belong to it.
func (g *Grid) cellAt(p world.Vec3) (cell int, ok bool) {
	col, okX := place(p[0]-g.MinX, g.CellSize, g.Cols)
	row, okZ := place(p[2]-g.MinZ, g.CellSize, g.Rows)
	return row*g.Cols + col, okX && okZ
}

// place returns which of n cells in a row something is in.
func place(d, size float64, n int) (i int, ok bool) {
	if !(d >= 0 && d <= float64(size*float64(n))) {
		return 0, false
	}
	return min(int(d/size), n-1), true
}

// center returns the middle of a cell, at the height of its ground.
func (g *Grid) center(cell int) world.Vec3 {
	return world.Vec3{g.MinX + g.along(cell%g.Cols), g.height(cell), g.MinZ + g.along(cell/g.Cols)}
}

// along returns how far the middle of the i-th cell is from the edge.
func (g *Grid) along(i int) float64 { return float64((float64(i) + 0.5) * g.CellSize) }

// height returns how high the ground of a cell is.
func (g *Grid) height(cell int) float64 {
	if g.Heights == nil {
		return 0
	}
	return g.Heights[cell]
}

// open reports whether one can go from a cell to one that touches it, not looking at those beside: it
// is walkable, and not too steep. Both ways are alike.
func (g *Grid) open(from, to int, diagonal bool) bool {
	if !g.walkable(from) || !g.walkable(to) {
		return false
	}
	if g.Heights == nil || g.MaxSlope == 0 {
		return true
	}
	run := g.CellSize
	if diagonal {
		run = float64(run * math.Sqrt2)
	}
	return math.Abs(g.Heights[to]-g.Heights[from]) <= float64(run*g.MaxSlope)
}

// walkables counts the cells in which somebody can be.
func (g *Grid) walkables() (n int) {
	for cell := range g.len() {
		if g.walkable(cell) {
			n++
		}
	}
	return n
}

// nearest returns the middle of the walkable cell that is nearest to a point, as seen from above, and
// false if there is none. Of several it is the first.
func (g *Grid) nearest(p world.Vec3) (at world.Vec3, ok bool) {
	best := math.Inf(1)
	for cell := range g.len() {
		if !g.walkable(cell) {
			continue
		}
		c := g.center(cell)
		if d := flat(c, p); d < best {
			best, at, ok = d, c, true
		}
	}
	return at, ok
}

// flat is the distance between two points as seen from above.
func flat(a, b world.Vec3) float64 {
	x, z := a[0]-b[0], a[2]-b[2]
	return math.Sqrt(float64(x*x) + float64(z*z))
}
