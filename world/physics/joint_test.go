package physics_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

var still = world.NoRotation()

// alongZ turns x to z: the axis of a hinge that swings in the plane of x and y.
var alongZ = world.QuatFromEuler(0, -math.Pi/2, 0)

// hang has an entity hang on something.
func (r *rig) hang(id world.ID, j physics.Joint) {
	r.t.Helper()
	if j.Turn == (world.Quat{}) {
		j.Turn = still
	}
	if j.OnTurn == (world.Quat{}) {
		j.OnTurn = still
	}
	r.must(func(tx *world.Tx) error { return r.Hang(tx, id, j) })
}

func (r *rig) drive(id world.ID, m physics.Motor, pace float64) {
	r.t.Helper()
	r.must(func(tx *world.Tx) error { return r.Drive(tx, id, m, pace) })
}

func (r *rig) travel(id world.ID) (d float64) {
	r.View(func(v *world.View) { d = r.Travel(v, id) })
	return d
}

// apart is how far the two places of a joint are from one another.
func (r *rig) apart(id world.ID) (d float64) {
	r.View(func(v *world.View) {
		on, at := r.Ends(v, id)
		d = on.Dist(at)
	})
	return d
}

// bridge hangs a plank of 4 m by a hinge at its left end, at the origin.
func (r *rig) bridge(m physics.Motor) world.ID {
	r.t.Helper()
	id := r.thing(world.Vec3{2, 0, 0}, world.Vec3{4, 0.2, 1}, world.Body{Type: "dynamic"})
	r.hang(id, physics.Joint{Kind: physics.Hinge, At: world.Vec3{-2, 0, 0}, Turn: alongZ, OnTurn: alongZ, Motor: m})
	return id
}

// TestJointKinds lets a plank go that hangs by each kind of joint, and looks at what that leaves it.
func TestJointKinds(t *testing.T) {
	low := func(t *testing.T, r *rig, id world.ID) (y float64) {
		t.Helper()
		for range 120 {
			r.steps(1)
			y = min(y, r.at(id)[1])
		}
		return y
	}
	for name, c := range map[string]struct {
		joint    physics.Joint
		falls    [2]float64 // between which its middle comes to lie at its lowest
		apart    float64    // how far the ends may be apart
		straight bool       // it does not turn
	}{
		"hinge":         {physics.Joint{Kind: physics.Hinge, Turn: alongZ, OnTurn: alongZ}, [2]float64{-2.05, -1.9}, 0.01, false},
		"hinge, limits": {physics.Joint{Kind: physics.Hinge, Turn: alongZ, OnTurn: alongZ, Limited: true, Low: -0.5, High: 0.1}, [2]float64{-2 * math.Sin(0.53), -2 * math.Sin(0.47)}, 0.01, false},
		"slider":        {physics.Joint{Kind: physics.Slider, Turn: alongY, OnTurn: alongY, Limited: true, Low: -3, High: 0}, [2]float64{-3.1, -2.9}, 3.1, true},
		"ball":          {physics.Joint{Kind: physics.Socket}, [2]float64{-2.05, -1.9}, 0.01, false},
		"fixed":         {physics.Joint{Kind: physics.Weld}, [2]float64{-0.02, 0}, 0.01, true},
		"rope":          {physics.Joint{Kind: physics.Rope, Length: 3}, [2]float64{-5.2, -3}, 3.02, false},
		"spring":        {physics.Joint{Kind: physics.Spring, Length: 1, Stiff: 10, Damped: 1}, [2]float64{-8, -2}, 8, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			id := r.thing(world.Vec3{2, 0, 0}, world.Vec3{4, 0.2, 1}, world.Body{Type: "dynamic"})
			c.joint.At = world.Vec3{-2, 0, 0}
			r.hang(id, c.joint)
			y := low(t, r, id)
			if y < c.falls[0] || y > c.falls[1] {
				t.Errorf("it was at y %.3f at its lowest, want between %v", y, c.falls)
			}
			if got := r.apart(id); got > c.apart {
				t.Errorf("its ends are %.3f m apart", got)
			}
			r.View(func(v *world.View) {
				if at, _ := v.Transform(id); (math.Abs(at.Rotation[3]) > 0.999) != c.straight {
					t.Errorf("it is turned by %v", at.Rotation)
				}
			})
			r.must(func(tx *world.Tx) error {
				if !r.Unhang(tx, id) || r.Unhang(tx, id) {
					t.Error("it is to be taken off once")
				}
				return nil
			})
			if r.steps(300); r.at(id)[1] > -50 {
				t.Errorf("taken off it is at %v", r.at(id))
			}
		})
	}
}

var alongY = world.QuatFromEuler(0, 0, math.Pi/2)

// TestMotors has motors lift a bridge and lower it, turn a wheel slower than what an engine takes for rest, and give in to a weight.
func TestMotors(t *testing.T) {
	r := newRig(t)
	id := r.bridge(physics.Motor{Drive: physics.ToPlace})
	near := func(want float64) {
		t.Helper()
		if got := r.travel(id); math.Abs(got-want) > 0.02 {
			t.Errorf("the bridge is at %.3f, want %.3f", got, want)
		}
	}
	r.steps(60)
	near(0)
	r.drive(id, physics.Motor{Drive: physics.ToPlace, Goal: 1.2}, 0.5)
	r.steps(60)
	near(0.5)
	r.steps(100)
	near(1.2)
	if r.steps(200); !r.resting(id) {
		t.Error("a bridge that was lifted does not rest")
	}
	r.drive(id, physics.Motor{Drive: physics.ToPlace}, 0)
	r.steps(60)
	near(0)
	r.drive(id, physics.Motor{}, 0)
	if r.steps(30); r.travel(id) > -0.3 {
		t.Errorf("a bridge that nothing holds is at %.3f", r.travel(id))
	}
	wheel := r.thing(world.Vec3{-5, 4, 0}, world.Vec3{2, 2, 0.3}, world.Body{Type: "dynamic"})
	r.hang(wheel, physics.Joint{Kind: physics.Hinge, On: world.Vec3{-5, 4, 0}, Turn: alongZ, OnTurn: alongZ, Motor: physics.Motor{Drive: physics.ToSpeed, Goal: 0.01}})
	r.steps(600)
	if got := r.travel(wheel); math.Abs(got-0.1) > 0.005 {
		t.Errorf("in ten seconds at 0.01 a second a wheel turned by %.3f", got)
	}
	r.drive(id, physics.Motor{Drive: physics.ToSpeed, Goal: 1, Strength: 1}, 0)
	r.steps(120)
	if got := r.travel(id); got > -1 {
		t.Errorf("1 N·m holds up 0.8 kg at two metres: %.3f", got)
	}
}

// TestHangsOn has a lamp hang on what moves, is put elsewhere, is made larger, goes, and comes back.
func TestHangsOn(t *testing.T) {
	for _, kind := range []string{"static", "kinematic", "dynamic"} {
		t.Run(kind, func(t *testing.T) {
			r := newRig(t)
			r.floor()
			beam := r.thing(world.Vec3{0, 0.5, 0}, world.Vec3{8, 1, 1}, world.Body{Type: kind, Friction: 1, Mass: 1000})
			lamp := r.thing(world.Vec3{4, -1, 0}, world.Vec3{0.2, 0.2, 0.2}, world.Body{Type: "dynamic"})
			r.must(func(tx *world.Tx) error { return tx.SetPosition(beam, world.Vec3{0, 6.5, 0}) })
			if kind == "dynamic" { // on posts
				r.thing(world.Vec3{3, 3, 0}, world.Vec3{1, 6, 1}, world.Body{Type: "static", Friction: 1})
				r.thing(world.Vec3{-3, 3, 0}, world.Vec3{1, 6, 1}, world.Body{Type: "static", Friction: 1})
			}
			r.must(func(tx *world.Tx) error { return tx.SetPosition(lamp, world.Vec3{4.2, 4, 0}) })
			r.hang(lamp, physics.Joint{Kind: physics.Socket, To: beam, On: world.Vec3{4.2, -0.5, 0}, At: world.Vec3{0, 2, 0}})
			holds := func(when string, n int) {
				t.Helper()
				r.steps(n)
				if d := r.apart(lamp); d > 0.05 {
					t.Errorf("%s: the lamp is %.3f m from where it hangs", when, d)
				}
			}
			holds("at rest", 300)
			if !r.resting(lamp) {
				t.Error("the lamp does not rest")
			}
			r.must(func(tx *world.Tx) error { return tx.SetPosition(beam, world.Vec3{0.02, 6.6, 0}) })
			holds("lifted", 300)
			if kind != "dynamic" {
				r.must(func(tx *world.Tx) error { return tx.SetScale(beam, world.Vec3{1.1, 1, 1}) })
				holds("longer", 300)
				if x := r.at(lamp)[0]; math.Abs(x-4.2*1.1) > 0.1 {
					t.Errorf("the lamp did not keep to the end of the beam: x %.3f", x)
				}
				up := 0.0
				r.mover = func(tx *world.Tx) error {
					up += 0.01
					return tx.SetPosition(beam, world.Vec3{0.02, 6.6 + up, 0})
				}
				r.steps(100)
				r.mover = nil
				holds("carried up", 60)
			}
			before := r.at(beam)
			r.must(func(tx *world.Tx) error { tx.Destroy(beam); return nil })
			r.steps(120)
			if r.at(lamp)[1] > 0.2 {
				t.Errorf("the beam is gone, and the lamp at %v", r.at(lamp))
			}
			r.must(func(tx *world.Tx) error {
				if err := tx.SetPosition(lamp, world.Vec3{4.2, 4, 0}); err != nil {
					return err
				}
				r.Unhang(tx, lamp)
				other, err := r.create(tx, before, world.Vec3{8, 1, 1}, world.Body{Type: "static"})
				if err != nil {
					return err
				}
				return r.Hang(tx, lamp, physics.Joint{Kind: physics.Rope, To: other, On: world.Vec3{4.2, -0.5, 0}, Length: 1, Turn: still, OnTurn: still})
			})
			r.steps(300)
			if d := r.apart(lamp); d > 1.02 {
				t.Errorf("the rope is %.3f m long, of 1", d)
			}
		})
	}
}

// TestHangRefused asks for joints that hold nothing.
func TestHangRefused(t *testing.T) {
	r := newRig(t)
	floor, box := r.floor(), r.box(world.Vec3{0, 5, 0})
	var bare world.ID
	r.must(func(tx *world.Tx) (err error) {
		bare, err = tx.Create(world.Spec{})
		return err
	})
	for name, c := range map[string]struct {
		id, to world.ID
		want   string
	}{
		"itself":   {box, box, "ent_1 cannot hang on itself"},
		"bodiless": {box, bare, "ent_2 has no body for a joint to hold on to"},
		"bare":     {bare, 0, "ent_2 has no body for a joint to hold on to"},
		"static":   {floor, 0, "nothing would move: neither ent_0 nor what it hangs on has a dynamic body"},
		"unknown":  {box, 99, ""},
	} {
		_, err := r.Update(context.Background(), func(tx *world.Tx) error {
			return r.Hang(tx, c.id, physics.Joint{Kind: physics.Weld, To: c.to, Turn: still, OnTurn: still})
		})
		if err == nil || c.want != "" && err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := r.Update(context.Background(), func(tx *world.Tx) error { return r.Drive(tx, box, physics.Motor{}, 0) }); err == nil {
		t.Error("a motor was given to what has no joint")
	}
}

// TestHangingGroups has what hangs be put in a group, which is moved, and copied: what hung on the place itself hangs in the group's space.
func TestHangingGroups(t *testing.T) {
	r := newRig(t)
	post := r.thing(world.Vec3{0, 5, 0}, world.Vec3{0.1, 10, 0.1}, world.Body{Type: "static"})
	arm := r.thing(world.Vec3{1, 9, 0}, world.Vec3{2, 0.1, 0.1}, world.Body{Type: "dynamic"})
	r.hang(arm, physics.Joint{Kind: physics.Weld, To: post, On: world.Vec3{0, 4, 0}, At: world.Vec3{-1, 0, 0}})
	lamp := r.thing(world.Vec3{2, 8, 0}, world.Vec3{0.2, 0.2, 0.2}, world.Body{Type: "dynamic"})
	r.hang(lamp, physics.Joint{Kind: physics.Socket, To: arm, On: world.Vec3{1, 0, 0}, At: world.Vec3{0, 1, 0}})
	bell := r.thing(world.Vec3{-2, 8, 0}, world.Vec3{0.2, 0.2, 0.2}, world.Body{Type: "dynamic"})
	r.hang(bell, physics.Joint{Kind: physics.Socket, On: world.Vec3{-2, 9, 0}, At: world.Vec3{0, 1, 0}})
	r.steps(30)
	var group, other, alone world.ID
	r.must(func(tx *world.Tx) (err error) {
		if group, err = tx.Create(world.Spec{Position: world.Vec3{1, 2, 3}, Rotation: world.QuatFromEuler(0, 1, 0)}); err != nil {
			return err
		}
		for _, id := range []world.ID{post, arm, lamp, bell} {
			if err := tx.Reparent(id, group); err != nil {
				return err
			}
		}
		return nil
	})
	r.steps(60)
	if d := r.at(bell).Dist(world.Vec3{-2, 8, 0}); d > 0.01 {
		t.Errorf("put in a group, the bell went %.3f m", d)
	}
	r.must(func(tx *world.Tx) (err error) {
		if err = tx.SetPosition(group, world.Vec3{1, 2, 23}); err != nil {
			return err
		}
		if other, err = tx.Clone(group, world.Spec{Position: world.Vec3{1, 2, -17}, Rotation: world.QuatFromEuler(0, 1, 0)}); err != nil {
			return err
		}
		alone, err = tx.Clone(lamp, world.Spec{Position: world.Vec3{50, 8, 0}})
		return err
	})
	r.steps(300)
	for i, want := range []world.Vec3{{2, 8, 20}, {-2, 8, 20}, {2, 8, -20}, {-2, 8, -20}} {
		id := []world.ID{lamp, bell, other + lamp - post + 1, other + bell - post + 1}[i]
		if d := r.at(id).Dist(want); d > 0.02 {
			t.Errorf("%s is at %.3f, want %.3f", id, r.at(id), want)
		}
	}
	if at := r.at(alone); at[1] > -50 {
		t.Errorf("a copy of the lamp alone hangs at %v", at)
	}
}

// TestJointsBeyond hangs anything on anything, however large, light, stiff, strong, and far, and pushes it: no engine fails.
func TestJointsBeyond(t *testing.T) {
	worlds := uint64(20)
	if race.Enabled {
		worlds = 3
	}
	for seed := range worlds {
		r, random := newRig(t), rand.New(rand.NewPCG(seed, 1))
		size := func(low, high float64) float64 { return math.Pow(10, low+random.Float64()*(high-low)) }
		number := func(low, high float64) float64 { return math.Copysign(size(low, high), random.Float64()-0.5) }
		vec := func(low, high float64) world.Vec3 {
			return world.Vec3{number(low, high), number(low, high), number(low, high)}
		}
		turn := func() world.Quat {
			return world.QuatFromEuler(6*random.Float64(), 6*random.Float64(), 6*random.Float64())
		}
		pick := func(of ...string) string { return of[random.IntN(len(of))] }
		r.floor()
		var ids []world.ID
		for range 20 {
			b := world.Body{Type: pick("dynamic", "dynamic", "static", "kinematic"), Collider: pick("box", "sphere", "capsule", "cylinder", "cone", "wedge")}
			if random.IntN(2) == 0 {
				b.Mass = size(-35, 6)
			}
			ids = append(ids, r.thing(vec(-3, 4.9), world.Vec3{size(-4, 4.5), size(-4, 4.5), size(-4, 4.5)}, b))
		}
		hung := 0
		for _, id := range ids {
			j := physics.Joint{
				Kind: physics.JointKind(pick("hinge", "slider", "ball", "fixed", "rope", "spring")),
				At:   vec(-3, 5), On: vec(-3, 4.9), Turn: turn(), OnTurn: turn(), Limited: random.IntN(2) == 0, Low: number(-3, 6), High: number(-3, 6),
				Motor: physics.Motor{Drive: physics.Drive(pick("", "speed", "position")), Goal: number(-3, 6), Strength: size(-3, 38)}, Pace: size(-3, 6),
				Length: size(-5, 6), Stiff: size(-3, 38), Damped: size(-3, 38), Collide: random.IntN(2) == 0,
				Break: float64(random.IntN(2)) * size(-2, 9),
			}
			if random.IntN(3) > 0 {
				j.To = ids[random.IntN(len(ids))]
			}
			if _, err := r.Update(context.Background(), func(tx *world.Tx) error { return r.Hang(tx, id, j) }); err == nil {
				hung++
			}
		}
		if hung < 3 {
			t.Errorf("world %d: only %d hang", seed, hung)
		}
		for range 20 {
			r.must(func(tx *world.Tx) error {
				_, _ = r.Push(tx, ids[random.IntN(len(ids))], vec(-3, 30))
				return nil
			})
			r.steps(10)
		}
		if len(r.rebuilds) > 0 {
			t.Errorf("world %d: %+v", seed, r.rebuilds)
		}
	}
}

// TestCutWhileAtRest takes a lamp off while nothing moves.
func TestCutWhileAtRest(t *testing.T) {
	r := newRig(t)
	lamp := r.box(world.Vec3{0, 5, 0})
	r.hang(lamp, physics.Joint{Kind: physics.Weld, On: world.Vec3{0, 5, 0}})
	r.steps(300)
	if !r.resting(lamp) || r.at(lamp)[1] < 4.9 {
		t.Fatalf("the lamp is at %v", r.at(lamp))
	}
	r.must(func(tx *world.Tx) error {
		r.Unhang(tx, lamp)
		return nil
	})
	if r.steps(60); r.at(lamp)[1] > 1 {
		t.Errorf("the lamp is still at %v", r.at(lamp))
	}
}

// contraption is a bridge that goes up, a chain of seven planks, a wheel that turns and a lamp on a spring.
func contraption(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	r.floor()
	bridge := r.bridge(physics.Motor{Drive: physics.ToPlace})
	r.must(func(tx *world.Tx) error { return tx.SetPosition(bridge, world.Vec3{2, 3, 0}) })
	r.hang(bridge, physics.Joint{Kind: physics.Hinge, At: world.Vec3{-2, 0, 0}, On: world.Vec3{0, 3, 0}, Turn: alongZ, OnTurn: alongZ})
	r.drive(bridge, physics.Motor{Drive: physics.ToPlace, Goal: 1.4}, 0.4)
	last := world.ID(0)
	for i := range 7 {
		x := 10 + float64(i)
		plank := r.thing(world.Vec3{x, 8, 5}, world.Vec3{0.9, 0.1, 1}, world.Body{Type: "dynamic"})
		on := world.Vec3{0.5, 0, 0}
		if last == 0 {
			on = world.Vec3{9.5, 8, 5}
		}
		r.hang(plank, physics.Joint{Kind: physics.Socket, To: last, On: on, At: world.Vec3{-0.5, 0, 0}})
		last = plank
	}
	wheel := r.thing(world.Vec3{-5, 4, 0}, world.Vec3{2, 2, 0.3}, world.Body{Type: "dynamic"})
	r.hang(wheel, physics.Joint{Kind: physics.Hinge, On: world.Vec3{-5, 4, 0}, Turn: alongZ, OnTurn: alongZ, Motor: physics.Motor{Drive: physics.ToSpeed, Goal: 0.7}})
	lamp := r.thing(world.Vec3{-9, 4, 0}, world.Vec3{0.3, 0.3, 0.3}, world.Body{Type: "dynamic"})
	r.hang(lamp, physics.Joint{Kind: physics.Spring, On: world.Vec3{-9, 6, 0.5}, Length: 1, Stiff: 2, Damped: 0.01})
	return r
}

// TestRideAgain has who rides a lift, on which a cup of parts stands that touch, come as far when it happens again, to the bit, and nearly so with a new engine.
func TestRideAgain(t *testing.T) {
	run := func(how string) (*rig, world.ID) {
		r := newRig(t)
		r.floor()
		lift := r.thing(world.Vec3{0, 0.1, 0}, world.Vec3{4, 0.2, 4}, world.Body{Type: "dynamic", Mass: 300})
		up := world.QuatFromEuler(0, 0, math.Pi/2)
		r.hang(lift, physics.Joint{Kind: physics.Slider, On: world.Vec3{0, 0.1, 0}, Turn: up, OnTurn: up})
		for _, w := range [][2]world.Vec3{{{1.5, 0.4, 0}, {0.1, 0.4, 1}}, {{1, 0.4, 0.4}, {1, 0.4, 0.1}}} {
			wall := r.thing(w[0], w[1], world.Body{Type: "dynamic"})
			r.hang(wall, physics.Joint{Kind: physics.Weld, To: lift, On: w[0].Sub(world.Vec3{0, 0.1, 0}).Mul(world.Vec3{0.25, 5, 0.25})})
		}
		who := r.walker(world.Vec3{-1, 1.1, 0})
		r.steps(60)
		r.drive(lift, physics.Motor{Drive: physics.ToPlace, Goal: 3}, 1)
		if how == "rebuild" {
			if err := r.RebuildAt(r.Steps() + 60); err != nil {
				t.Fatal(err)
			}
		}
		r.steps(60)
		r.steps(180)
		return r, who
	}
	plain, who := run("")
	if at := plain.at(who); at.Dist(world.Vec3{-1, 4.0675, 0}) > 0.03 {
		t.Errorf("he is at %v", at)
	}
	if again, _ := run(""); plain.hash() != again.hash() {
		t.Error("the same again is another world")
	}
	if again, _ := run("rebuild"); again.at(who).Dist(plain.at(who)) > 0.02 {
		t.Errorf("with a new engine he is at %v, else at %v", again.at(who), plain.at(who))
	}
}

// TestJointsAgain has a contraption go on from the world alone, while a motor is on its way, as it does undisturbed.
func TestJointsAgain(t *testing.T) {
	run := func(how string) *rig {
		r := contraption(t)
		if how == "rebuild" {
			if err := r.RebuildAt(90); err != nil {
				t.Fatal(err)
			}
		}
		r.steps(80)
		r.must(func(tx *world.Tx) error { // the chain is cut in the middle
			r.Unhang(tx, 6)
			return nil
		})
		r.steps(160)
		return r
	}
	plain := run("")
	if got := plain.travel(2); math.Abs(got-1.4) > 0.03 {
		t.Errorf("the bridge is at %.3f, want 1.4", got)
	}
	if y := plain.at(6)[1]; y > 0.5 {
		t.Errorf("what was cut off is at y %.3f", y)
	}
	if d := plain.apart(4); d > 0.05 {
		t.Errorf("the chain is %.3f m apart", d)
	}
	if plain.hash() != run("").hash() {
		t.Error("the same again is another world")
	}
	again := run("rebuild")
	if d := again.travel(2) - plain.travel(2); math.Abs(d) > 0.02 || again.apart(4) > 0.05 {
		t.Errorf("after a rebuild the bridge is %.3f elsewhere, the chain %.3f m apart", d, again.apart(4))
	}
	const want = "d893aa5650f1cc5788f6556045718faf3e0a2e5c4f6450338e4263f054cfeda4"
	if got := plain.hash(); got != want {
		t.Errorf("the world is %s, want %s", got, want)
	}
}
