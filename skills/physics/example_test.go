package physics_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/physics/rapier"
)

// A box is pushed along a floor, and a ray finds it where it has slid to.
func Example() {
	ctx := context.Background()
	engines := rapier.New("")
	defer engines.Close()
	w := world.New(world.Config{})
	p := bodies.New(w, bodies.Config{Open: engines.Open, Gravity: -9.81})
	defer p.Close()
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(slices.Concat(scene.All(w), physics.All(w, p, physics.Movers{}))...); err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("scene.write", "physics.read", "physics.write")}
	call := func(name, input string) string {
		res := r.Invoke(ctx, &registry.Request{Name: name, Input: []byte(input), Principal: ann}, nil)
		if res.Err != nil {
			panic(res.Err)
		}
		return string(res.Output)
	}
	call("scene.createEntity", `{"size":50,"position":[0,-25,0],"static":true,"friction":0.5}`)
	call("scene.createEntity", `{"position":[0,0.5,0],"dynamic":true,"friction":0.5}`)
	fmt.Println(call("physics.applyImpulse", `{"entity":"ent_1","impulse":[4,0,0]}`))
	for range 240 { // what engine.Run does, in real time
		w.Step(ctx)
	}
	out, err := registry.Invoke[physics.RaycastIn, physics.RaycastOut](ctx, r, ann, "physics.raycast",
		physics.RaycastIn{Origin: world.Vec3{-10, 0.5, 0}, Direction: world.Vec3{1, 0, 0}, MaxDistance: 100})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s has slid by more than a metre: %v\n", out.Entity, *out.Distance > 10.5)
	// Output:
	// {"ok":true,"speed":4}
	// ent_1 has slid by more than a metre: true
}
