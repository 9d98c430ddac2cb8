package player_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestHinderedAndThrown has a character lose a part of its speed, all of it, and be thrown while it has none.
func TestHinderedAndThrown(t *testing.T) {
	s := newSite(t)
	part := 1.0
	s.physics.Hinder(func(*world.View, world.ID) float64 { return part })
	who := s.spawn(world.Vec3{0, 0.9, 0})
	second := func() float64 {
		before := s.at(who)
		s.do(nil, "player.move", `{"entity":%q,"forward":1,"seconds":1}`, who)
		s.Steps(60)
		return s.at(who).Dist(before)
	}
	for _, want := range []float64{1, 0.25, 0, 1} {
		part = want
		if got := second(); math.Abs(got-4.5*want) > 0.05 {
			t.Errorf("with %v of its speed it goes %v m in a second", want, got)
		}
	}
	part = 0
	before := s.at(who)
	s.update(func(tx *world.Tx) error {
		ok, err := s.physics.Throw(tx, s.id(who), world.Vec3{3, 9, 4})
		if !ok {
			t.Error("it is not thrown")
		}
		return err
	})
	s.Steps(60)
	if got := s.at(who).Sub(before); math.Abs(got[0]-0.75) > 0.06 || math.Abs(got[2]-1) > 0.06 || math.Abs(got[1]) > 0.01 {
		t.Errorf("it is thrown by %v, want 1.25 m along [3 0 4]", got)
	}
	if n := s.awake(); n != 0 {
		t.Errorf("%d are awake", n)
	}
	floor, nobody := s.id("ent_0"), s.id("ent_77")
	s.update(func(tx *world.Tx) error {
		if ok, err := s.physics.Throw(tx, floor, world.Vec3{3, 9, 4}); ok || err != nil {
			t.Errorf("the floor is thrown: %t, %v", ok, err)
		}
		if _, err := s.physics.Throw(tx, nobody, world.Vec3{3, 9, 4}); err == nil {
			t.Error("nobody is thrown")
		}
		return nil
	})
}
