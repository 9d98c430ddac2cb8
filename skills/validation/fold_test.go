package validation_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/world"
)

// TestAlike has what is wrong in the same way with many things told once, with all of them and what repairs them, also where
// something else is wrong in between, but not across what is wrong with one of them.
func TestAlike(t *testing.T) {
	s := newSite(t, 1)
	var lanterns, boards []world.ID
	for i := range 8 {
		x := float64(3 * i)
		s.box(world.Vec3{x, 0.5, 0}, world.Vec3{1, 1, 1})
		lanterns = append(lanterns, s.box(world.Vec3{x, 1.3, 0}, world.Vec3{0.2, 0.2, 0.2}))
		boards = append(boards, s.box(world.Vec3{x, 2.05, 5}, world.Vec3{1, 0.1, 1}))
	}
	found := s.validate(`{}`).Findings
	if len(found) != 2 {
		t.Fatalf("found %s", show(found))
	}
	for i, want := range []struct {
		message string
		all     []world.ID
	}{
		{fmt.Sprintf("%v hangs in the air, 0.2 m above what is below it; and 7 more alike", lanterns[0]), lanterns},
		{fmt.Sprintf("%v hangs in the air, 2 m above what is below it; and 7 more alike", boards[0]), boards},
	} {
		f := found[i]
		all := append([]world.ID{}, f.Entities...)
		for _, ids := range f.Alike {
			all = append(all, ids...)
		}
		if diff := cmp.Diff(want.all, all); diff != "" || f.Message != want.message || len(f.Fix) != 8 {
			t.Errorf("%q with %d operations, want %q (-want +got):\n%s", f.Message, len(f.Fix), want.message, diff)
		}
	}
	if limited := s.validate(`{"limit":3}`); len(limited.Findings) != 1 || !limited.More || len(limited.Findings[0].Fix) != 3 {
		t.Errorf("with a limit of 3 %s", show(limited.Findings))
	}
	s.repair(found)
	if after := s.validate(`{}`); !after.OK {
		t.Errorf("after the repair %s", show(after.Findings))
	}
}

// TestNotAlike has things of which one stands in the way of another told apart, each with its own fix, in order.
func TestNotAlike(t *testing.T) {
	s := newSite(t, 1)
	under := s.box(world.Vec3{0, 1.5, 0}, world.Vec3{1, 1, 1})
	on := s.box(world.Vec3{0, 2.5, 0}, world.Vec3{1, 1, 1})
	apart := s.box(world.Vec3{5, 2, 0}, world.Vec3{1, 1, 1})
	found := s.validate(`{}`).Findings
	if len(found) < 2 {
		t.Fatalf("%v under %v, %v apart: found %s", under, on, apart, show(found))
	}
	for _, f := range found {
		if f.Alike != nil {
			t.Errorf("folded: %s", show(found))
		}
	}
	s.repair(found)
	if after := s.validate(`{}`); !after.OK {
		t.Errorf("after the repair %s", show(after.Findings))
	}
}
