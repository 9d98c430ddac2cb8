package navigation

import (
	"iter"
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// touching is how deep something has to be in the way, in metres: walls that stand on the edge of a cell
// are not in it, however their coordinates were rounded.
const touching = 1e-6

// groundSlope is how steep generated ground is at most where one walks, as height for distance.
const groundSlope = 1

// findGround has the grid lie on the tiles of generated ground that are there; where there is none it is
// flat.
func (in *BuildIn) findGround(m *Mesh, v *world.View, g *Grid) {
	for id := range m.w.Grounds.All(v) {
		s, ok := solid.Of(m.w, v, id)
		if !ok {
			continue
		}
		for cell := range g.near(s.Bounds(), 0) {
			at := g.center(cell)
			_, high, ok := s.Column(at[0], at[2])
			if !ok {
				continue
			}
			if g.Heights == nil {
				g.raise(in.Ground)
			}
			g.Heights[cell] = high
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

// findObstacles blocks the cells in which something stands.
func (in *BuildIn) findObstacles(m *Mesh, v *world.View, g *Grid) error {
	ignored, err := in.ignored(v)
	if err != nil {
		return err
	}
	tests := 0
	for id := range v.All() {
		if m.w.Grounds.Has(v, id) {
			continue // that is what is walked on
		}
		if m.moves(v, id, ignored) {
			continue
		}
		if s, ok := solid.Of(m.w, v, id); ok {
			t := newThing(s)
			if tests += in.stand(g, &t); tests > maxTests {
				return in.tooMuch()
			}
		}
	}
	return nil
}

// ignored returns the entities that are not in the way whatever they are.
func (in *BuildIn) ignored(v *world.View) (map[world.ID]bool, error) {
	ignored := map[world.ID]bool{}
	for _, id := range in.Ignore {
		if !v.Exists(id) {
			return nil, v.Unknown(id)
		}
		ignored[id] = true
	}
	return ignored, nil
}

func (in *BuildIn) tooMuch() error {
	return registry.Errorf(registry.CodeCapacityExceeded, "cellSize: there is too much in the way for a grid as fine as %v m: take larger cells or smaller bounds", in.CellSize)
}

// maxTests is how many cells are compared with solids at most that are not as simple as an upright box:
// some seconds, in which the world waits.
const maxTests = 2_000_000

// moves reports whether an entity is nothing to walk around: it moves by itself, as a part of something
// that does too, or is ignored.
func (m *Mesh) moves(v *world.View, id world.ID, ignored map[world.ID]bool) bool {
	for ; id != 0; id = v.Parent(id) {
		if ignored[id] || m.walks.Has(v, id) {
			return true
		}
		if _, ok := m.agents.Agent(v, id); ok {
			return true
		}
		if b, ok := m.w.Bodies.Get(v, id); ok && b.Type != "static" {
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
}

func newThing(s solid.Solid) thing {
	return thing{s, s.Bounds(), s.Kind == solid.Box && s.Axes == cube.Axes}
}

// stand blocks the cells that a thing is too near to. It returns how many it had to look at closely.
func (in *BuildIn) stand(g *Grid, t *thing) (tests int) {
	for cell := range g.near(t.b, in.AgentRadius) {
		if !g.walkable(cell) {
			continue
		}
		floor := in.Ground
		if g.Heights != nil {
			floor = g.Heights[cell]
		}
		room := in.room(g, cell, floor)
		crowded, closely := in.crowds(&room, floor, t)
		if crowded {
			g.block(cell)
		}
		if closely {
			tests++
		}
	}
	return tests
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

// crowds reports whether a thing is nearer to a room over a floor than the radius of who needs that, and whether that took a close look.
func (in *BuildIn) crowds(room *solid.Solid, floor float64, t *thing) (crowded, closely bool) {
	low, high := in.above()
	if t.b.Hi[1] <= floor+low+touching || t.b.Lo[1] >= floor+high-touching {
		return false, false
	}
	if t.upright {
		return beside(room, &t.b) < in.AgentRadius-touching, false
	}
	if far := in.AgentRadius - touching; far >= 0 {
		return solid.Within(*room, t.s, far), true
	}
	return solid.Overlap(*room, t.s, touching-in.AgentRadius), true
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
