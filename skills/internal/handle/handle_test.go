package handle_test

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/internal/handle"
)

type toy struct{}

func (toy) Prefix() string { return "toy_" }
func (toy) Noun() string   { return "toy" }

func TestText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64().Draw(t, "n")
		text := "toy_" + strconv.FormatUint(n, 10)
		h, err := handle.Parse[toy](text)
		if err != nil || uint64(h) != n || h.String() != text {
			t.Fatalf("Parse(%q) = %d %q, %v", text, uint64(h), h, err)
		}
	})
	for _, bad := range []string{"", "toy_", "toy_07", "toy_-1", "toy_+1", "ui_7", "7", "toy_7 ", "toy_18446744073709551616", strings.Repeat("x", 500)} {
		if h, err := handle.Parse[toy](bad); err == nil || len(err.Error()) > 140 || !strings.Contains(err.Error(), `"toy_0"`) {
			t.Errorf("Parse(%q) = %v, %v, want a short error with an example", bad, h, err)
		}
	}
}

func TestNearest(t *testing.T) {
	got := handle.Nearest([]handle.Of[toy]{1, 20, 9, 12, 30}, 11)
	if want := "the nearest are toy_9, toy_12, toy_20"; got != want {
		t.Errorf("Nearest: %q, want %q", got, want)
	}
}
