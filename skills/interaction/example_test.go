package interaction_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Somebody without a body, who may register things, makes a hatch and opens it.
func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(all(w, agents.New(w))...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.write", "interaction.configure", "interaction.write")}
	for _, call := range [][2]string{
		{"scene.createEntity", `{"static":true}`},
		{"interaction.register", `{"entity":"ent_0","prompt":"Raise the hatch","type":"open","config":{"open":{"position":[0,3,0],"seconds":2}}}`},
		{"interaction.open", `{"entity":"ent_0"}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		fmt.Println(call[0], string(res.Output))
	}
	for range 120 {
		w.Step(context.Background())
	}
	w.View(func(v *world.View) { fmt.Println(v.Position(1)) })
	// Output:
	// scene.createEntity {"entity":"ent_0"}
	// interaction.register {"ok":true,"moves":3}
	// interaction.open {"ok":true,"seconds":2}
	// [0 3 0] true
}
