package statesync_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// So is the delta after another, large area was declared, and it is appended, not due; the one of a small area is due.
func TestDeltaInPieces(t *testing.T) {
	w := world.New(world.Config{})
	var ids []world.ID
	update(t, w, func(tx *world.Tx) error {
		for i := range 200 {
			spec := world.Spec{Name: fmt.Sprint("thing ", i), Position: world.Vec3{float64(i), 0, 1}}
			if i%9 == 0 {
				spec.Position[1] = 1e20 // too far away for quanta
			}
			id, err := tx.Create(spec)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	near, wide := statesync.Within(world.Vec3{40, 0, 0}, 10), statesync.Within(world.Vec3{80, 0, 0}, 60)
	for _, o := range []statesync.Options{
		{Encoding: statesync.JSON},
		{Encoding: statesync.JSON, Batch: true, Name: "a"},
		{Encoding: statesync.Packed},
		{Encoding: statesync.Packed, Batch: true, Name: "a"},
		{Encoding: statesync.Binary, Name: "a"},
		{Encoding: statesync.Binary, Batch: true},
	} {
		for _, area := range []statesync.Area{statesync.Whole(), wide} {
			o.Area = near
			hub := statesync.New(w, statesync.Config{})
			first := 0
			declared := func(chunk int) (before, after []byte) {
				hub.InPieces(1000)
				feed := hub.Connect(nil)
				frame, v, err := feed.Subscribe(nil, o)
				if err != nil {
					t.Fatal(err)
				}
				first = len(frame)
				v.Start()
				before, err = v.DeclareSlowly([]byte("before"), area, chunk, func() {})
				if err != nil {
					t.Fatal(err)
				}
				if after, kind := feed.Append(nil); kind != statesync.NoFrame {
					t.Errorf("due before Start: %q", after)
				}
				v.Start()
				after, _ = feed.Append(nil)
				return before, after
			}
			none, want := declared(1000)
			if string(none) != "before" || len(want) == 0 {
				t.Errorf("%+v: at once: appended %q, due %q", o, none, want)
			}
			for chunk := 1; chunk < 80; chunk += 7 {
				got, none := declared(chunk)
				if len(none) > 0 || !bytes.Equal(got, append([]byte("before"), want...)) {
					t.Fatalf("%+v to %+v in pieces of %d:\n%q\nand due %q, want\n%q", o, area, chunk, got, none, want)
				}
				if err := hub.Check(); err != nil {
					t.Fatal(err)
				}
			}
			if s := hub.Stats(); s.Messages != 2*13 || s.Bytes != 13*uint64(first+len(want)) {
				t.Errorf("%+v: %d messages of %d bytes are counted, want %d of %d", o, s.Messages, s.Bytes, 2*13, 13*(first+len(want)))
			}
			hub.Close()
		}
	}
}

// While a delta is written in pieces, anything may happen to what the client holds and to what comes into sight: it is told what is
// so in the end, and no more of what it holds than has changed.
func TestChangesWhileDeltaIsWritten(t *testing.T) {
	const held, all, piece = 12, 60, 10
	for _, o := range []statesync.Options{{Encoding: statesync.JSON}, {Encoding: statesync.Packed}, {Encoding: statesync.Binary}} {
		w := world.New(world.Config{})
		var ids []world.ID
		update(t, w, func(tx *world.Tx) error {
			for i := range all {
				spec := world.Spec{Name: "a name that takes some room", Position: world.Vec3{float64(i), 0, 0}}
				id, err := tx.Create(spec)
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			return nil
		})
		at := func(tx *world.Tx, i int, p world.Vec3) {
			if err := tx.SetPosition(ids[i], p); err != nil {
				t.Fatal(err)
			}
		}
		hub := statesync.New(w, statesync.Config{})
		hub.InPieces(piece)
		c := newClient(hub)
		o.Area = statesync.Within(world.Vec3{}, held-0.5)
		v, err := c.subscribe(o)
		if err != nil {
			t.Fatal(err)
		}
		// Not told before the other area is declared:
		for i := range 5 { // 0 moves so often that nobody knows where it was
			update(t, w, func(tx *world.Tx) error { at(tx, 0, world.Vec3{0.5, float64(i), 1}); return nil })
		}
		update(t, w, func(tx *world.Tx) error {
			at(tx, 1, world.Vec3{1, 2, 1})
			at(tx, 2, world.Vec3{2.001, 0, 0}) // less than a quantum
			at(tx, 3, world.Vec3{100, 0, 0})
			at(tx, 4, world.Vec3{100, 0, 0})
			return nil
		})
		update(t, w, func(tx *world.Tx) error {
			at(tx, 3, world.Vec3{3, 1, 0}) // back again
			at(tx, 4, world.Vec3{4, 1, 0})
			return nil
		})
		pauses := 0
		frame, err := v.DeclareSlowly(nil, statesync.Whole(), piece, func() {
			pauses++
			if pauses != all/piece+2 { // after the second piece is written
				return
			}
			update(t, w, func(tx *world.Tx) error {
				tx.Destroy(ids[4]) // held, gone, back, gone
				tx.Destroy(ids[5]) // held
				tx.Destroy(ids[held])
				at(tx, held+1, world.Vec3{0, 0, 7}) // written already
				at(tx, 6, world.Vec3{0, 1e20, 7})
				if err := tx.SetRotation(ids[7], world.Quat{0, 1, 0, 0}); err != nil {
					return err
				}
				if err := tx.SetScale(ids[8], world.Vec3{1, 2, 3}); err != nil {
					return err
				}
				if err := tx.SetName(ids[9], "another"); err != nil {
					return err
				}
				_, err := tx.Create(world.Spec{Name: "new"})
				return err
			})
		})
		if err != nil || len(frame) == 0 {
			t.Fatalf("%s: %d bytes are appended, %v", o.Encoding, len(frame), err)
		}
		if err := hub.Check(); err != nil {
			t.Error(err)
		}
		updates, err := apply(&c.copy, o.Encoding == statesync.Binary, frame)
		if err != nil || len(updates) != 1 {
			t.Fatalf("%s: %d updates, %v", o.Encoding, len(updates), err)
		}
		if want := []uint64{ids[4].Number(), ids[5].Number()}; !slices.Equal(updates[0].Removed, want) {
			t.Errorf("%s: removed is %v, want %v", o.Encoding, updates[0].Removed, want)
		}
		want := []uint64{ids[0].Number(), ids[1].Number(), ids[3].Number()}
		for _, i := range []int{6, 7, 8, 9} {
			want = append(want, ids[i].Number())
		}
		for _, id := range ids[held+1:] {
			want = append(want, id.Number())
		}
		want = append(want, ids[all-1].Number()+1)
		if o.Encoding == statesync.JSON {
			want = slices.Insert(want, 2, ids[2].Number())
		}
		slices.Sort(updates[0].Changed)
		if diff := gocmp.Diff(want, updates[0].Changed); diff != "" {
			t.Errorf("%s: changed (-want +got):\n%s", o.Encoding, diff)
		}
		if text := strings.Count(string(frame), "a name"); o.Encoding != statesync.JSON && text != all-held-1+1 {
			t.Errorf("%s: %d names are told, want those of %d that come into sight and of one that came back", o.Encoding, text, all-held-1)
		}
		update(t, w, func(tx *world.Tx) error { at(tx, held+2, world.Vec3{0, 0, 8}); return nil })
		if frame, kind := c.feed.Append(nil); kind != statesync.NoFrame {
			t.Errorf("%s: due before Start: %q", o.Encoding, frame)
		}
		v.Start()
		c.drain()
		if err := c.err; err != nil {
			t.Fatal(err)
		}
		fresh := newClient(hub)
		o.Area = statesync.Whole()
		if _, err := fresh.subscribe(o); err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(fresh.copy.View("").Entities, c.copy.View("").Entities, cmpopts.IgnoreUnexported(replica.Entity{})); diff != "" {
			t.Errorf("%s: the copy (-fresh +declared):\n%s", o.Encoding, diff)
		}
		hub.Close()
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
		c := newClient(hub)
		pauses := 0
		frame, v, err := c.feed.SubscribeSlowly(nil, statesync.Options{Area: statesync.Within(world.Vec3{}, 1), Encoding: encoding}, stay, func() {
			if pauses++; pauses != entities/stay+20 { // after 20 of 30 pieces are written
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
			update(t, w, func(tx *world.Tx) error { return tx.SetPosition(ids[stay], world.Vec3{}) }) // back again
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := hub.Check(); err != nil {
			t.Error(err)
		}
		c.apply(frame, v.Frame())
		if held := c.copy.View(""); c.err != nil || len(held.Entities) != stay+1 || v.Tick() != held.Tick {
			t.Errorf("%s: the client holds %d entities at tick %d, want %d at %d; %d pauses; %v", encoding, len(held.Entities), held.Tick, stay+1, v.Tick(), pauses, c.err)
		}
		v.Start()
		update(t, w, func(tx *world.Tx) error { return tx.SetPosition(ids[0], world.Vec3{100, 0, 0}) })
		update(t, w, func(tx *world.Tx) error { return tx.SetPosition(ids[stay+1], world.Vec3{}) }) // one that left while it was written
		c.drain()
		if n := len(c.copy.View("").Entities); c.err != nil || n != stay+1 {
			t.Errorf("%s: the client holds %d entities, want %d; %v", encoding, n, stay+1, c.err)
		}
		if err := hub.Check(); err != nil {
			t.Error(err)
		}
		hub.Close()
	}
}

// Of a large area, and of no other, the connection's server is told, once before it is read and once when that is told.
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
	if _, err := v.Declare(nil, statesync.Within(world.Vec3{1000, 0, 0}, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Declare(nil, statesync.Within(world.Vec3{}, 10)); err != nil {
		t.Fatal(err)
	}
	check("2,048 declared")
	if _, _, err := feed.Subscribe(nil, statesync.Options{Name: "all", Area: statesync.Whole()}); err != nil {
		t.Fatal(err)
	}
	check("2,049 entities", "begun after 1", "done after 2")
	if _, err := v.Declare(nil, statesync.Within(world.Vec3{1000, 0, 0}, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Declare(nil, statesync.Whole()); err != nil {
		t.Fatal(err)
	}
	check("2,049 declared", "begun after 2", "done after 3")
}
