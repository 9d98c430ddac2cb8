package environment_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/environment"
	"github.com/limina-mcp/limina/world"
)

// The sun sets within a second of simulation.
func Example() {
	ctx := context.Background()
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(environment.All(environment.New(w))...); err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("world.write")}
	hour := func() float64 {
		var h float64
		w.View(func(v *world.View) { h = w.Environment.Time.Get(v).Hour })
		return h
	}

	in := environment.SetTimeIn{Time: 20, TransitionMs: 1000}
	done, err := registry.Invoke[environment.SetTimeIn, environment.Done](ctx, r, ann, "world.setTime", in)
	fmt.Println(done.OK, err, hour())
	for range w.StepRate() / 2 {
		w.Step(ctx)
	}
	fmt.Println(hour())
	for range w.StepRate() / 2 {
		w.Step(ctx)
	}
	fmt.Println(hour())
	// Output:
	// true <nil> 12
	// 16
	// 20
}
