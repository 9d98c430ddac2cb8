package world_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/world"
)

// TestLarge uses more ids than any page, leaf, chunk or run holds, in an order of its own.
func TestLarge(t *testing.T) {
	const n = 140_000
	w := world.New(world.Config{})
	r := rand.New(rand.NewPCG(3, 4))
	pick := func(k int) []world.ID {
		ids := make([]world.ID, 0, k)
		for _, i := range r.Perm(n)[:k] {
			ids = append(ids, world.ID(i+1))
		}
		return ids
	}
	tagged, shaped := pick(5000), pick(5000)
	must(t, w, func(tx *world.Tx) error {
		for i := range n {
			create(t, tx, world.Spec{Position: world.Vec3{float64(i % 400), 0, float64(i / 400)}})
		}
		for _, id := range tagged {
			if _, err := tx.AddTag(id, "t"); err != nil {
				return err
			}
			if err := tx.SetParent(id, 0); err != nil {
				return err
			}
		}
		for _, id := range shaped {
			if err := w.Shapes.Set(tx, id, world.Shape{Color: uint32(id)}); err != nil {
				return err
			}
		}
		return nil
	})
	hash := w.Hash()
	check := func(tagged, shaped []world.ID) {
		t.Helper()
		w.View(func(v *world.View) {
			if diff := gocmp.Diff(slices.Sorted(slices.Values(tagged)), v.Tagged("t")); diff != "" {
				t.Errorf("Tagged (-want +got):\n%s", diff)
			}
			var got []world.ID
			for id, s := range w.Shapes.All(v) {
				if got = append(got, id); s.Color != uint32(id) {
					t.Fatalf("%s has the shape of another", id)
				}
			}
			if diff := gocmp.Diff(slices.Sorted(slices.Values(shaped)), got); diff != "" {
				t.Errorf("Shapes.All (-want +got):\n%s", diff)
			}
			if near := v.Near(world.Vec3{200, 0, 100}, 60); len(near) < 10_000 || !slices.IsSorted(near) {
				t.Errorf("Near found %d, in order: %v", len(near), slices.IsSorted(near))
			}
		})
	}
	check(tagged, shaped)
	must(t, w, func(tx *world.Tx) error {
		mark := tx.Savepoint()
		for id := range tx.All() { // every second entity goes while we go through them
			if id%2 == 0 {
				tx.Destroy(id)
			}
		}
		for id := range w.Shapes.All(&tx.View) {
			w.Shapes.Remove(tx, id)
		}
		if tx.Len() != n/2 || w.Shapes.Len(&tx.View) != 0 {
			t.Errorf("%d entities and %d shapes are left, want %d and none", tx.Len(), w.Shapes.Len(&tx.View), n/2)
		}
		tx.RollbackTo(mark)
		return nil
	})
	check(tagged, shaped)
	if w.Hash() != hash {
		t.Error("the rollback has left something")
	}
	must(t, w, func(tx *world.Tx) error {
		for _, id := range tagged[:4000] {
			if _, err := tx.RemoveTag(id, "t"); err != nil {
				return err
			}
		}
		for _, id := range shaped[:4990] {
			w.Shapes.Remove(tx, id)
		}
		return nil
	})
	check(tagged[4000:], shaped[4990:])
	must(t, w, func(tx *world.Tx) error {
		for id := range tx.All() {
			tx.Destroy(id)
		}
		return nil
	})
	must(t, w, func(tx *world.Tx) error {
		if id := create(t, tx, world.Spec{}); id != n+1 || tx.Len() != 1 {
			t.Errorf("Create in the emptied world = %s among %d", id, tx.Len())
		}
		return nil
	})
}

// TestWideFamily moves, and then destroys, a parent with many children.
func TestWideFamily(t *testing.T) {
	const n = 3000
	w := world.New(world.Config{})
	var top world.ID
	must(t, w, func(tx *world.Tx) error {
		top = create(t, tx, world.Spec{})
		for i := range n {
			create(t, tx, world.Spec{Parent: top, Position: world.Vec3{float64(i), 0, 0}})
		}
		return nil
	})
	c := must(t, w, func(tx *world.Tx) error { return tx.SetPosition(top, world.Vec3{0, 5, 0}) })
	if len(c.Changes) != n+1 {
		t.Errorf("%d have moved, want %d", len(c.Changes), n+1)
	}
	w.View(func(v *world.View) {
		if got := v.InBox(world.Vec3{-1, 5, -1}, world.Vec3{n, 5, 1}); len(got) != n+1 {
			t.Errorf("%d are where the parent went, want %d", len(got), n+1)
		}
	})
	c = must(t, w, func(tx *world.Tx) error { tx.Destroy(top); return nil })
	if len(c.Changes) != n+1 {
		t.Errorf("%d are destroyed, want %d", len(c.Changes), n+1)
	}
}
