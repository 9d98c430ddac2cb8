package physics_test

import (
	"math"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/terrain"
)

// asked is an engine that knows how often its controller was asked, and asks it once more where it was not.
type asked struct {
	physics.Engine
	walks int
	feet  physics.Feet
	aimed func(e *asked, h physics.Handle, to world.Vec3)
}

func (e *asked) Walk(h physics.Handle, s *physics.Stride) (physics.Walked, error) {
	e.walks, e.feet = e.walks+1, s.Feet
	return e.Engine.Walk(h, s)
}

func (e *asked) Aim(h physics.Handle, p world.Vec3, q world.Quat) error {
	if e.aimed != nil {
		e.aimed(e, h, p)
	}
	return e.Engine.Aim(h, p, q)
}

func newAsked(t *testing.T) (*rig, func() *asked) {
	t.Helper()
	var e *asked
	r := newRig(t)
	r.wrap = func(in physics.Engine) physics.Engine {
		e = &asked{Engine: in}
		return e
	}
	return r, func() *asked { return e }
}

// TestStroll has characters walk over open ground, and holds each step that was taken without the engine's controller against what that would have done.
func TestStroll(t *testing.T) {
	for _, kind := range []terrain.Type{"", terrain.Hills, terrain.Mountains} {
		r, engine := newAsked(t)
		if kind == "" {
			r.thing(world.Vec3{0, -0.5, 0}, world.Vec3{40, 1, 40}, world.Body{Type: "static"})   // on a large box the controller errs by a centimetre
			r.thing(world.Vec3{0, -4, 0}, world.Vec3{100, 7.5, 100}, world.Body{Type: "static"}) // what is under a floor
		} else {
			r.tile(world.Vec3{}, kind, 0, world.Vec3{1, 1, 1})
		}
		who := r.walker(world.Vec3{1, 60, 2})
		r.steps(400)
		e := engine()
		e.walks = 0
		var pace, from world.Vec3
		var aside, high []float64
		e.aimed = func(e *asked, h physics.Handle, to world.Vec3) {
			if pace == (world.Vec3{}) || e.walks > 0 {
				return
			}
			want, err := e.Engine.Walk(h, &physics.Stride{Way: pace, Mass: 80, Feet: e.feet})
			if err != nil || !want.Grounded {
				t.Errorf("%s: the controller has him stand: %v, %v", kind, want.Grounded, err)
			}
			off := to.Sub(from).Sub(want.Way)
			high, off[1] = append(high, math.Abs(off[1])), 0
			aside = append(aside, off.Len())
		}
		steps := 0
		for i := range 60 {
			yaw := 2.4 * float64(i)
			r.send(who, physics.Intent{Forward: 1, Yaw: yaw, Steps: 60, Run: i%2 == 0})
			pace = world.QuatFromEuler(0, yaw, 0).Rotate(world.Vec3{0, 0, 1}).Scale(float64(4+4*((i+1)%2)) / 60)
			if i%3 == 0 { // what else moves him, as a walk along a way does
				r.mover = func(tx *world.Tx) error { return tx.SetPosition(who, from.Add(pace)) }
				r.send(who, physics.Intent{})
			} else {
				r.mover = nil
			}
			for range 40 {
				from = r.at(who)
				e.walks = 0
				r.steps(1)
				steps++
			}
		}
		slices.Sort(aside)
		slices.Sort(high)
		last := len(aside) - 1
		t.Logf("%s: %d of %d steps; %.4f %.4f m aside, %.4f %.4f above or below", kind, len(aside), steps, aside[last*9/10], aside[last], high[last*9/10], high[last])
		if len(aside) < steps*3/4 {
			t.Errorf("%s: of %d steps only %d were taken without the controller", kind, steps, len(aside))
			continue
		}
		mostly := 0.0005
		if kind == "" {
			mostly = 0.008
		}
		if aside[last] > 0.01 || aside[last*9/10] > 0.002 || high[last] > 0.03 || high[last*9/10] > mostly {
			t.Errorf("%s: from where the controller would take him he is up to %.4f m aside, and up to %.4f above or below, mostly %.4f and %.4f",
				kind, aside[last], high[last], aside[last*9/10], high[last*9/10])
		}
	}
}

// TestStrollNot is where somebody walks for whom the controller has to tell: each thing beside his way, over it or on it.
func TestStrollNot(t *testing.T) {
	body := func(kind string) world.Body { return world.Body{Type: kind, Collider: "box", Friction: 0.5} }
	for name, c := range map[string]struct {
		at, size world.Vec3
		body     world.Body
		near     bool // the controller is asked
	}{
		"a wall":                {world.Vec3{0.5, 1, 0}, world.Vec3{0.2, 2, 4}, body("static"), true},
		"a crate":               {world.Vec3{0.6, 0.25, 0.5}, world.Vec3{0.5, 0.5, 0.5}, body("dynamic"), true},
		"a door":                {world.Vec3{0.5, 1, 0}, world.Vec3{0.2, 2, 4}, body("kinematic"), true},
		"a beam over his head":  {world.Vec3{0, 1.83, 0.5}, world.Vec3{4, 0.2, 0.2}, body("static"), true},
		"a kerb":                {world.Vec3{0, 0.05, 0.6}, world.Vec3{4, 0.1, 0.2}, body("static"), true},
		"a wall that is beside": {world.Vec3{2, 1, 0}, world.Vec3{0.2, 2, 4}, body("static"), false},
		"a wall aslant, beside": {world.Vec3{1.5, 1, 0.5}, world.Vec3{0.2, 2, 6}, body("aslant"), false},
		"a wall aslant":         {world.Vec3{1.2, 1, 0.5}, world.Vec3{0.2, 2, 6}, body("aslant"), true},
		"a roof":                {world.Vec3{0, 3, 0}, world.Vec3{4, 0.2, 4}, body("static"), false},
		"a floor beside his":    {world.Vec3{1.3, -0.25, 0}, world.Vec3{2, 0.5, 4}, body("static"), false},
	} {
		t.Run(name, func(t *testing.T) {
			r, engine := newAsked(t)
			r.floor()
			aslant := c.body.Type == "aslant"
			if aslant {
				c.body.Type = "static"
			}
			id := r.thing(c.at, c.size, c.body)
			if aslant {
				r.must(func(tx *world.Tx) error {
					tr, _ := tx.Transform(id)
					tr.Rotation = world.QuatFromEuler(0, math.Pi/4, 0)
					return tx.SetTransform(id, tr)
				})
			}
			who := r.walker(world.Vec3{0, 0.8675, 0})
			r.steps(60)
			e := engine()
			if e.walks = 0; r.feet(who) > 0.05 {
				t.Fatalf("he stands at %v", r.at(who))
			}
			r.send(who, physics.Intent{Forward: 1, Steps: 6})
			r.steps(6)
			if (e.walks > 0) != c.near {
				t.Errorf("the controller was asked %d times", e.walks)
			}
			if z := r.at(who)[2]; !c.near && math.Abs(z-0.4) > 1e-3 {
				t.Errorf("he came %v m far", z)
			}
		})
	}
}

// TestStrollOn has somebody walk from one floor to the next: he is taken on without the controller on either, and not between the two.
func TestStrollOn(t *testing.T) {
	r, engine := newAsked(t)
	for _, x := range []float64{-10, 10} {
		r.thing(world.Vec3{x, -0.5, 0}, world.Vec3{20, 1, 20}, world.Body{Type: "static", Friction: 0.5})
	}
	who := r.walker(world.Vec3{-3, 0.8675, 0})
	r.steps(60)
	r.send(who, physics.Intent{Forward: 1, Yaw: math.Pi / 2, Steps: 90})
	e := engine()
	for range 90 {
		e.walks = 0
		r.steps(1)
		if x := r.at(who)[0]; (e.walks > 0) != (math.Abs(x) < 0.4) && math.Abs(math.Abs(x)-0.4) > 0.1 {
			t.Errorf("at x %.3f the controller was asked %d times", x, e.walks)
		}
	}
	if x := r.at(who)[0]; x < 2.5 {
		t.Errorf("he came to x %v", x)
	}
}
