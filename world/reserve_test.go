package world_test

import (
	"encoding/json"
	"errors"
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

// TestSkip holds that a world which goes on behind another gives no tick and no id up to there, knows what was before for gone, and is what it is when it is loaded again.
func TestSkip(t *testing.T) {
	w := world.New(world.Config{})
	tracker, err := w.Track()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(tracker.Skip(41, 18), tracker.Skip(7, 3)); err != nil { // the second is behind that already
		t.Fatal(err)
	}
	for _, far := range []error{tracker.Skip(1<<53, 0), tracker.Skip(0, 1<<40+2)} {
		if far == nil || !strings.Contains(far.Error(), "left") {
			t.Errorf("too far: %v", far)
		}
	}
	var id world.ID
	c, err := w.Update(t.Context(), func(tx *world.Tx) error {
		if err := tx.SetPosition(17, world.Vec3{}); err == nil || !strings.Contains(err.Error(), "ent_16, which was destroyed") {
			t.Errorf("who knows an entity that another world has given is told %v", err)
		}
		id, err = tx.Create(world.Spec{})
		return err
	})
	if err != nil || c.Tick != 42 || id != 18 {
		t.Errorf("the next are tick %d and %v: %v", c.Tick, id, err)
	}
	var m world.Image
	if err := json.Unmarshal(tracker.Append(nil), &m); err != nil {
		t.Fatal(err)
	}
	next := world.New(world.Config{})
	if err := next.Load(&m); err != nil {
		t.Fatal(err)
	}
	var was, is [32]byte
	w.View(func(v *world.View) { was = v.Hash() })
	next.View(func(v *world.View) { is = v.Hash() })
	if was != is {
		t.Error("loaded, it is another world")
	}
}
