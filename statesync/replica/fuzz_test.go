package replica_test

import (
	"context"
	"errors"
	"testing"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

// frames are those of a small world with everything in it that can be told.
func frames(tb testing.TB, encoding statesync.Encoding) [][]byte {
	tb.Helper()
	w := world.New(world.Config{})
	table := world.NewTable[string, int](w, "table", 0)
	hub := statesync.New(w, statesync.Config{})
	update := func(fn func(tx *world.Tx) error) {
		if _, err := w.Update(context.Background(), fn); err != nil {
			tb.Fatal(err)
		}
	}
	var a, b world.ID
	update(func(tx *world.Tx) (err error) {
		if a, err = tx.Create(world.Spec{Position: world.Vec3{1, 2, 3}, Name: "a", Rotation: world.QuatFromEuler(1, 2, 3)}); err != nil {
			return err
		}
		b, err = tx.Create(world.Spec{Parent: a, Scale: world.Vec3{1, 2, 3}, Tags: []string{"t"}})
		return err
	})
	f := hub.Connect(nil)
	first, v, err := f.Subscribe(nil, statesync.Options{Name: "v", Area: statesync.Whole(), Encoding: encoding})
	if err != nil {
		tb.Fatal(err)
	}
	v.Start()
	all := [][]byte{first}
	pull := func() {
		if frame, kind := f.Append(nil); kind != statesync.NoFrame {
			all = append(all, frame)
		}
	}
	for _, fn := range []func(tx *world.Tx) error{
		func(tx *world.Tx) error { return tx.SetPosition(a, world.Vec3{2, 2, 3}) },
		func(tx *world.Tx) error { return tx.SetPosition(a, world.Vec3{200, 2, 3}) },
		func(tx *world.Tx) error { return tx.SetPosition(b, world.Vec3{1e30, 2, 3}) },
		func(tx *world.Tx) error { return tx.SetRotation(a, world.NoRotation()) },
		func(tx *world.Tx) error { return tx.SetScale(a, world.Vec3{2, 2, 2}) },
		func(tx *world.Tx) error { return tx.SetName(a, "") },
		func(tx *world.Tx) error {
			return errors.Join(tx.SetPosition(a, world.Vec3{1, 1, 1}), tx.SetRotation(a, world.QuatFromEuler(3, 2, 1)), tx.SetScale(a, world.Vec3{3, 2, 1}), tx.SetName(a, "b"))
		},
		func(tx *world.Tx) error { return table.Set(tx, "k", 1) },
		func(tx *world.Tx) error { table.Delete(tx, "k"); return tx.Moment(world.Moment{Kind: "bang"}) },
		func(tx *world.Tx) error { return w.Lights.Set(tx, b, world.Light{Kind: "point"}) },
		func(tx *world.Tx) error { tx.Destroy(b); return nil },
	} {
		update(fn)
		pull()
	}
	resumed, _, err := f.Subscribe(nil, statesync.Options{Name: "v", Area: statesync.Whole(), Encoding: encoding, Resume: true, Since: 3})
	if err != nil {
		tb.Fatal(err)
	}
	return append(all, resumed)
}

// check fails if a copy contradicts itself.
func check(t *testing.T, c *replica.Copy) {
	t.Helper()
	v := c.View("v")
	if v == nil {
		return
	}
	for n, e := range v.Entities {
		if e.Number != n {
			t.Fatalf("entity %d is held as %d", e.Number, n)
		}
	}
}

func FuzzBinary(f *testing.F) {
	seeds := frames(f, statesync.Binary)
	for i, frame := range seeds {
		f.Add(i, frame)
	}
	f.Fuzz(func(t *testing.T, before int, frame []byte) {
		var c replica.Copy
		for _, seed := range seeds[:min(max(before, 0), len(seeds)-1)] {
			if _, err := c.Binary(seed); err != nil {
				t.Fatalf("a frame of the server's: %v", err)
			}
		}
		if _, err := c.Binary(frame); err == nil {
			check(t, &c)
		}
	})
}

func FuzzText(f *testing.F) {
	packed, plain := frames(f, statesync.Packed), frames(f, statesync.JSON)
	for i, frame := range packed {
		f.Add(i, frame)
		f.Add(i, append(append([]byte{'['}, frame...), ']'))
	}
	for i, frame := range plain {
		f.Add(i, frame)
	}
	f.Fuzz(func(t *testing.T, before int, frame []byte) {
		for _, seeds := range [][][]byte{packed, plain} {
			var c replica.Copy
			for _, seed := range seeds[:min(max(before, 0), len(seeds)-1)] {
				if _, err := c.Text(seed); err != nil {
					t.Fatalf("a frame of the server's: %v", err)
				}
			}
			if _, err := c.Text(frame); err == nil {
				check(t, &c)
			}
		}
	})
}
