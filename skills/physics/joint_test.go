package physics_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/world"
)

// joints lists who hangs on what.
func (s *site) joints(format string, args ...any) (out physics.JointsOut) {
	s.t.Helper()
	s.do(&out, "physics.joints", format, args...)
	return out
}

// TestDoor hangs a door in its frame, pushes it open, as far as it goes, and has a motor close it.
func TestDoor(t *testing.T) {
	build(t, func(s *site) {
		s.floor()
		frame := s.box("static", world.Vec3{-0.6, 1, 0}, world.Vec3{0.2, 2, 0.2})
		door := s.box("dynamic", world.Vec3{0, 1.05, 0}, world.Vec3{1, 1.9, 0.1})
		var made physics.AddJointOut
		s.do(&made, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"hinge","at":[-0.5,1,0],"min":0,"max":1.57}`, door, frame)
		if made.Replaced || made.Note != "" || made.At.Dist(world.Vec3{-0.5, 1, 0}) > 1e-9 || made.ToAt.Dist(made.At) > 1e-9 {
			t.Errorf("%+v", made)
		}
		travel := func() float64 { return *s.joints(`{"entity":%q}`, frame).Joints[0].Travel }
		s.do(nil, "physics.applyImpulse", `{"entity":%q,"impulse":[0,0,-1]}`, door)
		s.settle(30)
		if got := travel(); math.Abs(got-1.57) > 0.05 {
			t.Errorf("pushed it is at %.3f, want 1.57", got)
		}
		var drive physics.SetMotorOut
		s.do(&drive, "physics.setMotor", `{"entity":%q,"target":0,"pace":0.5}`, door)
		if math.Abs(drive.Seconds-3.14) > 0.1 {
			t.Errorf("it takes %.3f seconds, want 3.14", drive.Seconds)
		}
		s.pass(time.Second)
		if got := travel(); math.Abs(got-1.07) > 0.05 {
			t.Errorf("after a second it is at %.3f, want 1.07", got)
		}
		if out := s.settle(30); !out.Settled || math.Abs(travel()) > 0.01 {
			t.Errorf("it is at %.3f, settled %v", travel(), out.Settled)
		}
		s.do(&made, "physics.addJoint", `{"entity":%q,"kind":"fixed"}`, door)
		if !made.Replaced {
			t.Error("the hinge was not replaced")
		}
		var gone physics.RemoveJointOut
		s.do(&gone, "physics.removeJoint", `{"entity":%q}`, door)
		s.do(nil, "physics.removeJoint", `{"entity":%q}`, door)
		if !gone.Removed || len(s.joints(`{}`).Joints) != 0 {
			t.Error("the joint is still there")
		}
	})
}

// TestSettleHearsMotors asks at once after a motor was told to go somewhere, which the engine hears of in the next step: what it moves is waited for.
func TestSettleHearsMotors(t *testing.T) {
	build(t, func(s *site) {
		s.floor()
		post := s.box("static", world.Vec3{-1, 1, 0}, world.Vec3{0.2, 2, 0.2})
		cab := s.box("dynamic", world.Vec3{0, 0.06, 0}, world.Vec3{1, 0.1, 1})
		s.do(nil, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"slider"}`, cab, post)
		s.do(nil, "physics.setMotor", `{"entity":%q,"target":0}`, cab)
		s.settle(30)
		for _, target := range []float64{2, 0, 0.5} {
			s.do(nil, "physics.setMotor", `{"entity":%q,"target":%v}`, cab, target)
			var out physics.SettleOut
			s.do(&out, "physics.settle", `{"entities":[%q]}`, cab)
			if !out.Settled || len(out.Moved) != 1 || math.Abs(out.Moved[0].To[1]-0.06-target) > 0.01 {
				t.Errorf("sent to %v it has come to rest as %+v", target, out)
			}
		}
		s.do(nil, "physics.setMotor", `{"entity":%q,"target":0.45,"pace":0.005}`, cab)
		if out := s.settle(30); !out.Settled || len(out.Moved) != 1 || out.Seconds < 10 {
			t.Errorf("sent 5 cm at 5 mm/s: %+v", out)
		}
	})
}

// TestParts fixes the walls of a cup to a beam, which press on each other: they do not meet each other, the beam lies where it was put, and all
// comes to rest. When one is let go it meets the others again, and so does what was fixed with collide. Teeth of wheels that are fixed meet those of another wheel.
func TestParts(t *testing.T) {
	cup := [][2]world.Vec3{{{1.2, 0.4, 0}, {0.1, 0.4, 0.5}}, {{1, 0.4, 0.2}, {0.5, 0.4, 0.1}}, {{1, 0.4, -0.2}, {0.5, 0.4, 0.1}}}
	build(t, func(s *site) {
		s.floor()
		beam := s.box("dynamic", world.Vec3{0, 0.1, 0}, world.Vec3{3, 0.2, 0.5})
		var walls []string
		for _, w := range cup {
			walls = append(walls, s.box("dynamic", w[0], w[1]))
			s.do(nil, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"fixed"}`, walls[len(walls)-1], beam)
		}
		if out := s.settle(60); !out.Settled || out.Seconds > 5 || len(out.Moved) > 0 {
			t.Errorf("a beam with a cup: %+v", out)
		}
		s.do(nil, "physics.removeJoint", `{"entity":%q}`, walls[0])
		if out := s.settle(60); !out.Settled || len(out.Moved) == 0 {
			t.Errorf("without the joint of a wall: %+v", out)
		}
	})
	build(t, func(s *site) {
		s.floor()
		beam := s.box("dynamic", world.Vec3{0, 0.1, 0}, world.Vec3{3, 0.2, 0.5})
		for _, w := range cup {
			s.do(nil, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"fixed","collide":true}`, s.box("dynamic", w[0], w[1]), beam)
		}
		if out := s.settle(5); len(out.Moved) == 0 {
			t.Errorf("with collide: %+v", out)
		}
	})
	build(t, func(s *site) {
		wheel := func(x, phase float64) string {
			hub := s.box("dynamic", world.Vec3{x, 3, 0}, world.Vec3{0.5, 0.5, 0.2})
			s.do(nil, "physics.addJoint", `{"entity":%q,"kind":"hinge","axis":[0,0,1]}`, hub)
			for i := range 8 {
				sin, cos := math.Sincos(phase + float64(i)*math.Pi/4)
				tooth := s.box("dynamic", world.Vec3{x + 0.6*cos, 3 + 0.6*sin, 0}, world.Vec3{1.2, 0.12, 0.2})
				s.do(nil, "three.setTransform", `{"entity":%q,"rotationEuler":[0,0,%v]}`, tooth, phase+float64(i)*math.Pi/4)
				s.do(nil, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"fixed"}`, tooth, hub)
			}
			return hub
		}
		one, other := wheel(0, 0), wheel(2.05, math.Pi/8)
		s.do(nil, "physics.setMotor", `{"entity":%q,"speed":1}`, one)
		s.pass(2 * time.Second)
		if got := *s.joints(`{"entity":%q}`, other).Joints[0].Travel; got > -1.2 { // it runs ahead as far as the teeth let it
			t.Errorf("the other wheel has turned to %.2f", got)
		}
	})
}

// TestJointOfAGroup names a group where a body is needed: the answer says what to name instead, which works, and how its parts get bodies.
func TestJointOfAGroup(t *testing.T) {
	build(t, func(s *site) {
		s.floor()
		refused := func(input, want string) {
			t.Helper()
			if _, err := s.Call(s.ann, "physics.addJoint", input); err == nil || err.Message != want {
				t.Errorf("%s: %v, want %s", input, err, want)
			}
		}
		one, other := s.box("dynamic", world.Vec3{0, 3, 0}, world.Vec3{1, 1, 1}), s.box("dynamic", world.Vec3{1, 3, 0}, world.Vec3{1, 1, 1})
		post := s.box("static", world.Vec3{3, 3, 0}, world.Vec3{1, 1, 1})
		var bare struct{ Entity string }
		s.do(&bare, "scene.createEntity", `{}`)
		group := func(entities ...string) string {
			var made struct{ Entity world.ID }
			_, err := s.World.Update(t.Context(), func(tx *world.Tx) (err error) {
				if made.Entity, err = tx.Create(world.Spec{}); err != nil {
					return err
				}
				for _, e := range entities {
					id, err := world.ParseID(e)
					if err == nil {
						err = tx.Reparent(id, made.Entity)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return made.Entity.String()
		}
		arm, empty := group(one, other), group(bare.Entity)
		refused(fmt.Sprintf(`{"entity":%q,"to":%q,"kind":"hinge"}`, arm, post), fmt.Sprintf("entity: %s is a group and has no body, its parts have: %s, %s: have one of them hang, and fix the others to that one by the kind fixed", arm, one, other))
		refused(fmt.Sprintf(`{"entity":%q,"to":%q,"kind":"hinge"}`, post, arm), fmt.Sprintf("to: %s is a group and has no body, its parts have: %s, %s: name the one that bears", arm, one, other))
		refused(fmt.Sprintf(`{"entity":%q,"kind":"hinge"}`, empty), fmt.Sprintf(`entity: %s is a group, and neither it nor its parts have a body: have one of them hang, and fix the others to that one by the kind fixed; `+
			`scene.forEach {"below":%[1]q,"skill":"physics.setBody","input":{"type":"dynamic"}} gives them bodies`, empty))
		s.do(nil, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"fixed"}`, one, post)
		s.do(nil, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"fixed"}`, other, one)
		if out := s.settle(10); !out.Settled || len(out.Moved) > 0 {
			t.Errorf("joined so they have moved: %+v", out)
		}
	})
}

// TestCart puts a cart on four wheels that motors turn: it drives.
func TestCart(t *testing.T) {
	build(t, func(s *site) {
		s.floor()
		cart := s.box("dynamic", world.Vec3{0, 0.6, 0}, world.Vec3{2, 0.3, 1})
		for _, x := range []float64{-0.8, 0.8} {
			for _, z := range []float64{-0.7, 0.7} {
				var wheel struct{ Entity string }
				s.do(&wheel, "scene.createEntity", `{"shape":"sphere","size":0.8,"position":[%v,0.4,%v],"dynamic":true,"friction":1}`, x, z)
				s.do(nil, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"hinge","axis":[0,0,1]}`, wheel.Entity, cart)
				s.do(nil, "physics.setMotor", `{"entity":%q,"speed":-2}`, wheel.Entity)
			}
		}
		s.pass(10 * time.Second)
		if p := s.at(cart); p[0] < 6 || p[0] > 8.5 || math.Abs(p[1]-0.6) > 0.1 || math.Abs(p[2]) > 0.5 {
			t.Errorf("after ten seconds it is at %v, want 8 m along x", p)
		}
		out := s.joints(`{"entity":%q,"limit":3}`, cart)
		if len(out.Joints) != 3 || *out.Joints[0].Speed != -2 || out.Next == 0 {
			t.Errorf("%+v", out)
		}
		if out := s.joints(`{"entity":%q,"after":%q}`, cart, out.Next); len(out.Joints) != 1 || out.Next != 0 {
			t.Errorf("%+v", out)
		}
		settled := s.settle(3)
		if settled.Settled || settled.Endless != 4 {
			t.Errorf("it stands still: %+v", settled)
		}
	})
}

// TestHangingThings hangs a lamp by a rope, a weight by a spring, and a chain, of which a link is taken out.
func TestHangingThings(t *testing.T) {
	build(t, func(s *site) {
		s.floor()
		beam := s.box("static", world.Vec3{0, 10, 0}, world.Vec3{10, 0.2, 0.2})
		lamp := s.box("dynamic", world.Vec3{-4, 8, 0}, world.Vec3{0.4, 0.4, 0.4})
		s.do(nil, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"rope","toAt":[-4,9.9,0],"length":3}`, lamp, beam)
		weight := s.box("dynamic", world.Vec3{4, 8, 0}, world.Vec3{1, 1, 1})
		s.do(nil, "physics.addJoint", `{"entity":%q,"kind":"spring","toAt":[4,9,0]}`, weight)
		links := []string{beam}
		for i := range 6 {
			y := 9.65 - float64(i)*0.5
			link := s.box("dynamic", world.Vec3{0, y, 0}, world.Vec3{0.1, 0.48, 0.1})
			s.do(nil, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"ball","at":[0,%v,0]}`, link, links[i], y+0.25)
			links = append(links, link)
		}
		if out := s.settle(60); !out.Settled {
			t.Errorf("%+v", out)
		}
		if p := s.at(lamp); math.Abs(p[1]-6.9) > 0.05 {
			t.Errorf("the lamp is at %v, want y 6.9", p)
		}
		if p, sag := s.at(weight), 9.81/(4*math.Pi*math.Pi); math.Abs(p[1]-(8-sag)) > 0.03 {
			t.Errorf("the weight is at %v, want y %.3f", p, 8-sag)
		}
		if p := s.at(links[6]); math.Abs(p[1]-7.15) > 0.05 {
			t.Errorf("the end of the chain is at %v, want y 7.15", p)
		}
		s.do(nil, "scene.destroyEntity", `{"entity":%q}`, links[3])
		if out := s.joints(`{"entity":%q}`, links[4]); out.Joints[0].Loose != "what it hung on is gone" {
			t.Errorf("%+v", out)
		}
		s.settle(60)
		if p := s.at(links[6]); p[1] > 0.5 {
			t.Errorf("the end of the chain is at %v", p)
		}
		if p := s.at(links[2]); math.Abs(p[1]-9.15) > 0.05 {
			t.Errorf("what is left of the chain is at %v", p)
		}
	})
}

// TestJointTooWeak hangs 10 kg by ropes, and is told which one does not bear them, before it breaks.
func TestJointTooWeak(t *testing.T) {
	build(t, func(s *site) {
		var box struct{ Entity string }
		s.do(&box, "scene.createEntity", `{"position":[0,5,0],"dynamic":true,"mass":10}`)
		var made physics.AddJointOut
		s.do(&made, "physics.addJoint", `{"entity":%q,"kind":"rope","toAt":[0,6,0],"breakForce":120}`, box.Entity)
		if made.Note != "" {
			t.Errorf("of a rope that bears it is said: %s", made.Note)
		}
		s.pass(2 * time.Second)
		if out := s.joints(`{}`); len(out.Joints) != 1 || out.Joints[0].Break != 120 {
			t.Errorf("%+v", out)
		}
		s.do(&made, "physics.addJoint", `{"entity":%q,"kind":"rope","toAt":[0,6,0],"breakForce":90}`, box.Entity)
		if want := "ent_0 weighs 98.1 N, which is more than breakForce: unless something else bears it the joint gives way at once"; made.Note != want {
			t.Errorf("it is said %q, want %q", made.Note, want)
		}
		s.pass(2 * time.Second)
		if out := s.joints(`{}`); len(out.Joints) != 0 || s.at(box.Entity)[1] > -5 {
			t.Errorf("%+v, at %v", out, s.at(box.Entity))
		}
	})
}

// TestJointRefused asks for what makes no sense, and is told what does.
func TestJointRefused(t *testing.T) {
	build(t, func(s *site) {
		box, wall := s.box("dynamic", world.Vec3{0, 5, 0}, world.Vec3{1, 1, 1}), s.box("static", world.Vec3{0, 1, 0}, world.Vec3{1, 1, 1})
		var bare struct{ Entity string }
		s.do(&bare, "scene.createEntity", `{}`)
		s.do(nil, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"slider","max":2}`, box, wall)
		other := s.box("dynamic", world.Vec3{5, 5, 0}, world.Vec3{1, 1, 1})
		s.do(nil, "physics.addJoint", `{"entity":%q,"kind":"ball"}`, other)
		for _, c := range []struct{ skill, input, want string }{
			{"addJoint", fmt.Sprintf(`{"entity":%q,"kind":"ball","min":-1}`, box), "min: only a hinge and a slider has one, this is a ball joint"},
			{"addJoint", fmt.Sprintf(`{"entity":%q,"kind":"hinge","length":1}`, box), "length: only a rope and a spring has one, this is a hinge joint"},
			{"addJoint", fmt.Sprintf(`{"entity":%q,"kind":"rope"}`, box), "toAt: where is the other end of the rope? Give toAt, or to"},
			{"addJoint", fmt.Sprintf(`{"entity":%q,"kind":"hinge","axis":[0,0,0]}`, box), "axis: has no direction, got [0,0,0]"},
			{"addJoint", fmt.Sprintf(`{"entity":%q,"kind":"fixed","to":%q}`, box, box), "ent_0 cannot hang on itself"},
			{"addJoint", fmt.Sprintf(`{"entity":%q,"kind":"fixed","to":%q}`, wall, bare.Entity), "to: ent_2 has no body for a joint to hold on to: leave to out, to hang on the place itself, or give it one by physics.setBody"},
			{"addJoint", fmt.Sprintf(`{"entity":%q,"kind":"fixed"}`, wall), "nothing would move: neither ent_1 nor what it hangs on has a dynamic body"},
			{"addJoint", fmt.Sprintf(`{"entity":%q,"kind":"fixed","at":[200000,0,0]}`, box), "a joint is at most 100000 m from the origin along an axis"},
			{"setMotor", fmt.Sprintf(`{"entity":%q,"target":1}`, bare.Entity), "entity: ent_2 hangs on nothing: physics.addJoint with kind hinge or slider first"},
			{"setMotor", fmt.Sprintf(`{"entity":%q,"target":1}`, other), "entity: ent_3 hangs by a ball joint, which no motor drives: only a hinge and a slider have motors"},
			{"setMotor", fmt.Sprintf(`{"entity":%q,"target":1,"speed":1}`, box), "speed: give target, to go there and stay, or speed, to go on; not both"},
			{"setMotor", fmt.Sprintf(`{"entity":%q,"target":3}`, box), "target: this joint goes from -100000 to 2, got 3"},
		} {
			_, err := s.Call(s.ann, "physics."+c.skill, c.input)
			if got := fmt.Sprint(err); got != c.want {
				t.Errorf("%s %s: %s, want %s", c.skill, c.input, got, c.want)
			}
		}
	})
}
