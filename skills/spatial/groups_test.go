package spatial_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/spatial"
	"github.com/limina-mcp/limina/world"
)

// TestMeasureGroups holds the gap of groups against those of their parts, each measured by itself.
func TestMeasureGroups(t *testing.T) {
	p := skilltest.Caller(t, "ann", "builder.readWrite")
	rapid.Check(t, func(rt *rapid.T) {
		s := skilltest.New(t, all)
		var groups [2]world.ID
		var parts [2][]world.ID
		number := func(lo, hi float64, what string) float64 { return rapid.Float64Range(lo, hi).Draw(rt, what) }
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) (err error) {
			for g := range groups {
				if groups[g], err = tx.Create(world.Spec{Position: world.Vec3{number(-9, 9, "group")}}); err != nil {
					return err
				}
				above := groups[g]
				for range rapid.IntRange(1, 12).Draw(rt, "parts") {
					half := number(0, math.Pi, "turn") / 2
					id, err := tx.Create(world.Spec{
						Parent: above, Position: world.Vec3{number(-9, 9, "x"), number(-2, 2, "y"), number(-9, 9, "z")},
						Rotation: world.Quat{0, math.Sin(half), 0, math.Cos(half)},
					})
					if err != nil {
						return err
					}
					shape := world.Shape{Kind: rapid.SampledFrom([]string{"box", "sphere"}).Draw(rt, "kind"), Size: world.Vec3{1, 1, 1}.Scale(number(0.1, 3, "size"))}
					if err := s.World.Shapes.Set(tx, id, shape); err != nil {
						return err
					}
					parts[g] = append(parts[g], id)
					if rapid.IntRange(0, 3).Draw(rt, "below") == 0 {
						above = id // of what has a shape, too
					}
				}
			}
			return nil
		}); err != nil {
			rt.Fatal(err)
		}
		gap := func(a, b world.ID) float64 {
			var out struct{ Gap float64 }
			if err := json.Unmarshal([]byte(s.Must(t, p, "spatial.measure", fmt.Sprintf(`{"fromEntity":%q,"toEntity":%q}`, a, b))), &out); err != nil {
				rt.Fatal(err)
			}
			return out.Gap
		}
		least := math.Inf(1)
		for _, a := range parts[0] {
			for _, b := range parts[1] {
				least = min(least, gap(a, b))
			}
		}
		for _, got := range []float64{gap(groups[0], groups[1]), gap(groups[1], groups[0])} {
			if math.Abs(got-least) > 1e-9 {
				rt.Errorf("the gap of the groups is %v, the least of their parts %v", got, least)
			}
		}
	})
}

// TestNearestOfAll holds what is nearest against the distances of all that there is, also where few or many have the tag.
func TestNearestOfAll(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, p := skilltest.New(t, all), skilltest.Caller(t, "ann", skilltest.Builder)
		number := func(lo, hi float64, name string) float64 {
			return math.Round(rapid.Float64Range(lo, hi).Draw(rt, name)*64) / 64
		}
		tagged := map[world.ID]bool{}
		shaped := map[world.ID]bool{}
		often := rapid.IntRange(1, 30).Draw(rt, "one of so many has the tag")
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			above := world.ID(0)
			for range rapid.IntRange(1, 70).Draw(rt, "entities") {
				id, err := tx.Create(world.Spec{Parent: above, Position: world.Vec3{number(-9, 9, "x"), number(-2, 2, "y"), number(-9, 9, "z")}})
				if err != nil {
					return err
				}
				if rapid.IntRange(1, often).Draw(rt, "tag") == 1 {
					tagged[id] = true
					if _, err := tx.AddTag(id, "it"); err != nil {
						return err
					}
				}
				switch rapid.IntRange(0, 7).Draw(rt, "what") {
				case 0:
					above = id // a group, of which there may be none below
				case 1:
					above = 0
					fallthrough
				default:
					shaped[id] = true
					shape := world.Shape{Kind: rapid.SampledFrom([]string{"box", "sphere"}).Draw(rt, "kind"), Size: world.Vec3{1, 1, 1}.Scale(number(0.1, 3, "size"))}
					if err := s.World.Shapes.Set(tx, id, shape); err != nil {
						return err
					}
				}
			}
			return nil
		}); err != nil {
			rt.Fatal(err)
		}
		from := world.Vec3{number(-12, 12, "from x"), number(-2, 2, "from y"), number(-12, 12, "from z")}
		for _, tag := range []string{"", "it"} {
			var want []spatial.Near
			s.World.View(func(v *world.View) {
				for id := range v.All() {
					holds := shaped[id]
					for below := range v.Below(id) {
						holds = holds || shaped[below]
					}
					if !holds || tag == "" && !shaped[id] || tag != "" && !tagged[id] {
						continue
					}
					want = append(want, spatial.Near{Entity: id})
				}
			})
			for i := range want {
				var out struct{ Gap float64 }
				if err := json.Unmarshal([]byte(s.Must(t, p, "spatial.measure", fmt.Sprintf(`{"fromPoint":[%v,%v,%v],"toEntity":%q}`, from[0], from[1], from[2], want[i].Entity))), &out); err != nil {
					rt.Fatal(err)
				}
				want[i].Distance = max(out.Gap, 0)
			}
			// A little more, so that nothing is just so far away: answers are rounded.
			far, limit := number(0.5, 20, "far")+0.003, rapid.IntRange(1, 12).Draw(rt, "limit")
			want = slices.DeleteFunc(want, func(n spatial.Near) bool { return n.Distance > far })
			slices.SortStableFunc(want, func(a, b spatial.Near) int { return cmp.Compare(a.Distance, b.Distance) })
			want = want[:min(len(want), limit)]
			var got spatial.NearestOut
			if err := json.Unmarshal([]byte(s.Must(t, p, "spatial.nearest", fmt.Sprintf(`{"point":[%v,%v,%v],"maxDistance":%v,"limit":%d,"tag":%q}`, from[0], from[1], from[2], far, limit, tag))), &got); err != nil {
				rt.Fatal(err)
			}
			if len(got.Entities) != len(want) {
				rt.Fatalf("tag %q: %v, want %v", tag, got.Entities, want)
			}
			for i, n := range got.Entities {
				if math.Abs(n.Distance-want[i].Distance) > 2e-5 || n.Entity != want[i].Entity && want[i].Distance == 0 {
					rt.Fatalf("tag %q: %v, want %v", tag, got.Entities, want)
				}
			}
		}
	})
}
