package world_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestFollow has a cursor follow transactions: what they touch, what they take back, and that they end.
func TestFollow(t *testing.T) {
	w := world.New(world.Config{})
	var c world.Cursor
	follow := func(v *world.View, when string, wantOther bool, want ...world.ID) {
		t.Helper()
		behind := v.Behind(&c)
		var got []world.ID
		other := v.Follow(&c, func(id world.ID) { got = append(got, id) })
		slices.Sort(got)
		if got = slices.Compact(got); other != wantOther || !slices.Equal(got, want) || behind != (wantOther || len(want) > 0) {
			t.Errorf("%s: touched %v, another transaction: %v, behind: %v; want %v, %v", when, got, other, behind, want, wantOther)
		}
		if v.Behind(&c) {
			t.Errorf("%s: behind what it has just followed", when)
		}
	}
	must(t, w, func(tx *world.Tx) error {
		follow(&tx.View, "at the begin", false)
		create(t, tx, world.Spec{})
		follow(&tx.View, "created", false, 1)
		create(t, tx, world.Spec{})
		if err := w.Environment.Spawn.Set(tx, world.Vec3{1}); err != nil { // of no entity
			return err
		}
		mark := tx.Savepoint()
		create(t, tx, world.Spec{})
		follow(&tx.View, "two more", false, 2, 3)
		tx.RollbackTo(mark)
		follow(&tx.View, "taken back", false, 3)
		if err := tx.SetName(1, "a"); err != nil {
			return err
		}
		follow(&tx.View, "changed after that", false, 1)
		mark = tx.Savepoint()
		create(t, tx, world.Spec{})
		tx.RollbackTo(mark)
		follow(&tx.View, "came and went", false, 3)
		return nil
	})
	w.View(func(v *world.View) {
		follow(v, "committed", true)
		follow(v, "nothing since", false)
	})
	if _, err := w.Update(t.Context(), func(tx *world.Tx) error {
		if err := tx.SetName(2, "b"); err != nil {
			return err
		}
		follow(&tx.View, "the next transaction", false, 2)
		return errStop
	}); !errors.Is(err, errStop) {
		t.Fatal(err)
	}
	w.View(func(v *world.View) { follow(v, "rolled back", true) })
}
