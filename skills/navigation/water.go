package navigation

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// What navmesh.build makes of deep water, if it is not to be avoided.
const (
	blockWater  = "block"
	ignoreWater = "ignore"
)

// afloat is how deep water is that carries who walks, in his height.
const afloat = 0.6

// draft is how deep in water somebody lies who swims, in metres.
func (in *BuildIn) draft() float64 { return float64(in.Height * afloat) }

// flood has the cells of a grid without floors over which there is deep water be swum in: the grid lies there where the feet of a swimmer are.
func (in *BuildIn) flood(m *Mesh, v *world.View, g *Grid) {
	if in.Water == ignoreWater || m.w.Waters.Len(v) == 0 {
		return
	}
	wet, levels := make([]bool, g.len()), make([]float64, g.len())
	for _, water := range m.w.Pools(v) {
		lo, hi := water.Box()
		for cell := range g.near(solid.Bounds{Lo: lo, Hi: hi}, 0) {
			at := g.spot(cell, in.Ground)
			if level, here := water.Level(at[0], at[2]); here && (!wet[cell] || level > levels[cell]) {
				wet[cell], levels[cell] = true, level
			}
		}
	}
	for cell, is := range wet {
		if is {
			in.swum(g, cell, levels[cell])
		}
	}
}

// swum has a cell with water of a level over it be swum in, if that is deep.
func (in *BuildIn) swum(g *Grid, cell int, level float64) {
	floor := g.ground(cell, in.Ground)
	switch {
	case level-in.draft() <= floor+touching || g.blocked(cell):
		return
	case in.Water == blockWater:
		g.block(cell)
		return
	case g.Heights == nil:
		g.raise(in.Ground)
	}
	if g.Deep == nil {
		g.Deep = noneOf(g.len())
	}
	g.Heights[cell] = level - in.draft()
	put(g.Deep, cell)
}

// float has the highest floor under deep water, of those at x, z, be where the feet of a swimmer are, or, where nobody is let into water, be none. Floors
// between which and the surface there is another are dry.
func (s *survey) float(floors []float64, x, z float64) []float64 {
	up, ok := s.afloat(x, z)
	if !ok {
		return floors
	}
	surface := up + s.in.draft()
	for i, y := range slices.Backward(floors) {
		switch {
		case y >= surface:
			continue
		case y >= up-touching: // one stands there
		case s.in.Water == blockWater:
			return slices.Delete(floors, i, i+1)
		default:
			floors[i] = up
		}
		return floors
	}
	return floors
}

// afloat returns how high the feet of a swimmer are at x, z, to a micrometre as all floors are; false where no water is, or is minded.
func (s *survey) afloat(x, z float64) (y float64, ok bool) {
	if s.level == nil {
		return 0, false
	}
	y, ok = s.level(x, z)
	return math.Round((y-s.in.draft())*1e6) / 1e6, ok
}

// afloat returns how high the feet of an entity are at a place on ground: on that, or where it swims.
func (m *Mesh) afloat(v *world.View, id world.ID, at world.Vec3, ground float64) float64 {
	level, ok := m.w.WaterLevel(v, at[0], at[2])
	if !ok || level <= ground {
		return ground
	}
	b := solid.Tree(m.w, v, id)
	return max(ground, level-float64(max(b.Hi[1]-b.Lo[1], 0)*afloat))
}

// swims reports whether somebody on his way swims whom no physics slows: who is afoot is hindered by that.
func (m *Mesh) swims(v *world.View, id world.ID, at world.Vec3, w *walk) bool {
	above := w.Ground
	if above == nil {
		above = w.Above
	}
	if above == nil || m.afoot != nil && m.afoot(v, id) {
		return false
	}
	feet := at[1] - *above
	level, ok := m.w.WaterLevel(v, at[0], at[2])
	if !ok || level <= feet {
		return false
	}
	b := solid.Tree(m.w, v, id)
	return level-feet >= float64((b.Hi[1]-b.Lo[1])*afloat)-touching
}
