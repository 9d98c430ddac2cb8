package lapse_test

import (
	"testing"

	"github.com/limina-mcp/limina/skills/internal/lapse"
)

// TestSeen has something count, stay away for a while, and count again; begun at each of some steps, and by a program that did not keep when it was seen.
func TestSeen(t *testing.T) {
	for name, begins := range map[string]lapse.Seen{"before the first step": lapse.Now(0), "later": lapse.Now(1000), "unknown": 0} {
		seen, now := begins, uint64(begins)
		if begins == 0 {
			now = 5000
		}
		count := func(steps int) (away uint64) {
			for range steps {
				now++
				away += seen.Count(now)
			}
			return away
		}
		if away := count(500); away != 0 {
			t.Errorf("%s: while it counts it is away for %d steps", name, away)
		}
		now += 700
		if away := count(500); away < 700 || away > 760 {
			t.Errorf("%s: it was away for %d steps, want 700, or up to a second more", name, away)
		}
	}
	if got := lapse.Seen(0).Later(7); got != 0 {
		t.Errorf("what is not known is %d later", got)
	}
	if got := lapse.Now(3).Later(7); got != 10 {
		t.Errorf("seen at 3, and 7 steps later, is %d", got)
	}
}
