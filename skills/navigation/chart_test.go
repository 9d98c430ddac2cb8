package navigation_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// Whatever happens in a world, and whenever somebody asks, in the middle of what is taken back, too: the grid is the one that would be built now.
func TestGridFollowsTheWorld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world.New(world.Config{Seed: 1})
		m := navigation.New(w, agents.New(w))
		reg := registry.New(registry.Options{Tick: w.Tick})
		if err := reg.Register(navigation.All(m)...); err != nil {
			t.Fatal(err)
		}
		levels := rapid.Bool().Draw(t, "levels")
		who := &profiles.Principal{ID: "ann", Session: "s", Grants: profiles.Grant("nav.configure")}
		how := fmt.Sprintf(`{"bounds":{"minX":-3,"minZ":-3,"maxX":3,"maxZ":3},"cellSize":%v,"agentRadius":%v,"levels":%v}`,
			rapid.SampledFrom([]float64{0.25, 0.5, 0.7}).Draw(t, "cell"), rapid.SampledFrom([]float64{0, 0.3, 0.8}).Draw(t, "radius"), levels)
		build := func() {
			if res := reg.Invoke(context.Background(), &registry.Request{Name: "navmesh.build", Input: []byte(how), Principal: who}, nil); res.Err != nil {
				t.Fatal(res.Err)
			}
		}
		build()
		holds := func(v *world.View, when string) {
			now, err := m.Now(v)
			anew, other := m.Anew(v)
			if (err == nil) != (other == nil) || !reflect.DeepEqual(now, anew) {
				t.Fatalf("%s: the grid is %+v, %v, built now it would be %+v, %v", when, now, err, anew, other)
			}
			if dull, other := m.Dull(v); (err == nil) != (other == nil) || !reflect.DeepEqual(now, dull) {
				t.Fatalf("%s: the grid is %+v, %v, all looked up it would be %+v, %v", when, now, err, dull, other)
			}
		}
		number := rapid.Float64Range(-3, 3)
		angle := rapid.SampledFrom([]float64{0, 0, 0, 0.4, 1.5})
		place := func() world.Vec3 {
			return world.Vec3{number.Draw(t, "x"), rapid.SampledFrom([]float64{0.1, 0.3, 0.6, 1, 2.5}).Draw(t, "y"), number.Draw(t, "z")}
		}
		var ids []world.ID
		some := func(tx *world.Tx) (world.ID, bool) {
			if len(ids) == 0 {
				return 0, false
			}
			id := rapid.SampledFrom(ids).Draw(t, "which")
			return id, tx.Exists(id)
		}
		change := func(tx *world.Tx) {
			switch rapid.IntRange(0, 10).Draw(t, "what") {
			case 0, 1, 2:
				id, err := tx.Create(world.Spec{Position: place()})
				if err != nil {
					t.Fatal(err)
				}
				size := world.Vec3{rapid.Float64Range(0.1, 3).Draw(t, "w"), rapid.SampledFrom([]float64{0.2, 0.3, 1, 2}).Draw(t, "h"), rapid.Float64Range(0.1, 3).Draw(t, "d")}
				if rapid.IntRange(0, 3).Draw(t, "floor") == 0 { // a slab, or a storey, under much of it
					size[0], size[2] = 4*size[0], 4*size[2]
				}
				kind := rapid.SampledFrom([]string{"box", "box", "box", "sphere", "cylinder"}).Draw(t, "kind")
				if err := w.Shapes.Set(tx, id, world.Shape{Kind: kind, Size: size}); err != nil {
					t.Fatal(err)
				}
				ids = append(ids, id)
			case 3, 4:
				if id, ok := some(tx); ok {
					at, _ := tx.Transform(id)
					at.Position = place()
					at.Rotation = world.QuatFromEuler(angle.Draw(t, "rx"), angle.Draw(t, "ry"), 0)
					if err := tx.SetTransform(id, at); err != nil {
						t.Fatal(err)
					}
				}
			case 5:
				if id, ok := some(tx); ok {
					tx.Destroy(id)
				}
			case 6:
				a, ok := some(tx)
				b, also := some(tx)
				if ok && also && !tx.Within(b, a) {
					if err := tx.SetParent(a, b); err != nil {
						t.Fatal(err)
					}
				}
			case 7:
				if id, ok := some(tx); ok {
					if err := w.Bodies.Set(tx, id, world.Body{Type: rapid.SampledFrom([]string{"static", "dynamic", "kinematic"}).Draw(t, "body")}); err != nil {
						t.Fatal(err)
					}
				}
			case 8:
				if id, ok := some(tx); ok && rapid.Bool().Draw(t, "water") {
					if err := w.Waters.Set(tx, id, world.Water{Size: 2}); err != nil {
						t.Fatal(err)
					}
				}
			case 10:
				id, ok := some(tx)
				if made, err := tx.Create(world.Spec{}); !ok && err == nil {
					id, ids = made, append(ids, made)
				}
				land := terrain.Land{Seed: rapid.Int64Range(1, 3).Draw(t, "seed"), Type: terrain.Plains, Relief: rapid.SampledFrom([]float64{0, 3}).Draw(t, "relief"), FeatureSize: 20}
				if err := w.Grounds.Set(tx, id, world.Ground{Land: land, LOD: 2}); err != nil {
					t.Fatal(err)
				}
				if err := w.Shapes.Set(tx, id, world.Shape{Kind: "terrain", Size: world.Vec3{48, 9, 48}}); err != nil {
					t.Fatal(err)
				}
			case 9:
				if id, ok := some(tx); ok {
					if _, _, err := m.Send(tx, id, place(), 0, 1); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		fails := errors.New("taken back")
		for range rapid.IntRange(1, 12).Draw(t, "commits") {
			_, err := w.Update(context.Background(), func(tx *world.Tx) error {
				for range rapid.IntRange(1, 4).Draw(t, "changes") {
					mark := tx.Savepoint()
					change(tx)
					if rapid.IntRange(0, 2).Draw(t, "ask") == 0 {
						holds(&tx.View, "in a transaction")
					}
					if rapid.IntRange(0, 4).Draw(t, "back") == 0 {
						tx.RollbackTo(mark)
						if rapid.Bool().Draw(t, "ask then") {
							holds(&tx.View, "of what was taken back")
						}
					}
				}
				if rapid.IntRange(0, 4).Draw(t, "fail") == 0 {
					return fails
				}
				return nil
			})
			if err != nil && !errors.Is(err, fails) {
				t.Fatal(err)
			}
			if rapid.IntRange(0, 9).Draw(t, "build") == 0 {
				build()
			}
			if rapid.Bool().Draw(t, "ask at last") {
				w.View(func(v *world.View) { holds(v, "between") })
			}
		}
		w.View(func(v *world.View) { holds(v, "in the end") })
	})
}
