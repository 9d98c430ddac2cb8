package ui_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ui"
	"github.com/limina-mcp/limina/world"
)

// A panel is shown for two seconds of simulation.
func Example() {
	ctx := context.Background()
	w := world.New(world.Config{})
	panels := ui.New(w)
	r := registry.New(registry.Options{})
	if err := r.Register(ui.All(panels)...); err != nil {
		panic(err)
	}
	agent := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("ui.write")}

	res := r.Invoke(ctx, &registry.Request{
		Name:      "ui.hudPanel",
		Principal: agent,
		Input:     []byte(`{"anchor":{"kind":"screen","corner":"top-left"},"text":"Welcome","lifecycle":{"ttl":120}}`),
	}, nil)
	fmt.Println(string(res.Output))

	out, err := registry.Invoke[ui.UpdateIn, ui.UpdateOut](ctx, r, agent, "ui.update", ui.UpdateIn{Handle: "ui_0", Lines: []string{"Build a house"}})
	fmt.Println(out.OK, out.Changed, err)

	for range 120 {
		w.Step(ctx)
	}
	_, err = registry.Invoke[ui.UpdateIn, ui.UpdateOut](ctx, r, agent, "ui.update", ui.UpdateIn{Handle: "ui_0"})
	fmt.Println(err)
	// Output:
	// {"handle":"ui_0"}
	// true true <nil>
	// unknown panel ui_0; no panel is shown
}
