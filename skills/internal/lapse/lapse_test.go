package lapse_test

import (
	"testing"

	"github.com/limina-mcp/limina/skills/internal/lapse"
	"github.com/limina-mcp/limina/world"
)

// TestLapse counts, stays away for a while, and counts again.
func TestLapse(t *testing.T) {
	w := world.New(world.Config{})
	l := lapse.New(w, "test")
	var counts, fresh bool
	var away, since uint64
	w.OnStep("test", func(tx *world.Tx) error {
		if !counts {
			return nil
		}
		n, err := l.Count(tx)
		away += n
		fresh = lapse.Fresh(tx, since)
		return err
	})
	steps := func(n int) {
		for range n {
			w.Step(t.Context())
		}
	}
	steps(1000)
	counts, since = true, 1000
	if steps(1); !fresh {
		t.Error("what has just begun is not fresh")
	}
	if steps(1); fresh {
		t.Error("what has begun a step ago is fresh")
	}
	away = 0
	if steps(500); away != 0 {
		t.Errorf("while it counts it is away for %d steps", away)
	}
	counts = false
	steps(700)
	counts = true
	if steps(500); away < 700 || away > 760 {
		t.Errorf("it was away for %d steps, want 700, or up to a second more", away)
	}
}
