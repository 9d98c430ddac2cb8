package validation_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
)

// church builds a nave of single boxes, with buttresses a little in its walls, ribs that lean against them, a roof, a chimney and a tower.
func church(s *site) {
	b := s.box
	// nave 30 x 10 x 8
	b(world.Vec3{0, 4, -5}, world.Vec3{30, 8, 0.8})
	b(world.Vec3{0, 4, 5}, world.Vec3{30, 8, 0.8})
	b(world.Vec3{-15, 4, 0}, world.Vec3{0.8, 8, 10.8})
	b(world.Vec3{15, 4, 0}, world.Vec3{0.8, 8, 10.8})
	// buttresses, in the wall by 9 cm
	for i := range 7 {
		for _, side := range []float64{-1, 1} {
			x := float64(i-3) * 4
			b(world.Vec3{x, 3, side * (5.4 + 0.6 - 0.09)}, world.Vec3{0.8, 6, 1.2})
			// ribs inside, leaning from wall to ridge
			s.put("box", world.Spec{Position: world.Vec3{x, 9.8, side * 2.5}, Rotation: world.QuatFromEuler(side*0.6, 0, 0)}, world.Vec3{0.4, 0.4, 6.6})
		}
	}
	// roof slabs
	for _, side := range []float64{-1, 1} {
		s.put("box", world.Spec{Position: world.Vec3{0, 10.2, side * 2.9}, Rotation: world.QuatFromEuler(side*0.6, 0, 0)}, world.Vec3{31, 0.3, 7.2})
	}
	// ridge
	b(world.Vec3{0, 11.9, 0}, world.Vec3{31, 0.4, 0.4})
	// chimney
	b(world.Vec3{5, 10, 2.5}, world.Vec3{0.8, 5, 0.8})
	// tower
	b(world.Vec3{-17.5, 10, 0}, world.Vec3{5.2, 20, 5.2})
	s.put("cone", world.Spec{Position: world.Vec3{-17.5, 22.8, 0}}, world.Vec3{6, 6, 6})
	// string course around the wall
	b(world.Vec3{0, 5, 5.45}, world.Vec3{30, 0.3, 0.3})
}

// frame builds a house of beams that go through each other.
func frame(s *site) {
	b := s.box
	for _, x := range []float64{-4, 0, 4} {
		for _, z := range []float64{-3, 3} {
			b(world.Vec3{x, 1.5, z}, world.Vec3{0.25, 3, 0.25})
			// braces
			s.put("box", world.Spec{Position: world.Vec3{x + 0.5, 2.5, z}, Rotation: world.QuatFromEuler(0, 0, math.Pi/4)}, world.Vec3{0.15, 1.6, 0.15})
		}
		b(world.Vec3{x, 2.9, 0}, world.Vec3{0.25, 0.25, 6.6}) // tie beams through posts
		for _, side := range []float64{-1, 1} {
			s.put("box", world.Spec{Position: world.Vec3{x, 4.4, side * 1.6}, Rotation: world.QuatFromEuler(side*0.75, 0, 0)}, world.Vec3{0.2, 0.2, 4.6})
		}
	}
	for _, z := range []float64{-3, 3} {
		b(world.Vec3{0, 2.9, z}, world.Vec3{8.6, 0.25, 0.25}) // plates
		b(world.Vec3{0, 0.1, z}, world.Vec3{8.6, 0.2, 0.25})  // sills
		b(world.Vec3{0, 1.5, z}, world.Vec3{8, 0.12, 0.12})   // rails through posts
	}
	b(world.Vec3{0, 5.8, 0}, world.Vec3{8.6, 0.25, 0.25})
}

// hull builds a ship of a keel, ribs, thwarts, planks and a mast.
func hull(s *site) {
	b := s.box
	b(world.Vec3{0, 0.3, 0}, world.Vec3{12, 0.6, 0.4}) // keel
	for i := range 9 {
		x := float64(i-4) * 1.3
		for _, side := range []float64{-1, 1} {
			s.put("box", world.Spec{Position: world.Vec3{x, 1.3, side * 0.9}, Rotation: world.QuatFromEuler(side*0.7, 0, 0)}, world.Vec3{0.2, 2.6, 0.2})
		}
		b(world.Vec3{x, 2, 0}, world.Vec3{0.2, 0.15, 3.2}) // thwarts
	}
	for k := range 4 {
		for _, side := range []float64{-1, 1} {
			y := 0.6 + 0.5*float64(k)
			s.put("box", world.Spec{Position: world.Vec3{0, y, side * (0.45 + 0.42*float64(k))}, Rotation: world.QuatFromEuler(side*0.7, 0, 0)}, world.Vec3{12, 0.65, 0.06})
		}
	}
	s.put("cylinder", world.Spec{Position: world.Vec3{1, 5, 0}}, world.Vec3{0.3, 9.5, 0.3}) // the mast
}

// TestBuilt has the joints of buildings named and declared, so that one batch of the fixes makes them good and moves next to nothing.
func TestBuilt(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(*site)
		far   float64 // which the fixes move one thing at most, in metres
	}{{"church", church, 0.25}, {"frame", frame, 0}, {"hull", hull, 0}} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t, 1)
			c.build(s)
			before := s.places()
			out := s.validate(`{}`)
			if out.OK || len(out.Findings) > 20 {
				t.Fatalf("%d findings: %s", len(out.Findings), show(out.Findings))
			}
			s.repair(out.Findings)
			for id, at := range s.places() {
				if d := at.Dist(before[id]); d > c.far {
					t.Errorf("%v was moved by %.2f m", id, d)
				}
			}
			if after := s.validate(`{}`); !after.OK {
				t.Errorf("after the repair %s", show(after.Findings))
			}
			chest := s.box(world.Vec3{4, 0.5, 5}, world.Vec3{1, 1, 1})
			if out := s.validate(`{}`); c.name == "church" && (len(out.Findings) == 0 || out.Findings[0].Entities[0] != chest || out.Findings[0].Fix[0].Skill != "three.setTransform") {
				t.Errorf("of a chest in a wall that is joined to others is found %s", show(out.Findings))
			}
		})
	}
}

// TestJoint has members that cross be declared joined, and nothing else.
func TestJoint(t *testing.T) {
	beam := world.Vec3{6, 0.2, 0.2}
	for _, c := range []struct {
		name       string
		first      world.Vec3 // size of what stands on the ground, at the origin
		kind       string
		at, second world.Vec3
		joined     bool
	}{
		{"a beam through a wall", world.Vec3{0.3, 3, 6}, "box", world.Vec3{0.5, 2, 0}, beam, true},
		{"a cylinder in a wall", world.Vec3{6, 3, 0.3}, "cylinder", world.Vec3{0, 1.5, 0.3}, world.Vec3{0.4, 3, 0.4}, true},
		{"a buttress in a wall by a little", world.Vec3{12, 6, 0.8}, "box", world.Vec3{2, 2, 0.91}, world.Vec3{0.8, 4, 1.2}, true},
		{"a chest in a wall", world.Vec3{6, 3, 0.3}, "box", world.Vec3{0, 0.5, 0.5}, world.Vec3{1, 1, 1}, false},
		{"a ball in a wall", world.Vec3{6, 3, 0.3}, "sphere", world.Vec3{0, 0.5, 0.5}, world.Vec3{1, 1, 1}, false},
		{"a bed in a wall", world.Vec3{6, 3, 0.3}, "box", world.Vec3{0, 0.25, 1}, world.Vec3{2, 0.5, 2}, false},
		{"a plank beside a plank", world.Vec3{4, 0.05, 0.3}, "box", world.Vec3{0, 0.025, 0.27}, world.Vec3{4, 0.05, 0.3}, false},
		{"a post a little in a floor", world.Vec3{6, 0.4, 6}, "box", world.Vec3{0, 1.85, 0}, world.Vec3{0.2, 3, 0.2}, false},
	} {
		s := newSite(t, 1)
		s.box(world.Vec3{0, c.first[1] / 2, 0}, c.first)
		s.put(c.kind, world.Spec{Position: c.at}, c.second)
		before := s.places()
		out := s.validate(`{}`)
		if len(out.Findings) == 0 {
			t.Errorf("%s: nothing is found", c.name)
			continue
		}
		if got := out.Findings[0].Fix[0].Skill == "ecs.addComponent"; got != c.joined {
			t.Errorf("%s: joined is %v: %s", c.name, got, show(out.Findings))
		}
		s.repair(out.Findings)
		for id, at := range s.places() {
			if d := at.Dist(before[id]); d > 1 || c.joined && d > 0 {
				t.Errorf("%s: %v was moved by %.2f m", c.name, id, d)
			}
		}
		if after := s.validate(`{}`); !after.OK {
			t.Errorf("%s: after the repair %s", c.name, show(after.Findings))
		}
	}
}

// TestJoinedFalls has what is joined be one thing where things are let go: it stays together, and stands or falls as a whole.
func TestJoinedFalls(t *testing.T) {
	s := moving(t)(1)
	tag := func(ids ...world.ID) {
		t.Helper()
		s.update(func(tx *world.Tx) error {
			for _, id := range ids {
				if _, err := tx.AddTag(id, "joined"); err != nil {
					return err
				}
			}
			return nil
		})
	}
	wall := s.box(world.Vec3{0, 2, 0}, world.Vec3{6, 4, 1})
	arm := s.box(world.Vec3{0, 3, 1.2}, world.Vec3{0.3, 0.3, 2}) // stands out of the wall, with nothing below it
	s.fixed(s.box(world.Vec3{20, 2, 0}, world.Vec3{0.3, 4, 0.3}))
	sign := s.box(world.Vec3{21, 3, 0}, world.Vec3{2, 0.2, 0.2})
	post := s.box(world.Vec3{-20, 2, 0}, world.Vec3{0.2, 4, 0.2})
	boom := s.box(world.Vec3{-21.4, 3.9, 0}, world.Vec3{3, 0.2, 0.2})
	tag(wall, arm, sign, sign-1, post, boom)
	out := s.validate(`{"physics":true}`)
	if len(out.Findings) != 1 || out.Findings[0].Kind != validation.Unsupported || out.Findings[0].Entities[0] != post {
		t.Fatalf("found %s, want that %v falls with its boom, and nothing else", show(out.Findings), post)
	}
	s.repair(out.Findings)
	at := s.places()
	if d := at[post].Dist(at[boom]); math.Abs(d-world.Vec3{-20, 2, 0}.Dist(world.Vec3{-21.4, 3.9, 0})) > 1e-3 {
		t.Errorf("post and boom are %.3f m apart after the repair", d)
	}
}
