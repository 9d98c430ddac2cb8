package agents_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/world"
)

// An agent gets a body, looks around, and walks up to what it sees.
func Example() {
	w := world.New(world.Config{})
	a := agents.New(w)
	ctx := context.Background()

	_, err := w.Update(ctx, func(tx *world.Tx) error {
		body, err := tx.Create(world.Spec{Position: world.Vec3{0, 1, 0}})
		if err != nil {
			return err
		}
		_, err = tx.Create(world.Spec{Name: "door", Position: world.Vec3{6, 1, 0}})
		return errors.Join(err, a.Embody(tx, "alice", body))
	})
	if err != nil {
		fmt.Println(err)
	}

	look := func() (seen agents.Seen) {
		w.View(func(v *world.View) {
			p, err := a.Perceive(v, "alice", 20, 10)
			if err != nil {
				fmt.Println(err)
				return
			}
			seen = p.Seen[0]
			fmt.Printf("%s is %.1f m away\n", seen.Name, seen.Distance)
		})
		return seen
	}
	door := look()
	_, err = w.Update(ctx, func(tx *world.Tx) error {
		return a.Approach(tx, "alice", agents.Target{Entity: door.Entity}, 1.5)
	})
	if err != nil {
		fmt.Println(err)
	}
	for range 60 {
		w.Step(ctx)
	}
	look()
	// Output:
	// door is 6.0 m away
	// door is 1.5 m away
}
