package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/mcp"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// monuments is a gate: nobody destroys what has the tag monument, whatever his permissions are. It is asked for every call, those of
// a batch too.
type monuments struct{ world *world.World }

func (m *monuments) Judge(p *registry.Pending) (pass registry.Verdict) {
	if p.Skill.Name != "scene.destroyEntity" {
		return pass
	}
	var in struct{ Entity world.ID }
	if err := json.Unmarshal(p.Input, &in); err != nil { // it was found good: this does not happen
		return registry.Verdict{Decision: registry.Deny, Reason: "what is to be destroyed cannot be read"}
	}
	kept, _ := world.Read(m.world, p.Call, func(v *world.View) (bool, error) { return v.HasTag(in.Entity, "monument"), nil })
	if kept {
		return registry.Verdict{Decision: registry.Deny, Reason: in.Entity.String() + " is a monument; build beside it"}
	}
	return pass
}

// A host has a rule of its own about who may do what: a gate. It is made before the world, and told of it then.
func ExampleConfig_gate() {
	gate := new(monuments)
	e, err := engine.New(engine.Config{Gate: gate})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	gate.world = e.World

	ada, err := e.Mcp.Open(mcp.Identity{AgentID: "ada", SessionID: "s1", Profile: "builder.readWrite"})
	if err != nil {
		log.Fatal(err)
	}
	defer ada.Close()
	for _, call := range []struct{ skill, input string }{
		{"scene.createEntity", `{}`},
		{"ecs.addComponent", `{"entity":"ent_0","component":"monument"}`},
		{"scene.createEntity", `{"position":[3,0,0]}`},
		{"scene.destroyEntity", `{"entity":"ent_1"}`},
		{"scene.destroyEntity", `{"entity":"ent_0"}`},
		{"world.batch", `{"operations":[{"skill":"scene.createEntity"},{"skill":"scene.destroyEntity","input":{"entity":"ent_0"}}]}`},
	} {
		if res := e.Mcp.CallTool(context.Background(), ada, mcp.Request{Tool: call.skill, Input: []byte(call.input)}); res.Error != nil {
			fmt.Println(res.Error.Code, res.Error.Message)
		}
	}
	// Output:
	// forbidden ent_0 is a monument; build beside it
	// forbidden operations[1], scene.destroyEntity: ent_0 is a monument; build beside it. Nothing of the batch remains: the one before it is undone
}
