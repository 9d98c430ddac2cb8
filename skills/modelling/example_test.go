package modelling_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/modelling"
	"github.com/limina-mcp/limina/world"
)

// A caller draws an outline that crosses itself, is told where, and makes a tower with six sides after all.
func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(modelling.All(w, mesh.New(w))...); err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("scene.read", "scene.write")}
	call := func(name, input string) {
		res := r.Invoke(context.Background(), &registry.Request{Name: name, Input: []byte(input), Principal: ann}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		fmt.Println(string(res.Output))
	}
	call("scene.extrude", `{"outline":[[0,0],[4,4],[4,0],[0,4]]}`)
	call("scene.extrude", `{"outline":[[3,0],[1.5,2.6],[-1.5,2.6],[-3,0],[-1.5,-2.6],[1.5,-2.6]],"depth":9,"material":"stone"}`)
	// Output:
	// outline: touches or crosses itself: the side from [0 0] to [4 4] meets the one from [4 0] to [0 4]
	// {"entity":"ent_0","position":[0,4.5,0],"size":[6,9,5.2],"bounds":{"min":[-3,0,-2.6],"max":[3,9,2.6]},"volume":210.59999,"pieces":1}
}
