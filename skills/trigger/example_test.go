package trigger_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(append(scene.All(w), trigger.All(trigger.New(w, audio.New(w)))...)...); err != nil {
		fmt.Println(err)
		return
	}
	stop := w.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			fmt.Println(m.Kind, string(m.Payload))
		}
	})
	defer stop()
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.write", "trigger.configure", "event.write")}
	for _, call := range [][2]string{
		{"trigger.create", `{"center":[0,1,0],"size":[2,1,2]}`},
		{"trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit","target":"somebody came"}}`},
		{"scene.createEntity", `{"position":[0,0.5,0]}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
	}
	w.Step(context.Background())
	// Output:
	// trigger.emit {"triggerId":"trg_0","on":"enter","entity":"ent_0","event":"somebody came","by":"example"}
}
