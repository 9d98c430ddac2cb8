package quest_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/progression"
	"github.com/limina-mcp/limina/skills/quest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// A walk to the well: nobody says that it is done.
func Example() {
	w := world.New(world.Config{})
	a, does := agents.New(w), action.New(w, audio.New(w))
	cast := player.New(w, a, physics.New(w, physics.Config{}))
	vitals := stats.New(w, stats.Deps{Does: does, Agents: a, Guard: cast.Guard})
	quests := quest.New(w, quest.Deps{
		Does: does, Stats: vitals, Owned: inventory.New(w, cast.Acts), Zones: trigger.On(w, does), Guard: cast.Acts, Plays: cast.Plays,
		Book: progression.New(w, progression.Deps{Does: does, Stats: vitals, Guard: cast.Acts}),
	})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(append(scene.All(w), quest.All(quests)...)...); err != nil {
		fmt.Println(err)
		return
	}
	stop := w.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			fmt.Println(m.Kind, string(m.Payload))
		}
	})
	defer stop()
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.write", "quest.write", "quest.configure")}
	for _, call := range [][2]string{
		{"scene.createEntity", `{}`},
		{"quest.define", `{"id":"well","name":"To the well","objectives":[{"id":"go","type":"reach","description":"Go to the well","config":{"position":[3,0,0],"radius":5}}],"config":{"autoAccept":true}}`},
		{"quest.offer", `{"entity":"ent_0","questId":"well"}`},
	} {
		if res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil); res.Err != nil {
			fmt.Println(res.Err)
			return
		}
	}
	w.Step(context.Background())
	// Output:
	// quest.offered {"questId":"well","name":"To the well","entity":"ent_0","by":"example"}
	// quest.accepted {"questId":"well","name":"To the well","entity":"ent_0","by":"example"}
	// quest.objective {"questId":"well","name":"To the well","objectiveId":"go","progress":1,"required":1,"completed":true,"entity":"ent_0","by":"example"}
	// quest.completed {"questId":"well","name":"To the well","entity":"ent_0","by":"example"}
}
