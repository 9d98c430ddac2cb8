package physics_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/physics/rapier"
)

// A box falls on a floor and comes to rest. Who runs a world in real time calls World.Run instead of Step.
func Example() {
	ctx := context.Background()
	engines := rapier.New("")
	defer engines.Close()
	w := world.New(world.Config{})
	p := physics.New(w, physics.Config{Open: engines.Open, Gravity: -9.81})
	defer p.Close()

	var box world.ID
	if _, err := w.Update(ctx, func(tx *world.Tx) error {
		put := func(kind string, at, size world.Vec3) (world.ID, error) {
			id, err := tx.Create(world.Spec{Position: at})
			if err != nil {
				return 0, err
			}
			if err := w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: size}); err != nil {
				return 0, err
			}
			return id, w.Bodies.Set(tx, id, world.Body{Type: kind, Collider: "box", Friction: 0.5})
		}
		if _, err := put("static", world.Vec3{0, -0.5, 0}, world.Vec3{20, 1, 20}); err != nil {
			return err
		}
		var err error
		box, err = put("dynamic", world.Vec3{0, 5, 0}, world.Vec3{1, 1, 1})
		return err
	}); err != nil {
		fmt.Println(err)
		return
	}
	for range 600 {
		w.Step(ctx)
	}
	w.View(func(v *world.View) {
		at, _ := v.Position(box)
		fmt.Printf("%s rests: %v, at a height of %.1f m\n", box, p.Resting(v, box), at[1])
	})
	// Output: ent_1 rests: true, at a height of 0.5 m
}
