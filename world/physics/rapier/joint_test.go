package rapier_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// TestJoin hangs a box on a bare body by a hinge that a motor holds, steers it, goes on from a snapshot, and takes the joint away, twice, and one
// that went with its body.
func TestJoin(t *testing.T) {
	r := rig{open(t), t}
	turn := world.QuatFromEuler(0, -math.Pi/2, 0)
	j := physics.Hold{
		Kind: physics.Hinge, A: physics.Frame{Turn: turn}, B: physics.Frame{At: world.Vec3{-1, 0, 0}, Turn: turn},
		Motor: physics.Motor{Drive: physics.ToPlace, Goal: 0.5},
	}
	post := r.add(&physics.Body{Kind: physics.Static, Bare: true, Position: world.Vec3{0, 10, 0}, Rotation: world.NoRotation()})
	b := r.add(box(physics.Dynamic, world.Vec3{1, 0.1, 0.5}, world.Vec3{1, 10, 0}))
	h, err := r.Join(post, b, &j)
	r.must(err)
	at := func(want world.Vec3) {
		t.Helper()
		r.must(r.Wake(b)) // a motor that is steered wakes nobody
		r.steps(60)
		r.must(r.Wake(b)) // who sleeps has no state
		r.steps(1)
		if s := r.awake()[b]; s.Position.Dist(want) > 0.02 {
			t.Errorf("the box is at %.3f, want %.3f", s.Position, want)
		}
	}
	at(world.Vec3{math.Cos(0.5), 10 + math.Sin(0.5), 0})
	j.Motor.Goal = -0.5
	r.must(r.Steer(h, &j))
	at(world.Vec3{math.Cos(0.5), 10 - math.Sin(0.5), 0})
	r.must(r.Part(h))
	r.must(r.Part(h))
	r.must(r.Wake(b))
	r.steps(60)
	if s := r.awake()[b]; s.Position[1] > 6 {
		t.Errorf("the joint is gone, and the box at %.3f", s.Position)
	}
	r.must(r.Place(b, world.Vec3{1, 10, 0}, world.NoRotation()))
	h, err = r.Join(post, b, &j)
	r.must(err)
	r.must(r.Remove(post))
	r.must(r.Part(h))
	r.steps(60)
	if s := r.awake()[b]; s.Position[1] > 6 {
		t.Errorf("what the box hung on is gone, and the box at %.3f", s.Position)
	}
}
