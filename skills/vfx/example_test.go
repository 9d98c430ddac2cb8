package vfx_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/vfx"
	"github.com/limina-mcp/limina/world"
)

// Smoke rises straight up: after two seconds the oldest of its particles is two metres high.
func Example() {
	w := world.New(world.Config{})
	effects := vfx.New(w)
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(vfx.All(effects)...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("vfx.write")}
	for _, call := range [][2]string{
		{"vfx.create", `{"config":{"shape":"point","spread":0,"gravity":0,"emissionRate":1,"lifetime":10,"blendMode":"alpha"}}`},
		{"vfx.play", `{"vfxId":"vfx_0"}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
	}
	for range 120 {
		w.Step(context.Background())
	}
	w.View(func(v *world.View) {
		for h, em := range effects.All(v) {
			for p := range effects.Particles(v, h, &em) {
				fmt.Printf("%s %.2f %.2f\n", h, p.At[1], p.Size)
			}
		}
	})
	// Output:
	// vfx_0 2.00 0.08
	// vfx_0 1.00 0.09
}
