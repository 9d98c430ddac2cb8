package validation_test

import (
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
)

func TestValidate(t *testing.T) {
	float := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		s.Must(t, p, "scene.createEntity", `{"position":[0,2,0]}`)
		s.Must(t, p, "scene.createEntity", `{"position":[9,5,0],"dynamic":true}`)
	}
	const found = `{"ok":false,"findings":[{"kind":"floating","entities":["ent_0"],"amount":1.5,"message":"ent_0 hangs in the air, 1.5 m above what is below it",` +
		`"repair":"ent_0 goes 1.5 m down","fix":[{"skill":"three.setTransform","input":{"entity":"ent_0","position":[0,0.5,0]}}]}],"more":false,"checked":2,"revision":2}`
	const nothing = `{"ok":true,"findings":[],"more":false,"checked":2,"revision":2}`
	skilltest.Run(t, catalogue, "scene.validate", []skilltest.Case{
		{Name: "empty world", Input: `{}`, Want: `{"ok":true,"findings":[],"more":false,"checked":0,"revision":0}`},
		{Name: "what falls by itself may hang", Setup: float, Input: `{}`, Want: found},
		{Name: "only that entity", Setup: float, Input: `{"entities":["ent_0"]}`, Want: found},
		{Name: "only the other one", Setup: float, Input: `{"entities":["ent_1"]}`, Want: nothing},
		{Name: "another check", Setup: float, Input: `{"checks":["duplicate"]}`, Want: nothing},
		{
			Name: "the limit", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				float(t, s, p)
				s.Must(t, p, "scene.createEntity", `{"position":[20,3,0]}`)
			},
			Input: `{"limit":1}`, Want: `{"ok":false,"findings":[` + found[len(`{"ok":false,"findings":[`):len(found)-len(`],"more":false,"checked":2,"revision":2}`)] + `],"more":true,"checked":3,"revision":3}`,
		},
		{
			Name: "too thin for any scale", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				s.Must(t, p, "scene.createEntity", `{"size":5e-324}`)
				s.Must(t, p, "scene.createEntity", `{"size":1e-300,"position":[1,0,0]}`)
			},
			Input: `{"checks":["degenerate"]}`,
			Want: `{"ok":false,"findings":[{"kind":"degenerate","entities":["ent_0"],"amount":0,"message":"ent_0 is only 0 m thick: nobody sees it","fix":[]},` +
				`{"kind":"degenerate","entities":["ent_1"],"amount":0,"message":"ent_1 is only 1e-300 m thick: nobody sees it","fix":[]}],"more":false,"checked":2,"revision":2}`,
		},
		{Name: "bounds", Input: `{"bounds":{"min":[0,0,0],"max":[1,0,1]}}`, Code: registry.CodeInvalidInput, Err: "bounds: min must be less than max along each axis, along y it is 0 and 0"},
		{Name: "check without bounds", Input: `{"checks":["outOfBounds"]}`, Code: registry.CodeInvalidInput, Err: "bounds: has to be given for the check outOfBounds"},
		{Name: "check without reach", Input: `{"checks":["unreachable"]}`, Code: registry.CodeInvalidInput, Err: "reach: has to be given for the check unreachable"},
		{Name: "unknown entity", Input: `{"reach":["ent_7"]}`, Err: "unknown entity ent_7; the world has none"},
		{
			Name: "unknown check", Input: `{"checks":["flying"]}`, Code: registry.CodeInvalidInput,
			Err: `checks[0]: must be one of "degenerate", "duplicate", "outOfBounds", "belowGround", "interpenetrating", "floating", "unreachable", "anchored", "unsupported", got "flying"`,
		},
	})
}

func TestExcept(t *testing.T) {
	s := newSite(t, 1)
	s.update(func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{Position: world.Vec3{0, 50, 0}, Tags: []string{"cloud"}})
		if err != nil {
			return err
		}
		return s.World.Shapes.Set(tx, id, world.Shape{Kind: "sphere", Size: world.Vec3{4, 2, 3}})
	})
	if out := s.validate(`{}`); out.OK {
		t.Error("a cloud does not float")
	}
	if out := s.validate(`{"except":["cloud"]}`); !out.OK {
		t.Errorf("a cloud floats after all: %s", show(out.Findings))
	}
}

// TestTooThinToScale has things that no scale makes thick enough stand where only a shorter one fits. There is no fix for them: a
// call with such a scale would be refused, and one that is infinite has no text.
func TestTooThinToScale(t *testing.T) {
	for _, height := range []float64{1e-300, 5e-324} {
		s := newSite(t, 1)
		s.box(world.Vec3{-0.98, 0.5, 0}, world.Vec3{1, 1, 1})
		s.box(world.Vec3{0.98, 0.5, 0}, world.Vec3{1, 1, 1})
		s.box(world.Vec3{0, 0.5, 0}, world.Vec3{1, height, 1})
		out := s.validate(`{"checks":["degenerate","interpenetrating"]}`)
		if len(out.Findings) < 2 || len(out.Findings[0].Fix) != 0 {
			t.Errorf("%g m high: %s", height, show(out.Findings))
		}
		s.repair(out.Findings)
	}
}

// TestUnreachableOnce has things that no repair brings within reach: each is one finding, however often the scene is checked again
// for what the repairs of others do to it.
func TestUnreachableOnce(t *testing.T) {
	s := newSite(t, 1)
	gem := func(x float64) (id world.ID) {
		s.update(func(tx *world.Tx) (err error) {
			if id, err = tx.Create(world.Spec{Position: world.Vec3{x, 0.25, 0}, Tags: []string{"gem"}}); err != nil {
				return err
			}
			return s.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{0.5, 0.5, 0.5}})
		})
		return id
	}
	in, out := gem(0), gem(30)
	for _, d := range []float64{-3, 3} {
		s.box(world.Vec3{d, 1.5, 0}, world.Vec3{1, 3, 5})
		s.box(world.Vec3{0, 1.5, d}, world.Vec3{7, 3, 1})
	}
	for from, want := range map[string]string{
		"[0,0,8]":  fmt.Sprintf("unreachable: %v cannot be reached from [0 0 8]: one gets no nearer than 3.75 m:\n", in),
		"[2,0,1]":  fmt.Sprintf("unreachable: %v cannot be reached from [2 0 1]: one gets no nearer than 27.8 m:\n", out),
		"[3,0,1]":  fmt.Sprintf("unreachable: %v cannot be reached from [3 0 1]: a person has no room there; let from be another place; and 1 more alike:\n", in),
		"[0,-1,8]": fmt.Sprintf("unreachable: %v cannot be reached from [0 -1 8]: a person has no room there; let from be another place; and 1 more alike:\n", in),
	} {
		found := s.validate(fmt.Sprintf(`{"reach":[%q,%q],"from":%s,"except":["gem"]}`, in, out, from)).Findings
		if got := show(found); got != want {
			t.Errorf("from %s:\n%swant\n%s", from, got, want)
		}
		for _, f := range found {
			if f.Amount > 40 {
				t.Errorf("from %s: %g m", from, f.Amount)
			}
		}
	}
}

func TestAgentsWalk(t *testing.T) {
	s := newSite(t, 1)
	wall := s.box(world.Vec3{0, 1.5, 0}, world.Vec3{4, 3, 0.4})
	body := s.put("capsule", world.Spec{Position: world.Vec3{0, 0.9, 0}}, world.Vec3{0.6, 1.8, 0.6})
	s.update(func(tx *world.Tx) error { return s.Agents.Embody(tx, "walker", body) })
	if out := s.validate(`{}`); !out.OK {
		t.Errorf("an agent that walks through %v: %s", wall, show(out.Findings))
	}
}

func TestKinds(t *testing.T) {
	k := validation.Validate(world.New(world.Config{}), nil, nil, nil, nil)
	for _, kind := range validation.Kinds {
		skilltest.Describes(t, k, `"`+kind+`"`)
	}
	skilltest.Needs(t, catalogue, "scene.validate", `{}`, "scene.read", profiles.Builtin().Names()...)
}

// TestUnreachableFromUnderABridge starts where a bridge leaves no room: nothing is taken away for it, least of all the bridge.
func TestUnreachableFromUnderABridge(t *testing.T) {
	s := newSite(t, 1)
	deck := s.box(world.Vec3{0, 1, 0}, world.Vec3{12, 0.2, 3})
	post := s.box(world.Vec3{9, 1, 0}, world.Vec3{0.5, 2, 0.5})
	want := fmt.Sprintf("unreachable: %v cannot be reached from [0 0 0]: a person has no room there; let from be another place:\n", post)
	if got := show(s.validate(fmt.Sprintf(`{"checks":["unreachable"],"reach":[%q],"from":[0,0,0]}`, post)).Findings); got != want {
		t.Errorf("under %v:\n got %swant %s", deck, got, want)
	}
}
