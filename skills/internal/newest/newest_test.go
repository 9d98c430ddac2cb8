package newest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/newest"
	"github.com/limina-mcp/limina/world"
)

// TestKeep gives rows to more agents than may have one.
func TestKeep(t *testing.T) {
	w := world.New(world.Config{})
	rows := world.NewTable[string, uint64](w, "rows", 3)
	for _, c := range []struct {
		agent string
		since uint64
		want  string
	}{
		{"c", 1, "c"}, {"b", 2, "b c"}, {"a", 2, "a b c"}, {"c", 3, "a b c"}, {"d", 4, "b c d"}, {"e", 4, "c d e"}, {"e", 9, "c d e"}, {"f", 9, "d e f"},
	} {
		if _, err := w.Update(t.Context(), func(tx *world.Tx) error {
			return newest.Keep(tx, rows, 3, c.agent, c.since, func(at uint64) uint64 { return at })
		}); err != nil {
			t.Fatal(err)
		}
		w.View(func(v *world.View) {
			if got := strings.Join(slices.Sorted(maps.Keys(maps.Collect(rows.All(v)))), " "); got != c.want {
				t.Errorf("after %s: %s, want %s", c.agent, got, c.want)
			}
		})
	}
}
