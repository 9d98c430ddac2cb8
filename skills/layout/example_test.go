package layout_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(append(scene.All(w), layout.All(w, solid.NewLooks(w))...)...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.read", "scene.write")}
	call := func(skill, input string) {
		res := r.Invoke(context.Background(), &registry.Request{Name: skill, Input: []byte(input), Principal: p}, nil)
		fmt.Println(string(res.Output), res.Err)
	}
	call("scene.createEntity", `{"size":2,"position":[5,1,0]}`)
	call("scene.createEntity", `{"shape":"sphere","size":0.5}`)
	call("scene.place", `{"entity":"ent_1","relation":"on","target":"ent_0"}`)
	// Output:
	// {"entity":"ent_0"} <nil>
	// {"entity":"ent_1"} <nil>
	// {"position":[5,2.25,0],"bounds":{"min":[4.75,2,-0.25],"max":[5.25,2.5,0.25]},"overlaps":[]} <nil>
}
