package world_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestUndoOfAside: what others do, however much, takes from nobody what he can undo; and what they have changed since is not overwritten.
func TestUndoOfAside(t *testing.T) {
	w := world.New(world.Config{})
	create1 := func(tx *world.Tx) error { create(t, tx, world.Spec{}); return nil }
	move := func(id world.ID, x float64) func(*world.Tx) error {
		return func(tx *world.Tx) error { return tx.SetPosition(id, world.Vec3{x, 0, 0}) }
	}
	do := func(agent string, fn func(*world.Tx) error) {
		t.Helper()
		if err := as(w, agent, 0, fn); err != nil {
			t.Fatal(err)
		}
	}
	undo := func(tx *world.Tx) error { _, err := tx.Undo(1); return err }
	do("flood", create1) // ent_0
	for range 20 {
		do("ann", create1) // ent_1 …
	}
	do("ann", move(2, 1))
	do("ann", move(3, 1))
	do("flood", move(3, 2))
	for i := range 1<<18 + 100 { // more than the ledger takes
		do("flood", move(1, float64(i)))
	}
	if err := as(w, "ann", 0, undo); err == nil || !strings.Contains(err.Error(), "flood changed ent_2 transform (test, call 1") {
		t.Errorf("undo of what was changed since: %v", err)
	}
	do("flood", move(3, 1))
	w.View(func(v *world.View) {
		if steps, _ := v.History("ann"); len(steps) != 16 || steps[0].Skill != "test" || steps[0].Touched != 1 {
			t.Errorf("ann can undo %+v", steps)
		}
	})

	w = world.New(world.Config{})
	do("flood", create1)
	for range 20 {
		do("ann", create1)
	}
	do("ann", move(2, 1))
	for i := range 1<<18 + 100 {
		do("flood", move(1, float64(i)))
	}
	do("ann", undo)
	do("ann", undo)
	w.View(func(v *world.View) {
		if at, _ := v.Position(2); at != (world.Vec3{}) || v.Len() != 20 {
			t.Errorf("ent_1 is at %v, and there are %d entities", at, v.Len())
		}
	})
}
