package architecture_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/world"
)

// Engine code builds a cottage, typed and without JSON.
func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(architecture.All(w)...); err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindApp, ID: "ann", Grants: profiles.Grant("scene.write")}

	in := registry.Default[architecture.BuildingIn]()
	in.Width, in.Depth, in.RoofStyle = 5, 4, "flat"
	house, err := registry.Invoke[architecture.BuildingIn, architecture.BuildingOut](context.Background(), r, ann, "architecture.building", in)
	if err != nil {
		panic(err)
	}
	for _, part := range house.Parts {
		fmt.Println(part.Entity, part.Kind, part.Size)
	}
	fmt.Println("stands in", house.Bounds.Min, "to", house.Bounds.Max)
	// Output:
	// ent_0 backWall [5 3.2 0.25]
	// ent_1 leftWall [0.25 3.2 3.5]
	// ent_2 rightWall [0.25 3.2 3.5]
	// ent_3 frontWallLeft [1.8 3.2 0.25]
	// ent_4 frontWallRight [1.8 3.2 0.25]
	// ent_5 lintel [1.4 1 0.25]
	// ent_6 roof [6 0.25 5]
	// stands in [-3 0 -2.5] to [3 3.45 2.5]
}
