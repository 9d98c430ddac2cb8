package validation_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
)

// TestStoreys has what is upstairs within reach of who can take the stairs, and nothing but that.
func TestStoreys(t *testing.T) {
	const steps = 15
	for _, stairs := range []bool{true, false} {
		s := newSite(t, 1)
		for _, z := range []float64{-4, 4} {
			s.box(world.Vec3{0, 3, z}, world.Vec3{10.2, 6, 0.2})
		}
		s.box(world.Vec3{5, 3, 0}, world.Vec3{0.2, 6, 7.8})
		s.box(world.Vec3{-5, 3, -2.5}, world.Vec3{0.2, 6, 2.8}) // a door is left beside it
		s.box(world.Vec3{-5, 3, 2.5}, world.Vec3{0.2, 6, 2.8})
		s.box(world.Vec3{-5, 4, 0}, world.Vec3{0.2, 4, 2.2})
		// The floor upstairs leaves the stairs a hole.
		s.box(world.Vec3{-0.6, 2.9, 0}, world.Vec3{8.6, 0.2, 7.8})
		s.box(world.Vec3{4.3, 2.9, 2.9}, world.Vec3{1.2, 0.2, 2})
		for i := range steps {
			if h := 3 * float64(i+1) / (steps + 1); stairs {
				s.box(world.Vec3{4.3, h / 2, -2.4 + 0.28*float64(i)}, world.Vec3{1.2, h, 0.28})
			}
		}
		bed := s.box(world.Vec3{-3.5, 3.25, -3}, world.Vec3{2, 0.5, 1})
		// Its top stands out over the cupboard.
		cupboard := s.box(world.Vec3{0, 0.45, -3.5}, world.Vec3{2, 0.9, 0.6})
		s.box(world.Vec3{0, 0.925, -3.45}, world.Vec3{2.1, 0.05, 0.7})
		out := s.validate(fmt.Sprintf(`{"checks":["unreachable"],"reach":[%q,%q],"from":[-8,0,0]}`, bed, cupboard))
		lost := slices.ContainsFunc(out.Findings, func(f validation.Finding) bool { return f.Entities[0] == bed })
		if lost == stairs || !stairs && len(out.Findings) != 1 || stairs && !out.OK {
			t.Errorf("stairs %v: %s", stairs, show(out.Findings))
		}
	}
}
