package validation_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	bodies "github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// moving returns what makes sites in which bodies move.
func moving(t *testing.T) func(seed uint64) *site {
	t.Helper()
	return func(seed uint64) *site {
		return &site{skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
			p := physics.New(w, physics.Config{Open: rapiertest.Runtime().Open, Gravity: -9.81})
			t.Cleanup(func() {
				if err := p.Close(); err != nil {
					t.Error(err)
				}
			})
			return slices.Concat(scene.All(w), three.All(w), validation.All(w, a, p, nil, nil), []registry.Skill{bodies.SetGravity(w, p)})
		}), t, rand.New(rand.NewPCG(seed, 1))}
	}
}

// fixed gives something a body that never moves.
func (s *site) fixed(id world.ID) world.ID {
	s.t.Helper()
	s.update(func(tx *world.Tx) error {
		return s.World.Bodies.Set(tx, id, world.Body{Type: "static", Collider: "box"})
	})
	return id
}

// steady builds things that stay where they are, around the middle.
func (s *site) steady() {
	r := func(lo, hi float64) float64 { return lo + s.rand.Float64()*(hi-lo) }
	y := 0.0
	for range 4 { // a stack
		h := r(0.2, 1)
		s.box(world.Vec3{-12 + r(-0.2, 0.2), y + h/2, 0}, world.Vec3{1, h, 1})
		y += h
	}
	for _, d := range [][2]float64{{-1, -0.5}, {1, -0.5}, {-1, 0.5}, {1, 0.5}} { // a table
		s.box(world.Vec3{12 + d[0], 0.35, d[1]}, world.Vec3{0.2, 0.7, 0.2})
	}
	s.box(world.Vec3{12, 0.75, 0}, world.Vec3{2.4, 0.1, 1.4})
	s.put("sphere", world.Spec{Position: world.Vec3{12, 1, 0}}, world.Vec3{0.4, 0.4, 0.4})
	for _, x := range []float64{-2, 2} { // a gate
		s.box(world.Vec3{x, 1.5, 12}, world.Vec3{0.6, 3, 0.6})
	}
	s.box(world.Vec3{0, 3.2, 12}, world.Vec3{5, 0.4, 0.6})
	s.box(world.Vec3{0, 3.4 + 0.5, 12 + r(-0.05, 0.05)}, world.Vec3{1, 1, 0.6})
	wall := s.fixed(s.box(world.Vec3{0, 1.5, -12}, world.Vec3{4, 3, 0.2}))
	s.put("box", world.Spec{Parent: wall, Position: world.Vec3{0, 0.5, 0.35}}, world.Vec3{2, 0.1, 0.5}) // a shelf on it
	leg := world.Vec3{0.1, 0.7, 0.1}
	s.group(world.Vec3{12, 0, 12}, world.QuatFromEuler(0, r(0, 3), 0), // a table in one piece, wider than its legs
		[2]world.Vec3{{-0.5, 0.35, -0.3}, leg}, [2]world.Vec3{{0.5, 0.35, -0.3}, leg}, [2]world.Vec3{{-0.5, 0.35, 0.3}, leg},
		[2]world.Vec3{{0.5, 0.35, 0.3}, leg}, [2]world.Vec3{{0, 0.75, 0}, {2, 0.1, 1}})
	s.box(world.Vec3{12, 1.05, 12}, world.Vec3{0.5, 0.5, 0.5})
}

// group makes an entity that others are parts of.
func (s *site) group(at world.Vec3, turn world.Quat, parts ...[2]world.Vec3) (id world.ID) {
	s.t.Helper()
	s.update(func(tx *world.Tx) (err error) {
		id, err = tx.Create(world.Spec{Position: at, Rotation: turn})
		return err
	})
	for _, p := range parts {
		s.put("box", world.Spec{Parent: id, Position: p[0]}, p[1])
	}
	return id
}

// loads are what does not stay; each returns the entity that is to be found.
var loads = []struct {
	name  string
	plant func(s *site, r func(lo, hi float64) float64) world.ID
}{
	{"a plank too far over the edge", func(s *site, r func(lo, hi float64) float64) world.ID {
		s.box(world.Vec3{0, 0.5, 0}, world.Vec3{1, 1, 1})
		return s.box(world.Vec3{r(0.6, 1.2), 1.1, 0}, world.Vec3{3, 0.2, 0.8})
	}},
	{"a post that leans", func(s *site, r func(lo, hi float64) float64) world.ID {
		turn := world.QuatFromEuler(0, 0, r(0.3, 0.6))
		up, out := turn.Rotate(world.Vec3{0, 1.5, 0}), turn.Rotate(world.Vec3{0.2, 0, 0})
		return s.put("box", world.Spec{Position: world.Vec3{0, up[1] + max(out[1], -out[1]), 0}, Rotation: turn}, world.Vec3{0.4, 3, 0.4})
	}},
	{"a lamp under a ceiling", func(s *site, r func(lo, hi float64) float64) world.ID {
		s.fixed(s.box(world.Vec3{0, 3, 0}, world.Vec3{6, 0.2, 6}))
		s.fixed(s.box(world.Vec3{2.9, 1.45, 0}, world.Vec3{0.2, 2.9, 6}))
		return s.box(world.Vec3{r(-1, 1), 2.65, r(-1, 1)}, world.Vec3{0.5, 0.5, 0.5})
	}},
	{"a shelf beside a wall", func(s *site, r func(lo, hi float64) float64) world.ID {
		s.fixed(s.box(world.Vec3{0, 1.5, 0}, world.Vec3{4, 3, 0.2}))
		return s.box(world.Vec3{0, r(1, 2.5), 0.35}, world.Vec3{2, 0.1, 0.5})
	}},
	{"a box on a steep ramp", func(s *site, r func(lo, hi float64) float64) world.ID {
		angle := r(0.7, 0.9)
		turn := world.QuatFromEuler(0, 0, angle)
		at := world.Vec3{0, 2*math.Sin(angle) + 0.1*math.Cos(angle), 0} // its lower edge is on the ground
		s.fixed(s.put("box", world.Spec{Position: at, Rotation: turn}, world.Vec3{4, 0.2, 3}))
		return s.put("box", world.Spec{Position: at.Add(turn.Rotate(world.Vec3{0, 0.35, 0})), Rotation: turn}, world.Vec3{0.5, 0.5, 0.5})
	}},
	{"a beam on one post only", func(s *site, r func(lo, hi float64) float64) world.ID {
		s.box(world.Vec3{-1.5, 1, 0}, world.Vec3{0.5, 2, 0.5})
		return s.box(world.Vec3{r(-0.2, 0.2), 2.15, 0}, world.Vec3{4, 0.3, 0.5})
	}},
	{"a lamp in one piece, with an arm too long", func(s *site, r func(lo, hi float64) float64) world.ID {
		arm := r(1.5, 3)
		return s.group(world.Vec3{0, 0, 0}, world.QuatFromEuler(0, r(-3, 3), 0),
			[2]world.Vec3{{0, 1, 0}, {0.4, 2, 0.4}}, [2]world.Vec3{{arm / 2, 2.2, 0}, {arm + 0.4, 0.4, 0.4}})
	}},
	{"a tower on a sill", func(s *site, r func(lo, hi float64) float64) world.ID {
		s.fixed(s.box(world.Vec3{0, 0.5, 0}, world.Vec3{1, 1, 1}))
		id := s.box(world.Vec3{r(0.55, 0.8), 1.5, 0}, world.Vec3{1, 1, 1})
		at := 0.0
		s.World.View(func(v *world.View) { p, _ := v.Position(id); at = p[0] })
		s.box(world.Vec3{at, 2.25, 0}, world.Vec3{0.8, 0.5, 0.8})
		return id
	}},
}

// trials is how many worlds are made of each kind: what is let go takes time.
func trials() int { return max(worlds()/20, 1) }

// TestUnsupported plants what falls in worlds in which the rest stays: it is found, what lies or leans on
// it in the same finding, the world is untouched, and after the repairs nothing is found.
func TestUnsupported(t *testing.T) {
	start := moving(t)
	for _, load := range loads {
		t.Run(strings.ReplaceAll(load.name, " ", "_"), func(t *testing.T) {
			for seed := range uint64(trials()) {
				s := start(seed)
				s.t = t
				s.steady()
				r := func(lo, hi float64) float64 { return lo + s.rand.Float64()*(hi-lo) }
				id := load.plant(s, r)
				const input = `{"physics":true}`
				if out := s.validate(`{}`); !out.OK {
					t.Fatalf("world %d: without physics %s", seed, show(out.Findings))
				}
				before := s.World.Hash()
				out := s.validate(input)
				if s.World.Hash() != before {
					t.Fatal("validate has changed the world")
				}
				if len(out.Findings) != 1 {
					t.Fatalf("world %d: found %s, want one finding of %v", seed, show(out.Findings), id)
				}
				f := out.Findings[0]
				if f.Kind != validation.Unsupported || !slices.Contains(f.Entities, id) || f.Amount < 0.05 || f.Amount > 10 || len(f.Fix) == 0 {
					t.Fatalf("world %d: found %+v, want %v", seed, f, id)
				}
				s.repair(out.Findings)
				if after := s.validate(input); !after.OK {
					t.Fatalf("world %d: found %s\nand after the repairs %s", seed, show(out.Findings), show(after.Findings))
				}
			}
		})
	}
}

// TestWeights holds that things are as heavy and as slippery in a trial as they are in the world.
func TestWeights(t *testing.T) {
	start := moving(t)
	weigh := func(s *site, id world.ID, b world.Body) world.ID {
		b.Collider = "box"
		s.update(func(tx *world.Tx) error { return s.World.Bodies.Set(tx, id, b) })
		return id
	}
	for _, c := range []struct {
		name  string
		build func(s *site) world.ID // what does not stay, if anything
	}{
		{"a small weight at the end of a seesaw", func(s *site) world.ID {
			s.fixed(s.box(world.Vec3{0, 0.2, 0}, world.Vec3{0.12, 0.4, 0.8}))
			plank := weigh(s, s.box(world.Vec3{0, 0.45, 0}, world.Vec3{2.8, 0.1, 0.6}), world.Body{Type: "dynamic", Friction: 0.5, Mass: 2})
			weigh(s, s.box(world.Vec3{1.1, 0.6, 0}, world.Vec3{0.2, 0.2, 0.2}), world.Body{Type: "dynamic", Friction: 0.5, Mass: 0.5})
			return plank
		}},
		{"a weight in the middle of a board over the edge", func(s *site) world.ID {
			s.fixed(s.box(world.Vec3{0, 0.5, 0}, world.Vec3{1, 1, 1}))
			weigh(s, s.box(world.Vec3{0.7, 1.1, 0}, world.Vec3{3, 0.2, 0.8}), world.Body{Type: "dynamic", Friction: 0.5, Mass: 2})
			weigh(s, s.box(world.Vec3{0, 1.35, 0}, world.Vec3{0.3, 0.3, 0.3}), world.Body{Type: "dynamic", Friction: 0.5, Mass: 20})
			return 0
		}},
		{"a vase on a table without a body", func(s *site) world.ID {
			leg := world.Vec3{0.1, 0.7, 0.1}
			s.group(world.Vec3{0, 0, 0}, world.NoRotation(), [2]world.Vec3{{-0.5, 0.35, -0.3}, leg}, [2]world.Vec3{{0.5, 0.35, -0.3}, leg},
				[2]world.Vec3{{-0.5, 0.35, 0.3}, leg}, [2]world.Vec3{{0.5, 0.35, 0.3}, leg}, [2]world.Vec3{{0, 0.75, 0}, {2, 0.1, 1}})
			s.fixed(s.box(world.Vec3{0, -0.1, 0}, world.Vec3{8, 0.2, 8}))
			weigh(s, s.box(world.Vec3{0.3, 1, 0.1}, world.Vec3{0.2, 0.4, 0.2}), world.Body{Type: "dynamic", Friction: 0.5, Mass: 20})
			return 0
		}},
		{"a box on ice", func(s *site) world.ID {
			s.fixed(s.box(world.Vec3{-4, -0.1, 0}, world.Vec3{20, 0.2, 8}))
			turn := world.QuatFromEuler(0, 0, 0.2)
			at := world.Vec3{0, 2*math.Sin(0.2) + 0.1*math.Cos(0.2), 0}
			weigh(s, s.put("box", world.Spec{Position: at, Rotation: turn}, world.Vec3{4, 0.2, 3}), world.Body{Type: "static"})
			return weigh(s, s.put("box", world.Spec{Position: at.Add(turn.Rotate(world.Vec3{0, 0.35, 0})), Rotation: turn}, world.Vec3{0.5, 0.5, 0.5}), world.Body{Type: "dynamic"})
		}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			s := start(1)
			s.t = t
			want := c.build(s)
			out := s.validate(`{"physics":true,"checks":["unsupported"]}`)
			if want == 0 && !out.OK || want != 0 && (len(out.Findings) != 1 || !slices.Contains(out.Findings[0].Entities, want)) {
				t.Errorf("found %s, want %v", show(out.Findings), want)
			}
		})
	}
}

// TestSteady finds nothing where everything stays, however it is asked for.
func TestSteady(t *testing.T) {
	start := moving(t)
	for seed := range uint64(trials()) {
		s := start(seed)
		s.steady()
		for _, input := range []string{`{"physics":true,"seconds":10}`, `{"checks":["unsupported"]}`} {
			if out := s.validate(input); !out.OK {
				t.Fatalf("world %d, %s: %s", seed, input, show(out.Findings))
			}
		}
	}
}

// TestAlreadyMoving lets go of what never comes to rest: there is no place to put it.
func TestAlreadyMoving(t *testing.T) {
	s := moving(t)(1)
	turn := world.QuatFromEuler(0, 0, 0.5)
	s.fixed(s.put("box", world.Spec{Position: world.Vec3{0, 150, 0}, Rotation: turn}, world.Vec3{600, 0.2, 3}))
	above := turn.Rotate(world.Vec3{250, 0.6, 0})
	ball := s.put("sphere", world.Spec{Position: world.Vec3{0, 150, 0}.Add(above)}, world.Vec3{1, 1, 1})
	out := s.validate(`{"checks":["unsupported"],"seconds":1}`)
	if len(out.Findings) != 1 || out.Findings[0].Entities[0] != ball {
		t.Fatalf("found %s, want that %v rolls", show(out.Findings), ball)
	}
}

// TestWeightless: where nothing falls what hangs in the air is as it should be, and the answer says so.
func TestWeightless(t *testing.T) {
	s := moving(t)(1)
	s.box(world.Vec3{0, 5, 0}, world.Vec3{1, 1, 1})
	if out := s.validate(`{"physics":true}`); out.OK || out.Note != "" {
		t.Errorf("on the earth: %s, %q", show(out.Findings), out.Note)
	}
	s.Must(t, skilltest.Caller(t, "ann", skilltest.Builder), "physics.setGravity", `{"gravity":0}`)
	if out := s.validate(`{"physics":true}`); !out.OK || out.Note != "nothing falls in this world, so what hangs in the air is as it should be" {
		t.Errorf("nowhere: %s, %q", show(out.Findings), out.Note)
	}
}

// A server whose bodies never move says so instead of finding nothing.
func TestUnsupportedWithoutPhysics(t *testing.T) {
	s := newSite(t, 1)
	_, err := s.Call(skilltest.Caller(t, "ann", skilltest.Builder), "scene.validate", `{"physics":true}`)
	want := "physics: bodies do not move on this server, so what would fall is not known; leave physics out"
	if err == nil || err.Message != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
