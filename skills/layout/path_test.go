package layout_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// piece makes ent_0, a box of a size that stands at the origin.
func piece(t testing.TB, s *skilltest.Server, size world.Vec3) {
	t.Helper()
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{Position: world.Vec3{0, size[1] / 2, 0}})
		if err != nil {
			return err
		}
		return s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: size})
	}); err != nil {
		t.Fatal(err)
	}
}

// lay calls scene.array for a path and returns what is there then: the solids of the original and the copies.
func lay(t *testing.T, s *skilltest.Server, input string) (out layout.ArrayOut, all []solid.Solid) {
	t.Helper()
	if err := json.Unmarshal([]byte(s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "scene.array", input)), &out); err != nil {
		t.Fatal(err)
	}
	s.World.View(func(v *world.View) {
		for _, id := range append([]world.ID{1}, out.Entities...) {
			one, ok := solid.Of(s.World, v, id)
			if !ok {
				t.Fatalf("%v has no shape", id)
			}
			all = append(all, one)
		}
	})
	return out, all
}

// TestPathRuns: things stand at equal distances along a way, at its side, and look ahead.
func TestPathRuns(t *testing.T) {
	for _, c := range []struct {
		name, input string
		want        []world.Vec3
		front       world.Vec3 // of the second
	}{
		{"straight", `"points":[[0,0.5,0],[10,0.5,0]],"count":3`, []world.Vec3{{0, 0.5, 0}, {5, 0.5, 0}, {10, 0.5, 0}}, world.Vec3{1, 0, 0}},
		{"every so many metres", `"points":[[0,0.5,0],[10,0.5,0]],"every":4`, []world.Vec3{{0, 0.5, 0}, {4, 0.5, 0}, {8, 0.5, 0}}, world.Vec3{1, 0, 0}},
		{"to the right", `"points":[[0,0.5,0],[0,0.5,-10]],"count":2,"side":2`, []world.Vec3{{2, 0.5, 0}, {2, 0.5, -10}}, world.Vec3{0, 0, -1}},
		{"to the left, not turned", `"points":[[0,0.5,0],[10,0.5,0]],"count":2,"side":-2,"turn":false`, []world.Vec3{{0, 0.5, -2}, {10, 0.5, -2}}, world.Vec3{0, 0, 1}},
		{"a square", `"points":[[0,0,0],[8,0,0],[8,0,8],[0,0,8]],"closed":true,"smooth":false,"count":4`, []world.Vec3{{0, 0, 0}, {8, 0, 0}, {8, 0, 8}, {0, 0, 8}}, world.Vec3{0, 0, 1}},
		{"a square, closed twice", `"points":[[0,0,0],[8,0,0],[8,0,8],[0,0,8],[0,0,0]],"closed":true,"smooth":false,"every":7.5`, []world.Vec3{{0, 0, 0}, {8, 0, 0}, {8, 0, 8}, {0, 0, 8}}, world.Vec3{0, 0, 1}},
		{"around a square, outside", `"points":[[0,0,0],[8,0,0],[8,0,8],[0,0,8]],"closed":true,"smooth":false,"count":4,"side":-1`, []world.Vec3{{-1, 0, -1}, {9, 0, -1}, {9, 0, 9}, {-1, 0, 9}}, world.Vec3{0, 0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := skilltest.New(t, catalogue)
			piece(t, s, world.Vec3{1, 1, 1})
			_, got := lay(t, s, `{"entity":"ent_0","pattern":"path",`+c.input+`}`)
			if len(got) != len(c.want) {
				t.Fatalf("%d things, want %d", len(got), len(c.want))
			}
			for i := range got {
				if got[i].Center.Dist(c.want[i]) > 1e-9 {
					t.Errorf("thing %d is at %v, want %v", i, got[i].Center, c.want[i])
				}
			}
			if got[1].Axes[2].Dist(c.front) > 1e-9 {
				t.Errorf("the second looks to %v, want %v", got[1].Axes[2], c.front)
			}
		})
	}
}

// TestPathCurves: a curve goes through its points, and things on it are equally far apart, whatever the points are.
func TestPathCurves(t *testing.T) {
	s := skilltest.New(t, catalogue)
	piece(t, s, world.Vec3{1, 1, 1})
	const n = 60
	_, got := lay(t, s, `{"entity":"ent_0","pattern":"path","list":500,"closed":true,"count":60,"points":[[10,0,0],[0,0,10],[-10,0,0],[-7.0710678,0,-7.0710678],[0,0,-10],[7.0710678,0,-7.0710678]]}`)
	least, most := math.Inf(1), 0.0
	for i := range got {
		if r := got[i].Center.Len(); math.Abs(r-10) > 1.7 {
			t.Errorf("thing %d is %v m from the middle of a round way", i, r)
		}
		d := got[i].Center.Dist(got[(i+1)%n].Center)
		least, most = min(least, d), max(most, d)
	}
	if most > 1.02*least {
		t.Errorf("they are %v to %v m apart", least, most)
	}
}

// TestPathStretches: the pieces of a road leave no gap, neither in the middle nor at the outer side of a bend, nor, where it goes up or down, at the top or the bottom, and are one group.
func TestPathStretches(t *testing.T) {
	for name, way := range map[string]string{
		"round":        `"closed":true,"points":[[12,0,0],[0,0,12],[-12,0,0],[0,0,-12]]`,
		"up and down":  `"points":[[0,0,0],[20,4,0],[40,0,10],[40,2,40]]`,
		"few and long": `"points":[[0,0,0],[20,0,0],[20,0,20]],"smooth":false,"every":20`,
		"at a side":    `"points":[[0,0,0],[20,0,0],[30,0,20]],"side":-3,"count":25`,
	} {
		t.Run(name, func(t *testing.T) {
			s := skilltest.New(t, catalogue)
			piece(t, s, world.Vec3{4, 3, 2})
			out, got := lay(t, s, `{"entity":"ent_0","pattern":"path","stretch":true,`+way+`}`)
			for i := range len(got) - 1 {
				a, b := &got[i], &got[i+1]
				for _, at := range [][2]float64{{0, 0}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}} {
					off := func(of *solid.Solid) world.Vec3 {
						return of.Axes[0].Scale(at[0] * of.Half[0]).Add(of.Axes[1].Scale(at[1] * of.Half[1]))
					}
					p := a.Center.Add(a.Axes[2].Scale(a.Half[2])).Add(off(a))
					q := b.Center.Sub(b.Axes[2].Scale(b.Half[2])).Add(off(b))
					if ahead := q.Sub(p).Dot(a.Axes[2]); ahead > 0.01 {
						t.Errorf("between piece %d and the next, at side %v and height %v, are %v m", i, at[0], at[1], ahead)
					}
				}
			}
			s.World.View(func(v *world.View) {
				for _, id := range append([]world.ID{1}, out.Entities...) {
					if v.Parent(id) != out.Group || out.Group == 0 {
						t.Errorf("%v is under %v, not in the group %v", id, v.Parent(id), out.Group)
					}
				}
			})
		})
	}
}

// TestPathFollowsTheGround: heights count from generated ground.
func TestPathFollowsTheGround(t *testing.T) {
	s := skilltest.New(t, catalogue)
	piece(t, s, world.Vec3{1, 2, 1})
	land, err := terrain.New(5, "hills", terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		g := world.Ground{Land: land}
		id, err := tx.Create(world.Spec{Position: g.Place()})
		if err != nil {
			return err
		}
		return s.World.Grounds.Set(tx, id, g)
	}); err != nil {
		t.Fatal(err)
	}
	_, got := lay(t, s, `{"entity":"ent_0","pattern":"path","onGround":true,"points":[[5,1,5],[20,1,30],[40,1,40]],"every":3}`)
	tile := s.World.Surface(world.Ground{Land: land})
	heights := map[float64]bool{}
	for i := range got {
		at := got[i].Center
		want := tile.Surface(at[0]/tile.Cell, at[2]/tile.Cell) + 1
		if math.Abs(at[1]-want) > 1e-6 {
			t.Errorf("thing %d at %v is %v m above the ground, want 1", i, at, at[1]-want+1)
		}
		heights[at[1]] = true
	}
	if len(heights) < 5 {
		t.Errorf("the ground is flat: %v", heights)
	}
}

func TestPathRefuses(t *testing.T) {
	turned := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		piece(t, s, world.Vec3{1, 1, 1})
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error { return tx.SetRotation(1, world.QuatFromEuler(0, 1, 0)) }); err != nil {
			t.Fatal(err)
		}
	}
	skilltest.Run(t, catalogue, "scene.array", []skilltest.Case{
		{Name: "no points", Setup: turned, Input: `{"entity":"ent_0","pattern":"path","count":2}`, Code: registry.CodeInvalidInput, Err: "points: path needs two at least, got 0"},
		{Name: "one place", Setup: turned, Input: `{"entity":"ent_0","pattern":"path","count":2,"points":[[1,1,1],[1,1,1]]}`, Code: registry.CodeInvalidInput, Err: "points: must not all be at the same place"},
		{Name: "no count", Setup: turned, Input: `{"entity":"ent_0","pattern":"path","points":[[0,0,0],[1,1,1]]}`, Code: registry.CodeInvalidInput, Err: "count: path needs it, or every, the metres from one to the next"},
		{Name: "too many", Setup: turned, Input: `{"entity":"ent_0","pattern":"path","every":0.001,"points":[[0,0,0],[9,0,0]]}`, Code: registry.CodeInvalidInput, Err: "every: more than 501 things, at most 501 are allowed; make every larger than 0.018"},
		{Name: "turned", Setup: turned, Input: `{"entity":"ent_0","pattern":"path","stretch":true,"points":[[0,0,0],[9,0,0]]}`, Code: registry.CodeInvalidInput, Err: "stretch: the original must not be turned: it is stretched along its own z, which becomes the way"},
	})
}

// TestPathBanks: a race track leans into its bends, the more the narrower they are, its pieces still meet, and a kerb goes along its edge.
func TestPathBanks(t *testing.T) {
	const track = `"closed":true,"points":[[0,2,0],[0,2,60],[20,2,80],[40,2,60],[40,2,0],[20,2,-20]],"stretch":true,"every":2,"bank":20,"list":500`
	s := skilltest.New(t, catalogue)
	piece(t, s, world.Vec3{8, 0.2, 2})
	_, road := lay(t, s, `{"entity":"ent_0","pattern":"path",`+track+`}`)
	most := 0.0
	for i := range road {
		a, b := &road[i], &road[(i+1)%len(road)]
		// To the inside of the track, which is to the left, its side is lower.
		left := a.Center.Add(a.Axes[0].Scale(a.Half[0]))
		if low := a.Center[1] - left[1]; a.Center[2] > 75 && low < 1 || low < -0.2 {
			t.Errorf("piece %d at %v is %v m lower at its left side", i, a.Center, low)
		}
		most = max(most, math.Acos(a.Axes[1][1])*180/math.Pi)
		for _, side := range []float64{-1, 0, 1} {
			p := a.Center.Add(a.Axes[2].Scale(a.Half[2])).Add(a.Axes[0].Scale(side * a.Half[0]))
			q := b.Center.Sub(b.Axes[2].Scale(b.Half[2])).Add(b.Axes[0].Scale(side * b.Half[0]))
			if gap := q.Sub(p); gap.Dot(a.Axes[2]) > 0.01 || math.Abs(gap[1]) > 0.25 {
				t.Errorf("between piece %d and the next, at side %v, are %v", i, side, gap)
			}
		}
	}
	if math.Abs(most-20) > 1 {
		t.Errorf("it leans by %v degrees at most", most)
	}
	beside := skilltest.New(t, catalogue)
	piece(t, beside, world.Vec3{0.4, 0.2, 2})
	_, kerb := lay(t, beside, `{"entity":"ent_0","pattern":"path","side":4.2,`+track+`}`)
	for i := range kerb {
		k := &kerb[i]
		off := math.Inf(1)
		for j := range road {
			r := &road[j]
			edge := r.Center.Sub(r.Axes[0].Scale(r.Half[0] + 0.2))
			d := k.Center.Sub(edge)
			off = min(off, math.Hypot(d.Dot(r.Axes[0]), d.Dot(r.Axes[1]))+max(math.Abs(d.Dot(r.Axes[2]))-r.Half[2], 0))
		}
		if off > 0.15 {
			t.Errorf("kerb %d at %v is %v m off the edge of the road", i, k.Center, off)
		}
	}
	skilltest.Run(t, catalogue, "scene.array", []skilltest.Case{{
		Name: "trees", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
			t.Helper()
			s.Must(t, p, "scene.createEntity", `{}`)
		},
		Input: `{"entity":"ent_0","pattern":"path","count":5,"bank":5,"points":[[0,0,0],[9,0,0],[9,0,9]]}`, Code: registry.CodeInvalidInput,
		Err: "bank: needs stretch: true, which makes one thing of what is repeated; what stands beside a banked way stands upright",
	}})
}
