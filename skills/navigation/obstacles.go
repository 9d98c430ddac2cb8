package navigation

import (
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
		b := s.Bounds()
		c0, c1 := g.span(b.Lo[0]-g.MinX, b.Hi[0]-g.MinX, 0, g.Cols)
		r0, r1 := g.span(b.Lo[2]-g.MinZ, b.Hi[2]-g.MinZ, 0, g.Rows)
		for r := r0; r <= r1; r++ {
			for c := c0; c <= c1; c++ {
				cell := r*g.Cols + c
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
			if tests += in.stand(g, &s); tests > maxTests {
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

// stand blocks the cells that a solid is too near to: of which the room that somebody needs there is
// nearer to it than his radius. It returns how many it had to look at closely.
func (in *BuildIn) stand(g *Grid, s *solid.Solid) (tests int) {
	b := s.Bounds()
	c0, c1 := g.span(b.Lo[0]-g.MinX, b.Hi[0]-g.MinX, in.AgentRadius, g.Cols)
	r0, r1 := g.span(b.Lo[2]-g.MinZ, b.Hi[2]-g.MinZ, in.AgentRadius, g.Rows)
	room := cube
	upright := s.Kind == solid.Box && s.Axes == cube.Axes
	for r := r0; r <= r1; r++ {
		for c := c0; c <= c1; c++ {
			cell := r*g.Cols + c
			if !g.walkable(cell) {
				continue
			}
			room.Center = g.center(cell)
			low, high := in.Step, max(in.Height, in.Step)
			if g.Heights == nil {
				room.Center[1] = in.Ground
			}
			if b.Hi[1] <= room.Center[1]+low+touching || b.Lo[1] >= room.Center[1]+high-touching {
				continue
			}
			room.Center[1] += (low + high) / 2
			room.Half = world.Vec3{g.CellSize / 2, (high - low) / 2, g.CellSize / 2}
			var gap float64
			if upright {
				gap = beside(&room, &b)
			} else {
				tests++
				gap = solid.Between(room, *s).Gap
			}
			if gap < in.AgentRadius-touching {
				g.block(cell)
			}
		}
	}
	return tests
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

// blockRect blocks the cells that have a point less than r away from a rectangle along both axes.
func (g *Grid) blockRect(minX, minZ, maxX, maxZ, r float64) {
	c0, c1 := g.span(minX-g.MinX, maxX-g.MinX, r, g.Cols)
	r0, r1 := g.span(minZ-g.MinZ, maxZ-g.MinZ, r, g.Rows)
	for row := r0; row <= r1; row++ {
		for col := c0; col <= c1; col++ {
			x, z := g.MinX+float64(float64(col)*g.CellSize), g.MinZ+float64(float64(row)*g.CellSize)
			if x+g.CellSize > minX-r+touching && x < maxX+r-touching && z+g.CellSize > minZ-r+touching && z < maxZ+r-touching {
				g.block(row*g.Cols + col)
			}
		}
	}
}
