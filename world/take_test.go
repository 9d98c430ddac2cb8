package world_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// Take deletes the first rows, as many as are wanted, and a rollback brings them back.
func TestTake(t *testing.T) {
	w := world.New(world.Config{})
	queue := world.NewTable[uint64, string](w, "queue", 10)
	must(t, w, func(tx *world.Tx) error {
		var errs []error
		for _, text := range []string{"a", "b", "c", "d"} {
			errs = append(errs, queue.Set(tx, queue.Next(tx), text))
		}
		return errors.Join(errs...)
	})
	holds := func(want ...string) {
		t.Helper()
		w.View(func(v *world.View) {
			var got []string
			for _, row := range queue.All(v) {
				got = append(got, row)
			}
			if !slices.Equal(got, want) {
				t.Errorf("the table holds %q, want %q", got, want)
			}
		})
	}
	take := func(fail error, wanted func(string) bool, want ...string) {
		t.Helper()
		_, err := w.Update(t.Context(), func(tx *world.Tx) error {
			if got := queue.Take(tx, wanted); !slices.Equal(got, want) {
				t.Errorf("took %q, want %q", got, want)
			}
			return fail
		})
		if !errors.Is(err, fail) {
			t.Error(err)
		}
	}
	take(nil, func(text string) bool { return text != "c" }, "a", "b")
	holds("c", "d")
	take(nil, func(text string) bool { return text == "d" }) // it is not the first
	holds("c", "d")
	take(errors.New("no"), nil, "c", "d")
	holds("c", "d")
	take(nil, nil, "c", "d")
	holds()
	take(nil, nil)
}
