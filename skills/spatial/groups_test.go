package spatial_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
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
