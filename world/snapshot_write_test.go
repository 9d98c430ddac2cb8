package world_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// loose is a value that writes its JSON with more space than it takes.
type loose struct {
	Text string `json:"text"`
}

func (l *loose) AppendJSON(dst []byte) []byte {
	return fmt.Appendf(dst, "{ \"text\" :\n%q }", l.Text)
}

// TestSnapshotIsWritten holds what is written of a world, for checkpoints and saves, against what encoding/json makes of it.
func TestSnapshotIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newSaveRig()
		odd := world.NewComponent[loose](r.w, "a name <of> é")
		number := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -3, 0.1, 1e-7, -1e-9, 1e21, 3e38, 1. / 3, 123456789})
		texts := rapid.SampledFrom([]string{"", "wall", "a b", "<&>\u2028é\n\t\"\\", "\x7f", "\xff"})
		r.live(t)
		if _, err := r.w.Update(t.Context(), func(tx *world.Tx) error {
			var ids []world.ID
			for range rapid.IntRange(0, 130).Draw(t, "more") {
				spec := world.Spec{Position: world.Vec3{number.Draw(t, "x"), 1, 2}, Rotation: world.QuatFromEuler(0.1, 2, 0), Scale: world.Vec3{1, rapid.SampledFrom([]float64{1, 0.1, 1e-9, -2}).Draw(t, "scale"), 1}}
				if len(ids) > 0 && rapid.Bool().Draw(t, "below") {
					spec.Parent = ids[0]
				}
				id, err := tx.Create(spec)
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			for _, id := range ids {
				switch rapid.IntRange(0, 5).Draw(t, "what") {
				case 0:
					tx.Destroy(id)
					if !tx.Exists(ids[0]) {
						return nil
					}
				case 1:
					if err := odd.Set(tx, id, loose{"x y"}); err != nil {
						return err
					}
				case 2:
					if _, err := tx.AddTag(id, rapid.SampledFrom([]string{"a", "b c"}).Draw(t, "tag")); err != nil {
						return err
					}
				case 3:
					if err := r.rows.Set(tx, texts.Draw(t, "key"), map[string]world.ID{texts.Draw(t, "in it"): id}); err != nil {
						return err
					}
				case 4:
					if err := r.about.Set(tx, id, 7); err != nil {
						return err
					}
				case 5:
					if err := r.notes.Set(tx, id, texts.Draw(t, "note")); err != nil {
						return err
					}
				}
			}
			return r.sky.Set(tx, texts.Draw(t, "sky"))
		}); err != nil {
			t.Fatal(err)
		}
		r.w.View(func(v *world.View) {
			if got, want := string(v.AppendSnapshot([]byte("before"))), "before"+string(v.PlainSnapshot()); got != want {
				t.Fatalf("a snapshot\n%s\nwant\n%s", got, want)
			}
			if got, want := string(v.AppendSave(nil)), string(v.PlainSave()); got != want {
				t.Fatalf("a save\n%s\nwant\n%s", got, want)
			}
		})
	})
}
