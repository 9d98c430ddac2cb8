package validation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
)

func catalogue(w *world.World, a *agents.Agents) []registry.Skill {
	return slices.Concat(scene.All(w), three.All(w), architecture.All(w), ecs.All(w), validation.All(w, a, nil, nil, nil))
}

// site is a world that is being built.
type site struct {
	*skilltest.Server
	t    testing.TB
	rand *rand.Rand
}

func newSite(t testing.TB, seed uint64) *site {
	t.Helper()
	return &site{skilltest.New(t, catalogue), t, rand.New(rand.NewPCG(seed, 1))}
}

func (s *site) update(fn func(tx *world.Tx) error) {
	s.t.Helper()
	if _, err := s.World.Update(context.Background(), fn); err != nil {
		s.t.Fatal(err)
	}
}

// put adds something with a shape.
func (s *site) put(kind string, spec world.Spec, size world.Vec3) (id world.ID) {
	s.t.Helper()
	s.update(func(tx *world.Tx) (err error) {
		if id, err = tx.Create(spec); err != nil {
			return err
		}
		return s.World.Shapes.Set(tx, id, world.Shape{Kind: kind, Size: size})
	})
	return id
}

func (s *site) box(at, size world.Vec3) world.ID { return s.put("box", world.Spec{Position: at}, size) }

func (s *site) validate(input string) validation.ValidateOut {
	s.t.Helper()
	var out validation.ValidateOut
	text := s.Must(s.t, skilltest.Caller(s.t, "ann", skilltest.Builder), "scene.validate", input)
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		s.t.Fatal(err)
	}
	return out
}

// repair does what findings suggest.
func (s *site) repair(found []validation.Finding) {
	s.t.Helper()
	for _, f := range found {
		for _, op := range f.Fix {
			s.Must(s.t, skilltest.Caller(s.t, "ann", skilltest.Builder), op.Skill, string(op.Input))
		}
	}
}

const plot = 16 // metres

// clean fills a plot with something that stands as it should.
func (s *site) clean(x, z float64) {
	r := func(lo, hi float64) float64 { return lo + s.rand.Float64()*(hi-lo) }
	switch s.rand.IntN(8) {
	case 0:
		size := r(0.5, 4)
		s.put("box", world.Spec{Position: world.Vec3{x, size / 2, z}, Rotation: world.QuatFromEuler(0, r(0, 3), 0)}, world.Vec3{size, size, size})
	case 1: // a stack
		y := 0.0
		for range 2 + s.rand.IntN(3) {
			h := r(0.2, 1)
			s.box(world.Vec3{x + r(-0.2, 0.2), y + h/2, z}, world.Vec3{1, h, 1})
			y += h
		}
	case 2: // a table with a ball on it
		for _, d := range [][2]float64{{-1, -0.5}, {1, -0.5}, {-1, 0.5}, {1, 0.5}} {
			s.box(world.Vec3{x + d[0], 0.35, z + d[1]}, world.Vec3{0.1, 0.7, 0.1})
		}
		s.box(world.Vec3{x, 0.75, z}, world.Vec3{2.4, 0.1, 1.4})
		s.put("sphere", world.Spec{Position: world.Vec3{x, 1, z}}, world.Vec3{0.4, 0.4, 0.4})
	case 3: // a house
		s.Must(s.t, skilltest.Caller(s.t, "ann", skilltest.Builder), "architecture.building",
			fmt.Sprintf(`{"position":[%v,0,%v],"rotation":%v,"roofStyle":%q}`, x, z, r(0, 6), []string{"gable", "flat"}[s.rand.IntN(2)]))
	case 4: // a group: its parts overlap, which is nobody's business
		var group world.ID
		s.update(func(tx *world.Tx) (err error) {
			group, err = tx.Create(world.Spec{Position: world.Vec3{x, 0, z}})
			return err
		})
		s.put("box", world.Spec{Parent: group, Position: world.Vec3{0, 1, 0}}, world.Vec3{1, 2, 1})
		s.put("sphere", world.Spec{Parent: group, Position: world.Vec3{0, 2, 0}}, world.Vec3{1.5, 1.5, 1.5})
	case 5: // something on a floor that lies in the ground
		s.box(world.Vec3{x, 0, z}, world.Vec3{6, 0.2, 6})
		s.put("capsule", world.Spec{Position: world.Vec3{x, 1.1, z}}, world.Vec3{1, 2, 1})
	case 6: // a shelf on a wall
		s.box(world.Vec3{x, 1.5, z}, world.Vec3{4, 3, 0.2})
		s.box(world.Vec3{x, 2, z + 0.35}, world.Vec3{2, 0.1, 0.5})
	}
}

// site of 3 by 3 plots, the one in the middle left free.
func (s *site) town() {
	for x := -1.0; x <= 1; x++ {
		for z := -1.0; z <= 1; z++ {
			if x != 0 || z != 0 {
				s.clean(plot*x, plot*z)
			}
		}
	}
}

// defects are the ways to spoil the plot in the middle; each returns the entity that is to be found.
var defects = []struct {
	name, kind, input string
	plant             func(s *site, r func(lo, hi float64) float64) world.ID
}{
	{"a box in the air", validation.Floating, `{}`, func(s *site, r func(lo, hi float64) float64) world.ID {
		return s.box(world.Vec3{r(-2, 2), r(1, 5), r(-2, 2)}, world.Vec3{1, 1, 1})
	}},
	{"a ball over a box", validation.Floating, `{}`, func(s *site, r func(lo, hi float64) float64) world.ID {
		s.box(world.Vec3{0, 0.5, 0}, world.Vec3{2, 1, 2})
		return s.put("sphere", world.Spec{Position: world.Vec3{r(-0.5, 0.5), 1.5 + r(0.05, 1), 0}}, world.Vec3{1, 1, 1})
	}},
	{"a table in the air with a cup on it", validation.Floating, `{}`, func(s *site, r func(lo, hi float64) float64) world.ID {
		y := r(0.2, 3)
		id := s.box(world.Vec3{0, y + 0.5, 0}, world.Vec3{2, 1, 1})
		s.put("sphere", world.Spec{Position: world.Vec3{0, y + 1.1, 0}}, world.Vec3{0.2, 0.2, 0.2})
		return id
	}},
	{"boxes in each other", validation.Interpenetrating, `{}`, func(s *site, r func(lo, hi float64) float64) world.ID {
		s.box(world.Vec3{0, 1, 0}, world.Vec3{2, 2, 2})
		return s.put("box", world.Spec{Position: world.Vec3{r(-1.2, 1.2), 0.5, r(-1.2, 1.2)}, Rotation: world.QuatFromEuler(0, r(0, 3), 0)}, world.Vec3{1, 1, 1})
	}},
	{"a ball in a wall", validation.Interpenetrating, `{}`, func(s *site, r func(lo, hi float64) float64) world.ID {
		s.box(world.Vec3{0, 1.5, 0}, world.Vec3{5, 3, 0.3})
		return s.put("sphere", world.Spec{Position: world.Vec3{r(-2, 2), 0.5, r(-0.4, 0.4)}}, world.Vec3{1, 1, 1})
	}},
	{"a box half in the ground", validation.BelowGround, `{}`, func(s *site, r func(lo, hi float64) float64) world.ID {
		return s.box(world.Vec3{0, r(-0.45, 0.4), 0}, world.Vec3{1, 1, 1})
	}},
	{"a box under the ground", validation.BelowGround, `{}`, func(s *site, r func(lo, hi float64) float64) world.ID {
		return s.put("capsule", world.Spec{Position: world.Vec3{0, r(-9, -1.5), 0}, Rotation: world.QuatFromEuler(r(0, 3), 0, r(0, 3))}, world.Vec3{1, 2, 1})
	}},
	{"a twin", validation.Duplicate, `{}`, func(s *site, r func(lo, hi float64) float64) world.ID {
		spec := world.Spec{Position: world.Vec3{r(-2, 2), 0.5, 0}, Rotation: world.QuatFromEuler(0, r(0, 3), 0)}
		s.put("box", spec, world.Vec3{2, 1, 1})
		return s.put("box", spec, world.Vec3{2, 1, 1})
	}},
	{"beyond the border", validation.OutOfBounds, `{"bounds":{"min":[-25,-1,-25],"max":[25,20,25]}}`, func(s *site, r func(lo, hi float64) float64) world.ID {
		return s.box(world.Vec3{r(25, 40), 0.5, r(-40, 40)}, world.Vec3{1, 1, 1})
	}},
	{"walled in", validation.Unreachable, "", func(s *site, r func(lo, hi float64) float64) world.ID {
		id := s.box(world.Vec3{0, 0.25, 0}, world.Vec3{0.5, 0.5, 0.5})
		w := r(2, 3.5)
		for _, d := range []float64{-1, 1} {
			s.box(world.Vec3{d * w, 1.5, 0}, world.Vec3{0.2, 3, 2*w - 0.2})
			s.box(world.Vec3{0, 1.5, d * w}, world.Vec3{2*w + 0.2, 3, 0.2})
		}
		return id
	}},
	{"a box without height", validation.Degenerate, `{}`, func(s *site, r func(lo, hi float64) float64) world.ID {
		return s.put("box", world.Spec{Position: world.Vec3{r(-2, 2), 0, 0}, Scale: world.Vec3{1, r(0, 0.0009), 1}}, world.Vec3{1, 1, 1})
	}},
}

func TestPlantedDefects(t *testing.T) {
	for _, d := range defects {
		t.Run(strings.ReplaceAll(d.name, " ", "_"), func(t *testing.T) {
			for seed := range uint64(worlds()) {
				s := newSite(t, seed)
				s.town()
				r := func(lo, hi float64) float64 { return lo + s.rand.Float64()*(hi-lo) }
				id := d.plant(s, r)
				input := d.input
				if input == "" {
					input = fmt.Sprintf(`{"reach":[%q],"from":[0,0,8]}`, id)
				}
				before := s.World.Hash()
				out := s.validate(input)
				if s.World.Hash() != before {
					t.Fatal("validate has changed the world")
				}
				if out.OK || len(out.Findings) == 0 || out.Findings[0].Kind != d.kind || out.Findings[0].Entities[0] != id {
					t.Fatalf("world %d: found %+v, want %s of %v", seed, out.Findings, d.kind, id)
				}
				s.repair(out.Findings)
				if after := s.validate(input); !after.OK {
					t.Fatalf("world %d: found %s\nand after the repairs %s", seed, show(out.Findings), show(after.Findings))
				}
			}
		})
	}
}

func show(found []validation.Finding) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%s: %s:", f.Kind, f.Message)
		for _, op := range f.Fix {
			fmt.Fprintf(&b, " %s%s", op.Skill, op.Input)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestCleanWorlds(t *testing.T) {
	for seed := range uint64(worlds()) {
		s := newSite(t, seed)
		s.town()
		gem := s.box(world.Vec3{0, 0.25, 0}, world.Vec3{0.5, 0.5, 0.5})
		if out := s.validate(fmt.Sprintf(`{"reach":[%q],"from":[0,0,8],"bounds":{"min":[-30,-1,-30],"max":[30,30,30]}}`, gem)); !out.OK {
			t.Fatalf("world %d: %s", seed, show(out.Findings))
		}
	}
}

// TestManyDefects spoils a world in many ways at once.
func TestManyDefects(t *testing.T) {
	for seed := range uint64(worlds()) {
		s := newSite(t, seed)
		for range 30 {
			r := func(lo, hi float64) float64 { return lo + s.rand.Float64()*(hi-lo) }
			s.put([]string{"box", "sphere", "capsule"}[s.rand.IntN(3)], world.Spec{
				Position: world.Vec3{r(-8, 8), r(-2, 5), r(-8, 8)}, Rotation: world.QuatFromEuler(r(0, 3), r(0, 3), r(0, 3)),
			}, world.Vec3{r(0.5, 3), r(0.5, 3), r(0.5, 3)})
		}
		const input = `{"limit":200}`
		out := s.validate(input)
		if out.OK {
			t.Fatalf("world %d: nothing found", seed)
		}
		s.repair(out.Findings)
		if after := s.validate(input); !after.OK {
			t.Errorf("world %d: %d findings, and after their repairs %s", seed, len(out.Findings), show(after.Findings))
		}
	}
}

// Checks are made a few at a time, whoever wants them.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := registry.NewTurns(1)
		s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill { return validation.All(w, a, nil, turns, nil) })
		release := s.Hold(t, turns)
		checked := s.Start(t.Context(), skilltest.Caller(t, "ann", skilltest.Builder), "scene.validate", `{}`)
		if len(checked) > 0 {
			t.Error("a scene was checked beside something else that takes long")
		}
		release()
		if err := <-checked; err != nil {
			t.Error(err)
		}
		s.Hold(t, turns)() // the turn has been given back
	})
}

// TestHuge checks things that are so large and so far away that a few centimetres change nothing, in each other: it ends.
func TestHuge(t *testing.T) {
	for seed := range uint64(20) {
		s := newSite(t, seed)
		number := func() float64 { return s.rand.Float64() * 1e18 }
		for range 12 {
			s.box(world.Vec3{number(), number(), number()}, world.Vec3{3 * number(), number(), 3 * number()})
		}
		if out := s.validate(`{}`); out.OK {
			t.Errorf("%d: it finds nothing", seed)
		}
	}
}

// worlds is how many are made of each kind.
func worlds() int {
	if race.Enabled {
		return 5
	}
	return 100
}
