package statesync_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

// A snapshot that is written in pieces is the same as one that is written at once, byte for byte.
func TestSnapshotInPieces(t *testing.T) {
	w := world.New(world.Config{})
	update(t, w, func(tx *world.Tx) error {
		for i := range 200 {
			spec := world.Spec{Name: fmt.Sprint("thing ", i), Position: world.Vec3{float64(i), 0, 1}}
			if i%3 == 0 {
				spec.Position[1] = 1e20 // too far away for quanta
			}
			if i%5 == 0 {
				spec.Scale = world.Vec3{1, 2, 3}
			}
			id, err := tx.Create(spec)
			if err != nil {
				return err
			}
			if i%7 == 0 {
				tx.Destroy(id)
			}
		}
		return nil
	})
	for _, o := range []statesync.Options{
		{Encoding: statesync.JSON},
		{Encoding: statesync.JSON, Batch: true, Name: "a"},
		{Encoding: statesync.Packed},
		{Encoding: statesync.Packed, Batch: true},
		{Encoding: statesync.Binary, Name: "a"},
		{Encoding: statesync.Binary, Batch: true},
	} {
		for _, area := range []statesync.Area{statesync.Whole(), statesync.Within(world.Vec3{50, 0, 0}, 40)} {
			o.Area = area
			hub := statesync.New(w, statesync.Config{Epoch: "e"})
			want, _, err := hub.Connect(nil).Subscribe([]byte("before"), o)
			if err != nil {
				t.Fatal(err)
			}
			for chunk := 1; chunk < 200; chunk += 11 {
				pauses := 0
				got, _, err := hub.Connect(nil).SubscribeSlowly([]byte("before"), o, chunk, func() { pauses++ })
				if err != nil {
					t.Fatal(err)
				}
				if n := hub.Stats().Entities; n > chunk && pauses < 2*(n/chunk) {
					t.Errorf("%d entities were read and written in pieces of %d with %d pauses", n, chunk, pauses)
				}
				if !bytes.Equal(got, want) {
					t.Fatalf("%+v in pieces of %d:\n%q\nwant\n%q", o, chunk, got, want)
				}
				if err := hub.Check(); err != nil {
					t.Fatal(err)
				}
			}
			s := hub.Stats()
			if most := uint64(len(want)-len("before")) * s.Messages; s.Bytes != most {
				t.Errorf("%+v: %d messages of %d bytes are counted, want %d", o, s.Messages, s.Bytes, most)
			}
			hub.Close()
		}
	}
}

// What leaves the area while the snapshot is written is not in it, be it nearly all there is: the view gives its slots back later.
func TestLeavesWhileWritten(t *testing.T) {
	const entities, stay = 3000, 100
	for _, encoding := range []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary} {
		w := world.New(world.Config{})
		var ids []world.ID
		update(t, w, func(tx *world.Tx) error {
			for range entities {
				id, err := tx.Create(world.Spec{})
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			return nil
		})
		hub := statesync.New(w, statesync.Config{})
		pauses := 0
		frame, v, err := hub.Connect(nil).SubscribeSlowly(nil, statesync.Options{Area: statesync.Within(world.Vec3{}, 1), Encoding: encoding}, stay, func() {
			if pauses++; pauses != entities/stay+1 { // after the first piece is written
				return
			}
			update(t, w, func(tx *world.Tx) error {
				for _, id := range ids[stay:] {
					if err := tx.SetPosition(id, world.Vec3{100, 0, 0}); err != nil {
						return err
					}
				}
				return nil
			})
			update(t, w, func(tx *world.Tx) error { return tx.SetPosition(ids[0], world.Vec3{0, 1, 0}) })
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := hub.Check(); err != nil {
			t.Error(err)
		}
		var held replica.Copy
		if _, err := apply(&held, encoding == statesync.Binary, frame); err != nil {
			t.Fatal(err)
		}
		if n := len(held.View("").Entities); n != stay || v.Tick() != held.View("").Tick {
			t.Errorf("%s: the client holds %d entities at tick %d, want %d at %d; %d pauses", encoding, n, held.View("").Tick, stay, v.Tick(), pauses)
		}
		hub.Close()
	}
}

// Of a large area, and of no other, the connection's server is told, once before it is read and once when that is done.
func TestOnLarge(t *testing.T) {
	const most = 2048
	w := world.New(world.Config{})
	update(t, w, func(tx *world.Tx) error {
		for i := range most + 1 {
			at := world.Vec3{1, 0, 0}
			if i == 0 {
				at = world.Vec3{100, 0, 0}
			}
			if _, err := tx.Create(world.Spec{Position: at}); err != nil {
				return err
			}
		}
		return nil
	})
	hub := statesync.New(w, statesync.Config{})
	defer hub.Close()
	feed := hub.Connect(nil)
	var calls []string
	feed.OnLarge(func() func() {
		calls = append(calls, fmt.Sprint("begun after ", hub.Stats().Messages))
		return func() { calls = append(calls, fmt.Sprint("done after ", hub.Stats().Messages)) }
	})
	check := func(what string, want ...string) {
		t.Helper()
		if fmt.Sprint(calls) != fmt.Sprint(want) {
			t.Errorf("%s: %q, want %q", what, calls, want)
		}
		calls = nil
	}
	_, v, err := feed.Subscribe(nil, statesync.Options{Area: statesync.Within(world.Vec3{}, 10)})
	if err != nil {
		t.Fatal(err)
	}
	check("2,048 entities")
	if err := v.Declare(statesync.Within(world.Vec3{1000, 0, 0}, 1)); err != nil {
		t.Fatal(err)
	}
	if err := v.Declare(statesync.Within(world.Vec3{}, 10)); err != nil {
		t.Fatal(err)
	}
	check("2,048 declared")
	if _, _, err := feed.Subscribe(nil, statesync.Options{Name: "all", Area: statesync.Whole()}); err != nil {
		t.Fatal(err)
	}
	check("2,049 entities", "begun after 1", "done after 2")
	if err := v.Declare(statesync.Within(world.Vec3{1000, 0, 0}, 1)); err != nil {
		t.Fatal(err)
	}
	if err := v.Declare(statesync.Whole()); err != nil {
		t.Fatal(err)
	}
	check("2,049 declared", "begun after 2", "done after 2")
}
