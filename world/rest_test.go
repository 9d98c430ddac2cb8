package world_test

import (
	"context"
	"fmt"
	"math/rand/v2"
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
	steps int // that were taken, not only counted
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
		c.steps++
		n := c.left.Get(&tx.View)
		if n == 0 {
			return nil
		}
		if err := c.last.Set(tx, tx.Step()); err != nil {
			return err
		}
		return c.left.Set(tx, n-1)
	}, world.BusyWhile(func(v *world.View) bool { return c.left.Get(v) > 0 }))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
	})
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
		if c.steps > 20 {
			t.Errorf("%d steps were taken for 10 that had something to do", c.steps)
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
				if rests.steps >= never.steps {
					t.Errorf("%d steps were taken with rests and %d without", rests.steps, never.steps)
				}
			})
		})
	}
}
