package dialogue_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// A guard asks for the password.
func Example() {
	w := world.New(world.Config{})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(all(w, agents.New(w))...); err != nil {
		fmt.Println(err)
		return
	}
	p := &profiles.Principal{Kind: profiles.KindApp, ID: "example", Grants: profiles.Grant("scene.write", "dialogue.configure", "dialogue.write", "game.write")}
	for _, call := range [][2]string{
		{"scene.createEntity", `{}`},
		{"scene.createEntity", `{"position":[0,0,2]}`},
		{"dialogue.define", `{"id":"gate","name":"At the gate","startNode":"halt","nodes":[
			{"id":"halt","text":"The password?","speaker":"Guard","choices":[{"text":"Swordfish.","nextNodeId":"pass","effects":{"game":{"flag":{"name":"open"}}}},{"text":"Never mind.","nextNodeId":""}]},
			{"id":"pass","text":"Pass.","speaker":"Guard"}]}`},
		{"dialogue.start", `{"treeId":"gate","speaker":"ent_0","listener":"ent_1"}`},
		{"dialogue.choose", `{"speaker":"ent_0","listener":"ent_1","choiceIndex":0}`},
		{"game.flag", `{"name":"open"}`},
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
	// {"entity":"ent_1"}
	// {"ok":true}
	// {"ok":true,"currentNode":{"id":"halt","text":"The password?","choices":[{"index":0,"text":"Swordfish."},{"index":1,"text":"Never mind."}]}}
	// {"ok":true,"node":{"id":"pass","text":"Pass.","choices":[]},"ended":true,"effects":{"game":{"flag":{"name":"open"}}}}
	// {"value":true}
}
