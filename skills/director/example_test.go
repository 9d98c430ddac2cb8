package director_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/director"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// A game that is over its first peak after a minute.
func Example() {
	w := world.New(world.Config{})
	a, does := agents.New(w), action.New(w, audio.New(w))
	pace := director.New(w, director.Deps{Does: does, Stats: stats.New(w, stats.Deps{Does: does, Agents: a}), Plays: func(v *world.View, id world.ID) bool {
		_, body := a.Agent(v, id)
		return body
	}})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(director.All(pace)...); err != nil {
		fmt.Println(err)
		return
	}
	stop := w.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			fmt.Println(c.Step, m.Kind, string(m.Payload))
		}
	})
	defer stop()
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("agent.write", "game.configure")}
	if res := r.Invoke(context.Background(), &registry.Request{Name: "director.start", Input: []byte(`{}`), Principal: p}, nil); res.Err != nil {
		fmt.Println(res.Err)
		return
	}
	for range 3600 {
		w.Step(context.Background())
	}
	// Output:
	// 0 director.phase {"phase":"build_up","tension":0.1,"by":"example"}
	// 2700 director.phase {"phase":"sustain","tension":1,"by":"example"}
	// 2880 director.phase {"phase":"fade","tension":1,"by":"example"}
}
