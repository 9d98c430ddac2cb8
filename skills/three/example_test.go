package three_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

// A box becomes a brick wall.
func Example() {
	ctx := context.Background()
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(append(scene.All(w), three.All(w)...)...); err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("scene.write")}

	for _, call := range [][2]string{
		{"scene.createEntity", `{}`},
		{"three.setTransform", `{"entity":"ent_0","position":[0,1.5,0],"scale":[6,3,0.25]}`},
		{"three.setMaterial", `{"entity":"ent_0","material":"brick"}`},
	} {
		res := r.Invoke(ctx, &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: ann}, nil)
		fmt.Println(string(res.Output))
	}
	w.View(func(v *world.View) { fmt.Println(string(w.AppendEntity(nil, v, 1))) })
	// Output:
	// {"entity":"ent_0"}
	// {"ok":true}
	// {"ok":true}
	// {"id":"ent_0","eid":0,"pos":[0,1.5,0],"rot":[0,0,0,1],"scale":[6,3,0.25],"shape":{"kind":"box","size":[1,1,1],"color":16777215},"material":{"name":"brick","color":10242613,"roughness":0.9,"metalness":0}}
}
