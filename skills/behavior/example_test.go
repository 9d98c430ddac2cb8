package behavior_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// A watchman walks up and down, and says something when there is an alarm.
func Example() {
	ctx := context.Background()
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(all(w, agents.New(w))...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.write", "behavior.configure", "behavior.write", "event.write")}
	for _, call := range [][2]string{
		{"scene.createEntity", `{}`},
		{"behavior.define", `{"id":"watchman","name":"Watchman",
			"reactions":[{"trigger":"alarm","action":{"type":"say","data":{"text":"To arms!"}}}],
			"goals":[{"id":"rounds","type":"patrol","config":{"waypoints":[[0,0,6],[0,0,0]]}}]}`},
		{"behavior.assign", `{"entity":"ent_0","profileId":"watchman"}`},
		{"event.emit", `{"eventName":"alarm"}`},
	} {
		res := r.Invoke(ctx, &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
	}
	w.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			fmt.Println(m.Kind, string(m.Payload))
		}
	})
	for range 2 * w.StepRate() { // 6 metres, at 3 m/s
		w.Step(ctx)
	}
	w.View(func(v *world.View) {
		at, _ := v.Position(1)
		fmt.Printf("it is %.0f m along its way\n", at[2])
	})
	// Output:
	// social.said {"handle":"say_0","speaker":"ent_0","entity":"ent_0","position":[0,0,0],"text":"To arms!","by":"example"}
	// it is 5 m along its way
}
