package world_test

import (
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestHolder: the names of a token that is for many are known once one of them has made a call, whatever becomes of that, and who has a token of his own among them.
func TestHolder(t *testing.T) {
	w := world.New(world.Config{})
	told := 0
	w.OnHolder(func(*world.Tx) error { told++; return nil })
	do := func(agent, holder string) {
		t.Helper()
		c := &call{agent: agent, skill: "test", holder: holder}
		_, err := world.Do(w, c, func(tx *world.Tx) (struct{}, error) { return struct{}{}, nil })
		if err != nil {
			t.Fatal(err)
		}
		c.tx.Commit(0)
	}
	of := func(want map[string]string) {
		t.Helper()
		w.View(func(v *world.View) {
			for agent, holder := range want {
				if got := v.Holder(agent); got != holder {
					t.Errorf("%q counts for %q, want %q", agent, got, holder)
				}
			}
		})
	}
	do("ann", "")
	of(map[string]string{"ann": "ann", "guest-1": "guest-1", "": ""})
	do("guest-1", "guest-*")
	do("guest-2", "guest-*")
	of(map[string]string{"ann": "ann", "guest-1": "guest-*", "guest-9": "guest-*", "guest-*": "guest-*", "": ""})
	do("guest-of-honour", "")
	do("guest-vip-1", "guest-vip-*")
	do("ann", "")
	of(map[string]string{"guest-of-honour": "guest-of-honour", "guest-vip-2": "guest-vip-*", "guest-3": "guest-*", "ann": "ann"})
	if told != 3 {
		t.Errorf("it was told %d times, want 3", told)
	}
}
