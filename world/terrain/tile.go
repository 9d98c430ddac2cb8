package terrain

import (
	"math"
	"sync"
)

// The measures of tiles.
const (
	Size    = 48.0 // of an edge, in metres
	Cells   = 32   // along an edge, at level of detail 0
	MaxLOD  = 4    // the coarsest level of detail: 2 cells along an edge
	MaxTile = 2000 // the largest number of a tile, of either sign: about what a physics engine's float32 reaches
)

// Tile is a piece of a land with a surface.
type Tile struct {
	Land      Land
	X, Z, LOD int
	Side      int       // samples along an edge
	Cell      float64   // metres between two of them
	Heights   []float32 // at z*Side + x, in metres; not to be changed
	Lo, Hi    float64   // the least and the greatest of them
	works     []Work    // of Land
	ranges    [][]span  // of blocks of cells: at level k of 2^k by 2^k

	look sync.Once // guards what follows
	seen Look

	parted sync.Once // guards what follows
	edges  []bool    // of each cell, and of those around the tile, whether the edge of a work goes through it; nil: through none
	edged  bool      // … through one of its own

	drawn sync.Once // guards what follows
	mesh  *Mesh
}

// span is the heights that a block of cells has.
type span struct{ lo, hi float32 }

// Tile computes a tile. lod is from 0 to [MaxLOD]; what is beyond is taken for the nearest.
func (l Land) Tile(tx, tz, lod int) *Tile {
	lod = min(max(lod, 0), MaxLOD)
	t := &Tile{Land: l, X: tx, Z: tz, LOD: lod, Side: int(Cells)>>lod + 1}
	t.Cell = Size / float64(t.Side-1)
	t.Heights = make([]float32, t.Side*t.Side)
	t.Lo, t.Hi = math.Inf(1), math.Inf(-1)
	t.works = l.Works.List()
	for z := range t.Side {
		for x := range t.Side {
			y := t.land(x, z)
			t.Heights[z*t.Side+x] = y
			t.Lo, t.Hi = min(t.Lo, float64(y)), max(t.Hi, float64(y))
		}
	}
	t.ranges = t.blocks()
	return t
}

// sample returns the coordinate of the i-th sample of a tile. It is exact, and that of the last sample
// of a tile is that of the first of the next.
func (t *Tile) sample(tile, i int) float64 {
	return float64(Size*float64(tile)) + float64(t.Cell*float64(i))
}

// land returns how high the land is at a sample, or where there would be one beside the tile.
func (t *Tile) land(x, z int) float32 {
	return float32(t.LandHeight(t.sample(t.X, x), t.sample(t.Z, z)))
}

// LandHeight is [Land.Height] of the tile's land, for many places: it does not read its works each time.
func (t *Tile) LandHeight(x, z float64) float64 { return t.Land.worked(t.works, x, z) }

// At returns the height of a sample.
func (t *Tile) At(x, z int) float64 { return float64(t.Heights[z*t.Side+x]) }

// Height returns how high the surface is at a place, in the land's coordinates; what is beside the tile
// is as high as its border.
func (t *Tile) Height(x, z float64) float64 {
	return t.Surface((x-float64(Size*float64(t.X)))/t.Cell, (z-float64(Size*float64(t.Z)))/t.Cell)
}

// Surface is Height at a place that is counted in cells from the first sample. A cell has two triangles, parted by the line from
// its corner at the greater z to that at the greater x.
func (t *Tile) Surface(u, v float64) float64 {
	last := float64(t.Side - 1)
	u, v = min(max(u, 0), last), min(max(v, 0), last)
	x, z := min(int(u), t.Side-2), min(int(v), t.Side-2)
	u, v = u-float64(x), v-float64(z)
	if u+v <= 1 {
		y := t.At(x, z)
		return y + float64(u*(t.At(x+1, z)-y)) + float64(v*(t.At(x, z+1)-y))
	}
	y := t.At(x+1, z+1)
	return y + float64((1-u)*(t.At(x, z+1)-y)) + float64((1-v)*(t.At(x+1, z)-y))
}

// blocks works out the ranges.
func (t *Tile) blocks() [][]span {
	n := t.Side - 1
	cells := make([]span, n*n)
	for z := range n {
		for x := range n {
			i := z*t.Side + x
			h := t.Heights
			cells[z*n+x] = span{
				min(h[i], h[i+1], h[i+t.Side], h[i+t.Side+1]),
				max(h[i], h[i+1], h[i+t.Side], h[i+t.Side+1]),
			}
		}
	}
	all := [][]span{cells}
	for ; n > 1; n /= 2 {
		fine, coarse := all[len(all)-1], make([]span, n/2*(n/2))
		for z := range n / 2 {
			for x := range n / 2 {
				i := 2*z*n + 2*x
				coarse[z*(n/2)+x] = span{
					min(fine[i].lo, fine[i+1].lo, fine[i+n].lo, fine[i+n+1].lo),
					max(fine[i].hi, fine[i+1].hi, fine[i+n].hi, fine[i+n+1].hi),
				}
			}
		}
		all = append(all, coarse)
	}
	return all
}

// Block is a square of cells of a tile with the heights that there are in it.
type Block struct {
	X, Z, Cells int // its first cell, and how many it has along an edge
	Lo, Hi      float64
	level       int
}

// Whole returns the block of all cells.
func (t *Tile) Whole() Block {
	return t.block(len(t.ranges)-1, 0, 0)
}

func (t *Tile) block(level, x, z int) Block {
	n := (t.Side - 1) >> level
	s := t.ranges[level][z*n+x]
	return Block{x << level, z << level, 1 << level, float64(s.lo), float64(s.hi), level}
}

// Parts returns the four quarters of a block that has more than one cell.
func (t *Tile) Parts(b Block) [4]Block {
	x, z := b.X>>(b.level-1), b.Z>>(b.level-1)
	return [4]Block{
		t.block(b.level-1, x, z), t.block(b.level-1, x+1, z),
		t.block(b.level-1, x, z+1), t.block(b.level-1, x+1, z+1),
	}
}
