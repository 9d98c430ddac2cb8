package input_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/input"
	"github.com/limina-mcp/limina/world"
)

// An axis of two keys is moved, and read.
func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(input.All(input.New(w))...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("player.read", "player.configure")}
	for _, call := range [][2]string{
		{"input.bind", `{"name":"steer","sources":["KeyA","KeyD"],"type":"axis"}`},
		{"input.set", `{"name":"steer","value":-0.5}`},
		{"input.axis", `{"name":"steer"}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		fmt.Println(call[0], string(res.Output))
	}
	// Output:
	// input.bind {"ok":true}
	// input.set {"ok":true}
	// input.axis {"value":-0.5}
}
