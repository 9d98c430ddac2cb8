package world_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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

func TestWhatIsOfAnotherWorldIsNotChanged(t *testing.T) {
	other := world.New(world.Config{})
	health := world.NewComponent[int](other, "health")
	rows := world.NewTable[string, int](other, "rows", 0)
	gold := world.NewGlobal(other, "gold", 1)
	if _, err := other.Update(t.Context(), func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		if err := rows.Set(tx, "a", 1); err != nil {
			return err
		}
		return health.Set(tx, id, 1)
	}); err != nil {
		t.Fatal(err)
	}
	before := other.Hash()
	w := world.New(world.Config{})
	made(t, w)
	for name, change := range map[string]func(*world.Tx){
		"health": func(tx *world.Tx) { _ = health.Set(tx, 1, 2) },
		"gold":   func(tx *world.Tx) { _ = gold.Set(tx, 2) },
		"rows":   func(tx *world.Tx) { rows.Delete(tx, "a") },
	} {
		panics(t, name+" is declared in another world", func() {
			_, _ = w.Update(context.Background(), func(tx *world.Tx) error { change(tx); return nil })
		})
	}
	if w.Tick() != 1 || other.Hash() != before {
		t.Error("something was changed")
	}
}

// Who would be called later is refused now: in the middle of a commit it would be whoever commits who fails.
func TestWhatIsToBeCalledIsThere(t *testing.T) {
	w := world.New(world.Config{})
	for name, declare := range map[string]func(){
		"Observe":   func() { w.Observe(nil) },
		"OnCommit":  func() { w.OnCommit(nil) },
		"OnDestroy": func() { w.OnDestroy(nil) },
		"OnUndo":    func() { w.OnUndo(nil) },
		"OnFollow":  func() { w.OnFollow(nil) },
		"OnStep a":  func() { w.OnStep("a", nil) },
		"OnStep b":  func() { w.OnStep("b", func(*world.Tx) error { return nil }, nil) },
		"OnGate":    func() { w.OnGate(nil) },
		"BusyWhile": func() { world.BusyWhile(nil) },
	} {
		panics(t, "world: "+name+": the function is nil", declare)
	}
	panics(t, "world: Help: the helper is nil", func() { w.Help(nil) })
	made(t, w)
	w.Step(t.Context())
}

// Two who run one world would take every step twice.
func TestOneRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world.New(world.Config{})
		w.OnStep("nothing", func(*world.Tx) error { return nil })
		for range 2 { // one after the other may
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan error)
			begun := w.Steps()
			go func() { done <- w.Run(ctx) }()
			synctest.Wait()
			soon, cancel := context.WithTimeout(ctx, time.Second)
			if err := w.Run(soon); err == nil || !strings.Contains(err.Error(), "going on already") {
				t.Errorf("a second Run = %v", err)
			}
			cancel()
			time.Sleep(time.Second)
			synctest.Wait()
			if n := w.Steps() - begun; n < 59 || n > 61 {
				t.Errorf("%d steps in a second", n)
			}
			stop()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("Run = %v", err)
			}
		}
	})
}

func TestANameThatJSONHasToEscapeIsRefused(t *testing.T) {
	w := world.New(world.Config{})
	for _, name := range []string{`a"b`, "a\nb", `a\b`, "a\xff"} {
		panics(t, "cannot stand in JSON", func() { world.NewComponent[int](w, name) })
		panics(t, "cannot stand in JSON", func() { world.NewTable[int, int](w, name, 0) })
		panics(t, "cannot stand in JSON", func() { world.NewGlobal(w, name, 0) })
	}
	world.NewComponent[int](w, "größe 2")
}
