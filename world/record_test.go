package world_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/world"
)

// TestBuild makes entities of the records of others: the same, in another place, and nothing of them
// where the world does not take one.
func TestBuild(t *testing.T) {
	w := world.New(world.Config{})
	note := world.NewComponent[string](w, "note", world.Private)
	self := world.NewComponent[int](w, "self", world.Single)
	var top world.ID
	update(t, w, func(tx *world.Tx) error {
		var err error
		if top, err = tx.Create(world.Spec{Position: world.Vec3{1, 2, 3}, Name: "top", Tags: []string{"a", "b"}}); err != nil {
			return err
		}
		below, err := tx.Create(world.Spec{Parent: top, Position: world.Vec3{0, 1, 0}})
		if err != nil {
			return err
		}
		return errors.Join(note.Set(tx, below, "hidden"), self.Set(tx, below, 7), tx.SetScale(below, world.Vec3{0, 1, 1}))
	})
	update(t, w, func(tx *world.Tx) error {
		records := tx.AppendRecords(nil, top)
		ids, err := tx.Build(records, 0)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(records, tx.AppendRecords(nil, ids[0])); diff != "" || len(ids) != 2 {
			t.Errorf("built %v (-want +got):\n%s", ids, diff)
		}
		if said, _ := note.Get(&tx.View, ids[1]); said != "hidden" || self.Has(&tx.View, ids[1]) {
			t.Errorf("the second has the note %q, and what is of one entity only: %v", said, self.Has(&tx.View, ids[1]))
		}
		return nil
	})
	before := w.Hash()
	for want, spoil := range map[string]func(r []world.Record){
		"a part that entities do not have here": func(r []world.Record) { r[1].Parts["other"] = json.RawMessage(`1`) },
		"note: json":                            func(r []world.Record) { r[1].Parts["note"] = json.RawMessage(`1`) },
		"must come before it":                   func(r []world.Record) { r[1].Parent = 1 },
		"rotation: must not be all zeros":       func(r []world.Record) { r[1].Rotation = world.Quat{} },
		"tag: must have 1 to 128 bytes":         func(r []world.Record) { r[0].Tags[0] = "" }, // records are the caller's
	} {
		update(t, w, func(tx *world.Tx) error {
			records := tx.AppendRecords(nil, top)
			spoil(records)
			if _, err := tx.Build(records, top); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
			return nil
		})
	}
	if w.Hash() != before {
		t.Error("something remains of what was refused")
	}
}

// TestUnder creates inside and outside of Under.
func TestUnder(t *testing.T) {
	w := world.New(world.Config{})
	update(t, w, func(tx *world.Tx) error {
		root, _ := tx.Create(world.Spec{})
		other, _ := tx.Create(world.Spec{})
		create := func(parent, want world.ID) {
			t.Helper()
			id, err := tx.Create(world.Spec{Parent: parent})
			if err != nil || tx.Parent(id) != want {
				t.Errorf("created under %s: it is under %s, %v, want %s", parent, tx.Parent(id), err, want)
			}
		}
		stop := errors.New("stop")
		err := tx.Under(root, func() error {
			create(0, root)
			create(other, other)
			if err := tx.Under(other, func() error { create(0, other); return nil }); err != nil {
				t.Error(err)
			}
			create(0, root)
			return stop
		})
		if !errors.Is(err, stop) {
			t.Errorf("Under = %v", err)
		}
		create(0, 0)
		if err := tx.Under(99, func() error { return nil }); err == nil {
			t.Error("under an entity that is not there")
		}
		return nil
	})
}

// update makes a commit of what fn does.
func update(t *testing.T, w *world.World, fn func(*world.Tx) error) {
	t.Helper()
	if _, err := w.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}
