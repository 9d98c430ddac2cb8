package inventory_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// A chest for 20 stacks is given more than it holds.
func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	everybody := func(*world.View, *profiles.Principal, world.ID) error { return nil }
	if err := r.Register(append(scene.All(w), inventory.All(inventory.New(w, everybody))...)...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.write", "item.configure", "inventory.configure", "inventory.write", "inventory.read")}
	for _, call := range [][2]string{
		{"item.define", `{"id":"coin","name":"Coin","maxStack":100}`},
		{"scene.createEntity", `{}`},
		{"inventory.create", `{"entity":"ent_0","capacity":2}`},
		{"inventory.add", `{"entity":"ent_0","itemId":"coin","quantity":150}`},
		{"inventory.add", `{"entity":"ent_0","itemId":"coin","quantity":80}`},
		{"inventory.count", `{"entity":"ent_0","itemId":"coin"}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		fmt.Println(call[0], string(res.Output))
	}
	// Output:
	// item.define {"ok":true}
	// scene.createEntity {"entity":"ent_0"}
	// inventory.create {"ok":true}
	// inventory.add {"ok":true,"slot":0}
	// inventory.add {"ok":false,"reason":"ent_0 has room for 50 of 80 \"coin\""}
	// inventory.count {"count":150}
}
