package stats_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// A barrel burns for three seconds, and bursts.
func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	s := stats.New(w, stats.Deps{Does: action.New(w, audio.New(w)), Agents: agents.New(w)})
	if err := r.Register(append(scene.All(w), stats.All(s)...)...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.write", "stats.configure", "stats.read", "status.write")}
	call := func(name, input string) string {
		res := r.Invoke(context.Background(), &registry.Request{Name: name, Input: []byte(input), Principal: p}, nil)
		if res.Err != nil {
			panic(res.Err)
		}
		return string(res.Output)
	}
	call("scene.createEntity", `{"shape":"sphere"}`)
	call("stats.create", `{"entity":"ent_0","stats":[{"name":"hp","value":10}]}`)
	call("stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"destroy"}}`)
	call("status.apply", `{"targetEntity":"ent_0","type":"burn","duration":5,"magnitude":4}`)
	for second := 1; second <= 3; second++ {
		if second == 3 {
			fmt.Println(call("stats.get", `{"entity":"ent_0","statName":"hp"}`))
		}
		for range 60 {
			w.Step(context.Background())
		}
	}
	w.View(func(v *world.View) { fmt.Println(v.Len(), "entities") })
	// Output:
	// {"value":2,"maxValue":10,"minValue":0}
	// 0 entities
}
