package world_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/world"
)

func TestStep(t *testing.T) {
	w := world.New(world.Config{})
	ctx := context.Background()
	if c, changed := w.Step(ctx); changed || w.Steps() != 1 || w.Tick() != 0 {
		t.Errorf("a step without anything to do: %v, %v, step %d, tick %d; want no commit and step 1", c, changed, w.Steps(), w.Tick())
	}
	before := w.Hash()
	w.Step(ctx)
	if w.Hash() == before {
		t.Error("the hash does not tell step 1 from step 2")
	}
	var order []string
	var id world.ID
	w.OnStep("first", func(tx *world.Tx) error {
		order = append(order, "first")
		if tx.Step() == 4 {
			id = create(t, tx, world.Spec{})
		}
		return nil
	})
	w.OnStep("second", func(tx *world.Tx) error {
		order = append(order, "second")
		if tx.Exists(id) {
			return tx.SetName(id, "seen")
		}
		return nil
	})
	if c, changed := w.Step(ctx); changed {
		t.Errorf("a step that changed nothing committed %v", c)
	}
	got, changed := w.Step(ctx)
	want := world.Commit{Tick: 1, Step: 4, Changes: []world.Change{{ID: 1, What: world.Created | world.Changed}}}
	if diff := gocmp.Diff(want, got, ignoreView); diff != "" || !changed {
		t.Errorf("commit of a step (-want +got):\n%s", diff)
	}
	if got := strings.Join(order, " "); got != "first second first second" {
		t.Errorf("functions ran as %s", got)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, changed := w.Step(ended); changed || w.Steps() != 4 {
		t.Errorf("a step was taken after the end: step %d, want 4", w.Steps())
	}
}

// TestStepFails has one function fail and one panic; the others go on, and those two leave nothing.
func TestStepFails(t *testing.T) {
	failed := map[string]error{}
	w := world.New(world.Config{StepFailed: func(name string, err error) { failed[name] = err }})
	named := func(name string, fail func() error) {
		w.OnStep(name, func(tx *world.Tx) error {
			create(t, tx, world.Spec{Name: name})
			return fail()
		})
	}
	named("fails", func() error { return errStop })
	named("works", func() error { return nil })
	named("panics", func() error { panic("oh") })
	named("also works", func() error { return nil })
	c, _ := w.Step(context.Background())
	if len(c.Changes) != 2 {
		t.Errorf("commit has %v, want two created", c.Changes)
	}
	w.View(func(v *world.View) {
		if v.Name(1) != "works" || v.Name(2) != "also works" {
			t.Errorf("there are %q and %q", v.Name(1), v.Name(2))
		}
	})
	if !errors.Is(failed["fails"], errStop) || failed["panics"] == nil || !strings.HasPrefix(failed["panics"].Error(), "panic: oh\n") || len(failed) != 2 {
		t.Errorf("told of %v", failed)
	}
}

func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := world.New(world.Config{})
		done := make(chan error)
		go func() { done <- w.Run(ctx) }()
		for _, pass := range []struct {
			time time.Duration
			want uint64
		}{
			{16 * time.Millisecond, 0},
			{time.Millisecond, 1},
			{983 * time.Millisecond, 60},
			{time.Hour, 60 * 3601}, // rounding does not add up
		} {
			time.Sleep(pass.time)
			synctest.Wait()
			if got := w.Steps(); got != pass.want {
				t.Errorf("after another %v there were %d steps, want %d", pass.time, got, pass.want)
			}
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run = %v, want context.Canceled", err)
		}
		if w.Missed() != 0 {
			t.Errorf("Missed() = %d, want 0", w.Missed())
		}
	})
}

// TestRunLate holds the world up: for a short while, which is caught up with, then for a long one, of
// which a quarter of a second is.
func TestRunLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := world.New(world.Config{StepRate: 100})
		var hold time.Duration
		w.OnStep("hold", func(*world.Tx) error {
			time.Sleep(hold)
			hold = 0
			return nil
		})
		done := make(chan error)
		go func() { done <- w.Run(ctx) }()
		check := func(steps, missed uint64) {
			t.Helper()
			synctest.Wait()
			if w.Steps() != steps || w.Missed() != missed {
				t.Errorf("%d steps and %d missed, want %d and %d", w.Steps(), w.Missed(), steps, missed)
			}
		}
		time.Sleep(time.Second)
		check(100, 0)
		must(t, w, func(*world.Tx) error { hold = 200 * time.Millisecond; return nil })
		time.Sleep(time.Second)
		check(200, 0)
		must(t, w, func(*world.Tx) error { hold = 2 * time.Second; return nil })
		time.Sleep(3 * time.Second)
		check(500-174, 174) // from 2.01 s to 4.01 s nothing moved; what was due before 3.76 s is left out
		cancel()
		<-done
	})
}

// TestRunEnds while the machine cannot keep up at all.
func TestRunEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		w := world.New(world.Config{})
		w.OnStep("slow", func(*world.Tx) error { time.Sleep(time.Second); return nil })
		if err := w.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Run = %v, want context.DeadlineExceeded", err)
		}
		if w.Steps() < 55 || w.Missed() < 3000 {
			t.Errorf("%d steps and %d missed in a minute", w.Steps(), w.Missed())
		}
	})
}

func TestSeconds(t *testing.T) {
	w := world.New(world.Config{StepRate: 60})
	for seconds, want := range map[float64]uint64{
		math.Inf(-1): 0, -1: 0, 0: 0, 1e-12: 1, 1e-3: 1, 0.1: 6, 0.1001: 7, 0.3: 18, 1.1: 66, 4.05: 243, 3600: 216_000, 1e300: 1 << 53, math.Inf(1): 1 << 53,
	} {
		if got := w.StepsIn(seconds); got != want {
			t.Errorf("%v s are %d steps, want %d", seconds, got, want)
		}
	}
	if got := w.StepsIn(math.NaN()); got != 0 {
		t.Errorf("no time is %d steps", got)
	}
	for n := range uint64(100_000) {
		if got := w.StepsIn(w.Seconds(n)); got != n {
			t.Fatalf("%d steps take %v s, which are %d", n, w.Seconds(n), got)
		}
	}
}
