package world_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/limina-mcp/limina/world"
)

// Torch is a component of a game. What is Lit was called "on" in its first version, which kept worlds, and had a "wick" that nobody needs.
type Torch struct {
	Lit   bool    `json:"lit"`
	Hours float64 `json:"hours"` // is new
}

// UnmarshalJSON reads what either version has kept.
func (t *Torch) UnmarshalJSON(text []byte) error {
	type plain Torch // has no methods
	kept := struct {
		*plain
		On bool `json:"on"`
	}{plain: (*plain)(t)}
	if err := json.Unmarshal(text, &kept); err != nil {
		return err
	}
	t.Lit = t.Lit || kept.On
	return nil
}

// firstTorch is what the first version had.
type firstTorch struct {
	On   bool   `json:"on"`
	Wick string `json:"wick"`
}

// A later version of a program goes on with a world that an earlier one has kept, as in a folder by package durable. Of a type without an UnmarshalJSON
// fields that there are no more would be refused, unless they are retired: World.Retire("torch.wick").
func ExampleWorld_Retire() {
	ctx := context.Background()
	first := world.New(world.Config{})
	torches := world.NewComponent[firstTorch](first, "torch")
	world.NewGlobal(first, "candles", 3)
	tracker, err := first.Track()
	if err != nil {
		log.Fatal(err)
	}
	if _, err := first.Update(ctx, func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		return torches.Set(tx, id, firstTorch{On: true, Wick: "wool"})
	}); err != nil {
		log.Fatal(err)
	}
	var kept world.Image
	if err := tracker.Whole(func(piece []byte) error {
		var next world.Image
		if err := json.Unmarshal(piece, &next); err != nil {
			return err
		}
		kept.Merge(&next)
		return nil
	}); err != nil {
		log.Fatal(err)
	}

	second := world.New(world.Config{})
	now := world.NewComponent[Torch](second, "torch")
	fmt.Println(second.Load(&kept))
	second.Retire("candles")
	fmt.Println(second.Load(&kept))
	second.View(func(v *world.View) {
		for id, torch := range now.All(v) {
			fmt.Printf("%v %+v\n", id, torch)
		}
	})
	// Output:
	// world: load: this program knows no candles: where a later version has kept this, start that, or put a copy from before it in its place; what an earlier one declared is declared before this, or left out by World.Retire
	// <nil>
	// ent_0 {Lit:true Hours:0}
}
