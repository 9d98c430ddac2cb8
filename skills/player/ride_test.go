package player_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// driven has a dynamic body hang on a place by a joint, and a motor drive it.
func (s *site) driven(entity string, mass float64, kind physics.JointKind, turn world.Quat, m physics.Motor, pace float64) {
	s.t.Helper()
	id := s.id(entity)
	s.update(func(tx *world.Tx) error {
		b, _ := s.World.Bodies.Get(&tx.View, id)
		b.Mass = mass
		if err := s.World.Bodies.Set(tx, id, b); err != nil {
			return err
		}
		j := physics.Joint{Kind: kind}
		at, _ := tx.Position(id)
		j.Place(&tx.View, id, at, at, turn)
		if err := s.physics.Hang(tx, id, j); err != nil {
			return err
		}
		return s.physics.Drive(tx, id, m, pace)
	})
}

// TestRide has what a motor drives take along who stands on it: up and down in a lift, there and back on a ferry, round on a turntable. It goes as fast as
// without him, whether it is light or heavy, and where it has come to rest, so has he.
func TestRide(t *testing.T) {
	up, along := world.QuatFromEuler(0, 0, math.Pi/2), world.NoRotation()
	for _, c := range []struct {
		name       string
		kind       physics.JointKind
		turn       world.Quat
		goal, pace float64
		mass       float64
		to         world.Vec3 // where he is then who was at 1, 0
	}{
		{"a lift", physics.Slider, up, 4, 1, 400, world.Vec3{1, 4, 0}},
		{"a light lift", physics.Slider, up, 4, 1, 4, world.Vec3{1, 4, 0}},
		{"a slow lift", physics.Slider, up, 0.1, 0.02, 400, world.Vec3{1, 0.1, 0}},
		{"a fast lift", physics.Slider, up, 20, 6, 400, world.Vec3{1, 20, 0}},
		{"a ferry", physics.Slider, along, 8, 2, 400, world.Vec3{9, 0, 0}},
		{"a turntable", physics.Hinge, up, math.Pi / 2, 1, 400, world.Vec3{0, 0, -1}},
	} {
		s := newSite(t)
		floor := s.box("dynamic", world.Vec3{0, 0.1, 0}, world.Vec3{4, 0.2, 4})
		s.driven(floor, c.mass, c.kind, c.turn, physics.Motor{Drive: physics.ToPlace}, 0)
		id := s.spawn(world.Vec3{1, 0.2 + standing, 0})
		s.driven(floor, c.mass, c.kind, c.turn, physics.Motor{Drive: physics.ToPlace, Goal: c.goal}, c.pace)
		for range 60 {
			s.Steps(int(c.goal/c.pace) + 1)
			s.clear(c.name, id)
		}
		s.Steps(60)
		rests := func(what string, want world.Vec3) {
			t.Helper()
			was := s.at(id)
			s.Steps(30)
			if p := s.at(id); p.Dist(want) > 0.06 || p != was {
				t.Errorf("%s, %s: he is at %v, and was at %v, want %v; it is at %v", c.name, what, p, was, want, s.at(floor))
			}
		}
		rests("there", c.to.Add(world.Vec3{0, 0.2 + standing, 0}))
		s.update(func(tx *world.Tx) error {
			return s.physics.Drive(tx, s.id(floor), physics.Motor{Drive: physics.ToPlace}, c.pace)
		})
		s.Steps(60*(int(c.goal/c.pace)+1) + 60)
		rests("back", world.Vec3{1, 0.2 + standing, 0})
	}
}
