package picture_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/world"
)

// An agent looks at a table with a cup, and learns that the cup is in front of it.
func Example() {
	ctx := context.Background()
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(picture.All(picture.Source{World: w})...); err != nil {
		panic(err)
	}
	_, err := w.Update(ctx, func(tx *world.Tx) error {
		table, _ := tx.Create(world.Spec{Name: "table", Position: world.Vec3{0, 0.4, 0}})
		cup, _ := tx.Create(world.Spec{Name: "cup", Position: world.Vec3{0, 0.1, 2}})
		_ = w.Shapes.Set(tx, table, world.Shape{Kind: "box", Size: world.Vec3{1.6, 0.8, 0.8}, Color: 0x8a5a33})
		return w.Shapes.Set(tx, cup, world.Shape{Kind: "cylinder", Size: world.Vec3{0.2, 0.2, 0.2}, Color: 0xffffff})
	})
	if err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("scene.read")}
	res := r.Invoke(ctx, &registry.Request{Name: "scene.render", Input: []byte(`{"view":"left","width":320,"height":240}`), Principal: ann}, nil)
	var out picture.RenderOut
	if err := json.Unmarshal(res.Output, &out); err != nil {
		panic(err)
	}
	for _, e := range out.Views[0].Entities {
		fmt.Println(e.Name, e.Box)
	}
	fmt.Println(len(res.Content), res.Content[0].MIMEType)
	// Output:
	// table [26 77 86 86]
	// cup [272 141 22 22]
	// 1 image/png
}
