package material_test

import (
	"testing"

	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// TestNamed finds every material by its name, and nothing by any other.
func TestNamed(t *testing.T) {
	world.New(world.Config{}).View(func(v *world.View) {
		for _, want := range material.Builtin() {
			if got, err := material.Named(v, want.Name); err != nil || *got != want {
				t.Errorf("Named(%q) = %v, %v; want %v", want.Name, got, err, want)
			}
		}
		for _, name := range []string{"", "a", "woo", "woods", "zinc"} {
			if got, err := material.Named(v, name); err == nil {
				t.Errorf("Named(%q) = %v; want an error", name, got)
			}
		}
	})
}
