package navigation

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/world"
)

// MaxCells is how many cells a grid has at most.
const MaxCells = 1 << 18

// Grid says where one can walk: a rectangle of the ground in square cells, in which are places where one can stand. Cells are numbered row by
// row, along x first. Without floors there is one place in each, of the same number, and some are blocked. It is immutable.
//
// What is kept of it in the world is How alone, from which the rest follows, see [Mesh.now]. Of a grid without How the rest is kept: programs of before built
// pictures of the world that stayed as they were.
type Grid struct {
	How *BuildIn `json:"how,omitempty"`

	MinX     float64   `json:"minX"`
	MinZ     float64   `json:"minZ"`
	CellSize float64   `json:"cellSize"`
	Cols     int       `json:"cols"` // along x
	Rows     int       `json:"rows"` // along z
	Diagonal bool      `json:"diagonal,omitempty"`
	Blocked  []byte    `json:"blocked,omitempty"`  // a bit for each cell
	Heights  []float64 `json:"heights,omitempty"`  // of each place; none: it is flat
	MaxSlope float64   `json:"maxSlope,omitempty"` // without floors: what one can climb from cell to cell, height for distance; 0: anything
	Floors   *Floors   `json:"floors,omitempty"`
	Deep     []byte    `json:"deep,omitempty"` // a bit for each place: whether one swims there, Heights being where the feet are; none: nowhere
}

// Floors are the places of a grid in which there may be any number above each other. None is blocked.
type Floors struct {
	First []int32 `json:"first"` // of each cell, the number of its lowest place; and how many there are in all
	Links []byte  `json:"links"` // of each place, bit i: whether one can go to that of neighbours[i] which is nearest in height, i < 4
	Step  float64 `json:"step"`  // how far above a point the floor may be that it is said to be on
	Above float64 `json:"above"` // how far below
}

// len is how many cells there are.
func (g *Grid) len() int { return g.Cols * g.Rows }

// places is how many places there are.
func (g *Grid) places() int {
	if g.Floors == nil {
		return g.len()
	}
	return len(g.Heights)
}

// in returns the places of a cell, lowest first, from first up to end.
func (g *Grid) in(cell int) (first, end int) {
	if g.Floors == nil {
		return cell, cell + 1
	}
	return int(g.Floors.First[cell]), int(g.Floors.First[cell+1])
}

// cell returns the cell that a place is in.
func (g *Grid) cell(place int) int {
	if g.Floors == nil {
		return place
	}
	after, _ := slices.BinarySearch(g.Floors.First, int32(place)+1)
	return after - 1
}

// walkable reports whether somebody can be at a place.
func (g *Grid) walkable(place int) bool {
	return g.Floors != nil || !g.blocked(place)
}

// blocked reports whether a cell is. That of a grid with floors is not known once it is made.
func (g *Grid) blocked(cell int) bool { return has(g.Blocked, cell) }

func (g *Grid) block(cell int) { put(g.Blocked, cell) }

// deep reports whether one swims at a place.
func (g *Grid) deep(place int) bool { return g.Deep != nil && has(g.Deep, place) }

// has reports whether a number is in a set that is a bit for each.
func has(set []byte, n int) bool { return set[n>>3]&(1<<(n&7)) != 0 }

// put puts a number into it.
func put(set []byte, n int) { set[n>>3] |= 1 << (n & 7) }

// noneOf returns such a set for so many numbers, with none in it.
func noneOf(n int) []byte { return make([]byte, (n+7)/8) }

// cellAt returns the cell that a point is in or above, false if it is beside the grid. The far edges
// belong to it.
func (g *Grid) cellAt(p world.Vec3) (cell int, ok bool) {
	col, okX := index(p[0]-g.MinX, g.CellSize, g.Cols)
	row, okZ := index(p[2]-g.MinZ, g.CellSize, g.Rows)
	return row*g.Cols + col, okX && okZ
}

// placeAt returns the place of a point, false if there is none. Of several it is the highest whose floor is not above the point by more than a step; but
// one that is farther below it than somebody is tall is another storey's.
func (g *Grid) placeAt(p world.Vec3) (place int, ok bool) {
	cell, ok := g.cellAt(p)
	if !ok || g.Floors == nil {
		return cell, ok && g.walkable(cell)
	}
	first, end := g.in(cell)
	for place := end - 1; place >= first; place-- {
		if g.Heights[place] <= p[1]+g.Floors.Step {
			return place, p[1] <= g.Heights[place]+g.Floors.Above
		}
	}
	return 0, false
}

// floor returns how high the floor is that a point is on; of one that is on none, how high that is.
func (g *Grid) floor(p world.Vec3) float64 {
	if place, ok := g.placeAt(p); ok {
		return g.height(place)
	}
	return p[1]
}

// apart returns how far two points are apart for those who walk: as seen from above, or if they are on floors that are as far above each other as somebody is
// tall, through the air.
func (g *Grid) apart(a, b world.Vec3) float64 {
	if g != nil && g.Floors != nil {
		a[1], b[1] = g.floor(a), g.floor(b)
		if math.Abs(a[1]-b[1]) >= g.Floors.Above-g.Floors.Step {
			return a.Dist(b)
		}
	}
	return a.Flat(b)
}

// index returns which of n cells in a row something is in.
func index(d, size float64, n int) (i int, ok bool) {
	if !(d >= 0 && d <= float64(size*float64(n))) {
		return 0, false
	}
	return min(int(d/size), n-1), true
}

// center returns the middle of a place, on its floor.
func (g *Grid) center(place int) world.Vec3 { return g.middle(g.cell(place), place) }

// middle is center, of a place in a cell.
func (g *Grid) middle(cell, place int) world.Vec3 {
	return g.spot(cell, g.height(place))
}

// spot returns the middle of a cell at a height.
func (g *Grid) spot(cell int, y float64) world.Vec3 {
	return world.Vec3{g.MinX + g.along(cell%g.Cols), y, g.MinZ + g.along(cell/g.Cols)}
}

// along returns how far the middle of the i-th cell is from the edge.
func (g *Grid) along(i int) float64 { return float64((float64(i) + 0.5) * g.CellSize) }

// height returns how high the floor of a place is.
func (g *Grid) height(place int) float64 {
	if g.Heights == nil {
		return 0
	}
	return g.Heights[place]
}

// open reports whether one can go from a cell to one that touches it, not looking at those beside: it
// is walkable, and not too steep. Both ways are alike. The grid has no floors.
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

// nearest returns the middle of the place that is nearest to a point, as seen from above, and false if there is none. One on a floor that is not that
// of the point is as much farther as it is higher or lower, and [Out] besides. Of several it is the first.
func (g *Grid) nearest(p world.Vec3) (at world.Vec3, ok bool) { return g.nearestOf(p, g.walkable) }

// nearestOf is nearest, of some places.
func (g *Grid) nearestOf(p world.Vec3, of func(place int) bool) (at world.Vec3, ok bool) {
	best := math.Inf(1)
	for cell := range g.len() {
		first, end := g.in(cell)
		for place := first; place < end; place++ {
			if !of(place) {
				continue
			}
			c := g.middle(cell, place)
			d := c.Flat(p)
			if f := g.Floors; f != nil && (c[1] > p[1]+f.Step || c[1] < p[1]-f.Above) {
				d += math.Abs(c[1]-p[1]) + Out
			}
			if d < best {
				best, at, ok = d, c, true
			}
		}
	}
	return at, ok
}
