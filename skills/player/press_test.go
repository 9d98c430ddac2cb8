package player_test

import (
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestCrushed moves a press into a character: who has room beside it is pushed, who is pinned is taken up, and that is told, once.
func TestCrushed(t *testing.T) {
	for _, c := range []struct {
		name  string
		high  float64
		alley bool
		steps int
		want  int
	}{
		{"in the open", 3, false, 120, 0},
		{"against a wall, with room beside", 3, false, 30, 0},
		{"in an alley", 3, true, 120, 1},
		{"in an alley, and nowhere to go but up", 6, true, 30, 1},
	} {
		s := newSite(t)
		var id string
		var press world.ID
		told := 0
		s.physics.OnCrushed(func(_ *world.Tx, who, by world.ID) error {
			if told++; who.String() != id || by != press {
				t.Errorf("%s: %s is crushed by %s, want %s by %s", c.name, who, by, id, press)
			}
			return nil
		})
		side := 1.7
		if !c.alley {
			side = 20
		}
		s.box("static", world.Vec3{0.7, c.high / 2, 0}, world.Vec3{0.3, c.high, 8})
		s.box("static", world.Vec3{0, c.high / 2, side}, world.Vec3{8, c.high, 0.3})
		s.box("static", world.Vec3{0, c.high / 2, -side}, world.Vec3{8, c.high, 0.3})
		press = s.kinematic(world.Vec3{-3, c.high / 2, 0}, world.Vec3{3, c.high, 3})
		id = s.spawn(world.Vec3{0, 1, 0})
		s.slide(press, world.Vec3{-1, c.high / 2, 0}, c.steps, func() {})
		s.Steps(60)
		if told != c.want {
			t.Errorf("%s: it is told %d times, want %d", c.name, told, c.want)
		}
		s.clear(c.name, id)
	}
	s := newSite(t)
	s.physics.OnCrushed(func(_ *world.Tx, id, by world.ID) error {
		t.Errorf("a lift: %s is crushed by %s", id, by)
		return nil
	})
	lift := s.kinematic(world.Vec3{0, -1, 0}, world.Vec3{3, 1, 3})
	s.spawn(world.Vec3{0, 1, 0})
	s.slide(lift, world.Vec3{0, 6, 0}, 60, func() {})
}
