package physics_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// pull sets the gravity of the world.
func (r *rig) pull(down float64) {
	r.t.Helper()
	r.must(func(tx *world.Tx) error { return r.SetGravity(tx, &down) })
}

// TestGravity has boxes fall as on the earth, on the moon and nowhere, also one that sleeps when what it lies on is gone, and one that is pushed off.
func TestGravity(t *testing.T) {
	for _, down := range []float64{9.81, 1.62, 0} {
		r := newRig(t)
		r.floor()
		lies, hangs := r.box(world.Vec3{0, 0.5, 0}), r.box(world.Vec3{5, 40, 0})
		r.must(func(tx *world.Tx) error {
			r.Bodies.Set(tx, hangs, world.Body{Type: "static"})
			return nil
		})
		r.settles(600, lies)
		r.pull(down)
		r.must(func(tx *world.Tx) error { return r.Bodies.Set(tx, hangs, world.Body{Type: "dynamic"}) })
		r.steps(120)
		if fell := 40 - r.at(hangs)[1]; math.Abs(fell-down*2) > 0.02+down/30 {
			t.Errorf("at %v m/s² a box falls %v m in two seconds", down, fell)
		}
		r.must(func(tx *world.Tx) error {
			_, err := r.Push(tx, lies, world.Vec3{0, r.Weight(&tx.View, lies), 0}) // 1 m/s
			return err
		})
		high := 0.0
		for range 240 {
			r.steps(1)
			high = max(high, r.at(lies)[1]-0.5)
		}
		if want := min(1/(2*max(down, 1e-9)), 4); math.Abs(high-want) > 0.05*want {
			t.Errorf("at %v m/s² what is thrown up at 1 m/s is %v m high, want %v", down, high, want)
		}
	}
}

// TestGravityWakes has what sleeps go on when gravity changes: a pile that was pressed together, and who stands on it, stay; what a spring holds up rises.
func TestGravityWakes(t *testing.T) {
	r := newRig(t)
	hung := r.box(world.Vec3{0, 4, 0})
	r.hang(hung, physics.Joint{Kind: physics.Spring, Length: 1, Stiff: 30, Damped: 10, On: world.Vec3{0, 6, 0}})
	low := r.at(hung)[1]
	for range 1200 {
		r.steps(1)
		low = r.at(hung)[1]
		if r.resting(hung) {
			break
		}
	}
	if !r.resting(hung) {
		t.Fatalf("it hangs at %v and does not rest", low)
	}
	r.pull(1.62)
	r.steps(1200)
	if rose := r.at(hung)[1] - low; math.Abs(rose-(9.81-1.62)/30) > 0.03 {
		t.Errorf("what weighs less on its spring is %v m higher", rose)
	}
}

// TestGravityFloats has a box lie as deep in water on the moon as on the earth, and the hull of a ship.
func TestGravityFloats(t *testing.T) {
	for _, down := range []float64{9.81, 1.62} {
		r := newRig(t)
		r.bed(6)
		r.pull(down)
		box := r.thing(world.Vec3{8, 0.3, 0}, world.Vec3{2, 1, 2}, world.Body{Type: "dynamic", Density: 400})
		plates := r.ship(-0.2, world.Vec3{4, 1, 2})
		r.settles(4800, append(plates, box)...)
		if y, bottom := r.at(box)[1], r.at(plates[0])[1]; math.Abs(y-0.1) > 0.02 || math.Abs(bottom+0.38) > 0.04 {
			t.Errorf("at %v m/s² the box is at %v, the bottom of the hull at %v", down, y, bottom)
		}
	}
}

// TestGravityOfCharacters has somebody jump: as high as on the earth, about six times as high on the moon, and come down again where there is none.
func TestGravityOfCharacters(t *testing.T) {
	for down, want := range map[float64]float64{9.81: 1.39, 1.62: 8.7, 0: 14.4} {
		r := newRig(t)
		r.floor()
		who := r.walker(world.Vec3{0, 0.9, 0})
		r.pull(down)
		r.steps(60)
		r.send(who, physics.Intent{Jump: true, Steps: 1})
		high := 0.0
		for range 60 * 10 {
			r.steps(1)
			high = max(high, r.feet(who))
		}
		if math.Abs(high-want) > 0.03*want || r.feet(who) > 0.1 {
			t.Errorf("at %v m/s² somebody jumps %v m high, want %v, and then is at %v", down, high, want, r.feet(who))
		}
	}
}

// TestGravityRefuses has numbers that are none, or too great, be refused, and nil bring back what the world had.
func TestGravityRefuses(t *testing.T) {
	r := newRig(t)
	r.pull(3)
	for _, down := range []float64{-1, 101, math.NaN(), math.Inf(1)} {
		if _, err := r.Update(t.Context(), func(tx *world.Tx) error { return r.SetGravity(tx, &down) }); err == nil {
			t.Errorf("%v is taken", down)
		}
	}
	now := func() (y float64) {
		r.View(func(v *world.View) { y = r.Gravity(v) })
		return y
	}
	if y := now(); y != -3 {
		t.Errorf("it is %v", y)
	}
	r.must(func(tx *world.Tx) error { return r.SetGravity(tx, nil) })
	if y := now(); y != -9.81 {
		t.Errorf("it is %v", y)
	}
}
