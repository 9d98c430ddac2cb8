package durable_test

import (
	"context"
	"fmt"
	"os"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/durable"
)

// A world that goes on where it was when the process ended.
func Example() {
	dir, err := os.MkdirTemp("", "town")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	for range 3 {
		w := world.New(world.Config{}) // and whatever is to be declared in it
		store, err := durable.Open(w, dir, durable.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		ctx, stop := context.WithCancel(context.Background())
		go store.Run(ctx)

		_, err = w.Update(ctx, func(tx *world.Tx) error {
			id, err := tx.Create(world.Spec{Name: "house"})
			fmt.Println(id, "is one of", tx.Len())
			return err
		})
		if err != nil {
			fmt.Println(err)
		}

		stop()
		if err := store.Close(); err != nil { // all is on the disk
			fmt.Println(err)
		}
	}
	// Output:
	// ent_0 is one of 1
	// ent_1 is one of 2
	// ent_2 is one of 3
}
