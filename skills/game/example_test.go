package game_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

func Example() {
	w := world.New(world.Config{})
	does := action.New(w, audio.New(w))
	play := game.New(w, does)
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(append(game.All(play), event.All(event.New(w, does))...)...); err != nil {
		fmt.Println(err)
		return
	}
	stop := w.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			fmt.Println(m.Kind, string(m.Payload))
		}
	})
	defer stop()
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("event.read", "event.write", "game.write", "game.configure")}
	for _, call := range [][2]string{
		{"game.condition", `{"name":"rich","expression":"counter(\"coins\") >= 3","onTrue":"allCoins"}`},
		{"event.listen", `{"eventName":"allCoins","action":{"type":"setState","data":{"game":{"outcome":"won"}}}}`},
		{"game.counter", `{"name":"coins","action":"increment","value":3}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		if res.Err != nil {
			fmt.Println(res.Err)
			return
		}
		fmt.Println(call[0], string(res.Output))
	}
	w.Step(context.Background())
	// Output:
	// game.condition {"ok":true,"value":false,"fired":false}
	// event.listen {"listenerId":"lst_0"}
	// event.emit {"event":"allCoins","by":"example","data":{"condition":"rich"}}
	// game.counter {"value":3,"became":["rich"]}
	// event.emit {"event":"game.won","by":"example"}
}
