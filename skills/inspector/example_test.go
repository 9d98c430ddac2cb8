package inspector_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/inspector"
	"github.com/limina-mcp/limina/world"
)

// A debugger looks at a world page by page.
func Example() {
	w := world.New(world.Config{})
	reg := registry.New(registry.Options{Tick: w.Tick})
	if err := reg.Register(inspector.All(inspector.Deps{World: w, Agents: agents.New(w)})...); err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	if _, err := w.Update(ctx, func(tx *world.Tx) error {
		for range 3 {
			if _, err := tx.Create(world.Spec{Tags: []string{"tree"}}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		fmt.Println(err)
		return
	}
	grants, _ := profiles.Builtin().Resolve("system.readonly")
	input := `{"limit":2}`
	for input != "" {
		res := reg.Invoke(ctx, &registry.Request{Name: "inspector.snapshot", Input: []byte(input), Principal: &profiles.Principal{Grants: grants}}, nil)
		var page inspector.SnapshotOut
		if err := json.Unmarshal(res.Output, &page); err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range page.Entities {
			fmt.Println(e.Entity, e.Tags)
		}
		input = ""
		if next := page.Page.NextAfterEntity; next != nil {
			input = fmt.Sprintf(`{"limit":2,"afterEntity":%q}`, next)
		}
	}
	// Output:
	// ent_0 [tree]
	// ent_1 [tree]
	// ent_2 [tree]
}
