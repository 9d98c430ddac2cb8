package physics_test

import (
	"testing"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// TestStackUnderSomebody has a character stand on crates: they stay where they are and fall asleep.
func TestStackUnderSomebody(t *testing.T) {
	for _, mass := range []float64{0, 20, 500} {
		r := newRig(t)
		r.floor()
		crate := world.Body{Type: "dynamic", Friction: 0.5, Mass: mass}
		var stack []world.ID
		for i := range 3 {
			stack = append(stack, r.thing(world.Vec3{0, 0.5 + float64(i), 0}, world.Vec3{1, 1, 1}, crate))
		}
		who := r.walker(world.Vec3{0.2, 3.9, 0.1})
		r.steps(300)
		if n := r.Stats().Awake; n != 0 {
			t.Errorf("crates of %v kg: %d are awake", mass, n)
		}
		for i, id := range stack {
			if far := r.at(id).Sub(world.Vec3{0, 0.5 + float64(i), 0}).Len(); far > 0.03 {
				t.Errorf("crates of %v kg: number %d has gone %.3f m", mass, i, far)
			}
		}
		if feet := r.feet(who); feet < 2.95 || feet > 3.05 || !r.resting(who) {
			t.Errorf("on crates of %v kg: feet at %.3f, rests: %v", mass, feet, r.resting(who))
		}
	}
}

// TestSeesaw has a character weigh down one end of a seesaw, which then sleeps, walk to the other and back, and be gone: its longer end goes down.
func TestSeesaw(t *testing.T) {
	r := newRig(t)
	r.floor()
	plank := r.thing(world.Vec3{-0.3, 1, 0}, world.Vec3{6, 0.1, 1.5}, world.Body{Type: "dynamic", Friction: 0.8, Mass: 40})
	r.hang(plank, physics.Joint{Kind: physics.Hinge, At: world.Vec3{0.3, 0, 0}, On: world.Vec3{0, 1, 0}, Turn: alongZ, OnTurn: alongZ, Limited: true, Low: -0.2, High: 0.2})
	tilts := func(when string, down float64) {
		t.Helper()
		r.steps(400)
		var up float64 // of the end at x 3
		r.View(func(v *world.View) {
			tr, _ := v.WorldTransform(plank)
			up = tr.Rotation.Rotate(world.Vec3{3, 0, 0})[1]
		})
		if up*down > -0.5 {
			t.Errorf("%s: the end at x 3 is %.2f m up", when, up)
		}
		if n := r.Stats().Awake; n != 0 {
			t.Errorf("%s: %d are awake", when, n)
		}
	}
	tilts("with nobody on it", -1)
	who := r.walker(world.Vec3{2, 3, 0})
	tilts("with somebody at x 2", 1)
	r.send(who, physics.Intent{Forward: 1, Yaw: -90 * 3.14159 / 180, Steps: 60})
	tilts("when he has gone to the other end", -1)
	r.send(who, physics.Intent{Forward: 1, Yaw: 90 * 3.14159 / 180, Steps: 60})
	tilts("when he has come back", 1)
	r.must(func(tx *world.Tx) error {
		tx.Destroy(who)
		return nil
	})
	tilts("when he is gone", -1)
}
