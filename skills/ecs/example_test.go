package ecs_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/world"
)

// What is tagged is found again.
func Example() {
	ctx := context.Background()
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(ecs.All(w)...); err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("ecs.modify")}
	if _, err := w.Update(ctx, func(tx *world.Tx) error { _, err := tx.Create(world.Spec{}); return err }); err != nil {
		panic(err)
	}

	done, err := registry.Invoke[ecs.TagIn, ecs.TagOut](ctx, r, ann, "ecs.addComponent", ecs.TagIn{Entity: 1, Component: "tree"})
	fmt.Println(done.OK, err)
	w.View(func(v *world.View) { fmt.Println(v.Tagged("tree")) })
	_, err = registry.Invoke[ecs.TagIn, ecs.TagOut](ctx, r, ann, "ecs.addComponent", ecs.TagIn{Entity: 5, Component: "tree"})
	fmt.Println(err)
	// Output:
	// true <nil>
	// [ent_0]
	// unknown entity ent_4; the nearest are ent_0
}
