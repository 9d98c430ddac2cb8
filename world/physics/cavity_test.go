package physics

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// TestSpills pours water around grids with walls anywhere, up to some height, and sees where it runs: into the cells that are said to fill below that, and no others.
func TestSpills(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &grid{cell: world.Vec3{1, 1, 1}}
		count := 1
		for k := range g.n {
			g.n[k] = rapid.IntRange(3, 6).Draw(t, "n")
			count *= g.n[k]
		}
		g.solid = make([]bool, count)
		for k := range g.wall {
			g.wall[k] = make([]bool, count)
			for i := range g.wall[k] {
				g.wall[k][i] = rapid.IntRange(0, 9).Draw(t, "wall") < 6
			}
		}
		up := attitudeOf([]world.Vec3{{0, 1, 0}, {0, 0, -1}, {0.6, 0.8, 0}}[rapid.IntRange(0, 2).Draw(t, "up")]).up()
		heights := make([]float64, count)
		for i := range heights {
			heights[i] = g.place(i).Dot(up)
		}
		spill := g.spills(heights)
		level := rapid.Float64Range(-3, 8).Draw(t, "level")
		wet := make([]bool, count)
		var pour func(i int)
		pour = func(i int) {
			if heights[i] < level && !wet[i] {
				wet[i] = true
				g.each(i, pour)
			}
		}
		for i := range wet {
			for axis, k := range g.seat(i) {
				if k == 0 || k == g.n[axis]-1 {
					pour(i)
				}
			}
		}
		for i := range wet {
			if wet[i] != (spill[i] < level) {
				t.Fatalf("cell %v, %v high, fills at %v: at %v it is wet: %v", g.seat(i), heights[i], spill[i], level, wet[i])
			}
		}
	})
}
