package scene_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// What stands out by its name is told of, though there is much else: the rarest names, and nothing that is below another.
func TestInspectNames(t *testing.T) {
	s, ann := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	for i := range 120 {
		s.Must(t, ann, "scene.createEntity", fmt.Sprintf(`{"name":"sleeper %d"}`, i/3))
	}
	s.Must(t, ann, "scene.createEntity", `{"name":"tram"}`)
	s.Must(t, ann, "scene.createEntity", `{}`)
	var out scene.InspectOut
	if err := json.Unmarshal([]byte(s.Must(t, ann, "scene.inspect", `{"sampleSize":2}`)), &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Names) != 40 || out.Names["tram"] != 1 || out.Names["sleeper 0"] != 3 {
		t.Errorf("%d names: %v", len(out.Names), out.Names)
	}
	if out.Sample[0].Name != "sleeper 0" {
		t.Errorf("the sample: %v", out.Sample)
	}
}

// The bounds of all that has a tag are around each of them and what is below it, also where some are below others.
func TestInspectTagged(t *testing.T) {
	s, ann := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	r := rand.New(rand.NewPCG(5, 6))
	some := func(lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }
	for range 30 {
		var tagged []world.ID
		want := solid.Nothing()
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			var all []world.ID
			for range 12 {
				spec := world.Spec{Position: world.Vec3{some(-9, 9), some(-9, 9), some(-9, 9)}, Scale: world.Vec3{some(.1, 2), some(-2, 2), some(.1, 2)}}
				if len(all) > 0 && r.IntN(3) > 0 {
					spec.Parent = all[r.IntN(len(all))]
				}
				if r.IntN(2) == 0 {
					spec.Rotation = world.QuatFromEuler(some(0, 6), some(0, 6), some(0, 6))
				}
				id, err := tx.Create(spec)
				if err != nil {
					return err
				}
				if all = append(all, id); r.IntN(4) > 0 {
					if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: []string{"box", "sphere", "cone"}[r.IntN(3)], Size: world.Vec3{1, 1, 2}}); err != nil {
						return err
					}
				}
				if r.IntN(3) == 0 {
					tagged = append(tagged, id)
					if _, err := tx.AddTag(id, "it"); err != nil {
						return err
					}
				}
			}
			for _, id := range tagged {
				want = want.Join(solid.Tree(s.World, &tx.View, id))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		var out scene.InspectOut
		if err := json.Unmarshal([]byte(s.Must(t, ann, "scene.inspect", `{"tag":"it"}`)), &out); err != nil {
			t.Fatal(err)
		}
		if out.EntityCount != len(tagged) {
			t.Fatalf("%d of %d have the tag", out.EntityCount, len(tagged))
		}
		if b := out.Bounds; b != nil && (b.Min.Dist(want.Lo) > 1e-4 || b.Max.Dist(want.Hi) > 1e-4) {
			t.Errorf("%v, want %v", *b, want)
		} else if (b == nil) != (len(tagged) == 0) {
			t.Errorf("bounds of %d: %v", len(tagged), b)
		}
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			for _, id := range tagged {
				if _, err := tx.RemoveTag(id, "it"); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}
