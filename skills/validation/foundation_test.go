package validation_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestFoundations: what is a foundation may be in the ground, also out of bounds below, what stands on it may not.
func TestFoundations(t *testing.T) {
	s, p := skilltest.New(t, catalogue), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "architecture.building", `{"foundation":2,"roofStyle":"flat"}`)
	for _, input := range []string{`{}`, `{"bounds":{"min":[-20,0,-20],"max":[20,20,20]}}`} {
		if got := s.Must(t, p, "scene.validate", input); !strings.Contains(got, `"findings":[]`) {
			t.Errorf("%s: %s", input, got)
		}
	}
	s.Must(t, p, "architecture.building", `{"position":[30,-0.5,0],"foundation":2,"roofStyle":"flat"}`)
	if got := s.Must(t, p, "scene.validate", `{}`); !strings.Contains(got, `"kind":"belowGround"`) || !strings.Contains(got, `"amount":0.5`) {
		t.Errorf("a house that has sunk by half a metre: %s", got)
	}
}
