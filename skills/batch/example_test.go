package batch_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

// The second operation uses what the first has answered; the third cannot be done, so nothing is.
func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	for _, skills := range [][]registry.Skill{scene.All(w), three.All(w), batch.All(w)} {
		if err := r.Register(skills...); err != nil {
			fmt.Println(err)
			return
		}
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.write")}
	in := registry.Default[batch.In]()
	in.Operations = []batch.Operation{
		{Skill: "scene.createEntity", Input: registry.Object(`{"size":2,"position":[0,1,0]}`), As: "wall"},
		{Skill: "three.setMaterial", Input: registry.Object(`{"entity":"$wall.entity","material":"brick"}`)},
	}
	out, err := registry.Invoke[batch.In, batch.Out](context.Background(), r, p, "world.batch", in)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Applied, "operations, revision", out.Revision, string(out.Results[0].Result))

	in.Operations = append(in.Operations, batch.Operation{Skill: "three.setMaterial", Input: registry.Object(`{"entity":"$wall.entity","material":"cheese"}`)})
	_, err = registry.Invoke[batch.In, batch.Out](context.Background(), r, p, "world.batch", in)
	what, _, _ := strings.Cut(err.Error(), ";") // after that it says which there are
	fmt.Println(what)
	fmt.Println("revision", w.Tick())
	// Output:
	// 2 operations, revision 1 {"entity":"ent_0"}
	// operations[2], three.setMaterial: material: unknown material "cheese"
	// revision 1
}
