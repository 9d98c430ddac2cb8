package physics_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// run has the world of a rig run until the test ends.
func (r *rig) run() {
	ctx, cancel := context.WithCancel(r.t.Context())
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	r.t.Cleanup(func() {
		cancel()
		<-done
	})
}

// TestRestTellsOfFailure has the engine of a world that rests fail to open, at once and after a while: it is told.
func TestRestTellsOfFailure(t *testing.T) {
	for _, after := range []time.Duration{0, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			var told []string
			w := world.New(world.Config{StepFailed: func(name string, err error) {
				if errors.Is(err, errTold) {
					told = append(told, name)
				}
			}})
			physics.New(w, physics.Config{Open: func(context.Context, physics.Settings) (physics.Engine, error) {
				time.Sleep(after)
				return nil, errTold
			}})
			// The body comes as the last of those who are told of its commit: the engine has failed by then.
			w.OnCommit(func(*world.View, []world.Change) {
				if after == 0 {
					time.Sleep(time.Microsecond)
				}
			})
			r := &rig{World: w, t: t}
			r.run()
			for n := 1; n <= 2; n++ {
				time.Sleep(time.Second + time.Millisecond)
				synctest.Wait()
				r.box(world.Vec3{0, 1, 0})
				time.Sleep(2 * time.Second)
				synctest.Wait()
				w.View(func(*world.View) {
					if len(told) != n {
						t.Errorf("after %v: of %d failures %d were told", after, n, len(told))
					}
				})
			}
		})
	}
}

// TestRestRebuilds has the engine be replaced in a step of a world that rests.
func TestRestRebuilds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.floor()
		r.box(world.Vec3{0, 0.5, 0})
		r.run()
		time.Sleep(time.Minute)
		synctest.Wait()
		if s := r.Stats(); s.Awake != 0 || r.opened != 1 {
			t.Fatalf("after a minute: %+v, %d engines", s, r.opened)
		}
		at := r.Steps() + 30
		if err := r.RebuildAt(at); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(r.rebuilds) != 1 || r.rebuilds[0].Step != at {
			t.Errorf("rebuilds %+v, want one at step %d", r.rebuilds, at)
		}
	})
}
