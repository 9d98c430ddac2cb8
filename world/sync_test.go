package world_test

import (
	"errors"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// TestParts puts entities together from their parts and compares with AppendEntity.
func TestParts(t *testing.T) {
	number := rapid.OneOf(rapid.Float64Range(-3.4e38, 3.4e38), rapid.Float64Range(-100, 100), rapid.Map(rapid.IntRange(-1_000_001, 1_000_001), func(n int) float64 { return float64(n) }),
		rapid.SampledFrom([]float64{0, -1 / 1e300 / 1e300, 1e6, 1e6 + 0.5, 1e21, 1e-9, 5e-324, 0.5}))
	rapid.Check(t, func(t *rapid.T) {
		num := func() float64 { return number.Draw(t, "number") }
		w := world.New(world.Config{})
		hidden := world.NewComponent[int](w, "hidden", world.Private)
		_, err := w.Update(t.Context(), func(tx *world.Tx) error {
			root, err := tx.Create(world.Spec{Position: world.Vec3{num(), num(), num()}, Scale: world.Vec3{num(), 1, 1}})
			if err != nil {
				return err
			}
			if rapid.Bool().Draw(t, "bare") {
				return nil
			}
			child, err := tx.Create(world.Spec{Position: world.Vec3{1, 2, 3}, Name: "n", Tags: []string{"t"}})
			if err != nil {
				return err
			}
			if rapid.Bool().Draw(t, "carried") {
				if err := tx.SetParent(child, root); err != nil {
					return nil //nolint:nilerr // out of the world's numbers: stays a root
				}
			}
			if err := w.Shapes.Set(tx, child, world.Shape{Kind: "box", Size: world.Vec3{1, 2, 3}}); err != nil {
				return err
			}
			return hidden.Set(tx, child, 1)
		})
		if err != nil {
			t.Fatal(err)
		}
		w.View(func(v *world.View) {
			for id := range v.All() {
				at, _ := v.WorldTransform(id)
				got := world.AppendPlace(nil, id, &at, w.Bodies.Has(v, id))
				text, parts := w.AppendParts(nil, nil, v, id)
				start := 0
				for _, p := range parts {
					got = fmt.Appendf(got, ",%q:%s", p.Name, text[start:p.End])
					start = p.End
				}
				if diff := gocmp.Diff(string(w.AppendEntity(nil, v, id)), string(append(got, '}'))); diff != "" {
					t.Errorf("%v (-AppendEntity +parts):\n%s", id, diff)
				}
			}
		})
	})
}

// TestRows follows a table by the rows that commits have touched.
func TestRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world.New(world.Config{})
		table := world.NewTable[int, string](w, "table", 0)
		secret := world.NewTable[int, int](w, "secret", 0, world.Private)
		copied := map[string]string{}
		defer w.Observe(func(c *world.Commit) {
			for _, name := range []string{"secret", "weather", "shape", "none"} {
				if c.Rows(name, func(_, _ []byte, _ *world.Place) {}) {
					t.Errorf("Rows(%q) = true, want no such table", name)
				}
			}
			c.Rows("table", func(key, value []byte, at *world.Place) {
				if at != nil {
					t.Errorf("%s of a table without places is at %+v", key, at)
				}
				if value == nil {
					delete(copied, string(key))
					return
				}
				copied[string(key)] = string(value)
			})
		})()
		for range rapid.IntRange(1, 5).Draw(t, "commits") {
			_, err := w.Update(t.Context(), func(tx *world.Tx) error {
				table.Next(tx)
				for range rapid.IntRange(0, 4).Draw(t, "ops") {
					mark := tx.Savepoint()
					key := rapid.IntRange(0, 5).Draw(t, "key")
					if rapid.Bool().Draw(t, "set") {
						if err := table.Set(tx, key, rapid.StringN(0, 3, 9).Draw(t, "value")); err != nil {
							return err
						}
					} else {
						table.Delete(tx, key)
					}
					if rapid.Bool().Draw(t, "undo") {
						tx.RollbackTo(mark)
					}
				}
				return secret.Set(tx, 1, 1)
			})
			if err != nil {
				t.Fatal(err)
			}
			is := map[string]string{}
			w.View(func(v *world.View) {
				if !v.Rows("table", func(key, value []byte, _ *world.Place) { is[string(key)] = string(value) }) || v.Rows("secret", nil) {
					t.Error("Rows knows the wrong tables")
				}
			})
			if diff := gocmp.Diff(is, copied); diff != "" {
				t.Fatalf("rows (-is +followed):\n%s", diff)
			}
		}
	})
}

// TestLocate follows where the rows of a table are.
func TestLocate(t *testing.T) {
	w := world.New(world.Config{})
	const id = world.ID(8)
	table := world.NewTable[int, float64](w, "table", 0)
	table.Locate(func(r float64) world.Place { return world.Place{Entity: id, Radius: r} })
	var got []string
	note := func(key, value []byte, at *world.Place) {
		got = append(got, fmt.Sprintf("%s:%s at %+v", key, value, *at))
	}
	defer w.Observe(func(c *world.Commit) { c.Rows("table", note) })()
	for _, fn := range []func(tx *world.Tx) error{
		func(tx *world.Tx) error { return errors.Join(table.Set(tx, 1, 0.5), table.Set(tx, 2, 2)) },
		func(tx *world.Tx) error { table.Delete(tx, 2); return nil },
	} {
		must(t, w, fn)
	}
	w.View(func(v *world.View) { v.Rows("table", note) })
	want := []string{
		`"1":0.5 at {Entity:ent_7 Point:<nil> Radius:0.5}`, `"2":2 at {Entity:ent_7 Point:<nil> Radius:2}`,
		`"2": at {Entity: Point:<nil> Radius:0}`,
		`"1":0.5 at {Entity:ent_7 Point:<nil> Radius:0.5}`,
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}
