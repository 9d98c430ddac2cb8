package world_test

import (
	"testing"

	"github.com/limina-mcp/limina/world"
)

type hollowError struct{}

func (*hollowError) Error() string { return "" }

// TestHollowErrors: a nil pointer in an error undoes nothing, neither of an update nor of a step.
func TestHollowErrors(t *testing.T) {
	w := world.New(world.Config{StepFailed: func(name string, err error) { t.Errorf("%s failed: %v", name, err) }})
	hollow := func(tx *world.Tx) error {
		_, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		var none *hollowError
		return none
	}
	w.OnStep("test", hollow)
	if c, err := w.Update(t.Context(), hollow); err != nil || c.Tick == 0 {
		t.Errorf("update: %v, tick %d", err, c.Tick)
	}
	if _, changed := w.Step(t.Context()); !changed {
		t.Error("the step is undone")
	}
}

// TestDeclareWhatIsKept: what is declared after a world is kept would not be known when it is opened the next time.
func TestDeclareWhatIsKept(t *testing.T) {
	w := world.New(world.Config{})
	tracker, err := w.Track()
	if err != nil {
		t.Fatal(err)
	}
	defer tracker.Stop()
	defer func() {
		if want := "world: moods is declared after the world is kept: declare it before"; recover() != want {
			t.Error("it is taken")
		}
	}()
	world.NewComponent[int](w, "moods")
}
