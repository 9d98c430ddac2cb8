package world_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/world"
)

// notes is a helper that writes down what it is told.
type notes struct {
	w     *world.World
	mu    sync.Mutex
	lines []string
}

func (n *notes) note(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, fmt.Sprintf(format, args...))
}

// expect compares what was noted, and forgets it.
func (n *notes) expect(t *testing.T, when string, want ...string) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Equal(n.lines, want) {
		t.Errorf("%s: noted\n%q, want\n%q", when, n.lines, want)
	}
	n.lines = nil
}

func (n *notes) Hold() { n.note("hold") }

func (n *notes) Release(spare bool) {
	n.w.View(func(v *world.View) { // the world is unlocked
		n.note("release after %d, spare: %t", v.Tick(), spare)
	})
}

// Who helps is told before a step is committed and after it, and whether the next one is due already.
func TestHelp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := world.New(world.Config{StepRate: 10})
		w.OnStep("grow", func(tx *world.Tx) error {
			if tx.Step() == 2 {
				time.Sleep(250 * time.Millisecond)
			}
			_, err := tx.Create(world.Spec{})
			return err
		})
		n := &notes{w: w}
		w.Observe(func(c *world.Commit) { n.note("commit %d", c.Tick) })
		stop := w.Help(n)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- w.Run(ctx) }()

		time.Sleep(550 * time.Millisecond)
		synctest.Wait()
		n.expect(
			t, "while time goes on",
			"hold", "commit 1", "release after 1, spare: true",
			"hold", "commit 2", "release after 2, spare: false",
			"hold", "commit 3", "release after 3, spare: false",
			"hold", "commit 4", "release after 4, spare: true",
			"hold", "commit 5", "release after 5, spare: true",
		)
		stop()
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		n.expect(t, "when it helps no more", "commit 6", "commit 7")
		w.Help(n)
		must(t, w, func(tx *world.Tx) error {
			_, err := tx.Create(world.Spec{})
			return err
		})
		n.expect(t, "when engine code commits", "commit 8")
		cancel()
		<-ended
	})
}
