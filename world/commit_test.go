package world_test

import (
	"context"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

var ignoreView = cmpopts.IgnoreUnexported(world.Commit{})

// must runs fn in a transaction that has to succeed.
func must(tb rapid.TB, w *world.World, fn func(tx *world.Tx) error) world.Commit {
	tb.Helper()
	c, err := w.Update(context.Background(), fn)
	if err != nil {
		tb.Fatal(err)
	}
	whole(tb, w)
	return c
}

// whole holds a world that is not too large to having every value once.
func whole(tb rapid.TB, w *world.World) {
	tb.Helper()
	n := 0
	w.View(func(v *world.View) { n = v.Len() })
	if n > 2000 {
		return
	}
	if err := w.Seats(); err != nil {
		tb.Fatal(err)
	}
}

// create makes an entity that has to be allowed.
func create(tb rapid.TB, tx *world.Tx, spec world.Spec) world.ID {
	tb.Helper()
	id, err := tx.Create(spec)
	if err != nil {
		tb.Fatal(err)
	}
	return id
}

func TestCommit(t *testing.T) {
	f := newFixture(world.Config{})
	w := f.World
	var a, b, child world.ID
	must(t, w, func(tx *world.Tx) error {
		a, b = create(t, tx, world.Spec{Position: world.Vec3{1, 0, 0}}), create(t, tx, world.Spec{})
		child = create(t, tx, world.Spec{Position: world.Vec3{0, 2, 0}, Parent: a})
		return nil
	})
	tests := []struct {
		name string
		do   func(tx *world.Tx) error
		want world.Commit
	}{
		{"nothing", func(*world.Tx) error { return nil }, world.Commit{}},
		{"what is so already", func(tx *world.Tx) error {
			if _, err := tx.RemoveTag(a, "none"); err != nil {
				return err
			}
			if err := tx.SetName(a, ""); err != nil {
				return err
			}
			if err := tx.SetParent(child, a); err != nil {
				return err
			}
			return tx.SetPosition(a, world.Vec3{1, 0, 0})
		}, world.Commit{}},
		{"what is taken back", func(tx *world.Tx) error {
			mark := tx.Savepoint()
			tx.Destroy(a)
			tx.RollbackTo(mark)
			return nil
		}, world.Commit{}},
		{"a move takes the children along", func(tx *world.Tx) error {
			return tx.SetPosition(a, world.Vec3{5, 0, 0})
		}, world.Commit{Tick: 2, Changes: []world.Change{
			{ID: a, What: world.Moved, Before: world.Vec3{1, 0, 0}},
			{ID: child, What: world.Moved, Before: world.Vec3{1, 2, 0}},
		}}},
		{"several changes of one are one, from where it was first", func(tx *world.Tx) error {
			if err := tx.SetPosition(b, world.Vec3{1, 1, 1}); err != nil {
				return err
			}
			if err := tx.SetPosition(b, world.Vec3{2, 2, 2}); err != nil {
				return err
			}
			return tx.SetName(b, "b")
		}, world.Commit{Tick: 3, Changes: []world.Change{{ID: b, What: world.Moved | world.Changed}}}},
		{"created and destroyed is no change, but the number is gone", func(tx *world.Tx) error {
			tx.Destroy(create(t, tx, world.Spec{}))
			return nil
		}, world.Commit{Tick: 4}},
		{"destroyed and brought back is one change, from where it was", func(tx *world.Tx) error {
			then := tx.AppendSnapshot(nil)
			mark := tx.Savepoint()
			tx.Destroy(b)
			if err := tx.Restore(then); err != nil {
				return err
			}
			tx.RollbackTo(mark)
			tx.Destroy(b)
			if err := tx.Restore(then); err != nil {
				return err
			}
			return tx.SetName(b, "back")
		}, world.Commit{Tick: 5, Changes: []world.Change{{ID: b, What: world.Moved | world.Changed, Before: world.Vec3{2, 2, 2}}}}},
		{"brought back and destroyed again is destroyed", func(tx *world.Tx) error {
			id := create(t, tx, world.Spec{})
			then := tx.AppendSnapshot(nil)
			tx.Destroy(b)
			tx.Destroy(id)
			if err := tx.Restore(then); err != nil {
				return err
			}
			tx.Destroy(b)
			return nil
		}, world.Commit{Tick: 6, Changes: []world.Change{
			{ID: b, What: world.Moved | world.Changed | world.Destroyed, Before: world.Vec3{2, 2, 2}},
			{ID: b + 3, What: world.Created},
		}}},
		{"private", func(tx *world.Tx) error { return f.secrets.Set(tx, a, "x") }, world.Commit{Tick: 7}},
		{"shared", func(tx *world.Tx) error {
			f.rows.Next(tx)
			return f.Environment.Spawn.Set(tx, world.Vec3{1, 2, 3})
		}, world.Commit{Tick: 8, World: []string{"rows", "spawn"}}},
		{
			"a moment", func(tx *world.Tx) error { return tx.Moment(world.Moment{Kind: "bang"}) },
			world.Commit{Tick: 9, Moments: []world.Moment{{Kind: "bang"}}},
		},
		{
			"a parent goes with its children", func(tx *world.Tx) error { tx.Destroy(a); return nil },
			world.Commit{Tick: 10, Changes: []world.Change{
				{ID: a, What: world.Destroyed, Before: world.Vec3{5, 0, 0}},
				{ID: child, What: world.Destroyed, Before: world.Vec3{5, 2, 0}},
			}},
		},
	}
	for _, tt := range tests {
		got := must(t, w, tt.do)
		if diff := gocmp.Diff(tt.want, got, ignoreView, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: commit (-want +got):\n%s", tt.name, diff)
		}
	}
	if w.Tick() != 10 {
		t.Errorf("Tick() = %d, want 10", w.Tick())
	}
}

func TestTxTick(t *testing.T) {
	w := world.New(world.Config{})
	must(t, w, func(tx *world.Tx) error {
		if got := tx.Tick(); got != 0 {
			t.Errorf("Tick() of a transaction that changed nothing = %d, want 0", got)
		}
		create(t, tx, world.Spec{})
		if got := tx.Tick(); got != 1 {
			t.Errorf("Tick() = %d, want 1", got)
		}
		return nil
	})
}

func TestObserveStop(t *testing.T) {
	w := world.New(world.Config{})
	var log []string
	observe := func(name string) func() {
		return w.Observe(func(c *world.Commit) { log = append(log, fmt.Sprint(name, c.Tick, c.View().Len())) })
	}
	stopA, stopB := observe("a"), observe("b")
	must(t, w, func(tx *world.Tx) error { create(t, tx, world.Spec{}); return nil })
	stopA()
	must(t, w, func(tx *world.Tx) error { create(t, tx, world.Spec{}); return nil })
	stopB()
	stopB()
	must(t, w, func(tx *world.Tx) error { create(t, tx, world.Spec{}); return nil })
	if diff := gocmp.Diff([]string{"a1 1", "b1 1", "b2 2"}, log); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
}

// TestObserverPanics: the commit stands and the world goes on.
func TestObserverPanics(t *testing.T) {
	w := world.New(world.Config{})
	stop := w.Observe(func(*world.Commit) { panic("observer") })
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_, _ = w.Update(context.Background(), func(tx *world.Tx) error { create(t, tx, world.Spec{}); return nil })
	}()
	stop()
	must(t, w, func(tx *world.Tx) error { create(t, tx, world.Spec{}); return nil })
	w.View(func(v *world.View) {
		if v.Len() != 2 || v.Tick() != 2 {
			t.Errorf("there are %d entities at tick %d, want 2 at 2", v.Len(), v.Tick())
		}
	})
}
