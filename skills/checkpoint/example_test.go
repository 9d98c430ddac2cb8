package checkpoint_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// The whole world is kept under a name, and comes back whoever has changed it.
func Example() {
	w := world.New(world.Config{})
	reg := registry.New(registry.Options{Tick: w.Tick})
	if err := reg.Register(slices.Concat(scene.All(w), checkpoint.All(checkpoint.New(w)))...); err != nil {
		fmt.Println(err)
		return
	}
	ann := &profiles.Principal{ID: "ann", Grants: profiles.Grant("scene.read", "scene.write", "checkpoint.read", "checkpoint.write")}
	for _, call := range [][2]string{
		{"scene.createEntity", `{}`},
		{"checkpoint.create", `{"name":"one box"}`},
		{"scene.destroyEntity", `{"entity":"ent_0"}`},
		{"scene.createEntity", `{}`},
		{"checkpoint.load", `{"name":"one box"}`},
		{"checkpoint.load", `{"name":"two boxes"}`},
	} {
		res := reg.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: ann}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			continue
		}
		fmt.Println(string(res.Output))
	}
	w.View(func(v *world.View) { fmt.Println(v.Len(), "entity; ent_0 is there:", v.Exists(1)) })
	// Output:
	// {"entity":"ent_0"}
	// {"ok":true,"name":"one box","entityCount":1}
	// {"removed":true}
	// {"entity":"ent_1"}
	// {"ok":true,"checkpoint":{"name":"one box","tick":1,"entityCount":1}}
	// name: there is no checkpoint "two boxes"; there are one box
	// 1 entity; ent_0 is there: true
}
