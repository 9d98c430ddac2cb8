package social_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/world"
)

// Ann finds out that she needs a body, gets one, and greets.
func Example() {
	ctx := context.Background()
	w := world.New(world.Config{})
	a := agents.New(w)
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(append(social.All(social.New(w, a)), agent.All(w, a)...)...); err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("agent.write", "social.act")}
	w.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			fmt.Println("heard:", string(m.Payload))
		}
	})

	for _, call := range [][2]string{
		{"social.say", `{"text":"Good morning!"}`},
		{"agent.embody", `{}`},
		{"social.say", `{"text":"Good morning!"}`},
	} {
		res := r.Invoke(ctx, &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: ann}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			continue
		}
		fmt.Println(string(res.Output))
	}
	// Output:
	// you have no body and no character: call agent.embody or player.spawn first
	// {"entity":"ent_0","position":[0,0.85,0],"created":true}
	// heard: {"handle":"say_0","speaker":"ann","entity":"ent_0","position":[0,0.85,0],"text":"Good morning!"}
	// {"said":true,"speaker":"ann","handle":"say_0"}
}
