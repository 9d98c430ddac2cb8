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
	call := func(operations string) {
		req := &registry.Request{Name: "world.batch", Input: []byte(`{"operations":[` + operations + `]}`), Principal: p}
		res := r.Invoke(context.Background(), req, nil)
		if res.Err != nil {
			what, _, _ := strings.Cut(res.Err.Message, ";") // after that it says which there are
			fmt.Println(what)
			return
		}
		fmt.Println(string(res.Output))
	}
	wall := `{"skill":"scene.createEntity","input":{"size":2,"position":[0,1,0]},"as":"wall"}`
	call(wall + `,{"skill":"three.setMaterial","input":{"entity":"$wall.entity","material":"brick"}}`)
	call(wall + `,{"skill":"three.setMaterial","input":{"entity":"$wall.entity","material":"cheese"}}`)
	fmt.Println("revision", w.Tick())
	// Output:
	// {"revision":1,"applied":2,"failed":0,"results":[{"skill":"scene.createEntity","as":"wall","result":{"entity":"ent_0"}},{"skill":"three.setMaterial","result":{"ok":true}}]}
	// operations[1], three.setMaterial: material: unknown material "cheese"
	// revision 1
}
