package statesync

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// TestGridFindsEveryView moves areas of all sizes about and asks for points, many of them next to
// surfaces and borders: whoever holds a point is found in its cell, and who has all of a cell does hold
// it. What an entity enters by a move is never passed over.
func TestGridFindsEveryView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var g grid
		var views []*View
		coordinate := rapid.OneOf(rapid.Float64Range(-50, 50), rapid.Float64Range(-3.4e38, 3.4e38),
			rapid.SampledFrom([]float64{0, 4, -4, 1 << 20, -1 << 20, 1<<20 - 1, 1e9, 3.4e38}))
		point := func() world.Vec3 {
			return world.Vec3{coordinate.Draw(t, "x"), coordinate.Draw(t, "y"), coordinate.Draw(t, "z")}
		}
		radius := rapid.OneOf(rapid.Float64Range(0, 60), rapid.SampledFrom([]float64{0, 1, 2, 4, 8, 1e5, 1e30, 3.4e38}), rapid.Float64Range(0, 3.4e38))
		area := func() Area {
			if rapid.IntRange(0, 9).Draw(t, "whole") == 0 {
				return Whole()
			}
			return Within(point(), radius.Draw(t, "radius"))
		}
		near := func(a Area) world.Vec3 { // the surface
			p := a.Center
			i := rapid.IntRange(0, 2).Draw(t, "axis")
			p[i] += a.Radius * rapid.SampledFrom([]float64{1, -1, 0.5, 0.999999, 1.000001}).Draw(t, "part")
			if rapid.Bool().Draw(t, "next") {
				p[i] = math.Nextafter(p[i], rapid.SampledFrom([]float64{1e300, -1e300}).Draw(t, "way"))
			}
			return p
		}
		for range rapid.IntRange(1, 12).Draw(t, "moves") {
			if len(views) > 0 && rapid.Bool().Draw(t, "move") {
				v := rapid.SampledFrom(views).Draw(t, "view")
				to := area()
				g.move(v, &v.area, &to)
				v.area, v.region = to, to.region()
				continue
			}
			v := &View{area: area()}
			v.region = v.area.region()
			g.move(v, nil, &v.area)
			views = append(views, v)
		}
		for range 8 {
			v := rapid.SampledFrom(views).Draw(t, "view")
			p, before := near(v.area), near(v.area)
			if rapid.Bool().Draw(t, "anywhere") {
				p = point()
			}
			entered := g.find(t, &p, &before)
			for _, v := range views {
				if v.area.Holds(p) && !v.area.Holds(before) && !v.area.Whole && !slices.Contains(entered, v) {
					t.Fatalf("nobody finds %+v for a move from %v to %v", v.area, before, p)
				}
			}
		}
		for _, v := range views {
			g.move(v, &v.area, nil)
		}
		if len(g.levels) > 0 || len(g.whole) > 0 {
			t.Fatalf("without views there are %d levels and %d views", len(g.levels), len(g.whole))
		}
	})
}

// find returns the views that a move may have brought an entity into, as Hub.admit does.
func (g *grid) find(t *rapid.T, p, before *world.Vec3) (entered []*View) {
	for _, l := range g.levels {
		if l.outside(p) {
			continue
		}
		at := l.at(p)
		c := l.cells[cellKey(at)]
		if c == nil {
			continue
		}
		for _, v := range c.part {
			if v.region.entered(p, l.shell(before, p)) {
				entered = append(entered, v)
			}
		}
		for _, v := range c.full {
			if !v.area.Holds(*p) {
				t.Fatalf("%v is in a cell of which %+v has all, and is not in it", *p, v.area)
			}
		}
		if l.at(before) != at {
			entered = append(entered, c.full...)
		}
	}
	return entered
}
