package live_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/live"
	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
)

// A page that cannot be pushed to asks what there is, and then what has changed.
func Example() {
	ctx := context.Background()
	w := world.New(world.Config{})
	hub := statesync.New(w, statesync.Config{Epoch: "monday"})
	defer hub.Close()
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(live.All(hub)...); err != nil {
		panic(err)
	}
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("scene.read")}

	first, err := registry.Invoke[live.PollIn, live.PollOut](ctx, r, ann, "state.poll", live.PollIn{})
	fmt.Println(first.Method, string(first.Params["entities"]), err)

	tick, _ := w.Update(ctx, func(tx *world.Tx) error {
		_, err := tx.Create(world.Spec{Name: "lamp", Position: world.Vec3{1, 2, 3}})
		return err
	})
	since := uint64(0)
	next, err := registry.Invoke[live.PollIn, live.PollOut](ctx, r, ann, "state.poll", live.PollIn{Since: &since, Epoch: "monday"})
	fmt.Println(next.Method, string(next.Params["changes"]), err, tick.Tick)
	// Output:
	// state/snapshot [] <nil>
	// state/delta [{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"name":"lamp"}] <nil> 1
}
