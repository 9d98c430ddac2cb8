package engine_test

import (
	"context"
	"fmt"
	"log"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// A step calls a skill: in its own transaction, because one that begins anew would wait for it, and is refused. What the skill changes is part of
// the step. A handler calls others by Call.Invoke.
func ExampleEngine_inStep() {
	e, err := engine.New(engine.Config{Rigid: true})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	game := &profiles.Principal{Kind: profiles.KindApp, ID: "game", Grants: profiles.Grant("scene.write")}
	e.World.OnStep("rain", func(tx *world.Tx) error {
		if tx.Step()%60 != 0 { // once in a second
			return nil
		}
		in := registry.Default[scene.CreateEntityIn]()
		in.Name = "drop"
		in.Position = world.Vec3{float64(tx.Step() / 60), 30, 0}
		_, err := registry.InvokeIn[scene.CreateEntityIn, scene.CreateEntityOut](context.Background(), e.Registry, tx, game, "scene.createEntity", in)
		return err // all that this step function did is undone then, and the log says why
	})
	for range 180 {
		e.World.Step(context.Background())
	}
	e.World.View(func(v *world.View) {
		for id := range v.All() {
			at, _ := v.Position(id)
			fmt.Println(v.Name(id), at)
		}
	})
	// Output:
	// drop [1 30 0]
	// drop [2 30 0]
	// drop [3 30 0]
}
