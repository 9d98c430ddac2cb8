package world_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/world"
)

// clockwork is a running world in which a step does something while left is above 0: it counts left down
// and notes the step.
type clockwork struct {
	*world.World
	left  *world.Global[int]
	last  *world.Global[uint64]
	steps atomic.Int64 // that were taken, not only counted
}

// newClockwork returns a world that runs until the test ends. Unless it rests there is something to do in every
// step, for whoever attends.
func newClockwork(t *testing.T, config world.Config, rests bool) *clockwork {
	t.Helper()
	c := &clockwork{World: world.New(config)}
	c.left = world.NewGlobal(c.World, "left", 0)
	c.last = world.NewGlobal[uint64](c.World, "last", 0)
	if !rests {
		c.OnStep("never at rest", func(*world.Tx) error { return nil })
	}
	c.OnStep("clockwork", func(tx *world.Tx) error {
		c.steps.Add(1)
		n := c.left.Get(&tx.View)
		if n == 0 {
			return nil
		}
		if err := c.last.Set(tx, tx.Step()); err != nil {
			return err
		}
		return c.left.Set(tx, n-1)
	}, world.BusyWhile(func(v *world.View) bool { return c.left.Get(v) > 0 }))
	run(t, c.World)
	return c
}

// wind has the next n steps do something, and says in which step it was wound up.
func (c *clockwork) wind(t *testing.T, n int) (step uint64) {
	t.Helper()
	must(t, c.World, func(tx *world.Tx) error {
		step = tx.Step()
		return c.left.Set(tx, n)
	})
	return step
}

// TestRest has an hour pass in which there is something to do in ten steps.
func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClockwork(t, world.Config{}, true)
		time.Sleep(time.Hour/2 + time.Millisecond)
		if at := c.wind(t, 10); at != 60*1800 {
			t.Errorf("a transaction after half an hour is in step %d, want %d", at, 60*1800)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		c.View(func(v *world.View) {
			if at, left := c.last.Get(v), c.left.Get(v); at != 60*1800+10 || left != 0 {
				t.Errorf("the last step that did something was %d and %d are left, want %d and 0", at, left, 60*1800+10)
			}
		})
		time.Sleep(time.Hour/2 - time.Second)
		if n := c.Steps(); n != 60*3600 {
			t.Errorf("%d steps in an hour, want %d", n, 60*3600)
		}
		if n := c.steps.Load(); n > 20 {
			t.Errorf("%d steps were taken for 10 that had something to do", n)
		}
	})
}

// TestRestIsNotSeen holds that a world which leaves out steps that do nothing is the same, at any time, as one
// that takes them all.
func TestRestIsNotSeen(t *testing.T) {
	for seed := range uint64(50) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				attended := true
				config := world.Config{StepRate: 50, Attended: func() bool { return attended }}
				rests, never := newClockwork(t, config, true), newClockwork(t, config, false)
				both := []*clockwork{rests, never}
				r := rand.New(rand.NewPCG(seed, 7))
				for range 200 {
					time.Sleep(time.Duration(r.ExpFloat64() * float64(30*time.Millisecond))) // steps are 20 ms apart
					synctest.Wait()
					op, n := r.IntN(12), r.IntN(5)
					if op == 2 { // somebody comes, or the last leaves
						attended = !attended
					}
					for _, c := range both {
						switch op {
						case 0:
							c.wind(t, n)
						case 1:
							must(t, c.World, func(tx *world.Tx) error { return c.Environment.TimeScale.Set(tx, float64(n)/2) })
						case 3:
							for range n {
								must(t, c.World, func(*world.Tx) error { return nil })
							}
						case 2, 4:
							c.Wake()
						}
					}
					synctest.Wait()
					if rests.Steps() != never.Steps() || rests.Hash() != never.Hash() {
						t.Fatalf("after operation %d there were %d steps with rests and %d without", op, rests.Steps(), never.Steps())
					}
				}
				if n, all := rests.steps.Load(), never.steps.Load(); n >= all {
					t.Errorf("%d steps were taken with rests and %d without", n, all)
				}
			})
		})
	}
}

// running returns a world with nothing to do that runs until the test ends.
func running(t *testing.T, config world.Config) *world.World {
	t.Helper()
	w := world.New(config)
	run(t, w)
	return w
}

// run has a world run until the test ends.
func run(t *testing.T, w *world.World) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
	})
}

// pass returns how many steps there are in some time from now.
func pass(w *world.World, d time.Duration) uint64 {
	before := w.Steps()
	time.Sleep(d)
	synctest.Wait()
	return w.Steps() - before
}

// TestRestIsToldOfSteps adds something to do to a world that rests, and to one in which time stands still.
func TestRestIsToldOfSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, attended := range []bool{true, false} {
			w := running(t, world.Config{Attended: func() bool { return attended }})
			pass(w, time.Second)
			var steps atomic.Int64
			w.OnStep("late", func(*world.Tx) error { steps.Add(1); return nil }, world.BusyWhile(func(*world.View) bool { return true }))
			if n := pass(w, time.Second); n != 60 || steps.Load() != 60 {
				t.Errorf("attended %v: %d steps in a second, of which %d were taken; want 60 and 60", attended, n, steps.Load())
			}
		}
	})
}

// TestStandingIsToldOfWork has a commit make something that cannot wait while nobody attends: time goes on until it is done.
func TestStandingIsToldOfWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClockwork(t, world.Config{Attended: func() bool { return false }}, true)
		pass(c.World, time.Second)
		for range 2 {
			c.wind(t, 10)
			if n := pass(c.World, time.Second); n != 10 || !c.Standing() {
				t.Errorf("%d steps for 10 that had something to do; standing: %v", n, c.Standing())
			}
		}
	})
}

// TestRestHasGates holds steps back by a gate that there is from the begin, one that is added and one that shuts, while there
// is nothing to do.
func TestRestHasGates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, when := range []string{"begin", "added", "shut", "shut by a commit"} {
			w := world.New(world.Config{})
			open := make(chan struct{})
			var shut atomic.Bool
			gate := func() <-chan struct{} {
				if !shut.Load() {
					return nil
				}
				return open
			}
			if when != "added" {
				w.OnGate(gate)
			}
			shut.Store(when == "begin" || when == "added")
			run(t, w)
			if when != "begin" {
				if n := pass(w, time.Second); n != 60 {
					t.Errorf("%s: %d steps in a second, want 60", when, n)
				}
			}
			switch when {
			case "added":
				w.OnGate(gate)
			case "shut":
				shut.Store(true)
				w.Wake()
			case "shut by a commit":
				time.Sleep(50 * time.Millisecond)
				must(t, w, func(tx *world.Tx) error {
					shut.Store(true)
					return w.Environment.Spawn.Set(tx, world.Vec3{1, 2, 3})
				})
			}
			synctest.Wait()
			if n := pass(w, time.Second); n != 0 {
				t.Errorf("%s: %d steps in a second that a gate was shut", when, n)
			}
			shut.Store(false)
			close(open)
			synctest.Wait()
			if n := pass(w, time.Second); n != 60 {
				t.Errorf("%s: %d steps in a second after it, want 60", when, n)
			}
		}
	})
}

// TestRestInView holds that a view sees one step, however long it is open, and others do not wait for it.
func TestRestInView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := running(t, world.Config{})
		time.Sleep(time.Second)
		w.View(func(v *world.View) {
			hash := v.Hash()
			if v.Step() != 60 {
				t.Errorf("a view sees step %d, want 60", v.Step())
			}
			time.Sleep(time.Second)
			if v.Step() != 60 || v.Hash() != hash {
				t.Errorf("a second later the view sees step %d, and another hash: %v", v.Step(), v.Hash() != hash)
			}
			if n := w.Steps(); n != 120 {
				t.Errorf("the world is in step %d, want 120", n)
			}
			done := make(chan uint64)
			go w.View(func(v *world.View) { done <- v.Step() })
			if n := <-done; n != 120 {
				t.Errorf("another view sees step %d, want 120", n)
			}
		})
	})
}

// TestRestInTransaction holds that a transaction is in one step, however long it is open.
func TestRestInTransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := running(t, world.Config{})
		time.Sleep(time.Second)
		must(t, w, func(tx *world.Tx) error {
			before := tx.Step()
			time.Sleep(time.Second / 2)
			if now := tx.Step(); before != 60 || now != 60 {
				t.Errorf("a transaction begins in step %d and is in step %d half a second later, want 60 and 60", before, now)
			}
			return nil
		})
	})
}

// TestPaces has time pass at scales and rates from the smallest to the largest, in a world that rests and in one
// that takes all steps.
func TestPaces(t *testing.T) {
	for _, rate := range []int{1, 60, 1000} {
		for _, scale := range []float64{0, 5e-324, 1e-9, 0.01, 1, 10, 1000, 1e9, 1e30} {
			t.Run(fmt.Sprint(rate, " ", scale), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w := running(t, world.Config{StepRate: rate})
					must(t, w, func(tx *world.Tx) error { return w.Environment.TimeScale.Set(tx, scale) })
					synctest.Wait()
					want := uint64(min(float64(rate)*scale, 1e6) * 100)
					if n := pass(w, 100*time.Second); n != want {
						t.Errorf("%d steps in 100 s, want %d", n, want)
					}
				})
			})
		}
	}
}

// TestRestEndsWithRun holds that steps are counted as long as Run goes on, and again when it is called again.
func TestRestEndsWithRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world.New(world.Config{})
		for n := range 5 {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error)
			go func() { done <- w.Run(ctx) }()
			if n := pass(w, time.Hour); n != 3600*60 {
				t.Errorf("%d steps in an hour of Run", n)
			}
			if n%2 == 0 {
				must(t, w, func(tx *world.Tx) error { return w.Environment.Spawn.Set(tx, world.Vec3{float64(n)}) })
			}
			cancel()
			<-done
			if n := pass(w, time.Hour); n != 0 {
				t.Errorf("%d steps in an hour without it", n)
			}
			w.Wake()
			must(t, w, func(tx *world.Tx) error { return w.Environment.Spawn.Set(tx, world.Vec3{0, float64(n)}) })
			if n := pass(w, time.Hour); n != 0 {
				t.Errorf("%d steps in an hour without it, after a commit", n)
			}
		}
	})
}

// TestRestInCompany has many read, change and wake a world that rests.
func TestRestInCompany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := running(t, world.Config{})
		const seconds = 20
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				r := rand.New(rand.NewPCG(uint64(i), 3))
				var last uint64
				for until := time.Now().Add(seconds*time.Second - time.Second); time.Now().Before(until); time.Sleep(time.Duration(r.IntN(80)) * time.Millisecond) {
					var now uint64
					switch i % 4 {
					case 0:
						w.Wake()
						now = w.Steps()
					case 1:
						must(t, w, func(tx *world.Tx) error {
							now = tx.Step()
							return w.Environment.Spawn.Set(tx, world.Vec3{r.Float64()})
						})
					case 2:
						must(t, w, func(tx *world.Tx) error { now = tx.Step(); return nil })
					case 3:
						w.View(func(v *world.View) {
							hash := v.Hash()
							if now = v.Step(); v.Hash() != hash {
								t.Error("a view has two hashes")
							}
						})
					}
					if now < last {
						t.Errorf("step %d comes after %d", now, last)
					}
					last = now
				}
			})
		}
		time.Sleep(seconds * time.Second)
		all.Wait()
		synctest.Wait()
		if n := w.Steps(); n != seconds*60 || w.Missed() != 0 {
			t.Errorf("%d steps in %d seconds, %d missed", n, seconds, w.Missed())
		}
	})
}
