package player_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/world"
)

// TestSpawnInside spawns characters where something is: they get the nearest place that is free, at once, and are told why. Where
// nothing is they are where they were to be.
func TestSpawnInside(t *testing.T) {
	const beside = 0.35 + 0.0175 // how far from a wall its centre is
	for _, c := range []struct {
		name  string
		build func(s *site)
		at    world.Vec3
		want  world.Vec3
		in    string // what it says it would have been in; "" for nothing
	}{
		{"nothing", nil, world.Vec3{3, 1, 3}, world.Vec3{3, 1, 3}, ""},
		{"on the floor", nil, world.Vec3{3, 0.85, 3}, world.Vec3{3, standing, 3}, ""},
		{"the floor", nil, world.Vec3{3, 0, 3}, world.Vec3{3, standing, 3}, "ent_0"},
		{"under the top of the floor", nil, world.Vec3{3, -0.9, 3}, world.Vec3{3, standing, 3}, "ent_0"},
		{"the edge of a wall", func(s *site) { s.box("static", world.Vec3{0.5, 1, 0}, world.Vec3{0.4, 2, 8}) }, world.Vec3{0, 1, 0}, world.Vec3{0.3 - beside, 1, 0}, "ent_1"},
		{"a dynamic box", func(s *site) { s.box("dynamic", world.Vec3{0, 1, 0}, world.Vec3{1, 1, 1}) }, world.Vec3{0, 1, 0}, world.Vec3{0, 1, 0}, ""},
		{"a wide block", func(s *site) { s.box("static", world.Vec3{0, 10, 0}, world.Vec3{20, 20, 20}) }, world.Vec3{1, 1, 2}, world.Vec3{1, 20 + standing, 2}, "ent_1"},
		{"bricks", func(s *site) {
			for i := range 27 {
				s.box("static", world.Vec3{float64(2*(i%3)) - 2, 1 + float64(2*(i/9)), float64(2*(i/3%3)) - 2}, world.Vec3{2, 2, 2})
			}
		}, world.Vec3{0, 1, 0}, world.Vec3{0, 6 + standing, 0}, "ent_5"},
		{"another", func(s *site) { s.spawn(world.Vec3{0, 1, 0}) }, world.Vec3{0.1, standing, 0}, world.Vec3{0.7 + 0.0175, standing, 0}, "ent_1"},
	} {
		s := newSite(t)
		if c.build != nil {
			c.build(s)
		}
		var out player.SpawnOut
		s.do(&out, "player.spawn", `{"position":[%v,%v,%v]}`, c.at[0], c.at[1], c.at[2])
		if out.Position.Dist(c.want) > 0.01 || s.at(out.Entity.String()) != out.Position {
			t.Errorf("%s: player.spawn says %+v, and it is at %v; want %v", c.name, out, s.at(out.Entity.String()), c.want)
		}
		want := ""
		if c.in != "" {
			want = fmt.Sprintf("it would have been in %s, so it is where the way out of that leads, %.2f m from the place asked for", c.in, out.Position.Dist(c.at))
		}
		if out.Reason != want {
			t.Errorf("%s: the reason is %q, want %q", c.name, out.Reason, want)
		}
		s.clear(c.name, out.Entity.String())
		s.Steps(90)
		s.clear(c.name, out.Entity.String())
		if p := s.at(out.Entity.String()); math.Abs(p[0]-c.want[0]) > 0.03 || math.Abs(p[2]-c.want[2]) > 0.03 || s.awake() != 0 {
			t.Errorf("%s: it is at %v in the end, and %d are awake", c.name, p, s.awake())
		}
	}
}

// TestSpawnNowhere has no place for a character up to the end of what the engine reaches.
func TestSpawnNowhere(t *testing.T) {
	s := newSite(t)
	s.box("static", world.Vec3{0, 99_000, 0}, world.Vec3{100, 2500, 100})
	_, err := s.Call(s.ann, "player.spawn", `{"position":[0,99500,0]}`)
	const want = "position: it would be in ent_1, and above that there is no room within 100000 m; spatial.freeSpace finds a place"
	if err == nil || err.Message != want {
		t.Errorf("player.spawn: %v, want %s", err, want)
	}
}

// TestSpawnInHill spawns characters in generated ground, deep and less deep: they come to stand on it.
func TestSpawnInHill(t *testing.T) {
	s := newSite(t)
	s.do(nil, "world.generateRegion", `{"seed":3,"type":"mountains","bounds":{"minTx":1,"minTz":1,"maxTx":2,"maxTz":2}}`)
	raised := 0
	for i := range 12 {
		at := world.Vec3{60 + float64(5*i), float64(-2 * i), 80}
		var out player.SpawnOut
		s.do(&out, "player.spawn", `{"position":[%v,%v,%v]}`, at[0], at[1], at[2])
		s.clear("in a hill", out.Entity.String())
		if higher := out.Position[1] > at[1]; higher != strings.HasPrefix(out.Reason, "it would have been in ent_") {
			t.Errorf("at %v: %+v", at, out)
		} else if higher {
			raised++
		}
		s.Steps(120)
		s.clear("on the hill", out.Entity.String())
	}
	if raised < 8 {
		t.Errorf("%d of 12 were in the hill, which shows little", raised)
	}
}

// TestPutInside brings a character into something by all that can: it comes out of it in one step, can walk, and rests.
func TestPutInside(t *testing.T) {
	wall := func(s *site, at world.Vec3) string { return s.box("static", at, world.Vec3{2, 3, 2}) }
	for _, c := range []struct {
		name string
		put  func(s *site, id string)
	}{
		{"three.setTransform", func(s *site, id string) {
			wall(s, world.Vec3{6, 1.5, 0})
			s.do(nil, "three.setTransform", `{"entity":%q,"position":[6.2,1,0.3]}`, id)
		}},
		{"its scale", func(s *site, id string) {
			wall(s, world.Vec3{1.5, 1.5, 0})
			s.do(nil, "three.setTransform", `{"entity":%q,"scale":[2,2,2]}`, id)
		}},
		{"world.undo of its move", func(s *site, id string) {
			s.do(nil, "three.setTransform", `{"entity":%q,"position":[9,1,0]}`, id)
			s.Steps(30)
			s.as(skilltest.Caller(s.t, "bob", skilltest.Builder), nil, "scene.createEntity", `{"position":[0.4,1,0],"size":2,"static":true}`)
			s.Steps(30)
			s.do(nil, "world.undo", `{}`)
			if d, _ := s.depth(id); d < 0.1 {
				s.t.Errorf("world.undo brings it into nothing: %v", d)
			}
		}},
		{"world.undo of the wall's move", func(s *site, id string) {
			box := wall(s, world.Vec3{0.5, 1.5, 0})
			s.do(nil, "three.setTransform", `{"entity":%q,"position":[20,1.5,0]}`, box)
			s.Steps(30)
			s.do(nil, "three.setTransform", `{"entity":%q,"position":[0,1,0]}`, id)
			s.Steps(30)
			s.do(nil, "world.undo", `{"steps":2}`)
		}},
		{"checkpoint.load", func(s *site, id string) {
			box := wall(s, world.Vec3{0.5, 1.5, 0})
			s.do(nil, "checkpoint.create", `{"name":"in"}`) // before a step has taken it out
			s.Steps(30)
			s.clear("before checkpoint.load", id)
			s.do(nil, "scene.destroyEntity", `{"entity":%q}`, box)
			s.Steps(30)
			s.do(nil, "checkpoint.load", `{"name":"in"}`)
			if d, _ := s.depth(id); d < 0.1 {
				s.t.Errorf("checkpoint.load brings it into nothing: %v", d)
			}
		}},
		{"a group that it is in", func(s *site, id string) {
			var group struct{ Entity string }
			s.do(&group, "scene.createEntity", `{"position":[0,0,0]}`)
			s.update(func(tx *world.Tx) error { return tx.SetParent(s.id(id), s.id(group.Entity)) })
			wall(s, world.Vec3{6, 1.5, 0})
			s.do(nil, "three.setTransform", `{"entity":%q,"position":[6,0,0]}`, group.Entity)
		}},
		{"both put at once", func(s *site, id string) {
			box := wall(s, world.Vec3{20, 1.5, 0})
			s.do(nil, "three.setTransform", `{"entity":%q,"position":[-6,1,0]}`, id)
			s.do(nil, "three.setTransform", `{"entity":%q,"position":[-6.5,1.5,0]}`, box)
		}},
	} {
		s := newSite(t)
		id := s.spawn(world.Vec3{0, 1.5, 0})
		c.put(s, id)
		s.Steps(1)
		s.clear(c.name, id)
		s.Steps(120)
		s.clear(c.name, id)
		if s.awake() != 0 {
			t.Errorf("%s: it does not rest", c.name)
		}
		most := 0.0
		for i := range 4 {
			from := s.at(id)
			s.do(nil, "player.move", `{"entity":%q,"forward":1,"yaw":%v,"seconds":0.5}`, id, float64(i)*math.Pi/2)
			s.Steps(60)
			most = max(most, s.at(id).Dist(from))
		}
		if most < 1.5 {
			t.Errorf("%s: at %v it gets nowhere", c.name, s.at(id))
		}
	}
}

// TestImportInside imports a scene into a character.
func TestImportInside(t *testing.T) {
	s := newSite(t)
	box := s.box("static", world.Vec3{3.5, 1.5, 0}, world.Vec3{2, 3, 2})
	res := s.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.export", Input: []byte(fmt.Sprintf(`{"form":"log","entities":[%q]}`, box)), Principal: s.ann}, nil)
	if res.Err != nil || len(res.Content) != 2 {
		t.Fatalf("scene.export: %v, %d contents", res.Err, len(res.Content))
	}
	s.do(nil, "scene.destroyEntity", `{"entity":%q}`, box)
	id := s.spawn(world.Vec3{3, 1, 0})
	s.do(nil, "scene.import", `{"form":"log","log":%q,"manifest":%s}`, res.Content[1].Resource.Text, res.Content[0].Resource.Text)
	if d, _ := s.depth(id); d < 0.1 {
		t.Errorf("nothing is imported into it: %v", d)
	}
	s.Steps(1)
	s.clear("imported", id)
	s.Steps(60)
	s.clear("imported", id)
}

// TestTogether puts several characters into one place, by one change: the oldest stays.
func TestTogether(t *testing.T) {
	s := newSite(t)
	var ids []string
	for i := range 8 {
		ids = append(ids, s.spawn(world.Vec3{float64(3*i) - 10, 1, 5}))
	}
	s.update(func(tx *world.Tx) error {
		for _, id := range ids {
			if err := tx.SetPosition(s.id(id), world.Vec3{0, 1, 0}); err != nil {
				return err
			}
		}
		return nil
	})
	s.Steps(1)
	for _, id := range ids {
		s.clear("after a step", id)
	}
	s.Steps(200)
	for _, id := range ids {
		s.clear("in the end", id)
	}
	if p := s.at(ids[0]); !near(p[0], 0) || !near(p[2], 0) || s.awake() != 0 {
		t.Errorf("the oldest is at %v, and %d are awake", p, s.awake())
	}
}

// TestAnywhere puts a character, and boxes, balls and another character, anywhere, with any size, turned in any way, by calls or by a
// step, and spawns another: nobody is in anything after a
// step, or deeper than the engine lets those who walk.
func TestAnywhere(t *testing.T) {
	rapid.Check(t, func(q *rapid.T) {
		s := newSite(t)
		q.Cleanup(func() { // not only when the test ends: who checks for long would have no memory left
			if err := s.physics.Close(); err != nil {
				t.Error(err)
			}
		})
		number := func(lo, hi float64, what string) float64 { return rapid.Float64Range(lo, hi).Draw(q, what) }
		place := func(what string) world.Vec3 {
			return world.Vec3{number(-3, 3, what), number(0.2, 4, what), number(-3, 3, what)}
		}
		ids := []string{s.spawn(world.Vec3{0, 1, 0}), s.spawn(world.Vec3{1, 1, 0})}
		put := func(tx *world.Tx) error {
			for range rapid.IntRange(1, 6).Draw(q, "things") {
				id, err := tx.Create(world.Spec{Position: place("at")})
				if err != nil {
					return err
				}
				kind := rapid.SampledFrom([]string{"box", "sphere", "capsule"}).Draw(q, "kind")
				size := world.Vec3{number(0.02, 5, "x"), number(0.02, 5, "y"), number(0.02, 5, "z")}
				if err := s.World.Shapes.Set(tx, id, world.Shape{Kind: kind, Size: size}); err != nil {
					return err
				}
				if err := tx.SetRotation(id, world.QuatFromEuler(number(-3, 3, "a"), number(-3, 3, "b"), number(-3, 3, "c"))); err != nil {
					return err
				}
				body := rapid.SampledFrom([]string{"static", "kinematic"}).Draw(q, "body")
				if err := s.World.Bodies.Set(tx, id, world.Body{Type: body, Collider: kind}); err != nil {
					return err
				}
			}
			if rapid.Bool().Draw(q, "moved") {
				return tx.SetPosition(s.id(ids[0]), place("to"))
			}
			return nil
		}
		if rapid.Bool().Draw(q, "in a step") {
			s.mover = func(tx *world.Tx) error { s.mover = nil; return put(tx) }
			s.Steps(1)
		} else {
			s.update(put)
		}
		var made player.SpawnOut
		at := place("spawned")
		s.do(&made, "player.spawn", `{"position":[%v,%v,%v]}`, at[0], at[1], at[2])
		ids = append(ids, made.Entity.String())
		s.clear("spawned", ids[2])
		for _, slack := range []float64{0.0011, 0.035, 0.035} { // once it walks the engine may let it come nearer than it is to
			s.Steps(1)
			for _, id := range ids {
				if d, in := s.depth(id); d > slack {
					q.Fatalf("%s at %v is %v m deep in %s", id, s.at(id), d, in)
				}
			}
		}
	})
}
