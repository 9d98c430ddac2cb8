package validation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
)

// falls gives something a body that falls.
func (s *site) falls(id world.ID) world.ID {
	s.t.Helper()
	s.update(func(tx *world.Tx) error {
		return s.World.Bodies.Set(tx, id, world.Body{Type: "dynamic", Collider: "box", Friction: 0.5})
	})
	return id
}

// TestBottomless holds that what is said to fall for ever is what has fallen far when time has gone on in the
// world itself, among bodies on slabs with and without bodies, on each other and on the level ground.
func TestBottomless(t *testing.T) {
	start := moving(t)
	for seed := range uint64(trials()) {
		s := start(seed)
		var bodies []world.ID
		for plot := range 12 {
			x := float64(plot) * 5
			slab := func() world.ID { return s.box(world.Vec3{x, 0.1, 0}, world.Vec3{3, 0.2, 3}) }
			falls := func(at float64) {
				bodies = append(bodies, s.falls(s.box(world.Vec3{x, at + 0.5, 0}, world.Vec3{1, 1, 1})))
			}
			switch s.rand.IntN(6) {
			case 0:
				falls(0)
			case 1:
				s.fixed(slab())
				falls(0.2)
			case 2:
				slab()
				falls(0.2)
			case 3: // through a block onto the slab
				s.fixed(slab())
				s.box(world.Vec3{x, 0.7, 0}, world.Vec3{1, 1, 1})
				falls(1.2)
			case 4:
				s.fixed(slab())
				falls(0.2)
				falls(1.2)
			default:
				slab()
				falls(0.2)
				falls(1.2)
			}
		}
		out := s.validate(`{"checks":["unsupported"]}`)
		var found []world.ID
		for _, f := range out.Findings {
			if f.Kind != validation.Unsupported || len(f.Fix) > 0 || !strings.Contains(f.Message, `"static":true`) {
				t.Fatalf("world %d: %s: %s\nwant that it falls for ever, and what to do", seed, f.Kind, f.Message)
			}
			found = append(found, f.Entities...)
		}
		for range 4 * s.World.StepRate() {
			s.World.Step(t.Context())
		}
		var fallen []world.ID
		s.World.View(func(v *world.View) {
			for _, id := range bodies {
				if at, _ := v.Position(id); at[1] < -10 {
					fallen = append(fallen, id)
				}
			}
		})
		if slices.Sort(found); !slices.Equal(found, fallen) {
			t.Errorf("world %d: %v are said to fall for ever, %v did", seed, found, fallen)
		}
	}
}

// TestBottomlessSaysWhat looks at what is said.
func TestBottomlessSaysWhat(t *testing.T) {
	const ground = `make a ground with scene.createEntity {"size":50,"static":true} and three.setTransform with position [0,-0.5,0] and scale [2,0.02,2]`
	for _, c := range []struct {
		name string
		make func(s *site)
		want string
	}{
		{
			"a box", func(s *site) { s.falls(s.box(world.Vec3{0, 0.5, 0}, world.Vec3{1, 1, 1})) },
			"ent_0 has a dynamic body and nothing with a body is under it: with time going on it falls for ever. The level ground is only to be seen: " + ground,
		},
		{"three on a table", func(s *site) {
			for i := range 3 {
				s.falls(s.box(world.Vec3{float64(i) * 2, 1.5, 0}, world.Vec3{1, 1, 1}))
			}
			s.box(world.Vec3{2, 0.5, 0}, world.Vec3{9, 1, 3})
		}, "ent_0 and 2 more have dynamic bodies and nothing with a body is under them: with time going on it falls for ever. " +
			"ent_3 below it has no body and holds nothing: make that anew with static true, or " + ground},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			s := moving(t)(1)
			c.make(s)
			if out := s.validate(`{"physics":true}`); len(out.Findings) != 1 || out.Findings[0].Message != c.want {
				t.Errorf("found %s\nwant %s", show(out.Findings), c.want)
			}
			s.fixed(s.box(world.Vec3{0, -0.5, 0}, world.Vec3{100, 1, 100}))
			if out := s.validate(`{"checks":["unsupported"]}`); !out.OK {
				t.Error(fmt.Sprint("with a ground: ", show(out.Findings)))
			}
		})
	}
}
