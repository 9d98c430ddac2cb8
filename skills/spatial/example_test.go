package spatial_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/spatial"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(append(scene.All(w), spatial.All(w, solid.NewLooks(w))...)...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.read", "scene.write")}
	ctx := context.Background()
	for _, x := range []float64{0, 5} {
		box := registry.Default[scene.CreateEntityIn]()
		box.Size, box.Position = 2, world.Vec3{x, 1, 0}
		if _, err := registry.Invoke[scene.CreateEntityIn, scene.CreateEntityOut](ctx, r, p, "scene.createEntity", box); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Between the surfaces, not between the centres.
	near, err := registry.Invoke[spatial.NearestIn, spatial.NearestOut](ctx, r, p, "spatial.nearest", func() spatial.NearestIn {
		in := registry.Default[spatial.NearestIn]()
		in.Entity = 1 // ent_0
		return in
	}())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s is %v m away\n", near.Entities[0].Entity, near.Entities[0].Distance)

	bounds, err := registry.Invoke[spatial.BoundsIn, spatial.BoundsOut](ctx, r, p, "spatial.bounds", spatial.BoundsIn{Entities: []world.ID{1, 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("both together:", bounds.Size)
	// Output:
	// ent_1 is 3 m away
	// both together: [7 2 2]
}
