package world_test

import (
	"context"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// panics runs fn, which has to panic with a text that holds want.
func panics(t *testing.T, want string, fn func()) {
	t.Helper()
	defer func() {
		t.Helper()
		got, _ := recover().(string)
		if !strings.Contains(got, want) {
			t.Errorf("panicked with %q, want %q in it", got, want)
		}
	}()
	fn()
}

// made changes the world, and fails if it cannot: that the world is not locked is seen by its return.
func made(t *testing.T, w *world.World) {
	t.Helper()
	if _, err := w.Update(t.Context(), func(tx *world.Tx) error {
		_, err := tx.Create(world.Spec{})
		return err
	}); err != nil {
		t.Error(err)
	}
}

func TestNobodyEndsATransactionThatIsNotHis(t *testing.T) {
	for name, end := range map[string]func(*world.Tx){
		"Commit":   func(tx *world.Tx) { tx.Commit(7) },
		"Rollback": func(tx *world.Tx) { tx.Rollback() },
	} {
		t.Run(name, func(t *testing.T) {
			var failed error
			w := world.New(world.Config{StepFailed: func(_ string, err error) { failed = err }})
			var kept *world.Tx
			spoil := func(tx *world.Tx) error {
				kept = tx
				if _, err := tx.Create(world.Spec{}); err != nil {
					return err
				}
				end(tx)
				return nil
			}
			panics(t, "Tx."+name, func() { _, _ = w.Update(t.Context(), spoil) })

			c := &call{}
			panics(t, "Tx."+name, func() {
				_, _ = world.Do(w, c, func(tx *world.Tx) (struct{}, error) {
					return world.Do(w, c, func(tx *world.Tx) (struct{}, error) { return struct{}{}, spoil(tx) })
				})
			})
			c.end(1, false) // who runs the call may

			w.OnStep("spoil", spoil)
			w.Step(t.Context())
			if failed == nil || !strings.Contains(failed.Error(), "Tx."+name) {
				t.Errorf("the step said %v", failed)
			}
			panics(t, "has ended", func() { end(kept) })
			if w.Tick() != 0 {
				t.Errorf("something was committed: tick %d", w.Tick())
			}
			made(t, w)
		})
	}
}

// over is a call that has ended: it takes no transaction.
type over struct{ call }

func (*over) Begin(any) { panic("the call is over") }

func TestACallThatIsOverLeavesNothingLocked(t *testing.T) {
	w := world.New(world.Config{})
	panics(t, "the call is over", func() {
		_, _ = world.Do(w, &over{}, func(*world.Tx) (struct{}, error) { return struct{}{}, nil })
	})
	made(t, w)
}
