package physics_test

import (
	"testing"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// lake lays water into a rig, whose surface is at a height.
func (r *rig) lake(y, size float64) (id world.ID) {
	r.t.Helper()
	r.must(func(tx *world.Tx) (err error) {
		if id, err = tx.Create(world.Spec{Position: world.Vec3{0, y, 0}}); err != nil {
			return err
		}
		return r.Waters.Set(tx, id, world.Water{Size: size})
	})
	return id
}

// walker spawns a character of the usual measures, 1.7 m tall.
func (r *rig) walker(at world.Vec3) (id world.ID) {
	r.t.Helper()
	r.must(func(tx *world.Tx) (err error) {
		id, err = r.Spawn(tx, at, physics.Character{HalfHeight: 0.5, Radius: 0.35, WalkSpeed: 4, RunSpeed: 8, Gravity: 22, JumpSpeed: 8, CrouchSpeedScale: 0.5})
		return err
	})
	return id
}

func (r *rig) send(id world.ID, in physics.Intent) {
	r.t.Helper()
	r.must(func(tx *world.Tx) error { return r.Send(tx, id, in) })
}

func (r *rig) feet(id world.ID) float64 { return r.at(id)[1] - 0.85 }

func (r *rig) swims(id world.ID) (yes bool) {
	r.View(func(v *world.View) { yes = r.Swimming(v, id) })
	return yes
}

// TestSwim has a character fall into a deep lake, float, swim at half its speed, come to rest, and walk out where the bed rises.
func TestSwim(t *testing.T) {
	r := newRig(t)
	r.thing(world.Vec3{0, -5.5, 0}, world.Vec3{200, 1, 200}, world.Body{Type: "static"}) // the bed, at -5
	r.lake(0, 100)
	// a beach: a slope of 20 degrees that rises out of the water along x
	r.must(func(tx *world.Tx) error {
		id, err := r.create(tx, world.Vec3{20, -3, 0}, world.Vec3{30, 1, 40}, world.Body{Type: "static"})
		if err != nil {
			return err
		}
		tr, _ := tx.WorldTransform(id)
		tr.Rotation = world.QuatFromEuler(0, 0, 0.35)
		return tx.SetTransform(id, tr)
	})
	who := r.walker(world.Vec3{0, 6, 0})
	r.steps(480)
	draft := physics.Swims * 1.7
	if got := r.feet(who); got < -draft-0.01 || got > -draft+0.01 {
		t.Fatalf("its feet are at %v, want %v under the surface", got, draft)
	}
	if !r.swims(who) || !r.resting(who) {
		t.Errorf("swims %v, rests %v, want both", r.swims(who), r.resting(who))
	}
	r.send(who, physics.Intent{Forward: 1, Run: true, Steps: 60}) // along z
	r.steps(60)
	if got := r.at(who)[2]; got < 1.9 || got > 2.1 {
		t.Errorf("in a second it has swum %v m, want 2: half of walking, running or not", got)
	}
	r.send(who, physics.Intent{Forward: 1, Yaw: 1.5707963, Steps: 900})
	low := 0.0
	for range 900 {
		r.steps(1)
		low = min(low, r.feet(who))
	}
	if low < -draft-0.02 {
		t.Errorf("on its way it was at %v: it dived", low)
	}
	if got := r.at(who); got[0] < 20 || r.feet(who) < 0.5 || r.swims(who) {
		t.Errorf("it has come to %v, swims %v: it has not left the water", got, r.swims(who))
	}
}

// TestWade has one walk slower in water that does not carry it, with its feet on the ground.
func TestWade(t *testing.T) {
	r := newRig(t)
	r.floor()
	r.lake(0.8, 100)
	who := r.walker(world.Vec3{0, 1, 0})
	r.steps(60)
	r.send(who, physics.Intent{Forward: 1, Steps: 60})
	r.steps(60)
	if got := r.at(who)[2]; got < 2.4 || got > 3 || r.swims(who) || r.feet(who) > 0.05 {
		t.Errorf("in a second it has waded %v m, swims %v, its feet at %v", got, r.swims(who), r.feet(who))
	}
	dry := r.walker(world.Vec3{80, 1, 0})
	r.steps(60)
	r.send(dry, physics.Intent{Forward: 1, Steps: 60})
	r.steps(60)
	if got := r.at(dry)[2]; got < 3.9 {
		t.Errorf("beside the water it has come %v m, want 4", got)
	}
}

// TestWaterComesAndGoes has one who stands be lifted by water that comes, and stand again when that goes.
func TestWaterComesAndGoes(t *testing.T) {
	r := newRig(t)
	r.floor()
	who := r.walker(world.Vec3{0, 0.9, 0})
	r.steps(120)
	if !r.resting(who) {
		t.Fatal("it does not rest")
	}
	pool := r.lake(4, 50)
	r.steps(300)
	if got := r.feet(who); got < 2.9 || !r.swims(who) {
		t.Errorf("under 4 m of water its feet are at %v, swims %v", got, r.swims(who))
	}
	r.must(func(tx *world.Tx) error { tx.Destroy(pool); return nil })
	r.steps(120)
	if got := r.feet(who); got > 0.05 || r.swims(who) {
		t.Errorf("without it they are at %v, swims %v", got, r.swims(who))
	}
}

// TestCellar has no water in a room below the surface, which has a ceiling.
func TestCellar(t *testing.T) {
	r := newRig(t)
	r.floor()
	r.thing(world.Vec3{0, 2.7, 0}, world.Vec3{20, 0.4, 20}, world.Body{Type: "static"})
	r.lake(5, 100)
	who := r.walker(world.Vec3{0, 0.9, 0})
	r.steps(120)
	if r.swims(who) || r.feet(who) > 0.05 {
		t.Errorf("under a ceiling it swims %v, its feet at %v", r.swims(who), r.feet(who))
	}
}

// TestOutByJumping has a swimmer jump onto a jetty that is 0.3 m above the water.
func TestOutByJumping(t *testing.T) {
	r := newRig(t)
	r.thing(world.Vec3{0, -5.5, 0}, world.Vec3{200, 1, 200}, world.Body{Type: "static"})
	r.thing(world.Vec3{0, 0, 5}, world.Vec3{10, 0.6, 6}, world.Body{Type: "static"})
	r.lake(0, 100)
	who := r.walker(world.Vec3{0, 1, 0})
	r.steps(240)
	r.send(who, physics.Intent{Forward: 1, Steps: 120})
	r.steps(120)
	if got := r.at(who)[2]; got > 1.7 {
		t.Fatalf("it went through the jetty: %v", got)
	}
	r.send(who, physics.Intent{Forward: 1, Jump: true, Steps: 60})
	r.steps(90)
	if got := r.at(who); r.feet(who) < 0.29 || got[2] < 2 || r.swims(who) {
		t.Errorf("it is at %v, its feet at %v", got, r.feet(who))
	}
}
