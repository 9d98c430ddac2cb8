package animation_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(animation.All(animation.New(w, agents.New(w)))...); err != nil {
		panic(err)
	}
	var door world.ID
	_, err := w.Update(context.Background(), func(tx *world.Tx) (err error) {
		door, err = tx.Create(world.Spec{Position: world.Vec3{2, 0, 0}})
		return err
	})
	if err != nil {
		panic(err)
	}
	grants, err := profiles.Builtin().Resolve("builder.readWrite")
	if err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: grants}
	for _, call := range [][2]string{
		{"animation.authorClip", `{"id":"slide","duration":1,"tracks":[{"property":"position","keys":[{"t":0,"value":[0,0,0]},{"t":1,"value":[0,0,3]}]}]}`},
		{"animation.play", `{"entity":"` + door.String() + `","clipId":"slide","loop":false}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: ann}, nil)
		fmt.Println(string(res.Output), res.Err)
	}
	for range 30 { // half a second
		w.Step(context.Background())
	}
	w.View(func(v *world.View) { fmt.Println(v.Position(door)) })
	// Output:
	// {"ok":true,"tracks":1,"keys":2} <nil>
	// {"ok":true} <nil>
	// [2 0 1.5] true
}
