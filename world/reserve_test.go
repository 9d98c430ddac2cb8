package world_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestReserve holds that a world gives no more ids than were reserved beyond what is kept of it.
func TestReserve(t *testing.T) {
	w := world.New(world.Config{})
	create := func(n int) (err error) {
		_, err = w.Update(t.Context(), func(tx *world.Tx) error {
			for range n {
				if _, err := tx.Create(world.Spec{}); err != nil {
					return err
				}
			}
			return nil
		})
		return err
	}
	tracker, err := w.Track()
	if err != nil {
		t.Fatal(err)
	}
	if err := create(5); err != nil {
		t.Fatalf("nothing is reserved yet: %v", err)
	}
	tracker.Append(nil)
	tracker.Reserve(3)
	if err := create(4); err == nil || !strings.Contains(err.Error(), "before the world is written to the disk again") {
		t.Errorf("four of three are made: %v", err)
	}
	if err := create(3); err != nil {
		t.Error(err)
	}
	if err := create(1); err == nil {
		t.Error("a fourth is made")
	}
	tracker.Reserve(3) // of what was appended before
	if err := create(1); err == nil {
		t.Error("a fourth is made though it is kept nowhere")
	}
	tracker.Append(nil)
	tracker.Reserve(3)
	if err := create(3); err != nil {
		t.Error(err)
	}
	tracker.Stop()
	if err := create(1); err != nil {
		t.Errorf("nobody writes the world down: %v", err)
	}
}
