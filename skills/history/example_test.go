package history_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// What somebody has destroyed by mistake is there again under its id.
func Example() {
	w := world.New(world.Config{})
	reg := registry.New(registry.Options{Tick: w.Tick})
	if err := reg.Register(slices.Concat(scene.All(w), history.All(w))...); err != nil {
		fmt.Println(err)
		return
	}
	ann := &profiles.Principal{ID: "ann", Grants: profiles.Grant("scene.read", "scene.write", "world.undo")}
	for _, call := range [][2]string{
		{"scene.createEntity", `{"position":[1,0,0]}`},
		{"scene.destroyEntity", `{"entity":"ent_0"}`},
		{"world.undo", `{}`},
		{"world.diff", `{"since":1}`},
		{"world.history", `{"limit":1}`},
	} {
		res := reg.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: ann}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		fmt.Println(string(res.Output))
	}
	// Output:
	// {"entity":"ent_0"}
	// {"removed":true}
	// {"revision":3,"steps":[{"skill":"scene.destroyEntity","intent":2,"revision":2,"touched":2}],"changed":1,"entities":["ent_0"],"undoable":1,"redoable":1}
	// {"revision":3,"changes":{"created":0,"changed":0,"destroyed":0,"entities":[],"world":[],"more":0}}
	// {"revision":3,"undo":[{"skill":"scene.createEntity","intent":1,"revision":1,"touched":1}],"redo":[{"skill":"scene.destroyEntity","intent":3,"revision":3,"touched":1}],"undoable":1,"redoable":1}
}
