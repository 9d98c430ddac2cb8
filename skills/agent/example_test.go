package agent_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/world"
)

// Ann and bob see each other, once both have bodies.
func Example() {
	ctx := context.Background()
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(agent.All(w, agents.New(w))...); err != nil {
		panic(err)
	}
	grants := profiles.Grant("agent.read", "agent.write")
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: grants}
	bob := &profiles.Principal{Kind: profiles.KindAgent, ID: "bob", Grants: grants}

	perceive := func() {
		out, err := registry.Invoke[agent.GetPerceptionIn, agent.GetPerceptionOut](ctx, r, ann, "agent.getPerception", agent.GetPerceptionIn{})
		if err != nil || out.Perception == nil {
			fmt.Println("nothing:", err)
			return
		}
		for _, seen := range out.Perception.Seen {
			fmt.Printf("%s, %g metres away\n", seen.Agent, seen.Distance)
		}
	}
	perceive()
	for _, who := range []*profiles.Principal{ann, bob} {
		in := agent.EmbodyIn{}
		if who == bob {
			in.Position = &world.Vec3{3, 0, 4}
		}
		if _, err := registry.Invoke[agent.EmbodyIn, agent.EmbodyOut](ctx, r, who, "agent.embody", in); err != nil {
			panic(err)
		}
	}
	perceive()
	// Output:
	// nothing: <nil>
	// bob, 5 metres away
}
