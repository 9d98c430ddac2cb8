package player_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/physics/rapier"
)

// Ann walks with a character for two seconds, over flat ground.
func Example() {
	ctx := context.Background()
	engines := rapier.New("")
	defer engines.Close()
	w := world.New(world.Config{})
	p := physics.New(w, physics.Config{Open: engines.Open, Gravity: -9.81})
	defer p.Close()
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(player.All(player.New(w, agents.New(w), p))...); err != nil {
		panic(err)
	}
	if _, err := w.Update(ctx, func(tx *world.Tx) error { // the ground
		id, err := tx.Create(world.Spec{Position: world.Vec3{0, -0.5, 0}})
		if err != nil {
			return err
		}
		if err := w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{50, 1, 50}}); err != nil {
			return err
		}
		return w.Bodies.Set(tx, id, world.Body{Type: "static", Collider: "box"})
	}); err != nil {
		panic(err)
	}

	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("player.write")}
	call := func(name, input string) string {
		res := r.Invoke(ctx, &registry.Request{Name: name, Input: []byte(input), Principal: ann}, nil)
		if res.Err != nil {
			panic(res.Err)
		}
		return string(res.Output)
	}
	steps := func(n int) {
		for range n {
			w.Step(ctx)
		}
	}
	call("player.spawn", `{"position":[0,1,0]}`)
	steps(60) // it comes to stand
	call("player.move", `{"entity":"ent_1","forward":1,"seconds":2}`)
	steps(120)
	w.View(func(v *world.View) {
		at, _ := v.Position(2)
		fmt.Printf("%.1f metres along z\n", at[2])
	})
	fmt.Println(call("player.jump", `{"entity":"ent_1"}`)[:15])
	// Output:
	// 9.0 metres along z
	// {"jumped":true,
}
