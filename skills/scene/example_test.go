package scene_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// A caller makes a mistake, reads the error, and makes a table after all.
func Example() {
	ctx := context.Background()
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(scene.All(w)...); err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("scene.read", "scene.write")}

	call := func(name, input string) {
		res := r.Invoke(ctx, &registry.Request{Name: name, Input: []byte(input), Principal: ann}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		fmt.Println(string(res.Output))
	}
	call("scene.createEntity", `{"material":"timber"}`)
	call("scene.createEntity", `{"material":"wood","position":[2,0.5,0],"static":true}`)
	call("scene.queryEntities", `{"near":[0,0,0],"radius":5}`)
	// Output:
	// material: unknown material "timber"; there are brick, concrete, fabric, glass, gold, grass, ice, leather, marble, metal, plaster, plastic, rubber, sand, snow, stone, tile, water, wood
	// {"entity":"ent_0"}
	// {"entities":[{"entity":"ent_0","position":[2,0.5,0],"distance":2.06155}]}
}
