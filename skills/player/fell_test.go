package player_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/world"
)

// falls has a site tell who falls out of the world.
func falls(s *site) *[]world.Vec3 {
	var to []world.Vec3
	s.physics.OnFell(func(_ *world.Tx, _ world.ID, from, at world.Vec3) error {
		if from[1] > at[1]-30 {
			s.t.Errorf("it was at %v, and is put back to %v", from, at)
		}
		to = append(to, at)
		return nil
	})
	return &to
}

// TestOverNothing spawns a character where nothing is below: it is told so, stays there, at rest, and falls when there is a floor.
func TestOverNothing(t *testing.T) {
	s := newSite(t)
	fell := falls(s)
	var made player.SpawnOut
	s.do(&made, "player.spawn", `{"position":[500,5,0]}`)
	if !strings.HasPrefix(made.Note, "nothing is below it") {
		t.Errorf("the note is %q", made.Note)
	}
	id := made.Entity.String()
	s.Steps(300)
	if at := s.at(id); at != (world.Vec3{500, 5, 0}) {
		t.Errorf("it is at %v", at)
	}
	if n := s.awake(); n != 0 {
		t.Errorf("%d bodies are awake", n)
	}
	s.box("static", world.Vec3{500, -0.5, 0}, world.Vec3{6, 1, 6})
	s.Steps(120)
	if at := s.at(id); at[1] > 1 || at[1] < 0.8 {
		t.Errorf("it is at %v, where there is a floor now", at)
	}
	var on player.SpawnOut
	s.do(&on, "player.spawn", `{"position":[500,9,0]}`)
	if on.Note != "" {
		t.Errorf("over a floor the note is %q", on.Note)
	}
	if len(*fell) != 0 {
		t.Errorf("%v have fallen", *fell)
	}
}

// TestFallsOut walks off the edge of the world: it comes back to where it stood last, once, and does so again when it walks on. When that is gone it comes to where
// those begin who come, and when that is gone, too, it stays in the air.
func TestFallsOut(t *testing.T) {
	run := func() (hash string) {
		s := newSite(t)
		fell := falls(s)
		s.do(nil, "scene.destroyEntity", `{"entity":"ent_0"}`)
		s.box("static", world.Vec3{0, -0.5, 0}, world.Vec3{6, 1, 6})
		isle := s.box("static", world.Vec3{100, 9.5, 0}, world.Vec3{6, 1, 6})
		id := s.spawn(world.Vec3{100, 11, 0})
		for n := 1; n <= 2; n++ {
			s.do(nil, "player.move", `{"entity":%q,"forward":1,"yaw":1.5708,"seconds":2}`, id)
			s.Steps(300)
			if at := s.at(id); len(*fell) != n || at[0] < 100 || at[0] > 103 || at[1] < 10.8 || at[1] > 11 {
				t.Fatalf("it is at %v, and has fallen %v", at, *fell)
			}
		}
		s.do(nil, "scene.destroyEntity", `{"entity":%q}`, isle)
		s.Steps(300)
		if at := s.at(id); len(*fell) != 3 || at[0] != 0 || at[2] != 0 || at[1] > 1 {
			t.Errorf("its island is gone, and it is at %v, and has fallen %v", at, *fell)
		}
		s.do(nil, "scene.destroyEntity", `{"entity":"ent_1"}`)
		s.Steps(300)
		at := s.at(id)
		if len(*fell) != 4 || at[1] < 0 {
			t.Errorf("nothing is left, and it is at %v, and has fallen %v", at, *fell)
		}
		s.Steps(300)
		if now := s.at(id); now != at || s.awake() != 0 {
			t.Errorf("it does not stay at %v, but is at %v", at, now)
		}
		return s.hash()
	}
	if one, other := run(), run(); one != other {
		t.Error("the second time it is another world")
	}
}

// TestDeep falls far, onto something: nobody puts it back.
func TestDeep(t *testing.T) {
	s := newSite(t)
	fell := falls(s)
	s.box("static", world.Vec3{100, -0.5, 0}, world.Vec3{6, 1, 6})
	s.box("static", world.Vec3{104, -100.5, 0}, world.Vec3{20, 1, 20})
	id := s.spawn(world.Vec3{102, 1, 0})
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"yaw":1.5708,"seconds":1}`, id)
	s.Steps(400)
	if at := s.at(id); at[1] > -98 || at[1] < -100 || len(*fell) > 0 {
		t.Errorf("it is at %v, and %v have fallen", at, *fell)
	}
	s.do(nil, "world.addWater", `{"level":-60,"size":900}`)
	sea := s.spawn(world.Vec3{200, 1, 0})
	s.Steps(1200)
	if at := s.at(sea); at[1] > -59 || at[1] < -61 || len(*fell) > 0 {
		t.Errorf("over water it is at %v, and %v have fallen", at, *fell)
	}
}

// TestCaughtInTheAir has something that moves by itself come to be below who waits in the air: it goes on from there.
func TestCaughtInTheAir(t *testing.T) {
	s := newSite(t)
	id := s.spawn(world.Vec3{500, 5, 0})
	s.Steps(60)
	ball := s.box("dynamic", world.Vec3{515, -2, 0}, world.Vec3{8, 8, 8})
	s.update(func(tx *world.Tx) error {
		_, err := s.physics.Throw(tx, s.id(ball), world.Vec3{-10, 0, 0})
		return err
	})
	s.Steps(30)
	if at := s.at(id); at != (world.Vec3{500, 5, 0}) {
		t.Fatalf("it is at %v before anything is below it", at)
	}
	s.Steps(240)
	if at := s.at(id); at[1] > 4 {
		t.Errorf("it is at %v, as if nothing had come below it", at)
	}
}

// TestUnderAnIsland falls where a sea is above that an island keeps off: nobody swims there, so it is put back.
func TestUnderAnIsland(t *testing.T) {
	s := newSite(t)
	fell := falls(s)
	s.do(nil, "world.addWater", `{"level":50,"size":900}`)
	s.box("static", world.Vec3{100, 10, 0}, world.Vec3{60, 1, 60})
	s.box("static", world.Vec3{100, -0.5, 0}, world.Vec3{6, 1, 6})
	id := s.spawn(world.Vec3{102, 1, 0})
	s.do(nil, "player.move", `{"entity":%q,"forward":1,"yaw":1.5708,"seconds":1}`, id)
	s.Steps(400)
	if at := s.at(id); len(*fell) != 1 || at[1] < 0 {
		t.Errorf("it is at %v, and has fallen %v", at, *fell)
	}
}
