package statesync_test

import (
	"context"
	"fmt"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

// A client watches a place. What happens elsewhere it is not told; what happens twice before it looks it
// is told once.
func Example() {
	w := world.New(world.Config{})
	change := func(fn func(tx *world.Tx) error) {
		if _, err := w.Update(context.Background(), fn); err != nil {
			fmt.Println(err)
		}
	}
	var lamp, cart world.ID
	change(func(tx *world.Tx) (err error) {
		if lamp, err = tx.Create(world.Spec{Name: "lamp", Position: world.Vec3{1, 0, 0}}); err != nil {
			return err
		}
		cart, err = tx.Create(world.Spec{Name: "cart", Position: world.Vec3{50, 0, 0}})
		return err
	})

	hub := statesync.New(w, statesync.Config{})
	defer hub.Close()
	feed := hub.Connect(func() { fmt.Println("woken") })
	defer feed.Close()

	var held replica.Copy
	show := func(frame []byte) {
		updates, err := held.Text(frame)
		if err != nil {
			fmt.Println(err)
		}
		for _, u := range updates {
			fmt.Printf("tick %d: changed %v, removed %v\n", u.View.Tick, u.Changed, u.Removed)
		}
	}
	frame, view, err := feed.Subscribe(nil, statesync.Options{Area: statesync.Within(world.Vec3{}, 10)})
	if err != nil {
		fmt.Println(err)
	}
	show(frame)
	view.Start()

	change(func(tx *world.Tx) error { return tx.SetPosition(cart, world.Vec3{40, 0, 0}) })
	change(func(tx *world.Tx) error { return tx.SetPosition(cart, world.Vec3{9, 0, 0}) })
	change(func(tx *world.Tx) error { return tx.SetPosition(cart, world.Vec3{8, 0, 0}) })
	change(func(tx *world.Tx) error { tx.Destroy(lamp); return nil })

	for {
		frame, kind := feed.Append(frame[:0])
		if kind == statesync.NoFrame {
			break
		}
		show(frame)
	}
	fmt.Println(held.View("").Entities[1].Pos)
	// Output:
	// tick 1: changed [0], removed []
	// woken
	// tick 5: changed [1], removed [0]
	// [8 0 0]
}
