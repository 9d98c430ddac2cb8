package clip_test

import (
	"testing"

	"github.com/limina-mcp/limina/internal/clip"
)

func TestClip(t *testing.T) {
	for text, want := range map[string][2]string{
		"short":      {"short", "short"},
		"sixsix":     {"sixsix", "sixsix"},
		"sevenseven": {"sevens", "sevens…"},
		"fünf€":      {"fünf", "fünf…"},
	} {
		if got := [2]string{clip.Bytes(text, 6), clip.Shown(text, 6)}; got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
}
