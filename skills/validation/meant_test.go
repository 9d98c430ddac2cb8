package validation_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
)

// TestHung has what hangs a little off a ceiling or a wall go there, and what is to stand come down.
func TestHung(t *testing.T) {
	lamp, picture := world.Vec3{2, 2.78, 0}, world.Vec3{-2, 1.6, -2.81}
	for _, c := range []struct {
		name          string
		at, size, end world.Vec3
	}{
		{"a lamp under the ceiling", lamp, world.Vec3{0.3, 0.3, 0.3}, world.Vec3{2, 2.85, 0}},
		{"a picture at the wall", picture, world.Vec3{0.8, 0.6, 0.04}, world.Vec3{-2, 1.6, -2.88}},
		{"a torch off the wall", world.Vec3{1, 1.8, -2.615}, world.Vec3{0.1, 0.5, 0.1}, world.Vec3{1, 1.8, -2.85}},
		{"a large picture off the wall", world.Vec3{1, 1.8, -2.615}, world.Vec3{1, 0.5, 0.1}, world.Vec3{1, 0.25, -2.615}},
		{"a torch far from the wall", world.Vec3{1, 1.8, -2.5}, world.Vec3{0.1, 0.5, 0.1}, world.Vec3{1, 0.25, -2.5}},
		{"a chair over the floor", world.Vec3{0, 0.6, 0}, world.Vec3{0.4, 0.9, 0.4}, world.Vec3{0, 0.45, 0}},
		{"a chair over the floor at the wall", world.Vec3{0, 0.6, -2.65}, world.Vec3{0.4, 0.9, 0.4}, world.Vec3{0, 0.45, -2.65}},
		{"a ball in the middle of the room", world.Vec3{0, 1.5, 0}, world.Vec3{0.3, 0.3, 0.3}, world.Vec3{0, 0.15, 0}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			s := newSite(t, 1)
			s.box(world.Vec3{0, 1.5, -3}, world.Vec3{6, 3, 0.2})
			s.box(world.Vec3{0, 3.1, 0}, world.Vec3{6, 0.2, 6.2})
			id := s.box(c.at, c.size)
			out := s.validate(`{}`)
			if len(out.Findings) != 1 || out.Findings[0].Kind != validation.Floating {
				t.Fatalf("found %s", show(out.Findings))
			}
			s.repair(out.Findings)
			if at := s.places()[id]; at.Dist(c.end) > 1e-3 {
				t.Errorf("it went to %v, want %v: %s", at, c.end, show(out.Findings))
			}
			if after := s.validate(`{}`); !after.OK {
				t.Errorf("after the repair %s", show(after.Findings))
			}
		})
	}
}

// TestPlants has what was scattered grow into its like, but into nothing else.
func TestPlants(t *testing.T) {
	s := newSite(t, 1)
	bush, tree := s.box(world.Vec3{0, 0.5, 0}, world.Vec3{1, 1, 1}), s.box(world.Vec3{0.6, 1, 0.3}, world.Vec3{1, 2, 1})
	if out := s.validate(`{}`); out.OK || len(out.Findings) != 1 || out.Findings[0].Kind != validation.Interpenetrating {
		t.Fatalf("of two boxes is found %s", show(out.Findings))
	}
	tagged := func(id world.ID) {
		t.Helper()
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			_, err := tx.AddTag(id, "scattered")
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	tagged(bush)
	if out := s.validate(`{}`); out.OK {
		t.Error("a bush may grow into a box")
	}
	tagged(tree)
	if out := s.validate(`{}`); !out.OK {
		t.Errorf("of two plants is found %s", show(out.Findings))
	}
}

// TestWallsMeet has walls of one height be in each other where they meet, and nowhere else.
func TestWallsMeet(t *testing.T) {
	for _, c := range []struct {
		name     string
		at, size world.Vec3
		turn     float64
		ok       bool
	}{
		{"at a corner, with the outsides on one level", world.Vec3{3.9, 1, 2.9}, world.Vec3{0.2, 2, 6}, 0, true},
		{"at a corner, by half", world.Vec3{3.9, 1, 3}, world.Vec3{0.2, 2, 6}, 0, true},
		{"at a corner, by a little at either end", world.Vec3{4.05, 1, 3.05}, world.Vec3{0.2, 2, 6}, 0, true},
		{"in the middle", world.Vec3{0, 1, 3}, world.Vec3{0.2, 2, 6}, 0, true},
		{"a little higher", world.Vec3{0, 1.05, 3}, world.Vec3{0.2, 2.1, 6}, 0, true},
		{"aslant", world.Vec3{4 + 2.05, 1, 2.05}, world.Vec3{0.2, 2, 5.8}, math.Pi / 4, true},
		{"out at the other side", world.Vec3{0, 1, 2.5}, world.Vec3{0.2, 2, 6}, 0, false},
		{"one through the other", world.Vec3{0, 1, 1}, world.Vec3{0.2, 2, 6}, 0, false},
		{"half as high", world.Vec3{0, 0.5, 3}, world.Vec3{0.2, 1, 6}, 0, false},
		{"on in line, by its thickness", world.Vec3{5.8, 1, 0}, world.Vec3{4, 2, 0.2}, 0, true},
		{"on in line, by more", world.Vec3{5.7, 1, 0}, world.Vec3{4, 2, 0.2}, 0, false},
		{"on in line, thicker", world.Vec3{5.9, 1, 0}, world.Vec3{4, 2, 0.4}, 0, false},
		{"on in line, beside it", world.Vec3{5.9, 1, 0.1}, world.Vec3{4, 2, 0.2}, 0, false},
		{"on in line, half as high", world.Vec3{5.9, 0.5, 0}, world.Vec3{4, 1, 0.2}, 0, false},
		{"one along the other", world.Vec3{0, 1, 0.15}, world.Vec3{4, 2, 0.2}, 0, false},
		{"a chest at it", world.Vec3{0, 1, 1}, world.Vec3{2, 2, 2}, 0, false},
	} {
		s := newSite(t, 1)
		s.box(world.Vec3{0, 1, 0}, world.Vec3{8, 2, 0.2})
		s.put("box", world.Spec{Position: c.at, Rotation: world.QuatFromEuler(0, c.turn, 0)}, c.size)
		if out := s.validate(`{"checks":["interpenetrating"]}`); out.OK != c.ok {
			t.Errorf("%s: found %s", c.name, show(out.Findings))
		}
	}
}

// TestMeant has what is in each other on purpose stay as it is.
func TestMeant(t *testing.T) {
	s := newSite(t, 1)
	s.put("box", world.Spec{Position: world.Vec3{0, 1, 0}}, world.Vec3{2, 2, 2})
	s.put("box", world.Spec{Position: world.Vec3{0, 1, 0}, Rotation: world.QuatFromEuler(0, math.Pi/4, 0)}, world.Vec3{2, 2, 2})
	s.box(world.Vec3{0, 2.5, 0}, world.Vec3{1, 1, 1})
	lamp := s.put("sphere", world.Spec{Position: world.Vec3{0, 2.5, 0}}, world.Vec3{0.4, 0.4, 0.4})
	if out := s.validate(`{}`); len(out.Findings) != 1 || out.Findings[0].Entities[0] != lamp {
		t.Errorf("found %s, want the ball", show(out.Findings))
	}
	s.update(func(tx *world.Tx) error {
		return s.World.Lights.Set(tx, lamp, world.Light{Kind: "point", Intensity: 1, Range: 10})
	})
	if out := s.validate(`{}`); !out.OK {
		t.Errorf("found %s", show(out.Findings))
	}
	s.group(world.Vec3{10, 0, 0}, world.QuatFromEuler(0, 0, 0), [2]world.Vec3{{-1, 1, 0}, {0.2, 2, 3}}, [2]world.Vec3{{1, 1, 0}, {0.2, 2, 3}})
	inWall := s.put("box", world.Spec{Position: world.Vec3{10.7, 0.5, 0}}, world.Vec3{0.5, 1, 0.5})
	s.update(func(tx *world.Tx) error {
		return s.World.Lights.Set(tx, inWall, world.Light{Kind: "point", Intensity: 1, Range: 10})
	})
	if out := s.validate(`{}`); len(out.Findings) != 1 || out.Findings[0].Entities[0] != inWall {
		t.Errorf("found %s, want the lamp that is in a wall of what it stands in", show(out.Findings))
	}
	s.box(world.Vec3{0.9, 0.5, 1.2}, world.Vec3{1, 1, 1}) // in both of them
	out := s.validate(`{}`)
	s.repair(out.Findings)
	if after := s.validate(`{}`); out.OK || !after.OK {
		t.Errorf("found %safter the repairs %s", show(out.Findings), show(after.Findings))
	}
}

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

// TestFastened has boards end in a post, and rods in a ball, as they do in a spiral staircase and in a model of a molecule, and nothing else.
func TestFastened(t *testing.T) {
	post, ball := world.Vec3{0.3, 5, 0.3}, world.Vec3{0.6, 0.6, 0.6}
	for _, c := range []struct {
		name     string
		kind     string
		holder   world.Vec3 // its size; it stands at the origin
		at, size world.Vec3
		turn     float64
		ok       bool
	}{
		{"a step in its post", "box", post, world.Vec3{0.8, 2, 0}, world.Vec3{1.4, 0.1, 0.5}, 0, true},
		{"a step, aslant, that meets the edges of it", "box", post, world.Vec3{0.85 * math.Cos(0.6), 2, -0.85 * math.Sin(0.6)}, world.Vec3{1.4, 0.1, 0.5}, 0.6, true},
		{"a board through the post", "box", post, world.Vec3{0.3, 2, 0}, world.Vec3{1.4, 0.1, 0.5}, 0, false},
		{"a board that passes it", "box", post, world.Vec3{0, 2, 0.3}, world.Vec3{1.4, 0.1, 0.4}, 0, false},
		{"a block at the post", "box", post, world.Vec3{0.35, 2, 0}, world.Vec3{0.5, 0.5, 0.5}, 0, false},
		{"a board in a wall", "box", world.Vec3{0.3, 5, 4}, world.Vec3{0.8, 2, 0}, world.Vec3{1.4, 0.1, 0.5}, 0, false},
		{"a board in a block", "box", world.Vec3{1, 2, 1}, world.Vec3{1, 2, 0}, world.Vec3{1.4, 0.1, 0.5}, 0, false},
		{"a rod in a ball", "sphere", ball, world.Vec3{0.6, 2.5, 0}, world.Vec3{1, 0.1, 0.1}, 0, true},
		{"a trunk in a ball", "sphere", ball, world.Vec3{0, 1.25, 0}, world.Vec3{0.4, 2.5, 0.4}, 0, false},
		{"a rod through a ball", "sphere", ball, world.Vec3{0, 2.5, 0}, world.Vec3{2, 0.1, 0.1}, 0, false},
		{"a block in a ball", "sphere", ball, world.Vec3{0.4, 2.5, 0}, world.Vec3{0.5, 0.4, 0.4}, 0, false},
	} {
		s := newSite(t, 1)
		s.put(c.kind, world.Spec{Position: world.Vec3{0, 2.5, 0}, Rotation: world.NoRotation()}, c.holder)
		s.put("box", world.Spec{Position: c.at, Rotation: world.QuatFromEuler(0, c.turn, 0)}, c.size)
		if out := s.validate(`{"checks":["interpenetrating"]}`); out.OK != c.ok {
			t.Errorf("%s: %s", c.name, show(out.Findings))
		}
	}
}

// TestTower has walls end in a round tower, and nothing else.
func TestTower(t *testing.T) {
	tower := world.Vec3{2, 5, 2}
	for _, c := range []struct {
		name     string
		kind     string
		at, size world.Vec3
		turn     float64
		ok       bool
	}{
		{"a wall that ends in it", "cylinder", world.Vec3{3, 1.5, 0}, world.Vec3{6, 3, 0.4}, 0, true},
		{"aslant", "cylinder", world.Vec3{3 * math.Cos(0.6), 1.5, -3 * math.Sin(0.6)}, world.Vec3{6, 3, 0.4}, 0.6, true},
		{"a wall through it", "cylinder", world.Vec3{1, 1.5, 0}, world.Vec3{6, 3, 0.4}, 0, false},
		{"a wall that grazes it", "cylinder", world.Vec3{2, 1.5, 1}, world.Vec3{6, 3, 0.4}, 0, false},
		{"a wall that is higher", "cylinder", world.Vec3{4, 4, 0}, world.Vec3{8, 8, 0.4}, 0, false},
		{"a wall that is thicker", "cylinder", world.Vec3{5, 2.5, 0}, world.Vec3{10, 5, 2.2}, 0, false},
		{"a block", "cylinder", world.Vec3{1.4, 1, 0}, world.Vec3{2, 2, 2}, 0, false},
		{"a wall in a cone", "cone", world.Vec3{3, 1.5, 0}, world.Vec3{6, 3, 0.4}, 0, false},
		{"a wall in a ball", "sphere", world.Vec3{3.5, 2.5, 0}, world.Vec3{6, 3, 0.4}, 0, false},
	} {
		for _, grouped := range []bool{false, true} { // with a roof on it
			s := newSite(t, 1)
			var group world.ID
			if grouped {
				group = s.empty(world.Spec{})
			}
			s.put(c.kind, world.Spec{Position: world.Vec3{0, 2.5, 0}, Rotation: world.NoRotation(), Parent: group}, tower)
			if grouped {
				s.put("cone", world.Spec{Position: world.Vec3{0, 6, 0}, Rotation: world.NoRotation(), Parent: group}, world.Vec3{2.4, 2, 2.4})
			}
			s.put("box", world.Spec{Position: c.at, Rotation: world.QuatFromEuler(0, c.turn, 0)}, c.size)
			if out := s.validate(`{"checks":["interpenetrating"]}`); out.OK != c.ok {
				t.Errorf("%s, grouped %v: %s", c.name, grouped, show(out.Findings))
			}
		}
	}
}
