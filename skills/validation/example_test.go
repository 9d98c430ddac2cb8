package validation_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(append(scene.All(w), validation.All(w, agents.New(w), nil, nil, nil)...)...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.read", "scene.write")}
	ctx := context.Background()
	in := registry.Default[scene.CreateEntityIn]()
	in.Position = world.Vec3{0, 3, 0} // too high: its lower side is at 2.5
	if _, err := registry.Invoke[scene.CreateEntityIn, scene.CreateEntityOut](ctx, r, p, "scene.createEntity", in); err != nil {
		fmt.Println(err)
		return
	}
	out, err := registry.Invoke[validation.ValidateIn, validation.ValidateOut](ctx, r, p, "scene.validate", registry.Default[validation.ValidateIn]())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range out.Findings {
		fmt.Println(f.Message)
		for _, op := range f.Fix {
			fmt.Println(op.Skill, string(op.Input))
		}
	}
	// Output:
	// ent_0 hangs in the air, 2.5 m above what is below it
	// three.setTransform {"entity":"ent_0","position":[0,0.5,0]}
}
