package quote_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/quote"
)

// TestOthers names the nearest, or one of those there are, cut short.
func TestOthers(t *testing.T) {
	long := strings.Repeat("x", 60)
	for _, c := range []struct {
		got  string
		all  []string
		want string
	}{
		{"goblin", []string{"dragon", "goblins"}, `the nearest is "goblins"`},
		{"q", []string{"goblins"}, `there is "goblins"`},
		{"q", []string{"dragon", "goblins"}, `there are 2, such as "dragon"`},
		{"q", []string{long}, `there is "` + long[:48] + `…"`},
	} {
		if got := quote.Others(c.got, c.all); got != c.want {
			t.Errorf("%q among %q: %s, want %s", c.got, c.all, got, c.want)
		}
	}
}
