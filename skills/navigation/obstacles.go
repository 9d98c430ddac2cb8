package navigation

import (
	"iter"
	"math"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// touching is how deep something has to be in the way, in metres: walls that stand on the edge of a cell
// are not in it, however their coordinates were rounded.
const touching = 1e-6

// groundSlope is how steep generated ground is at most where one walks, as height for distance.
const groundSlope = 1

// tile is ground as a grid without floors lies on it.
type tile struct {
	bounds  solid.Bounds
	heights []float64 // of each cell that is near the bounds, in their order; NaN where there is none
}

// newTile looks at ground; nil if it is none that anything lies on.
func newTile(m *Mesh, v *world.View, id world.ID, g *Grid) *tile {
	s, ok := solid.Of(m.w, v, id)
	if !ok {
		return nil
	}
	t := &tile{bounds: s.Bounds()}
	for cell := range g.near(t.bounds, 0) {
		at := g.center(cell)
		_, high, ok := s.Column(at[0], at[2])
		if !ok {
			high = math.NaN()
		}
		t.heights = append(t.heights, high)
	}
	return t
}

// findGround has the grid lie on the tiles of generated ground that are there; where there is none it is
// flat. Of a tile that has not changed since it is known how high it is.
func (s *survey) findGround(m *Mesh, v *world.View, g *Grid) {
	for id := range m.w.Grounds.All(v) {
		t := s.tiles[id]
		if t == nil {
			if t = newTile(m, v, id, g); t == nil {
				continue
			}
			s.tiles[id] = t
		}
		n := 0
		for cell := range g.near(t.bounds, 0) {
			if high := t.heights[n]; !math.IsNaN(high) {
				if g.Heights == nil {
					g.raise(s.in.Ground)
				}
				g.Heights[cell] = high
			}
			n++
		}
	}
}

// raise gives a grid that is flat heights.
func (g *Grid) raise(ground float64) {
	g.Heights, g.MaxSlope = make([]float64, g.len()), groundSlope
	for cell := range g.Heights {
		g.Heights[cell] = ground
	}
}

// ground returns how high the ground of a cell is, of a grid without floors.
func (g *Grid) ground(cell int, flat float64) float64 {
	if g.Heights == nil {
		return flat
	}
	return g.Heights[cell]
}

// moves reports whether an entity is nothing to walk around: it moves by itself, as a part of something
// that does too, or is ignored.
func (m *Mesh) moves(v *world.View, id world.ID, ignored map[world.ID]bool) bool {
	for up := range v.Up(id) {
		if ignored[up] || m.walks.Has(v, up) || m.walkers.Has(v, up) || m.mobile != nil && m.mobile(v, up) {
			return true
		}
		if _, ok := m.agents.Agent(v, up); ok {
			return true
		}
		if b, ok := m.w.Bodies.Get(v, up); ok && b.Type == "dynamic" {
			return true
		}
	}
	return false
}

// gives reports whether an entity is, or is a part of, a door that is open. If one kept away from that as from walls, none would get through a door as wide as
// those of houses with its leaf beside the opening.
func (m *Mesh) gives(v *world.View, id world.ID) bool {
	if m.open == nil {
		return false
	}
	for up := range v.Up(id) {
		if m.open(v, up) {
			return true
		}
	}
	return false
}

// thing is a solid that is in the way, or walked on.
type thing struct {
	s       solid.Solid
	b       solid.Bounds
	upright bool // a box along the world's axes
	gives   bool // one squeezes past it, at half the distance: it is a door that is open
}

func newThing(s solid.Solid, gives bool) thing {
	return thing{s, s.Bounds(), s.Kind == solid.Box && s.Axes == cube.Axes, gives}
}

// above returns from where to where, above a floor, somebody needs room who stands on it.
func (in *BuildIn) above() (low, high float64) { return in.Step, max(in.Height, in.Step) }

// room is what somebody needs who may stand anywhere in a cell, on a floor.
func (in *BuildIn) room(g *Grid, cell int, floor float64) solid.Solid {
	low, high := in.above()
	room := cube
	room.Center = g.spot(cell, floor+(low+high)/2)
	room.Half = world.Vec3{g.CellSize / 2, (high - low) / 2, g.CellSize / 2}
	return room
}

// crowds reports whether a thing is nearer to a room over a floor than who needs that keeps from it.
func (in *BuildIn) crowds(room *solid.Solid, floor float64, t *thing) bool {
	low, high := in.above()
	if t.b.Hi[1] <= floor+low+touching || t.b.Lo[1] >= floor+high-touching {
		return false
	}
	far := in.radius() - touching
	if t.gives {
		far = in.radius()/2 - touching
	}
	switch {
	case t.upright:
		return beside(room, &t.b) < far
	case far >= 0:
		return solid.Within(*room, t.s, far)
	default:
		return solid.Overlap(*room, t.s, -far)
	}
}

// cube is a box along the world's axes.
var cube = solid.Solid{Kind: solid.Box, Axes: [3]world.Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}

// beside returns how far apart an upright box and bounds are that are at the same height; below zero
// if they cut into each other.
func beside(s *solid.Solid, b *solid.Bounds) float64 {
	x := max(b.Lo[0]-s.Center[0], s.Center[0]-b.Hi[0]) - s.Half[0]
	z := max(b.Lo[2]-s.Center[2], s.Center[2]-b.Hi[2]) - s.Half[2]
	if x > 0 && z > 0 {
		return math.Sqrt(float64(x*x) + float64(z*z))
	}
	return max(x, z)
}

// span returns which of n cells may be within r of what reaches from lo to hi, none if first is above
// last.
func (g *Grid) span(lo, hi, r float64, n int) (first, last int) {
	f, l := math.Floor((lo-r)/g.CellSize), math.Floor((hi+r)/g.CellSize)
	if !(l >= 0 && f < float64(n)) {
		return 0, -1
	}
	return int(max(f, 0)), int(min(l, float64(n-1)))
}

// near yields the cells that may be within r of bounds, as seen from above.
func (g *Grid) near(b solid.Bounds, r float64) iter.Seq[int] {
	c0, c1 := g.span(b.Lo[0]-g.MinX, b.Hi[0]-g.MinX, r, g.Cols)
	r0, r1 := g.span(b.Lo[2]-g.MinZ, b.Hi[2]-g.MinZ, r, g.Rows)
	return func(yield func(int) bool) {
		for row := r0; row <= r1; row++ {
			for col := c0; col <= c1; col++ {
				if !yield(row*g.Cols + col) {
					return
				}
			}
		}
	}
}

// blockRect blocks the cells that have a point less than r away from a rectangle along both axes.
func (g *Grid) blockRect(minX, minZ, maxX, maxZ, r float64) {
	for cell := range g.near(solid.Bounds{Lo: world.Vec3{minX, 0, minZ}, Hi: world.Vec3{maxX, 0, maxZ}}, r) {
		x, z := g.MinX+float64(float64(cell%g.Cols)*g.CellSize), g.MinZ+float64(float64(cell/g.Cols)*g.CellSize)
		if x+g.CellSize > minX-r+touching && x < maxX+r-touching && z+g.CellSize > minZ-r+touching && z < maxZ+r-touching {
			g.block(cell)
		}
	}
}
