package material_test

import (
	"testing"

	"github.com/limina-mcp/limina/skills/material"
)

// TestNamed finds every material by its name, and nothing by any other.
func TestNamed(t *testing.T) {
	for _, want := range material.Builtin() {
		if got, err := material.Named(want.Name); err != nil || *got != want {
			t.Errorf("Named(%q) = %v, %v; want %v", want.Name, got, err, want)
		}
	}
	for _, name := range []string{"", "a", "woo", "woods", "zinc"} {
		if got, err := material.Named(name); err == nil {
			t.Errorf("Named(%q) = %v; want an error", name, got)
		}
	}
}
