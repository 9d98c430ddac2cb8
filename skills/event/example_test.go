package event_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(event.All(event.New(w, action.New(w, audio.New(w))))...); err != nil {
		fmt.Println(err)
		return
	}
	stop := w.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			fmt.Println(m.Kind, string(m.Payload))
		}
	})
	defer stop()
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("event.read", "event.write", "audio.play")}
	for _, call := range [][2]string{
		{"event.listen", `{"eventName":"alarm","action":{"type":"audio","data":{"name":"siren"}}}`},
		{"event.emit", `{"eventName":"alarm","payload":{"where":"gate"}}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
	}
	w.Step(context.Background())
	// Output:
	// event.emit {"event":"alarm","by":"example","data":{"where":"gate"}}
	// audio.playSFX {"handle":"snd_0","name":"siren","bus":"sfx","volume":0.8}
}
