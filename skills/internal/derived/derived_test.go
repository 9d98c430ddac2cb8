package derived_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/internal/derived"
	"github.com/limina-mcp/limina/world"
)

// TestMove has some stand under keys, each under others than before, and finds the table that is made anew of them.
func TestMove(t *testing.T) {
	keys := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), rapid.ID)
	rapid.Check(t, func(t *rapid.T) {
		w := world.New(world.Config{})
		moved := world.NewTable[string, []int](w, "moved", 9)
		remade := world.NewTable[string, []int](w, "remade", 9)
		under := map[int][]string{}
		for range rapid.IntRange(1, 9).Draw(t, "moves") {
			id, now := rapid.IntRange(0, 3).Draw(t, "id"), keys.Draw(t, "keys")
			want := map[string][]int{}
			_, err := w.Update(t.Context(), func(tx *world.Tx) error {
				if err := derived.Move(tx, moved, id, under[id], now); err != nil {
					return err
				}
				under[id] = now
				for _, id := range slices.Sorted(maps.Keys(under)) {
					for _, key := range under[id] {
						want[key] = append(want[key], id)
					}
				}
				return derived.Remake(tx, remade, want, slices.Equal)
			})
			if err != nil {
				t.Fatal(err)
			}
			w.View(func(v *world.View) {
				for name, table := range map[string]*world.Table[string, []int]{"moved": moved, "remade": remade} {
					if diff := cmp.Diff(want, maps.Collect(table.All(v))); diff != "" {
						t.Fatalf("%s (-want +got):\n%s", name, diff)
					}
				}
			})
		}
		tick := w.Tick()
		if _, err := w.Update(t.Context(), func(tx *world.Tx) error {
			want := map[string][]int{}
			maps.Insert(want, moved.All(&tx.View))
			return derived.Remake(tx, remade, want, slices.Equal)
		}); err != nil || w.Tick() != tick {
			t.Fatalf("what is so already was touched: %v", err)
		}
	})
}
