package exchange_test

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/world"
)

// A lamp on a table is taken from one world to another, where it has another id.
func Example() {
	ctx := context.Background()
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("scene.read", "scene.write")}
	open := func(ids int) (*world.World, *registry.Registry) {
		w := world.New(world.Config{})
		r := registry.New(registry.Options{Tick: w.Tick})
		if err := r.Register(exchange.All(exchange.Deps{World: w, Meshes: mesh.New(w)})...); err != nil {
			panic(err)
		}
		_, err := w.Update(ctx, func(tx *world.Tx) error {
			for range ids {
				if _, err := tx.Create(world.Spec{}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			panic(err)
		}
		return w, r
	}
	w, here := open(0)
	_, err := w.Update(ctx, func(tx *world.Tx) error {
		table, _ := tx.Create(world.Spec{Name: "table", Position: world.Vec3{0, 0.4, 0}})
		_, err := tx.Create(world.Spec{Name: "lamp", Parent: table, Position: world.Vec3{0.3, 0.7, 0.1}})
		return err
	})
	if err != nil {
		panic(err)
	}
	out := here.Invoke(ctx, &registry.Request{Name: "scene.export", Input: []byte(`{}`), Principal: ann}, nil)
	file := out.Content[0].Resource
	fmt.Println(file.MIMEType, out.Err)

	other, there := open(7)
	input := fmt.Sprintf(`{"data":%q}`, base64.StdEncoding.EncodeToString(file.Blob))
	in := there.Invoke(ctx, &registry.Request{Name: "scene.import", Input: []byte(input), Principal: ann}, nil)
	fmt.Println(string(in.Output), in.Err)
	other.View(func(v *world.View) {
		t, _ := v.Transform(9)
		fmt.Println(v.Name(9), v.Parent(9), t.Position)
	})
	// Output:
	// model/gltf-binary <nil>
	// {"entities":2,"roots":["ent_7"],"ids":[{"was":"ent_0","now":"ent_7"},{"was":"ent_1","now":"ent_8"}]} <nil>
	// lamp ent_7 [0.3 0.7 0.1]
}
