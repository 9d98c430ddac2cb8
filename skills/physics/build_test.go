package physics_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/world"
)

// TestTower piles up twenty boxes, which stand for a minute.
func TestTower(t *testing.T) {
	build(t, func(s *site) {
		s.floor()
		var top string
		for i := range 20 {
			top = s.box("dynamic", world.Vec3{0, 0.5 + float64(i), 0}, world.Vec3{1, 1, 1})
		}
		out := s.settle(30)
		if !out.Settled || out.Fell > 0 {
			t.Errorf("the tower: %+v", out)
		}
		s.pass(time.Minute)
		if p := s.at(top); math.Abs(p[1]-19.5) > 0.2 || math.Abs(p[0]) > 0.1 || math.Abs(p[2]) > 0.1 {
			t.Errorf("after a minute its top is at %v, want 0, 19.5, 0", p)
		}
	})
}

// TestDominoes pushes the first of a row.
func TestDominoes(t *testing.T) {
	build(t, func(s *site) {
		const n = 15
		s.floor()
		var first string
		for i := range n {
			stone := s.box("dynamic", world.Vec3{0.6 * float64(i), 0.5, 0}, world.Vec3{0.15, 1, 0.5})
			if i == 0 {
				first = stone
			}
		}
		if out := s.settle(10); !out.Settled || out.Fell != 0 {
			t.Fatalf("the stones do not stand: %+v", out)
		}
		s.do(nil, "physics.applyImpulse", `{"entity":%q,"impulse":[0.15,0,0]}`, first)
		out := s.settle(20)
		if !out.Settled || out.Fell != n {
			t.Errorf("%d of %d stones fell, settled %v", out.Fell, n, out.Settled)
		}
	})
}

// TestBridge lays planks over two piers and a ball of 50 kg on the middle, which they carry.
func TestBridge(t *testing.T) {
	build(t, func(s *site) {
		s.floor()
		s.box("static", world.Vec3{-2, 1, 0}, world.Vec3{1, 2, 4})
		s.box("static", world.Vec3{2, 1, 0}, world.Vec3{1, 2, 4})
		for i := range 4 {
			s.box("dynamic", world.Vec3{0, 2.1, -1.5 + float64(i)}, world.Vec3{4.8, 0.2, 0.98})
		}
		if out := s.settle(10); !out.Settled || out.Fell > 0 {
			t.Fatalf("the planks do not lie: %+v", out)
		}
		var ball struct{ Entity string }
		s.do(&ball, "scene.createEntity", `{"shape":"sphere","size":0.8,"position":[0,2.65,0.5],"dynamic":true,"mass":50,"friction":1}`)
		out := s.settle(20)
		if out.Fell > 0 {
			t.Errorf("with the ball on it: %+v", out)
		}
		s.pass(10 * time.Second)
		if p := s.at(ball.Entity); p[1] < 2.5 {
			t.Errorf("after ten seconds the ball is at %v; it should lie on the planks, at y 2.6", p)
		}
	})
}

// TestRoll pushes a ball, which rolls, which is no fall, and comes to rest in the end.
func TestRoll(t *testing.T) {
	build(t, func(s *site) {
		s.floor()
		var ball struct{ Entity string }
		s.do(&ball, "scene.createEntity", `{"shape":"sphere","position":[0,0.5,0],"dynamic":true}`)
		s.do(nil, "physics.applyImpulse", `{"entity":%q,"impulse":[1.5,0,0]}`, ball.Entity)
		out := s.settle(20)
		if out.Fell > 0 || len(out.Moved) != 1 || out.Moved[0].Tilted != 0 || out.Moved[0].Distance < 4 {
			t.Errorf("the ball: %+v", out)
		}
		if !out.Settled || out.Seconds > 15 {
			t.Errorf("the ball on level ground does not come to rest: %+v", out)
		}
	})
}

// TestSettle waits for what is named only, as long as it may, and says what is wrong.
func TestSettle(t *testing.T) {
	build(t, func(s *site) {
		high := s.box("dynamic", world.Vec3{0, 10_000, 0}, world.Vec3{1, 1, 1})
		s.floor()
		low := s.box("dynamic", world.Vec3{5, 3, 0}, world.Vec3{1, 1, 1})
		var out physics.SettleOut
		s.do(&out, "physics.settle", `{"entities":[%q],"seconds":20}`, low)
		if !out.Settled || len(out.Moved) != 1 || !out.Moved[0].Fell || out.Seconds > 10 || out.Moved[0].Distance < 2.4 {
			t.Errorf("the low box: %+v", out)
		}
		if out = s.settle(1.5); out.Settled || out.Seconds != 1.5 || len(out.Restless) != 1 || out.Restless[0].String() != high {
			t.Errorf("the high box: %+v", out)
		}
		s.do(nil, "world.setTimeScale", `{"scale":0}`)
		if _, err := s.Call(s.ann, "physics.settle", `{}`); err == nil || err.Message != "time stands still, so nothing comes to rest: world.setTimeScale with 1 lets it go on" {
			t.Errorf("in a world that stands still: %v", err)
		}
		s.do(nil, "world.setTimeScale", `{"scale":10}`)
		before := s.World.Steps()
		s.pass(time.Second)
		if n := s.World.Steps() - before; n < 590 || n > 610 {
			t.Errorf("%d steps in a second of ten seconds, want 600", n)
		}
		go func() {
			s.pass(time.Second)
			s.do(nil, "world.setTimeScale", `{"scale":0}`)
		}()
		if _, err := s.Call(s.ann, "physics.settle", `{"seconds":120}`); err == nil {
			t.Error("time stopped, and who waited for it was not told")
		}
		if _, err := s.Call(s.ann, "physics.settle", `{"entities":["ent_99"]}`); err == nil || err.Message != "unknown entity ent_99; the nearest are ent_0, ent_1, ent_2" {
			t.Errorf("an unknown entity: %v", err)
		}
	})
}

// TestSettleGroups waits for what is in a group, which has no body of its own.
func TestSettleGroups(t *testing.T) {
	build(t, func(s *site) {
		s.floor()
		low := s.box("dynamic", world.Vec3{5, 3, 0}, world.Vec3{1, 1, 1})
		s.box("dynamic", world.Vec3{5, 4, 5}, world.Vec3{1, 1, 1})
		s.box("static", world.Vec3{9, 0.5, 0}, world.Vec3{1, 1, 1})
		var group world.ID
		_, err := s.World.Update(s.t.Context(), func(tx *world.Tx) (err error) {
			if group, err = tx.Create(world.Spec{}); err != nil {
				return err
			}
			for id := world.ID(2); id <= 4; id++ {
				if err := tx.SetParent(id, group); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			s.t.Fatal(err)
		}
		var out physics.SettleOut
		s.do(&out, "physics.settle", `{"entities":[%q,%q],"seconds":20}`, group, low)
		if !out.Settled || len(out.Moved) != 2 || out.Fell != 2 {
			t.Errorf("a group of two boxes that fall, and one of them: %+v", out)
		}
	})
}

// TestSettleWithoutGround waits at once after what boxes stand on was moved, or destroyed.
func TestSettleWithoutGround(t *testing.T) {
	build(t, func(s *site) {
		s.floor()
		first, second := s.box("static", world.Vec3{0, 1, 0}, world.Vec3{1, 2, 1}), s.box("static", world.Vec3{5, 1, 0}, world.Vec3{1, 2, 1})
		on := []string{s.box("dynamic", world.Vec3{0, 2.5, 0}, world.Vec3{1, 1, 1}), s.box("dynamic", world.Vec3{5, 2.5, 0}, world.Vec3{1, 1, 1})}
		s.settle(20)
		s.do(nil, "three.setTransform", `{"entity":%q,"position":[0,1,20]}`, first)
		if out := s.settle(20); !out.Settled || out.Fell != 1 || s.at(on[0])[1] > 0.6 {
			t.Errorf("when its pillar was moved: %+v", out)
		}
		s.do(nil, "scene.destroyEntity", `{"entity":%q}`, second)
		if out := s.settle(20); !out.Settled || out.Fell != 1 || s.at(on[1])[1] > 0.6 {
			t.Errorf("when its pillar was destroyed: %+v", out)
		}
	})
}

// TestCollisionEvents has two sessions read the same events, each for itself.
func TestCollisionEvents(t *testing.T) {
	build(t, func(s *site) {
		s.floor()
		box := s.box("dynamic", world.Vec3{0, 1, 0}, world.Vec3{1, 1, 1})
		s.settle(10)
		var ann, bob physics.CollisionEventsOut
		for range 2 { // to try it out takes nothing away
			res := s.Registry.Invoke(t.Context(), &registry.Request{Name: "physics.collisionEvents", Input: []byte(`{}`), Principal: s.ann, DryRun: true}, nil)
			if res.Err != nil || strings.Contains(string(res.Output), `"events":[]`) {
				t.Errorf("tried out: %s, %v", res.Output, res.Err)
			}
		}
		s.do(&ann, "physics.collisionEvents", `{}`)
		if len(ann.Events) == 0 || !ann.Events[0].Started || ann.Events[0].Point == nil || ann.Missed != 0 {
			t.Fatalf("ann reads %+v", ann)
		}
		if e := ann.Events[0]; e.EntityA == nil || e.EntityB == nil || e.EntityA.String() != box && e.EntityB.String() != box {
			t.Errorf("the event is %+v, want one of %s", e, box)
		}
		n := len(ann.Events)
		s.do(&ann, "physics.collisionEvents", `{}`)
		if len(ann.Events) != 0 {
			t.Errorf("ann reads %+v twice", ann)
		}
		s.ann = callerBob(t)
		s.do(&bob, "physics.collisionEvents", `{}`)
		if len(bob.Events) != n {
			t.Errorf("bob reads %d events, ann had %d", len(bob.Events), n)
		}
	})
}
