package prefab_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/prefab"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// A post of any height is defined once and made twice.
func Example() {
	w := world.New(world.Config{})
	reg := registry.New(registry.Options{Tick: w.Tick})
	if err := reg.Register(slices.Concat(scene.All(w), prefab.All(prefab.New(w)))...); err != nil {
		fmt.Println(err)
		return
	}
	ann := &profiles.Principal{ID: "ann", Grants: profiles.Grant("scene.read", "scene.write")}
	for _, call := range [][2]string{
		{"prefab.define", `{"name":"post","parameters":[{"name":"height","default":2,"min":0.5,"max":5}],` +
			`"operations":[{"skill":"scene.createEntity","input":{"size":"$height","position":[0,"$(height / 2)",0]},"as":"post"}]}`},
		{"prefab.instantiate", `{"name":"post","position":[3,0,0]}`},
		{"prefab.instantiate", `{"name":"post","position":[6,0,0],"parameters":{"height":4}}`},
		{"prefab.instantiate", `{"name":"post","parameters":{"height":40}}`},
	} {
		res := reg.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: ann}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			continue
		}
		fmt.Println(string(res.Output))
	}
	w.View(func(v *world.View) {
		for _, id := range v.Tagged(prefab.Tag("post")) {
			at, _ := v.Position(v.Children(id)[0])
			fmt.Println(id, "carries a box at", at)
		}
	})
	// Output:
	// {"name":"post","replaced":false,"operations":1,"entities":0,"uses":[]}
	// {"entity":"ent_0","entities":1,"results":[{"as":"post","result":{"entity":"ent_1"}}]}
	// {"entity":"ent_2","entities":1,"results":[{"as":"post","result":{"entity":"ent_3"}}]}
	// parameters.height: must be at most 5, got 40
	// ent_0 carries a box at [3 1 0]
	// ent_2 carries a box at [6 2 0]
}
