package post_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/post"
	"github.com/limina-mcp/limina/world"
)

// Everybody sees the world in black and white.
func Example() {
	w := world.New(world.Config{})
	finish := post.New(w)
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(post.All(finish)...); err != nil {
		fmt.Println(err)
		return
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("scene.write")}
	res := r.Invoke(context.Background(), &registry.Request{
		Name: "render.enablePost", Principal: ann,
		Input: []byte(`{"ao":{"enabled":false},"bloom":{"enabled":false},"grade":{"saturation":0}}`),
	}, nil)
	fmt.Println(string(res.Output), res.Err)
	w.View(func(v *world.View) {
		look := finish.Look(v)
		fmt.Println(look.Render().Bloom, look.Grade.Saturation)
	})
	// Output:
	// {"enabled":true,"ao":false,"bloom":false,"grade":true,"depth":false,"normal":false,"preset":"custom"} <nil>
	// <nil> 0
}
