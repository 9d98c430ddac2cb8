package navigation_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/world"
)

// BenchmarkGrid lays a grid of 102 m by 102 m over 400 boxes, half of them turned, and asks for it after one of them was moved.
func BenchmarkGrid(b *testing.B) {
	for _, levels := range []bool{false, true} {
		for _, moved := range []bool{false, true} {
			b.Run(fmt.Sprintf("levels=%v/moved=%v", levels, moved), func(b *testing.B) {
				w := world.New(world.Config{Seed: 1})
				m := navigation.New(w, agents.New(w))
				reg := registry.New(registry.Options{Tick: w.Tick})
				if err := reg.Register(navigation.All(m)...); err != nil {
					b.Fatal(err)
				}
				var first world.ID
				change := func(fn func(tx *world.Tx) error) {
					if _, err := w.Update(context.Background(), fn); err != nil {
						b.Fatal(err)
					}
				}
				change(func(tx *world.Tx) error {
					for i := range 400 {
						id, err := tx.Create(world.Spec{Position: world.Vec3{float64(i%20) * 5, 1, float64(i/20) * 5}})
						if err == nil {
							err = w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{2, 2, 1}})
						}
						if err != nil {
							return err
						}
						if first == 0 {
							first = id
						}
						if i%2 == 1 {
							at, _ := tx.Transform(id)
							at.Rotation = world.QuatFromEuler(0, 0.5, 0)
							if err := tx.SetTransform(id, at); err != nil {
								return err
							}
						}
					}
					return nil
				})
				who := &profiles.Principal{ID: "ann", Session: "s", Grants: profiles.Grant("nav.configure", "nav.read")}
				n := 0
				build := func() {
					n++
					in := fmt.Sprintf(`{"bounds":{"minX":-1,"minZ":-1,"maxX":101,"maxZ":101},"cellSize":0.2,"agentRadius":0.4,"levels":%v,"height":%v}`, levels, 1.8+float64(n)*1e-9)
					if res := reg.Invoke(context.Background(), &registry.Request{Name: "navmesh.build", Input: []byte(in), Principal: who}, nil); res.Err != nil {
						b.Fatal(res.Err)
					}
				}
				build()
				for b.Loop() {
					if !moved {
						build()
						continue
					}
					n++
					change(func(tx *world.Tx) error {
						at, _ := tx.Transform(first)
						at.Position[0] = float64(n % 5)
						return tx.SetTransform(first, at)
					})
					w.View(func(v *world.View) {
						if g, err := m.Now(v); g == nil || err != nil {
							b.Fatal(err)
						}
					})
				}
			})
		}
	}
}
