package combat_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/combat"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// A knight strikes a goblin that stands before him.
func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	s := stats.New(w, stats.Deps{Does: action.New(w, audio.New(w)), Agents: agents.New(w)})
	arena := combat.New(combat.Deps{World: w, Stats: s, Physics: physics.New(w, physics.Config{}), Things: solid.NewLooks(w)})
	if err := r.Register(append(append(scene.All(w), stats.All(s)...), combat.All(arena)...)...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.write", "stats.configure", "combat.write")}
	for _, call := range [][2]string{
		{"scene.createEntity", `{"position":[0,0.5,0]}`},
		{"scene.createEntity", `{"position":[0,0.5,1.5],"color":65280}`},
		{"stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":30},{"name":"defense","value":4}]}`},
		{"combat.melee", `{"attackerEntity":"ent_0","damage":12,"config":{"critChance":0}}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		if call[0] == "combat.melee" {
			fmt.Println(string(res.Output))
		}
	}
	// Output:
	// {"hit":true,"damage":10,"killed":false,"crit":false,"entity":"ent_1","remaining":20}
}
