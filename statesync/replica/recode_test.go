package replica_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

// TestRecode has a copy go on, in another encoding, after its connection was lost: from then on it follows small moves from where
// it is, also from the middle between two places and from beyond the last.
func TestRecode(t *testing.T) {
	encodings := []statesync.Encoding{statesync.JSON, statesync.Packed, statesync.Binary}
	for _, from := range encodings {
		for _, to := range encodings[1:] {
			w := world.New(world.Config{})
			hub := statesync.New(w, statesync.Config{Precision: 6})
			update := func(fn func(tx *world.Tx, id world.ID, i int) error) {
				t.Helper()
				if _, err := w.Update(t.Context(), func(tx *world.Tx) error {
					for i := range 8 {
						if err := fn(tx, world.ID(i+1), i); err != nil {
							return err
						}
					}
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}
			edge := (1<<30 - 1) / 64.0 // the last place
			update(func(tx *world.Tx, _ world.ID, i int) error {
				x := []float64{1, -1.5 / 64, 1.5 / 64, -3.25, edge, edge + 0.5/64, edge + 1/64.0, 1e30}[i]
				_, err := tx.Create(world.Spec{Position: world.Vec3{x, 0, 0}})
				return err
			})
			var c replica.Copy
			apply := func(frame []byte, encoding statesync.Encoding) {
				t.Helper()
				read := c.Text
				if encoding == statesync.Binary {
					read = c.Binary
				}
				if _, err := read(frame); err != nil {
					t.Fatal(err)
				}
			}
			subscribe := func(o statesync.Options) *statesync.Feed {
				t.Helper()
				f := hub.Connect(nil)
				first, v, err := f.Subscribe(nil, o)
				if err != nil {
					t.Fatal(err)
				}
				v.Start()
				apply(first, o.Encoding)
				return f
			}
			subscribe(statesync.Options{Area: statesync.Whole(), Encoding: from}).Close()
			f := subscribe(statesync.Options{Area: statesync.Whole(), Encoding: to, Resume: true, Since: c.View("").Tick})
			for n := range 5 {
				update(func(tx *world.Tx, id world.ID, i int) error {
					at, _ := tx.Position(id)
					return tx.SetPosition(id, at.Add(world.Vec3{-1.25 / 64, float64(n*i) / 64, 0}))
				})
				frame, _ := f.Append(nil)
				apply(frame, to)
				w.View(func(v *world.View) {
					for number, e := range c.View("").Entities {
						at, _ := v.Position(world.ID(number + 1))
						for k, x := range at {
							if math.Abs(e.Pos[k]-x) > 0.5/64 {
								t.Errorf("%v, then %v: after %d moves entity %d is at %v, the copy has %v", from, to, n+1, number, at, e.Pos)
							}
						}
					}
				})
			}
		}
	}
}
