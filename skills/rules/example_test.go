package rules_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/rules"
	"github.com/limina-mcp/limina/world"
)

// Somebody who comes to a world sees what an alarm does in it.
func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	heard := event.New(w, action.New(w, audio.New(w)))
	if err := r.Register(append(event.All(heard), rules.All(w, heard.Rules)...)...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("event.read", "game.configure", "audio.play")}
	for _, call := range [][2]string{
		{"event.listen", `{"eventName":"alarm","action":{"type":"audio","data":{"name":"siren"}}}`},
		{"game.rules", `{"mentions":"alarm"}`},
	} {
		res := r.Invoke(context.Background(), &registry.Request{Name: call[0], Input: []byte(call[1]), Principal: p}, nil)
		fmt.Println(string(res.Output), res.Err)
	}
	// Output:
	// {"listenerId":"lst_0"} <nil>
	// {"rules":[{"kind":"listener","id":"lst_0","when":"the event \"alarm\" is emitted","then":[{"type":"audio","data":{"name":"siren"}}]}],"ends":{"listener":{"skill":"event.remove","input":{"listenerId":"$id"}}},"total":1} <nil>
}
