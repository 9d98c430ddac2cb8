package world_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// Engine code changes the world by Update. What fails leaves no trace.
func Example() {
	w := world.New(world.Config{Seed: 1})
	w.Observe(func(c *world.Commit) {
		for _, change := range c.Changes {
			fmt.Printf("commit %d: %s\n", c.Tick, w.AppendEntity(nil, c.View(), change.ID))
		}
	})

	ctx := context.Background()
	var table world.ID
	_, err := w.Update(ctx, func(tx *world.Tx) (err error) {
		table, err = tx.Create(world.Spec{Name: "table", Position: world.Vec3{2, 0, 1}})
		if err != nil {
			return err
		}
		return w.Shapes.Set(tx, table, world.Shape{Kind: "box", Size: world.Vec3{2, 1, 1}, Color: 0xc08040})
	})
	fmt.Println(table, err)

	_, err = w.Update(ctx, func(tx *world.Tx) error {
		if err := tx.SetPosition(table, world.Vec3{9, 9, 9}); err != nil {
			return err
		}
		return tx.SetPosition(42, world.Vec3{})
	})
	fmt.Println(err)

	w.View(func(v *world.View) {
		fmt.Println(v.Near(world.Vec3{0, 0, 0}, 3))
	})
	// Output:
	// commit 1: {"id":"ent_0","eid":0,"pos":[2,0,1],"rot":[0,0,0,1],"scale":[1,1,1],"name":"table","shape":{"kind":"box","size":[2,1,1],"color":12615744}}
	// ent_0 <nil>
	// unknown entity ent_41; the nearest are ent_0
	// [ent_0]
}

// Health is a component that a package outside declares.
type Health struct {
	Points float64 `json:"points"`
}

// A package that adds to the world declares what it needs where the world is put together, and has
// the steps advance it.
func ExampleNewComponent() {
	w := world.New(world.Config{})
	health := world.NewComponent[Health](w, "health")
	w.OnStep("poison", func(tx *world.Tx) error {
		for id, h := range health.All(&tx.View) {
			h.Points--
			if err := health.Set(tx, id, h); err != nil {
				return err
			}
		}
		return nil
	})

	ctx := context.Background()
	_, err := w.Update(ctx, func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{})
		return errors.Join(err, health.Set(tx, id, Health{Points: 10}))
	})
	if err != nil {
		fmt.Println(err)
	}
	w.Step(ctx)
	w.View(func(v *world.View) {
		h, _ := health.Get(v, 1)
		fmt.Println(h.Points, "points at step", v.Step())
	})
	// Output: 9 points at step 1
}
