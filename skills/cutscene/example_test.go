package cutscene_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/cutscene"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(cutscene.All(cutscene.New(w, action.New(w, audio.New(w))))...); err != nil {
		fmt.Println(err)
		return
	}
	stop := w.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			fmt.Println(c.Step, m.Kind, string(m.Payload))
		}
	})
	defer stop()
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("game.write", "game.configure", "audio.play")}
	for _, call := range [][2]string{
		{"cutscene.define", `{"id":"intro","keyframes":[{"atTick":0,"action":{"type":"audio","data":{"name":"drums"}}},{"atTick":2,"action":{"type":"custom","target":"curtain"}}]}`},
		{"cutscene.play", `{"id":"intro"}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
	}
	for range 5 {
		w.Step(context.Background())
	}
	// Output:
	// 1 audio.playSFX {"handle":"snd_0","name":"drums","bus":"sfx","volume":0.8}
	// 3 cutscene.custom {"id":"intro","keyframe":1,"target":"curtain","by":"example"}
	// 3 event.emit {"event":"cutscene.ended","by":"example","data":{"id":"intro"}}
}
