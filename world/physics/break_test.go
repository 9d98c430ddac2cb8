package physics_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// hears has the rig note which joints give way.
func (r *rig) hears() *[]physics.Broken {
	var broken []physics.Broken
	r.OnBroke(func(tx *world.Tx, b *physics.Broken) error {
		if _, has := r.Joint(&tx.View, b.Entity); has {
			r.t.Errorf("%s has given way and hangs", b.Entity)
		}
		broken = append(broken, *b)
		return nil
	})
	return &broken
}

// hangs reports whether an entity does.
func (r *rig) hangs(id world.ID) (yes bool) {
	r.View(func(v *world.View) { _, yes = r.Joint(v, id) })
	return yes
}

// TestBreak hangs 10 kg by each kind of joint, once a little too weak and once a little stronger than what hangs there.
func TestBreak(t *testing.T) {
	const weight = 98.1
	for kind, j := range map[physics.JointKind]physics.Joint{
		physics.Hinge:  {Turn: alongZ, OnTurn: alongZ},
		physics.Slider: {Turn: alongY, OnTurn: alongY, Limited: true},
		physics.Socket: {},
		physics.Weld:   {},
		physics.Rope:   {Length: 1},
		physics.Spring: {Length: 0.8, Stiff: weight / 0.2, Damped: 50}, // it is stretched by 0.2 m as it hangs
	} {
		for _, share := range []float64{0.97, 1.03} {
			t.Run(fmt.Sprintf("%s/%v", kind, share), func(t *testing.T) {
				r := newRig(t)
				broken := r.hears()
				id := r.thing(world.Vec3{0, 5, 0}, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic", Mass: 10})
				j := j
				j.Kind, j.Break, j.On = kind, share*weight, world.Vec3{0, 5, 0}
				if kind.Spans() {
					j.On[1]++
				}
				r.hang(id, j)
				r.steps(200)
				gone := share < 1
				if r.hangs(id) == gone || (r.at(id)[1] < 0) != gone {
					t.Errorf("it holds %.2f N: hangs %v, at %.2f", j.Break, r.hangs(id), r.at(id))
				}
				if (len(*broken) == 1) != gone {
					t.Fatalf("told of %+v", *broken)
				}
				if !gone {
					if !r.resting(id) {
						t.Error("it does not rest")
					}
					return
				}
				b := (*broken)[0]
				if b.Entity != id || b.Joint.Kind != kind || math.Abs(b.Force-weight) > 0.02*weight || b.At.Dist(j.On) > 0.01 {
					t.Errorf("told of %+v", b)
				}
			})
		}
	}
}

// TestBreakJerk has what a joint bears at rest fall into a rope, and be hit: the rope and the hinge bear the weight, and not that.
func TestBreakJerk(t *testing.T) {
	for _, fall := range []float64{0.02, 0.5, 0.53, 0.57, 0.6, 0.65, 0.8} { // they end in every part of a step
		r := newRig(t)
		broken := r.hears()
		id := r.thing(world.Vec3{0, 5 + fall, 0}, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic", Mass: 10})
		r.hang(id, physics.Joint{Kind: physics.Rope, On: world.Vec3{0, 6, 0}, Length: 1, Break: 700})
		r.steps(120)
		if want := fall > 0.1; r.hangs(id) == want || (len(*broken) == 1) != want {
			t.Errorf("after %v m: hangs %v, told of %+v", fall, r.hangs(id), *broken)
		}
	}
	for _, speed := range []float64{0.5, 20} {
		r := newRig(t)
		broken := r.hears()
		sign := r.thing(world.Vec3{0, 5, 0}, world.Vec3{1, 1, 0.1}, world.Body{Type: "dynamic", Mass: 10})
		r.hang(sign, physics.Joint{Kind: physics.Hinge, At: world.Vec3{0, 0.5, 0}, On: world.Vec3{0, 5.5, 0}, Break: 1000})
		r.steps(100)
		ball := r.thing(world.Vec3{0, 5.4, 3}, world.Vec3{0.3, 0.3, 0.3}, world.Body{Type: "dynamic", Mass: 20, Collider: "sphere"})
		r.must(func(tx *world.Tx) error {
			_, err := r.Push(tx, ball, world.Vec3{0, 0, -20 * speed})
			return err
		})
		r.steps(120)
		if want := speed > 1; r.hangs(sign) == want || (len(*broken) == 1) != want {
			t.Errorf("hit at %v m/s: hangs %v, told of %+v", speed, r.hangs(sign), *broken)
		}
	}
}

// TestBreakLater weakens the joint of what sleeps, and has what hangs by a strong one carried about: that tears nothing.
func TestBreakLater(t *testing.T) {
	r := newRig(t)
	lamp := r.thing(world.Vec3{0, 5, 0}, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic", Mass: 10})
	j := physics.Joint{Kind: physics.Rope, On: world.Vec3{0, 6, 0}, Length: 1, Break: 110}
	r.hang(lamp, j)
	r.steps(300)
	if !r.resting(lamp) || !r.hangs(lamp) {
		t.Fatal("a lamp on a rope that holds it does not rest")
	}
	j.Break = 90
	r.hang(lamp, j)
	if r.steps(5); r.hangs(lamp) {
		t.Error("a rope that was made weaker still holds")
	}
	beam := r.thing(world.Vec3{0, 20, 0}, world.Vec3{4, 0.2, 0.2}, world.Body{Type: "kinematic"})
	j.To, j.On, j.Break = beam, world.Vec3{0, -1, 0}, 200
	r.must(func(tx *world.Tx) error { return tx.SetPosition(lamp, world.Vec3{0, 18, 0}) })
	r.hang(lamp, j)
	way := 0.0
	r.mover = func(tx *world.Tx) error { // it sets off and stops softly: to do so at once is a jerk
		way += math.Pi / 200
		_, cos := world.Sincos(way)
		return tx.SetPosition(beam, world.Vec3{0, 22 - 2*cos, 0})
	}
	r.steps(200)
	r.mover = nil
	if r.steps(60); !r.hangs(lamp) || r.apart(lamp) > 1.02 {
		t.Errorf("carried up it hangs %v, on %.3f m of rope", r.hangs(lamp), r.apart(lamp))
	}
}

// TestBreakDisturbsNothing has a lift carry a box, a ball roll and a chain swing, without and with a joint elsewhere that may give way: they do so as well.
func TestBreakDisturbsNothing(t *testing.T) {
	run := func(breaks bool) (r *rig, ends []world.Vec3) {
		r = contraption(t)
		lift := r.thing(world.Vec3{-20, 0.1, 0}, world.Vec3{2, 0.2, 2}, world.Body{Type: "kinematic", Friction: 0.5})
		box := r.box(world.Vec3{-20, 0.7, 0})
		ball := r.thing(world.Vec3{30, 0.5, 0}, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic", Collider: "sphere", Friction: 0.5})
		if breaks {
			id := r.box(world.Vec3{60, 5, 0})
			r.hang(id, physics.Joint{Kind: physics.Socket, At: world.Vec3{0, 1, 0}, On: world.Vec3{60.3, 6, 0}, Break: 1e6})
		}
		r.must(func(tx *world.Tx) error {
			_, err := r.Push(tx, ball, world.Vec3{0, 0, 1})
			return err
		})
		at := world.Transform{Position: world.Vec3{-20, 0.1, 0}, Rotation: still, Scale: world.Vec3{1, 1, 1}}
		turn := 0.0
		r.mover = func(tx *world.Tx) error {
			at.Position = at.Position.Add(world.Vec3{0, 0.02, 0.01})
			turn += 0.01
			at.Rotation = world.QuatFromEuler(0, turn, 0)
			return tx.SetTransform(lift, at)
		}
		r.steps(150)
		for _, id := range []world.ID{box, ball, 2, 9} {
			ends = append(ends, r.at(id))
		}
		if d := r.at(box).Sub(r.at(lift)); math.Abs(d[1]-0.6) > 0.02 || math.Hypot(d[0], d[2]) > 0.1 {
			t.Errorf("with a joint that may break %v: the box is %.3f from the lift", breaks, d)
		}
		return r, ends
	}
	_, plain := run(false)
	r, with := run(true)
	for i := range plain {
		if d := plain[i].Dist(with[i]); d > 0.1 {
			t.Errorf("body %d is at %.3f, without a joint that may break at %.3f", i, with[i], plain[i])
		}
	}
	if r.apart(4) > 0.05 {
		t.Errorf("the chain is %.3f m apart", r.apart(4))
	}
}

// gallows is a chain of seven links that may break, with more than it can bear coming down on its end.
func gallows(t *testing.T) (*rig, *[]physics.Broken) {
	t.Helper()
	r := newRig(t)
	broken := r.hears()
	r.floor()
	last := world.ID(0)
	for i := range 7 {
		x := float64(i)
		link := r.thing(world.Vec3{x, 12, 0}, world.Vec3{0.9, 0.1, 1}, world.Body{Type: "dynamic", Mass: 2})
		on := world.Vec3{0.5, 0, 0}
		if last == 0 {
			on = world.Vec3{-0.5, 12, 0}
		}
		r.hang(link, physics.Joint{Kind: physics.Socket, To: last, On: on, At: world.Vec3{-0.5, 0, 0}, Break: 400 + 10*x})
		last = link
	}
	r.thing(world.Vec3{0, 4, 0}, world.Vec3{1, 1, 1}, world.Body{Type: "static"})
	r.thing(world.Vec3{5, 30, 0}, world.Vec3{1, 1, 1}, world.Body{Type: "dynamic", Mass: 30})
	return r, broken
}

// TestBreaksAgain has a chain break the same again, also with an engine that is made anew.
func TestBreaksAgain(t *testing.T) {
	run := func(rebuild uint64) (*rig, []physics.Broken) {
		r, broken := gallows(t)
		if rebuild > 0 {
			if err := r.RebuildAt(rebuild); err != nil {
				t.Fatal(err)
			}
		}
		r.steps(240)
		return r, *broken
	}
	plain, broken := run(0)
	if len(broken) == 0 || len(broken) == 7 {
		t.Fatalf("of seven links broke %+v", broken)
	}
	again, _ := run(0)
	if plain.hash() != again.hash() {
		t.Error("the same again is another world")
	}
	one, broken := run(50)
	if other, _ := run(50); one.hash() != other.hash() || len(broken) == 0 || len(one.rebuilds) != 1 {
		t.Errorf("made anew twice alike, it is another world, or broke %+v", broken)
	}
	const want = "4cd325ac278d5a5e12cc8b5849ced9b01f395f44dd18bce13545bceab1a5ecbc"
	if got := plain.hash(); got != want {
		t.Errorf("the world is %s, want %s", got, want)
	}
}
