package profiles

import (
	"slices"
	"testing"
)

// TestKnownFitsAWord checks what bit relies on: one word has a bit for each, and binary search finds each.
func TestKnownFitsAWord(t *testing.T) {
	if len(known) > 64 {
		t.Fatalf("%d known permissions, at most 64 have a bit", len(known))
	}
	if !slices.IsSorted(known[:]) {
		t.Fatalf("known is not in byte order: %q", known)
	}
	granted := make(map[Permission]bool)
	for _, g := range Builtin().all() {
		for _, p := range g.List() {
			granted[p] = true
		}
	}
	for i, p := range known {
		if bit(p) != 1<<i {
			t.Errorf("bit(%q) = %#x, want %#x", p, bit(p), uint64(1)<<i)
		}
		if !granted[p] {
			t.Errorf("no built-in profile grants %q", p)
		}
	}
	if len(granted) != len(known) {
		t.Errorf("the built-in profiles grant %d permissions, %d are known", len(granted), len(known))
	}
}
