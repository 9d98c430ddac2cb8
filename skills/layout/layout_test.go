package layout_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

func catalogue(w *world.World, _ *agents.Agents) []registry.Skill {
	return slices.Concat(scene.All(w), three.All(w), layout.All(w, solid.NewLooks(w)))
}

// furnish makes ent_0, a table 2 wide, 1 high and 1 deep on the ground, and ent_1, a ball of half a
// metre elsewhere.
func furnish(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "scene.createEntity", `{"position":[4,0.5,6]}`)
	s.Must(t, p, "three.setTransform", `{"entity":"ent_0","scale":[2,1,1]}`)
	s.Must(t, p, "scene.createEntity", `{"shape":"sphere","size":0.5,"position":[-9,3,-9]}`)
}

func TestPlace(t *testing.T) {
	placed := func(x, y, z string) string {
		b := func(v string, d float64) string {
			var f float64
			fmt.Sscan(v, &f)
			return fmt.Sprint(f + d)
		}
		return fmt.Sprintf(`{"position":[%s,%s,%s],"bounds":{"min":[%s,%s,%s],"max":[%s,%s,%s]},"overlaps":[]}`, x, y, z,
			b(x, -0.25), b(y, -0.25), b(z, -0.25), b(x, 0.25), b(y, 0.25), b(z, 0.25))
	}
	skilltest.Run(t, catalogue, "scene.place", []skilltest.Case{
		{Name: "on", Setup: furnish, Input: `{"entity":"ent_1","relation":"on","target":"ent_0"}`, Want: placed("4", "1.25", "6")},
		{Name: "on, with an offset", Setup: furnish, Input: `{"entity":"ent_1","relation":"on","target":"ent_0","gap":1,"offset":[0.5,0,0.25]}`, Want: placed("4.5", "2.25", "6.25")},
		{Name: "under", Setup: furnish, Input: `{"entity":"ent_1","relation":"under","target":"ent_0"}`, Want: placed("4", "-0.25", "6")},
		{Name: "left", Setup: furnish, Input: `{"entity":"ent_1","relation":"leftOf","target":"ent_0","gap":0.5}`, Want: placed("2.25", "0.25", "6")},
		{Name: "right", Setup: furnish, Input: `{"entity":"ent_1","relation":"rightOf","target":"ent_0"}`, Want: placed("5.25", "0.25", "6")},
		{Name: "in front", Setup: furnish, Input: `{"entity":"ent_1","relation":"inFrontOf","target":"ent_0"}`, Want: placed("4", "0.25", "6.75")},
		{Name: "behind", Setup: furnish, Input: `{"entity":"ent_1","relation":"behind","target":"ent_0"}`, Want: placed("4", "0.25", "5.25")},
		{Name: "inside", Setup: furnish, Input: `{"entity":"ent_1","relation":"inside","target":"ent_0"}`, Want: strings.Replace(placed("4", "0.25", "6"), "[]", `["ent_0"]`, 1)},
		{Name: "aligned", Setup: furnish, Input: `{"entity":"ent_1","relation":"alignedWith","target":"ent_0","axes":"x","edge":"max"}`, Want: placed("4.75", "3", "-9")},
		{Name: "aligned in the middle", Setup: furnish, Input: `{"entity":"ent_1","relation":"alignedWith","target":"ent_0"}`, Want: placed("4", "3", "6")},
		{Name: "on a point", Setup: furnish, Input: `{"entity":"ent_1","relation":"on","point":[1,2,3]}`, Want: placed("1", "2.25", "3")},
		{Name: "on the ground", Setup: furnish, Input: `{"entity":"ent_1","relation":"onGround"}`, Want: placed("-9", "0.25", "-9")},
		{Name: "on a grid", Setup: furnish, Input: `{"entity":"ent_1","relation":"onGround","grid":4,"offset":[0.5,0,0]}`, Want: placed("-8", "0.25", "-8")},
		{Name: "facing", Setup: furnish, Input: `{"entity":"ent_1","relation":"facing","target":"ent_0"}`, Want: placed("-9", "3", "-9")},
		{Name: "no target", Setup: furnish, Input: `{"entity":"ent_1","relation":"on"}`, Code: registry.CodeInvalidInput, Err: "target: on needs a target, or a point"},
		{Name: "both", Setup: furnish, Input: `{"entity":"ent_1","relation":"on","target":"ent_0","point":[0,0,0]}`, Code: registry.CodeInvalidInput, Err: "point: give either target or point"},
		{Name: "ground with a target", Setup: furnish, Input: `{"entity":"ent_1","relation":"onGround","target":"ent_0"}`, Code: registry.CodeInvalidInput, Err: "target: onGround takes neither target nor point"},
		{Name: "itself", Setup: furnish, Input: `{"entity":"ent_1","relation":"on","target":"ent_1"}`, Code: registry.CodeInvalidInput, Err: "target: ent_1 is ent_1 itself or below it: it would move along"},
		{Name: "straight above", Setup: furnish, Input: `{"entity":"ent_1","relation":"facing","point":[-9,8,-9]}`, Code: registry.CodeInvalidInput, Err: "target: is straight above or below ent_1, so that no way of turning faces it"},
		{Name: "unknown", Setup: furnish, Input: `{"entity":"ent_7","relation":"onGround"}`, Err: "unknown entity ent_7; the nearest are ent_0, ent_1"},
	})
}

// TestClear scatters trees where a house stands: into it, beside it where they are clear of it, and only outside where they are to be outdoors.
func TestClear(t *testing.T) {
	village := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		s.Must(t, p, "scene.createEntity", `{"name":"wall","position":[0,1.5,-3],"scale":[6,3,0.2]}`)
		s.Must(t, p, "scene.createEntity", `{"name":"wall","position":[0,1.5,3],"scale":[6,3,0.2]}`)
		s.Must(t, p, "scene.createEntity", `{"name":"roof","position":[0,3.1,0],"scale":[6,0.2,6.2]}`)
		s.Must(t, p, "scene.createEntity", `{"name":"tree","position":[-9,1,-9],"scale":[0.4,2,0.4]}`)
	}
	for _, c := range []struct {
		more            string
		in, under, note bool
	}{
		{"", true, true, true},
		{`,"clear":true`, false, true, false},
		{`,"outdoors":true`, false, false, false},
		{`,"clear":true,"outdoors":true`, false, false, false},
	} {
		s, p := skilltest.New(t, catalogue), skilltest.Caller(t, "ann", skilltest.Builder)
		village(t, s, p)
		var out layout.ArrayOut
		if err := json.Unmarshal([]byte(s.Must(t, p, "scene.array", `{"entity":"ent_3","pattern":"scatter","list":500,"count":60,"apart":0.5,"area":{"min":[-4,0,-4],"max":[4,0,4]}`+c.more+`}`)), &out); err != nil {
			t.Fatal(err)
		}
		in, under := false, false
		s.World.View(func(v *world.View) {
			for _, id := range out.Entities {
				tree, _ := solid.Of(s.World, v, id)
				if tree.Center[1] != 1 {
					t.Errorf("%s: a tree is at %v", c.more, tree.Center)
				}
				for i := range 3 {
					other, _ := solid.Of(s.World, v, world.ID(i+1))
					in = in || solid.Between(tree, other).Gap < -0.01
				}
				under = under || math.Abs(tree.Center[0]) < 3 && math.Abs(tree.Center[2]) < 3
			}
		})
		if len(out.Entities) != 60 || in != c.in || under != c.under || (out.Note != "") != c.note {
			t.Errorf("%s: %d trees, in a wall %v, in the house %v, note %q", c.more, len(out.Entities), in, under, out.Note)
		}
	}
	skilltest.Run(t, catalogue, "scene.array", []skilltest.Case{
		{
			Name: "clear along a line", Setup: village, Input: `{"entity":"ent_3","pattern":"line","count":5,"step":[1,0,0],"clear":true}`, Code: registry.CodeInvalidInput, Err: "clear: is for scatter only; leave it out for line",
		},
		{
			Name: "outdoors along a path", Setup: village, Input: `{"entity":"ent_3","pattern":"path","count":5,"points":[[0,1,0],[9,1,0]],"outdoors":true}`, Code: registry.CodeInvalidInput, Err: "outdoors: is for scatter only; leave it out for path",
		},
		{
			Name: "much at one place", Input: `{"entity":"ent_0","pattern":"scatter","count":500,"outdoors":true,"ground":true,"area":{"min":[-1,-1],"max":[1,1]}}`, Code: registry.CodeCapacityExceeded,
			Err: "too much stands in the area to look at for 500 places: use a smaller count or area, or a simpler original", // and not, after 50,000 tries that each find all of it, that there is no room
			Setup: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
					for i := range 901 {
						at, size := world.Vec3{}, 6.0
						if i == 0 {
							at, size = world.Vec3{50, 0, 0}, 1
						}
						id, err := tx.Create(world.Spec{Position: at})
						if err != nil {
							return err
						}
						if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{size, size, size}}); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			},
		},
		{
			Name: "too much to look at", Input: `{"entity":"ent_0","pattern":"scatter","count":500,"clear":true,"ground":false,"area":{"min":[-10,2,-10],"max":[10,2,10]}}`, Code: registry.CodeCapacityExceeded,
			Err: "too much stands in the area to look at for 500 places: use a smaller count or area, or a simpler original",
			Setup: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
					group, err := tx.Create(world.Spec{Position: world.Vec3{500, 0, 0}})
					for i := range 600 { // the parts of a comb, and then rods which lie in all of it
						spec := world.Spec{Parent: group, Position: world.Vec3{float64(i), 0, 0}}
						size := world.Vec3{0.1, 0.1, 0.1}
						if i >= 400 {
							spec, size = world.Spec{Position: world.Vec3{0, 2, float64(i-400)/100 + 0.3}}, world.Vec3{4000, 0.01, 0.01}
						}
						id, cerr := tx.Create(spec)
						err = errors.Join(err, cerr, s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: size}))
					}
					block, cerr := tx.Create(world.Spec{Position: world.Vec3{0, 2, 0}}) // which is looked at last
					return errors.Join(err, cerr, s.World.Shapes.Set(tx, block, world.Shape{Kind: "box", Size: world.Vec3{4000, 3, 40}}))
				})
				if err != nil {
					t.Fatal(err)
				}
			},
		},
		{
			Name: "no room outdoors", Setup: village, Input: `{"entity":"ent_3","pattern":"scatter","count":5,"outdoors":true,"area":{"min":[-2,0,-2],"max":[2,0,2]}}`, Code: registry.CodeInvalidInput,
			Err: "outdoors: only 0 of 5 found a place in the area 0 metres apart with nothing over it; use a larger area, a smaller count or less apart",
		},
		{
			Name: "no clear room", Setup: village, Input: `{"entity":"ent_3","pattern":"scatter","count":5,"clear":true,"area":{"min":[-2,0,-3],"max":[2,0,-3]}}`, Code: registry.CodeInvalidInput,
			Err: "clear: only 0 of 5 found a place in the area 0 metres apart where they are in nothing; use a larger area, a smaller count or less apart",
		},
	})
}

func TestArray(t *testing.T) {
	count := func(n int) func(testing.TB, *skilltest.Server, *profiles.Principal) {
		return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			if s.Len() != n {
				t.Errorf("%d entities, want %d", s.Len(), n)
			}
		}
	}
	skilltest.Run(t, catalogue, "scene.array", []skilltest.Case{
		{Name: "line", Setup: furnish, Input: `{"entity":"ent_0","pattern":"line","count":3,"step":[0,1,0]}`, Want: `{"entities":["ent_2","ent_3"],"count":2,"bounds":{"min":[3,0,5.5],"max":[5,3,6.5]}}`, Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			if got := s.Entity(t, "ent_3"); !strings.Contains(got, `"pos":[4,2.5,6]`) || !strings.Contains(got, `"scale":[2,1,1]`) {
				t.Errorf("the last one is %s", got)
			}
		}},
		{Name: "one", Setup: furnish, Input: `{"entity":"ent_0","pattern":"line"}`, Want: `{"entities":[],"count":0,"bounds":{"min":[3,0,5.5],"max":[5,1,6.5]}}`},
		{Name: "grid", Setup: furnish, Input: `{"entity":"ent_0","pattern":"grid","counts":[2,1,2],"spacing":[3,0,3]}`, Want: `{"entities":["ent_2","ent_3","ent_4"],"count":3,"bounds":{"min":[3,0,5.5],"max":[8,1,9.5]}}`, Check: count(5)},
		{Name: "circle", Setup: furnish, Input: `{"entity":"ent_0","pattern":"circle","count":4,"center":[0,0,6]}`, Want: `{"entities":["ent_2","ent_3","ent_4"],"count":3,"bounds":{"min":[-5,0,1],"max":[5,1,11]}}`, Check: count(5)},
		{Name: "grid with the same count", Setup: furnish, Input: `{"entity":"ent_0","pattern":"grid","count":2,"counts":[2,1,1],"spacing":[3,0,3]}`, Want: `{"entities":["ent_2"],"count":1,"bounds":{"min":[3,0,5.5],"max":[8,1,6.5]}}`, Check: count(3)},
		{Name: "grid by count", Setup: furnish, Input: `{"entity":"ent_0","pattern":"grid","count":4,"spacing":[3,0,3]}`, Code: registry.CodeInvalidInput, Err: "count: is not for grid; give counts, how many along x, y, z, such as [4,1,1]"},
		{Name: "line by counts", Setup: furnish, Input: `{"entity":"ent_0","pattern":"line","counts":[4,1,1],"step":[3,0,0]}`, Code: registry.CodeInvalidInput, Err: "counts: is for grid only; for line give count, such as 4"},
		{Name: "no step", Setup: furnish, Input: `{"entity":"ent_0","pattern":"line","count":3}`, Code: registry.CodeInvalidInput, Err: "step: must not be zero: all would be at the same place; give metres x, y, z from one to the next, such as [2,0,0]"},
		{Name: "line by spacing", Setup: furnish, Input: `{"entity":"ent_0","pattern":"line","count":3,"spacing":[4,0,0]}`, Code: registry.CodeInvalidInput, Err: "spacing: is for grid only; for line give step, such as [4,0,0]"},
		{Name: "grid by step", Setup: furnish, Input: `{"entity":"ent_0","pattern":"grid","counts":[2,1,2],"step":[3,0,3]}`, Code: registry.CodeInvalidInput, Err: "step: is for line only; for grid give spacing, how far it is along x, y, z, such as [3,0,3]"},
		{Name: "no spacing", Setup: furnish, Input: `{"entity":"ent_0","pattern":"grid","counts":[2,1,2],"spacing":[3,0,0]}`, Code: registry.CodeInvalidInput, Err: "spacing: must not be zero along z, where there are 2"},
		{Name: "too many", Setup: furnish, Input: `{"entity":"ent_0","pattern":"grid","counts":[9,9,9],"spacing":[3,3,3]}`, Code: registry.CodeInvalidInput, Err: "counts: 9 by 9 by 9 are 729, at most 501 are allowed"},
		{Name: "no radius", Setup: furnish, Input: `{"entity":"ent_0","pattern":"circle","count":4,"center":[4,0,6]}`, Code: registry.CodeInvalidInput, Err: `center: the original is straight along y from it, and that is what the circle goes round; give radius, another center, or another axis: "z" for a wheel that is seen from the front`},
		{Name: "with a radius", Setup: furnish, Input: `{"entity":"ent_0","pattern":"circle","count":4,"center":[4,0,6],"radius":3}`, Want: `{"entities":["ent_2","ent_3","ent_4"],"count":3,"bounds":{"min":[0,0,2],"max":[8,1,10]}}`, Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			high := s.At(t, "ent_0")[1]
			for id, want := range map[string]world.Vec3{"ent_0": {7, high, 6}, "ent_2": {4, high, 3}, "ent_3": {1, high, 6}, "ent_4": {4, high, 9}} {
				if at := s.At(t, id); at.Dist(want) > 1e-9 {
					t.Errorf("%s is at %v, want %v", id, at, want)
				}
			}
		}},
		{Name: "radius of a line", Setup: furnish, Input: `{"entity":"ent_0","pattern":"line","count":4,"step":[1,0,0],"radius":2}`, Code: registry.CodeInvalidInput, Err: "radius: is for circle only; leave it out for line"},
		{Name: "spiral", Setup: furnish, Input: `{"entity":"ent_0","pattern":"circle","count":8,"rounds":2,"rise":0.25,"center":[0,0,6]}`, Want: `{"entities":["ent_2","ent_3","ent_4","ent_5","ent_6","ent_7","ent_8"],"count":7,"bounds":{"min":[-5,0,1],"max":[5,2.75,11]}}`, Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			for id, want := range map[world.ID]world.Vec3{3: {0, 0.75, 2}, 4: {-4, 1, 6}, 6: {4, 1.5, 6}, 9: {0, 2.25, 10}} { // counter-clockwise, twice round
				s.World.View(func(v *world.View) {
					at, _ := v.WorldTransform(id)
					if at.Position.Dist(want) > 1e-9 {
						t.Errorf("%v is at %v, want %v", id, at.Position, want)
					}
				})
			}
		}},
		{Name: "spiral of half a turn, downwards", Setup: furnish, Input: `{"entity":"ent_0","pattern":"circle","count":3,"angle":-3.141592653589793,"rise":-0.25,"turn":false,"center":[0,0,6]}`, Want: `{"entities":["ent_2","ent_3"],"count":2,"bounds":{"min":[-5,-0.5,5.5],"max":[5,1,10.5]}}`, Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			s.World.View(func(v *world.View) {
				at, _ := v.WorldTransform(4)
				if at.Position.Dist(world.Vec3{-4, 0, 6}) > 1e-9 || at.Rotation != world.NoRotation() {
					t.Errorf("the last is at %v, turned by %v", at.Position, at.Rotation)
				}
			})
		}},
		{Name: "one round is a circle", Setup: furnish, Input: `{"entity":"ent_0","pattern":"circle","count":4,"rounds":1,"center":[0,0,6]}`, Want: `{"entities":["ent_2","ent_3","ent_4"],"count":3,"bounds":{"min":[-5,0,1],"max":[5,1,11]}}`, Check: count(5)},
		{Name: "rise of a line", Setup: furnish, Input: `{"entity":"ent_0","pattern":"line","count":4,"step":[1,0,0],"rise":0.2}`, Code: registry.CodeInvalidInput, Err: "rise: is for circle only; for line let step go up, such as [1,0.2,0]"},
		{Name: "rise of a path", Setup: furnish, Input: `{"entity":"ent_0","pattern":"path","count":4,"points":[[0,0,0],[9,0,0]],"rise":0.2}`, Code: registry.CodeInvalidInput, Err: "rise: is for circle only; for path let y of points go up"},
		{Name: "rounds of a grid", Setup: furnish, Input: `{"entity":"ent_0","pattern":"grid","counts":[2,1,1],"spacing":[3,0,0],"rounds":2}`, Code: registry.CodeInvalidInput, Err: "rounds: is for circle only; leave it out for grid"},
		{Name: "rounds in each other", Setup: furnish, Input: `{"entity":"ent_0","pattern":"circle","count":9,"center":[0,0,6],"rounds":-3}`, Code: registry.CodeInvalidInput, Err: "rise: has to be given for more rounds than 1: they would lie in each other"},
		{Name: "half a round", Setup: furnish, Input: `{"entity":"ent_0","pattern":"circle","count":9,"center":[0,0,6],"rounds":0.5,"rise":0.2}`, Code: registry.CodeInvalidInput, Err: "rounds: must be 1 or more; for less than a whole turn give angle instead, such as 3.142"},
		{Name: "rounds and angle", Setup: furnish, Input: `{"entity":"ent_0","pattern":"circle","count":9,"center":[0,0,6],"rounds":2,"angle":3,"rise":0.2}`, Code: registry.CodeInvalidInput, Err: "rounds: takes the place of angle, which is given too; leave one of them out"},
		{Name: "few for so many rounds", Setup: furnish, Input: `{"entity":"ent_0","pattern":"circle","count":7,"center":[0,0,6],"rounds":2.5,"rise":0.2}`, Code: registry.CodeInvalidInput, Err: "count: must be 3 or more for each round, 8 for 2.5 rounds, got 7"},
		{Name: "circle with a step", Setup: furnish, Input: `{"entity":"ent_0","pattern":"circle","count":7,"center":[0,0,6],"step":[0,0.2,0]}`, Code: registry.CodeInvalidInput, Err: "step: is for line only; for circle give rise, the metres that each one is higher than the one before, such as 0.2"},
		{Name: "pattern by another word", Setup: furnish, Input: `{"entity":"ent_0","pattern":"spiral","count":7}`, Code: registry.CodeInvalidInput, Err: `pattern: must be one of "line", "grid", "circle", "path", "scatter", got "spiral" (did you mean "circle"?)`},
		{Name: "no area", Setup: furnish, Input: `{"entity":"ent_0","pattern":"scatter","count":4}`, Code: registry.CodeInvalidInput, Err: "area: has to be given for scatter"},
		{
			Name: "no room", Setup: furnish, Input: `{"entity":"ent_0","pattern":"scatter","count":4,"apart":5,"area":{"min":[0,0,0],"max":[1,0,1]}}`, Code: registry.CodeInvalidInput,
			Err: "apart: only 1 of 4 fit into the area 5 metres apart; use a larger area, a smaller count or less apart",
		},
	})
}

func TestScatter(t *testing.T) {
	s := skilltest.New(t, catalogue)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	furnish(t, s, p)
	s.Must(t, p, "scene.array", `{"entity":"ent_1","pattern":"scatter","count":200,"apart":2,"area":{"min":[-30,0,-30],"max":[30,0,30]}}`)
	var at []world.Vec3
	s.World.View(func(v *world.View) {
		for id := range v.All() {
			b := solid.Tree(s.World, v, id)
			if id > 2 {
				at = append(at, b.Center())
				if b.Lo[1] != 0 && b.Lo[1] != 1 { // on the ground or on the table
					t.Errorf("%v stands at %v", id, b.Lo[1])
				}
			}
		}
	})
	if len(at) != 200 {
		t.Fatalf("%d were scattered", len(at))
	}
	for i, a := range at {
		for _, b := range at[:i] {
			if math.Hypot(a[0]-b[0], a[2]-b[2]) < 2 {
				t.Fatalf("%v and %v are too near", a, b)
			}
		}
	}
}

// TestScatterAround keeps the distance from the original, too.
func TestScatterAround(t *testing.T) {
	for seed := range 8 {
		s := skilltest.New(t, catalogue)
		p := skilltest.Caller(t, "ann", skilltest.Builder)
		s.Must(t, p, "scene.createEntity", `{"position":[3,0.5,4]}`)
		s.Must(t, p, "scene.array", fmt.Sprintf(`{"entity":"ent_0","pattern":"scatter","count":20,"apart":2,"seed":%d,"area":{"min":[-4,0,-4],"max":[10,0,10]}}`, seed))
		s.World.View(func(v *world.View) {
			for id := range v.All() {
				if b := solid.Tree(s.World, v, id).Center(); id > 1 && math.Hypot(b[0]-3, b[2]-4) < 2 {
					t.Errorf("seed %d: %v is at %v", seed, id, b)
				}
			}
		})
	}
}

// TestArrayOfTags repeats something with as many tags as there may be. What that takes goes by their number, not by its square: a copy of
// the list for each tag was half a megabyte for each of the copies.
func TestArrayOfTags(t *testing.T) {
	s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		return append(catalogue(w, a), ecs.AddComponent(w))
	})
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "scene.createEntity", `{}`)
	for i := range world.MaxTagsOf {
		s.Must(t, p, "ecs.addComponent", fmt.Sprintf(`{"entity":"ent_0","component":"tag %d"}`, i))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.Must(t, p, "scene.array", `{"entity":"ent_0","pattern":"line","count":101,"step":[2,0,0]}`)
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / 100; each > 32<<10 {
		t.Errorf("a copy with %d tags took %d KiB", world.MaxTagsOf, each>>10)
	}
	s.World.View(func(v *world.View) {
		if n := len(v.Tagged("tag 7")); n != 101 || len(v.Tags(v.Tagged("tag 7")[57])) != world.MaxTagsOf {
			t.Errorf("%d have the tag, want 101", n)
		}
	})
}

// TestGroupAtTheEdge groups what reaches beyond the numbers of the world: its answer does not.
func TestGroupAtTheEdge(t *testing.T) {
	s := skilltest.New(t, catalogue)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "scene.createEntity", `{"position":[0,3.3e38,0]}`)
	s.Must(t, p, "three.setTransform", `{"entity":"ent_0","scale":[1,4e37,1]}`)
	s.Must(t, p, "scene.createEntity", `{}`)
	if got, want := s.Must(t, p, "scene.group", `{"entities":["ent_0","ent_1"]}`),
		`{"group":"ent_2","entity":"ent_2","bounds":{"min":[-0.5,-0.5,-0.5],"max":[0.5,3.4e+38,0.5]},"origin":[0,-0.5,0]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCloneAndGroup(t *testing.T) {
	s := skilltest.New(t, catalogue)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	furnish(t, s, p)
	where := func(id string) string { return s.Entity(t, id) }
	before := where("ent_0")
	if got, want := s.Must(t, p, "scene.group", `{"entities":["ent_0","ent_1"],"name":"both"}`),
		`{"group":"ent_2","entity":"ent_2","bounds":{"min":[-9.25,0,-9.25],"max":[5,3.25,6.5]},"origin":[-2.125,0,-1.375]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.Must(t, p, "three.setTransform", `{"entity":"ent_2","rotationEuler":[0,1,0],"scale":[2,2,2]}`)
	if got, want := s.Must(t, p, "scene.clone", `{"entity":"ent_2","offset":[0,0,50]}`), `{"entity":"ent_3","count":3}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.World.View(func(v *world.View) {
		for original, copied := range map[world.ID]world.ID{1: 5, 2: 6, 3: 4} {
			a, _ := v.WorldTransform(original)
			b, _ := v.WorldTransform(copied)
			if d := b.Position.Sub(a.Position); d.Dist(world.Vec3{0, 0, 50}) > 1e-9 || a.Rotation != b.Rotation || a.Scale != b.Scale {
				t.Errorf("%v is at %v, its copy %v at %v", original, a, copied, b)
			}
		}
	})
	s.Must(t, p, "three.setTransform", `{"entity":"ent_2","rotationEuler":[0,0,0],"scale":[1,1,1]}`)
	if got, want := s.Must(t, p, "scene.ungroup", `{"group":"ent_2"}`), `{"entities":["ent_0","ent_1"],"removed":true}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if after := where("ent_0"); after != before {
		t.Errorf("after all that\n%s, before\n%s", after, before)
	}
	for input, want := range map[string]string{
		`{"entities":["ent_0","ent_4"]}`: "invalid_input: entities[1]: ent_4 is under ent_3, and ent_0 under nothing: give ent_3, which holds it, or things of one parent",
		`{"entities":["ent_0","ent_9"]}`: "handler_error: unknown entity ent_9; the nearest are ent_3, ent_4, ent_5",
	} {
		if _, err := s.Call(p, "scene.group", input); err == nil || string(err.Code)+": "+err.Message != want {
			t.Errorf("scene.group %s: %v, want %s", input, err, want)
		}
	}
	if got, want := s.Must(t, p, "scene.ungroup", `{"group":"ent_0"}`), `{"entities":[],"removed":false}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestSpot aims spots at what is below them, and straight below: their light goes there. A lamp of another kind stays upright.
func TestSpot(t *testing.T) {
	s := skilltest.New(t, catalogue)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	for i, c := range []struct {
		kind   string
		target world.Vec3
		ahead  world.Vec3
	}{
		{"spot", world.Vec3{3, 1, 4}, world.Vec3{0.6 / math.Sqrt2, -1 / math.Sqrt2, 0.8 / math.Sqrt2}},
		{"spot", world.Vec3{0, 0, 0}, world.Vec3{0, -1, 0}},
		{"point", world.Vec3{3, 1, 4}, world.Vec3{0.6, 0, 0.8}},
	} {
		s.Must(t, p, "scene.createEntity", `{"position":[0,6,0]}`)
		s.Must(t, p, "three.setLight", fmt.Sprintf(`{"entity":"ent_%d","kind":%q}`, i, c.kind))
		s.Must(t, p, "scene.place", fmt.Sprintf(`{"entity":"ent_%d","relation":"facing","point":[%v,%v,%v]}`, i, c.target[0], c.target[1], c.target[2]))
		s.World.View(func(v *world.View) {
			at, _ := v.WorldTransform(world.ID(i + 1))
			if ahead := at.Rotation.Rotate(world.Vec3{0, 0, 1}); ahead.Dist(c.ahead) > 1e-9 {
				t.Errorf("a %s that faces %v looks along %v, want %v", c.kind, c.target, ahead, c.ahead)
			}
		})
	}
}

// TestHinge has a door swing: its group is at the hinge, which stays where it is.
func TestHinge(t *testing.T) {
	s := skilltest.New(t, catalogue)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "scene.createEntity", `{"position":[3,1,0]}`)
	s.Must(t, p, "three.setTransform", `{"entity":"ent_0","scale":[1,2,0.1]}`)
	s.Must(t, p, "scene.group", `{"entities":["ent_0"],"name":"door","origin":[2.5,0,0]}`)
	for turns, want := range map[float64]world.Vec3{0: {3, 1, 0}, 0.25: {2.5, 1, -0.5}, 0.5: {2, 1, 0}} {
		s.Must(t, p, "three.setTransform", fmt.Sprintf(`{"entity":"ent_1","rotationEuler":[0,%v,0]}`, 2*math.Pi*turns))
		s.World.View(func(v *world.View) {
			if at, _ := v.WorldTransform(1); at.Position.Dist(want) > 1e-9 {
				t.Errorf("turned by %v it is at %v, want %v", turns, at.Position, want)
			}
		})
	}
}

// TestPlaceHolds places things that are turned, scaled and grouped, and looks whether the relation
// holds for what they take up.
func TestPlaceHolds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, catalogue)
		number := rapid.Float64Range(-5, 5)
		vec := func(name string) world.Vec3 {
			return world.Vec3{number.Draw(rt, name), number.Draw(rt, name), number.Draw(rt, name)}
		}
		build := func(name string) (id world.ID) {
			_, err := s.World.Update(context.Background(), func(tx *world.Tx) (err error) {
				for range rapid.IntRange(1, 3).Draw(rt, name+" depth") {
					turn := vec("turn")
					spec := world.Spec{Position: vec("at"), Rotation: world.QuatFromEuler(turn[0], turn[1], turn[2]), Scale: world.Vec3{1, 2, 1}, Parent: id}
					if id, err = tx.Create(spec); err != nil {
						return err
					}
					kind := rapid.SampledFrom([]string{"box", "sphere", "capsule"}).Draw(rt, "kind")
					if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: kind, Size: world.Vec3{1, 2, 0.5}}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				rt.Fatal(err)
			}
			return id
		}
		a, b := build("placed"), build("target")
		relation := rapid.SampledFrom([]string{"on", "under", "leftOf", "rightOf", "inFrontOf", "behind"}).Draw(rt, "relation")
		gap := rapid.Float64Range(0, 3).Draw(rt, "gap")
		input, _ := json.Marshal(map[string]any{"entity": a, "relation": relation, "target": b, "gap": gap})
		if _, err := s.Call(skilltest.Caller(t, "ann", skilltest.Builder), "scene.place", string(input)); err != nil {
			rt.Fatal(err)
		}
		s.World.View(func(v *world.View) {
			own, to := solid.Tree(s.World, v, a), solid.Tree(s.World, v, b)
			if relation == "on" {
				stands(rt, s.World, v, b, own, gap)
				return
			}
			got := map[string]float64{
				"under": to.Lo[1] - own.Hi[1], "leftOf": to.Lo[0] - own.Hi[0],
				"rightOf": own.Lo[0] - to.Hi[0], "inFrontOf": own.Lo[2] - to.Hi[2], "behind": to.Lo[2] - own.Hi[2],
			}[relation]
			if math.Abs(got-gap) > 1e-9 {
				rt.Errorf("%s: the gap is %v, want %v", relation, got, gap)
			}
		})
	})
}

// stands lets own down, without a centimetre of its edges, onto the solid of id: it touches it after the gap, and not before. Where that is not below, its top counts.
func stands(rt *rapid.T, w *world.World, v *world.View, id world.ID, own solid.Bounds, gap float64) {
	s, _ := solid.Of(w, v, id)
	size := own.Size().Sub(world.Vec3{0.02, 0, 0.02})
	meets := func(far float64) bool {
		box := solid.Solid{Kind: solid.Box, Center: own.Center().Sub(world.Vec3{0, far, 0}), Axes: [3]world.Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Half: size.Scale(0.5)}
		return solid.Within(box, s, 0)
	}
	if far := own.Lo[1] - s.Bounds().Hi[1]; math.Abs(far-gap) < 1e-4 && !meets(gap+s.Bounds().Size()[1]) {
		return
	}
	const near = 1e-4 // metres: Between is that exact of uneven spheres that touch
	if meets(gap-near) || !meets(gap+near) {
		rt.Errorf("on: let down by %v it touches: %v, and by a bit less: %v; want true and false", gap, meets(gap+near), meets(gap-near))
	}
}

// TestPlaceOnWhatIsBelow puts a cushion on a chair, of which the back is higher than the seat, a roof on its walls, and a ball into a bowl.
func TestPlaceOnWhatIsBelow(t *testing.T) {
	const chair = `[{"position":[0,0.4,0],"scale":[0.5,0.1,0.5]},{"position":[0,0.7,-0.225],"scale":[0.5,0.6,0.05]},{"position":[0,0.175,0],"scale":[0.1,0.35,0.1]}]`
	const walls = `[{"position":[-2,1,0],"scale":[0.2,2,4]},{"position":[2,1,0],"scale":[0.2,2,4]},{"position":[0,0.05,0],"scale":[4,0.1,4]}]`
	for _, tt := range []struct {
		name, parts, thing, more string
		want                     float64 // of its lower side
	}{
		{"a cushion on a chair", chair, `{"size":0.3}`, ``, 0.45},
		{"a plank, which the back is in the way of", chair, `{"size":0.5}`, ``, 1},
		{"a roof on walls", walls, `{"scale":[4.4,0.2,4.4]}`, ``, 2},
		{"a chest within them", walls, `{"size":0.6}`, ``, 0.1},
		{"beside all of it", chair, `{"size":0.3}`, `,"offset":[3,0,0]`, 1},
		{"far up, where numbers are coarse", `[{"position":[0,1000000000.1,0]},{"position":[0,999999999,0]},{"position":[0,999999998,0]}]`, `{}`, ``, 1000000000.6},
	} {
		s, p := skilltest.New(t, catalogue), skilltest.Caller(t, "ann", skilltest.Builder)
		var parts []json.RawMessage
		if err := json.Unmarshal([]byte(tt.parts), &parts); err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			s.Must(t, p, "scene.createEntity", string(part))
		}
		s.Must(t, p, "scene.group", `{"entities":["ent_0","ent_1","ent_2"]}`) // ent_3
		s.Must(t, p, "scene.createEntity", tt.thing)
		s.Must(t, p, "scene.place", `{"entity":"ent_4","relation":"on","target":"ent_3"`+tt.more+`}`)
		s.World.View(func(v *world.View) {
			if got := solid.Tree(s.World, v, 5).Lo[1]; math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("%s: at %v, want %v", tt.name, got, tt.want)
			}
		})
	}
}

func TestPermissions(t *testing.T) {
	for name, input := range map[string]string{
		"scene.place": `{"entity":"ent_0","relation":"onGround"}`, "scene.array": `{"entity":"ent_0","pattern":"line"}`,
		"scene.clone": `{"entity":"ent_0"}`, "scene.group": `{"entities":["ent_0"]}`, "scene.ungroup": `{"group":"ent_0"}`,
	} {
		skilltest.Needs(t, catalogue, name, input, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
	}
}

// TestOnGeneratedGround stands things on ground that is lower than 0.
func TestOnGeneratedGround(t *testing.T) {
	s, p := skilltest.New(t, catalogue), skilltest.Caller(t, "ann", skilltest.Builder)
	low := -20.0
	land, err := terrain.New(7, terrain.Plains, terrain.Hints{Base: &low})
	if err != nil {
		t.Fatal(err)
	}
	var want float64
	_, err = s.World.Update(t.Context(), func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{})
		if err == nil {
			err = s.World.Grounds.Set(tx, id, world.Ground{Land: land})
		}
		ground, _ := solid.Of(s.World, &tx.View, id)
		_, want, _ = ground.Column(3, 4)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Must(t, p, "scene.createEntity", `{"position":[3,9,4]}`)
	s.Must(t, p, "scene.place", `{"entity":"ent_1","relation":"onGround"}`)
	var before world.ID
	for level, note := range map[float64]string{want + 5: "it is under water, on the bed", want + 0.7: "it stands in water 0.7 m deep", want + 0.2: "", want - 1: ""} {
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			id, err := tx.Create(world.Spec{Position: world.Vec3{0, level, 0}})
			if err != nil {
				return err
			}
			tx.Destroy(before)
			before = id
			return s.World.Waters.Set(tx, id, world.Water{Size: 50})
		}); err != nil {
			t.Fatal(err)
		}
		if out := s.Must(t, p, "scene.place", `{"entity":"ent_1","relation":"onGround"}`); !strings.Contains(out, note) || note == "" && strings.Contains(out, "water") {
			t.Errorf("with water at %v is said %s", level, out)
		}
	}
	s.World.View(func(v *world.View) {
		if at, _ := v.Position(2); want > -10 || math.Abs(at[1]-0.5-want) > 1e-9 {
			t.Errorf("a box of 1 m is at %v, the ground at %v", at, want)
		}
	})
}
