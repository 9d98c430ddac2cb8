package validation_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
)

// empty adds an entity without a shape.
func (s *site) empty(spec world.Spec) (id world.ID) {
	s.t.Helper()
	s.update(func(tx *world.Tx) (err error) {
		id, err = tx.Create(spec)
		return err
	})
	return id
}

// TestInGroups looks into groups: what is wrong with a part of one is found and repaired without the rest being touched.
func TestInGroups(t *testing.T) {
	turned := world.Spec{Position: world.Vec3{30, 2, 5}, Rotation: world.QuatFromEuler(0, math.Pi/2, 0), Scale: world.Vec3{2, 2, 2}}
	in := func(group world.ID, x, y, z float64) world.Spec {
		return world.Spec{Parent: group, Position: world.Vec3{x, y, z}}
	}
	one := world.Vec3{1, 1, 1}
	for _, c := range []struct {
		name  string
		build func(s *site) (group world.ID, changed []world.ID)
		kind  string
		says  string // %v is the first that changes, %v the group
	}{
		{"one of three hovers", func(s *site) (world.ID, []world.ID) {
			g := s.empty(world.Spec{})
			s.put("box", in(g, 0, 0.5, 0), one)
			s.put("box", in(g, 3, 0.5, 0), one)
			return g, []world.ID{s.put("box", in(g, 6, 0.9, 0), one)}
		}, validation.Floating, "%v of %v hangs in the air, 0.4 m above what is below it"},
		{"one of a group that is turned and larger hovers", func(s *site) (world.ID, []world.ID) {
			g := s.empty(turned)
			s.put("box", in(g, 0, -0.5, 0), one)
			return g, []world.ID{s.put("box", in(g, 6, 0.3, 0), one)}
		}, validation.Floating, "%v of %v hangs in the air, 1.6 m above what is below it"},
		{"a table of two parts hovers", func(s *site) (world.ID, []world.ID) {
			g := s.empty(world.Spec{})
			s.put("box", in(g, 0, 0.5, 0), one)
			return g, []world.ID{s.put("box", in(g, 4, 0.8, 0), one), s.put("box", in(g, 4, 1.35, 0), world.Vec3{2, 0.1, 2})}
		}, validation.Floating, "%v with ent_3 of %v hangs in the air, 0.3 m above what is below it"},
		{"a group in a group hovers", func(s *site) (world.ID, []world.ID) {
			g := s.empty(turned)
			s.put("box", in(g, 0, -0.5, 0), one)
			table := s.empty(world.Spec{Parent: g, Position: world.Vec3{4, 0, 4}})
			s.put("box", in(table, 0, 0, 0), one)
			s.put("box", in(table, 0, 0.55, 0), world.Vec3{2, 0.1, 2})
			return g, []world.ID{table}
		}, validation.Floating, "%v of %v hangs in the air, 1 m above what is below it"},
		{"one is in something else", func(s *site) (world.ID, []world.ID) {
			g := s.empty(world.Spec{Position: world.Vec3{0, 0, 9}})
			s.put("box", in(g, 4, 0.5, 0), one)
			s.box(world.Vec3{0, 1, 9}, world.Vec3{4, 2, 4})
			return g, []world.ID{s.put("box", in(g, 2.4, 0.5, 0), one)}
		}, validation.Interpenetrating, "%v of %v is 0.1 m deep in ent_2"},
		{"one has sunk", func(s *site) (world.ID, []world.ID) {
			g := s.empty(turned)
			s.put("box", in(g, 0, -0.5, 0), one)
			return g, []world.ID{s.put("box", in(g, 6, -1, 0), one)}
		}, validation.BelowGround, "%v of %v reaches 1 m below the ground"},
		{"one is out of bounds", func(s *site) (world.ID, []world.ID) {
			g := s.empty(world.Spec{})
			s.put("box", in(g, 0, 0.5, 0), one)
			return g, []world.ID{s.put("box", in(g, 50, 0.5, 0), one)}
		}, validation.OutOfBounds, "%v of %v reaches 10.5 m out of bounds"},
		{"one is larger than all may be", func(s *site) (world.ID, []world.ID) {
			g := s.empty(turned)
			s.put("box", in(g, 0, -0.5, 0), one)
			return g, []world.ID{s.put("box", in(g, 40, 59, 0), world.Vec3{60, 120, 60})}
		}, validation.OutOfBounds, "%v of %v reaches 200 m out of bounds. It is larger than all that may be: the fix makes it 0.17 times as large"},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			s := newSite(t, 1)
			group, changed := c.build(s)
			before := s.transforms()
			const bounds = `{"bounds":{"min":[-40,-10,-40],"max":[40,40,40]},"checks":["outOfBounds","belowGround","interpenetrating","floating"]}`
			out := s.validate(bounds)
			if want := fmt.Sprintf(c.says, changed[0], group); len(out.Findings) != 1 || out.Findings[0].Kind != c.kind || out.Findings[0].Message != want {
				t.Fatalf("found %s, want %s", show(out.Findings), want)
			}
			for asked, found := range map[world.ID]int{group: 1, group + 1: 0} {
				if only := s.validate(fmt.Sprintf(`{"entities":[%q],%s`, asked, bounds[1:])); len(only.Findings) != found {
					t.Errorf("of %v alone: %s", asked, show(only.Findings))
				}
			}
			s.repair(out.Findings)
			moved := map[world.ID]bool{}
			for id, at := range s.transforms() {
				if at != before[id] {
					moved[id] = true
				}
			}
			for _, id := range changed {
				if !moved[id] {
					t.Errorf("%v has not changed: %s", id, show(out.Findings))
				}
				delete(moved, id)
			}
			if len(moved) > 0 {
				t.Errorf("%v have changed, too: %s", moved, show(out.Findings))
			}
			if after := s.validate(bounds); !after.OK {
				t.Errorf("after the repairs %s", show(after.Findings))
			}
		})
	}
}

// transforms says how everything is placed in its parent.
func (s *site) transforms() map[world.ID]world.Transform {
	at := map[world.ID]world.Transform{}
	s.World.View(func(v *world.View) {
		for id := range v.All() {
			at[id], _ = v.Transform(id)
		}
	})
	return at
}

// TestGroupsThatAreWhole says nothing of parts that are apart where they move together: below something with a shape or a body.
func TestGroupsThatAreWhole(t *testing.T) {
	s := newSite(t, 1)
	head := s.box(world.Vec3{0, 0.5, 0}, world.Vec3{1, 1, 1})
	s.put("box", world.Spec{Parent: head, Position: world.Vec3{0, 2, 0}}, world.Vec3{0.5, 0.5, 0.5})
	body := s.empty(world.Spec{Position: world.Vec3{5, 0.5, 0}})
	s.update(func(tx *world.Tx) error { return s.World.Bodies.Set(tx, body, world.Body{Type: "static"}) })
	for _, y := range []float64{0, 3} {
		s.put("box", world.Spec{Parent: body, Position: world.Vec3{0, y, 0}}, world.Vec3{1, 1, 1})
	}
	group := s.empty(world.Spec{Position: world.Vec3{10, 0.5, 0}})
	inner := s.put("box", world.Spec{Parent: group}, world.Vec3{1, 1, 1})
	s.put("box", world.Spec{Parent: inner, Position: world.Vec3{0, 2, 0}}, world.Vec3{0.5, 0.5, 0.5})
	s.put("box", world.Spec{Parent: group, Position: world.Vec3{4, 0, 0}}, world.Vec3{1, 1, 1})
	if out := s.validate(`{}`); !out.OK {
		t.Errorf("found %s", show(out.Findings))
	}
	cloud := s.put("box", world.Spec{Parent: group, Position: world.Vec3{4, 9, 0}}, world.Vec3{1, 1, 1})
	s.update(func(tx *world.Tx) error {
		_, err := tx.AddTag(cloud, "cloud")
		return err
	})
	if out := s.validate(`{}`); len(out.Findings) != 1 {
		t.Errorf("found %s, want the cloud", show(out.Findings))
	}
	if out := s.validate(`{"except":["cloud"]}`); !out.OK {
		t.Errorf("found %s", show(out.Findings))
	}
}

// TestFarAway leaves what is a little in something and would have to go far: the rim of a pond is not to be taken off it.
func TestFarAway(t *testing.T) {
	s := newSite(t, 1)
	s.put("cylinder", world.Spec{Position: world.Vec3{0, 0.1, 0}}, world.Vec3{9.2, 0.2, 9.2})
	rim := s.empty(world.Spec{})
	for _, x := range []float64{-1, 1} {
		s.put("box", world.Spec{Parent: rim, Position: world.Vec3{5 * x, 0.25, 0}}, world.Vec3{1, 0.5, 10})
		s.put("box", world.Spec{Parent: rim, Position: world.Vec3{0, 0.25, 5 * x}}, world.Vec3{10, 0.5, 1})
	}
	before := s.places()
	out := s.validate(`{}`)
	if len(out.Findings) != 1 || !strings.Contains(out.Findings[0].Message, "leaves them where they are") {
		t.Fatalf("found %s", show(out.Findings))
	}
	s.repair(out.Findings)
	if diff := cmp.Diff(before, s.places()); diff != "" {
		t.Errorf("the repair has moved something (-before +after):\n%s", diff)
	}
	if after := s.validate(`{}`); !after.OK {
		t.Errorf("after the repair %s", show(after.Findings))
	}
}
