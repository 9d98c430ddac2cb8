package progression_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/progression"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// An apprentice learns, and spends his first point on a stronger shield.
func Example() {
	w := world.New(world.Config{})
	does := action.New(w, audio.New(w))
	vitals := stats.New(w, stats.Deps{Does: does, Agents: agents.New(w)})
	book := progression.New(w, progression.Deps{Does: does, Stats: vitals})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(append(append(scene.All(w), stats.All(vitals)...), progression.All(book)...)...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.write", "stats.configure", "progression.write", "progression.configure")}
	for _, call := range [][2]string{
		{"scene.createEntity", `{}`},
		{"stats.create", `{"entity":"ent_0","stats":[{"name":"defense","value":2}]}`},
		{"progression.skillTree", `{"id":"guard","name":"Guard","nodes":[{"id":"shield","name":"Shield","effects":{"defense":3}}]}`},
		{"progression.xp", `{"entity":"ent_0","amount":130}`},
		{"progression.allocate", `{"entity":"ent_0","treeId":"guard","nodeId":"shield"}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		fmt.Println(string(res.Output))
	}
	// Output:
	// {"entity":"ent_0"}
	// {"ok":true}
	// {"ok":true}
	// {"leveledUp":true,"newLevel":2,"xp":30,"xpToNext":120,"skillPoints":1,"levelUps":[{"level":2,"actions":[]}]}
	// {"ok":true,"level":1,"skillPoints":0,"effects":{"defense":3},"raised":[{"statName":"defense","value":5}]}
}
