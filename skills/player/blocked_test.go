package player_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/world"
)

// TestBlocked sends a character that stands against something: player.move says whether it goes anywhere, and what it stands against.
func TestBlocked(t *testing.T) {
	wall := func(s *site) { s.box("static", world.Vec3{0, 1, 1.5}, world.Vec3{4, 2, 1}) }
	for _, c := range []struct {
		name  string
		build func(s *site)
		more  string // of the call
		by    string // what blocks it; "" for nothing
	}{
		{"nothing there", func(*site) {}, "", ""},
		{"a wall", wall, "", "ent_2"},
		{"a wall, at a run", wall, `,"run":true`, "ent_2"},
		{"a wall, away from it", wall, `,"yaw":3.14159`, ""},
		{"a wall, along it", wall, `,"yaw":1.5708`, ""},
		{"a wall, and along it", wall, `,"yaw":0.5`, ""},
		{"a wall, backwards into it", wall, `,"yaw":3.14159,"forward":-1`, "ent_2"},
		{"a wall, aside into it", wall, `,"yaw":-1.5708,"forward":0,"strafe":-1`, "ent_2"},
		{"a wall, aside and away from it", wall, `,"yaw":1.5708,"forward":0,"strafe":-1`, ""},
		{"a wall, with a jump", wall, `,"jump":true`, ""},
		{"a wall, told to stand", wall, `,"forward":0`, ""},
		{"a corner", func(s *site) { wall(s); s.box("static", world.Vec3{0.87, 1, 0}, world.Vec3{1, 2, 2}) }, `,"yaw":0.5`, "ent_2"},
		{"a step", func(s *site) { s.box("static", world.Vec3{0, 0.15, 1.5}, world.Vec3{4, 0.3, 1}) }, "", ""},
		{"a step under a low ceiling", func(s *site) {
			s.box("static", world.Vec3{0, 0.15, 1.5}, world.Vec3{4, 0.3, 1})
			s.box("static", world.Vec3{0, 2.3, 1.5}, world.Vec3{4, 1, 1.5})
		}, "", "ent_2"},
		{"too high a step", func(s *site) { s.box("static", world.Vec3{0, 0.25, 1.5}, world.Vec3{4, 0.5, 1}) }, "", "ent_2"},
		{"a ceiling", func(s *site) { s.box("static", world.Vec3{0, 2.3, 0}, world.Vec3{4, 1, 4}) }, "", ""},
		{"a dynamic box", func(s *site) { s.box("dynamic", world.Vec3{0, 0.5, 1.5}, world.Vec3{1, 1, 1}) }, "", ""},
		{"another", func(s *site) { s.spawn(world.Vec3{0, 1, 1.2}) }, "", "ent_2"},
		{"a thin wall", func(s *site) { s.box("static", world.Vec3{0, 1, 1}, world.Vec3{4, 2, 0.001}) }, "", "ent_2"},
		{"a wall in a scaled group", func(s *site) {
			wall := s.box("static", world.Vec3{}, world.Vec3{2, 1, 0.25})
			s.update(func(tx *world.Tx) error {
				group, err := tx.Create(world.Spec{Position: world.Vec3{0, 1, 1.5}})
				if err == nil {
					err = tx.SetParent(s.id(wall), group)
				}
				if err == nil {
					err = tx.SetPosition(s.id(wall), world.Vec3{})
				}
				if err == nil {
					err = tx.SetScale(group, world.Vec3{2, 2, 4})
				}
				return err
			})
		}, "", "ent_2"},
	} {
		s := newSite(t)
		id := s.spawn(world.Vec3{0, 1, 0})
		c.build(s)
		s.Steps(30)
		send := func(more string) (out player.MoveOut) {
			if !strings.Contains(more, `"forward"`) {
				more += `,"forward":1`
			}
			s.do(&out, "player.move", `{"entity":%q,"seconds":0.5%s}`, id, more)
			s.Steps(60)
			return out
		}
		if out := send(""); !out.Moved || out.BlockedBy != nil {
			t.Errorf("%s: at first %+v", c.name, out)
		}
		from := s.at(id)
		out, by := send(c.more), ""
		if out.BlockedBy != nil {
			by = out.BlockedBy.String()
		}
		if by != c.by || out.Moved != (by == "" && c.name != "a wall, told to stand") {
			t.Errorf("%s: from %v: %+v by %q, want it blocked by %q", c.name, from, out, by, c.by)
		}
		if far := s.at(id).Dist(from); (far > 0.1) != (out.Moved && c.name != "a wall, with a jump") {
			t.Errorf("%s: it has gone %v m: %+v", c.name, far, out)
		}
	}
}

// TestBlockedAnywhere sends a character about among walls that stand anyhow: where player.move says that it goes nowhere it does not, but
// where the engine, in one of thousands of tries, lets it by between two edges that are a hair's breadth too near to each other.
func TestBlockedAnywhere(t *testing.T) {
	blocked, by := 0, 0
	rapid.Check(t, func(q *rapid.T) {
		s := newSite(t)
		for i := range rapid.IntRange(1, 6).Draw(q, "walls") {
			a := rapid.Float64Range(0, 6.28).Draw(q, "direction")
			wall := s.box("static", world.Vec3{1.2 * math.Cos(a), 1, 1.2 * math.Sin(a)}, world.Vec3{0.1 + 0.3*float64(i%3), rapid.Float64Range(0.2, 3).Draw(q, "height"), 2})
			s.do(nil, "three.setTransform", `{"entity":%q,"rotationEuler":[%v,%v,0]}`, wall, rapid.Float64Range(-0.5, 0.5).Draw(q, "tilt"), rapid.Float64Range(0, 6.28).Draw(q, "turn"))
		}
		id := s.spawn(world.Vec3{0, 1, 0})
		for range 4 {
			yaw := rapid.Float64Range(-3.14, 3.14).Draw(q, "yaw")
			for range 2 {
				from := s.at(id)
				var out player.MoveOut
				s.do(&out, "player.move", `{"entity":%q,"forward":1,"yaw":%v,"seconds":0.5}`, id, yaw)
				s.Steps(40)
				if far := s.at(id).Dist(from); out.BlockedBy != nil {
					blocked++
					if far > 0.2 {
						by++
						t.Logf("it said that %v is in the way from %v to %v, and went to %v", out.BlockedBy, from, yaw, s.at(id))
					}
				} else if far < 0.001 {
					q.Logf("it said nothing, and stayed at %v", from)
				}
			}
		}
	})
	if blocked == 0 || by > 2+blocked/500 {
		t.Errorf("it was said %d times to be blocked, and %d times it was not", blocked, by)
	}
}
