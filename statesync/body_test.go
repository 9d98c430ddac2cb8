package statesync_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/world"
)

// TestBody holds that whoever reads JSON is told the body of an entity as long as it has one, wherever it moves.
func TestBody(t *testing.T) {
	w := world.New(world.Config{})
	hub := statesync.New(w, statesync.Config{})
	defer hub.Close()
	feed := hub.Connect(func() {})
	defer feed.Close()
	frame, view, err := feed.Subscribe(nil, statesync.Options{Area: statesync.Whole()})
	if err != nil {
		t.Fatal(err)
	}
	view.Start()
	var id world.ID
	for _, step := range []struct {
		name string
		do   func(tx *world.Tx) error
		want []float64
	}{
		{"made", func(tx *world.Tx) (err error) {
			id, err = tx.Create(world.Spec{Position: world.Vec3{1, 2, 3}})
			return err
		}, nil},
		{"given a body", func(tx *world.Tx) error { return w.Bodies.Set(tx, id, world.Body{Type: "dynamic", Collider: "box"}) }, []float64{1, 2, 3, 0, 0, 0, 1}},
		{"moved", func(tx *world.Tx) error { return tx.SetPosition(id, world.Vec3{4, 5.5, 6}) }, []float64{4, 5.5, 6, 0, 0, 0, 1}},
		{"turned", func(tx *world.Tx) error { return tx.SetRotation(id, world.Quat{0, 1, 0, 0}) }, []float64{4, 5.5, 6, 0, 1, 0, 0}},
		{"bodiless", func(tx *world.Tx) error { w.Bodies.Remove(tx, id); return nil }, nil},
	} {
		if _, err := w.Update(context.Background(), step.do); err != nil {
			t.Fatal(err)
		}
		frame, _ = feed.Append(frame[:0])
		var delta struct {
			Params struct {
				Changes []struct {
					ID   world.ID  `json:"id"`
					Body []float64 `json:"body"`
				} `json:"changes"`
			} `json:"params"`
		}
		if err := json.Unmarshal(frame, &delta); err != nil || len(delta.Params.Changes) != 1 {
			t.Fatalf("%s: %s: %v", step.name, frame, err)
		}
		if diff := cmp.Diff(step.want, delta.Params.Changes[0].Body); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}
