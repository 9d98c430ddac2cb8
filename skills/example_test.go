package skills_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills"
	"github.com/limina-mcp/limina/world"
)

// An agent that knows nothing finds its way: it searches, reads, calls.
func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(skills.All(skills.Deps{World: w, Agents: agents.New(w)})...); err != nil {
		panic(err)
	}
	grants, err := profiles.Builtin().Resolve("builder.readWrite")
	if err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Session: "s1", Profile: "builder.readWrite", Grants: grants}

	call := func(name, input string) {
		res := r.Invoke(context.Background(), &registry.Request{Name: name, Input: []byte(input), Principal: ann}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		fmt.Println(string(res.Output))
	}
	call("world_setWeather", `{"weather":"drizzle"}`)
	call("world.setWeather", `{"weather":"rain","intensity":0.2}`)
	call("skills.call", `{"name":"scene.createEntity","input":{"position":[0,0.5,0]}}`)
	call("scene.queryEntities", `{}`)
	// Output:
	// weather: must be one of "clear", "rain", "snow", "fog", "storm", "custom", got "drizzle"
	// {"ok":true}
	// {"entity":"ent_0"}
	// {"entities":[{"entity":"ent_0","position":[0,0.5,0],"distance":0}]}
}
