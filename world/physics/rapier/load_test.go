package rapier_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

var kinds = []physics.JointKind{physics.Hinge, physics.Slider, physics.Socket, physics.Weld, physics.Rope, physics.Spring}

// hung is a tree of bodies that hangs on a post, and what flies at it.
type hung struct {
	rig
	root, first physics.Handle             // the joint at the post, and what hangs by it
	masses      map[physics.Handle]float64 // of all that it holds, in the end
	speeds      map[physics.Handle]world.Vec3
}

// momentum returns that of all, in kg·m/s.
func (h *hung) momentum() (sum world.Vec3) {
	h.t.Helper()
	now := h.awake()
	for b, m := range h.masses {
		if s, ok := now[b]; ok {
			h.speeds[b] = s.Linear
		} else {
			h.speeds[b] = world.Vec3{}
		}
		sum = sum.Add(h.speeds[b].Scale(m))
	}
	return sum
}

// hangTree hangs bodies on each other by joints of a kind, of any kind for "", and has a ball fly at them if hit says so.
func hangTree(t *testing.T, random *rand.Rand, first physics.JointKind, hit bool) *hung {
	t.Helper()
	h := &hung{rig: rig{open(t), t}, masses: map[physics.Handle]float64{}, speeds: map[physics.Handle]world.Vec3{}}
	turn := func() world.Quat {
		return world.QuatFromEuler(6*random.Float64(), 6*random.Float64(), 6*random.Float64())
	}
	r := func(low, high float64) float64 { return low + random.Float64()*(high-low) }
	place := world.Transform{Position: world.Vec3{0, 40, 0}, Rotation: turn(), Scale: world.Vec3{1, 1, 1}}
	post := h.add(&physics.Body{Kind: physics.Static, Bare: true, Position: place.Position, Rotation: place.Rotation})
	on := post
	for i := range 1 + random.IntN(4) {
		kind := kinds[random.IntN(len(kinds))]
		if i == 0 {
			kind = first
		}
		at := world.Transform{Position: place.Position.Add(world.Vec3{r(2, 4), r(-2, 2), r(-1, 1)}), Rotation: turn(), Scale: world.Vec3{1, 1, 1}}
		form := []physics.Form{
			{Kind: physics.Box, Half: world.Vec3{r(0.1, 0.8), r(0.1, 0.8), r(0.1, 0.8)}},
			{Kind: physics.Ball, Radius: 0.5},
			{Kind: physics.Cone, Radius: 0.5, HalfHeight: 0.5},
			{Kind: physics.Capsule, Radius: 0.3, HalfHeight: 0.3},
		}[random.IntN(4)]
		b := &physics.Body{Kind: physics.Dynamic, Form: form, Position: at.Position, Rotation: at.Rotation, Mass: r(1, 40), Friction: 0.5}
		body := h.add(b)
		h.masses[body] = b.Mass
		axes := turn()
		joint := place.Position.Add(world.Vec3{r(0, 2), r(-1, 1), r(-1, 1)})
		frame := func(of world.Transform) physics.Frame {
			f := of.Relative(world.Transform{Position: joint, Rotation: axes})
			return physics.Frame{At: f.Position, Turn: f.Rotation}
		}
		j := physics.Hold{Kind: kind, A: frame(place), B: frame(at), Limited: kind == physics.Slider, Low: -1, High: 1, Length: r(0.5, 1), Stiff: 200, Damped: 10}
		if kind == physics.Slider && random.IntN(2) == 0 {
			j.Motor = physics.Motor{Drive: physics.ToSpeed, Goal: 0.3}
		}
		joined, err := h.Join(on, body, &j)
		h.must(err)
		if i == 0 {
			h.root, h.first = joined, body
		}
		on, place = body, at
	}
	if hit {
		b := ball(0.3, place.Position.Add(world.Vec3{-1, 3, 0.1}))
		b.Mass, b.Linear = r(5, 50), world.Vec3{2, -10, 0}
		h.masses[h.add(b)] = b.Mass
	}
	h.must(h.Weigh([]physics.Handle{h.root}))
	return h
}

// TestLoads holds the force that the joint at the post is said to hold with against how the momentum of all that hangs there changes, but for what
// gravity does: whatever hangs by whatever, slides against its end, is driven, and is hit.
func TestLoads(t *testing.T) {
	const trees = 6
	for _, kind := range kinds {
		for seed := range uint64(trees) {
			hit := seed%2 == 1
			h := hangTree(t, rand.New(rand.NewPCG(seed, 1)), kind, hit)
			weight := 0.0
			for _, m := range h.masses {
				weight += 9.81 * m
			}
			h.steps(1) // bodies have no inertia in the module before
			before, last, most := h.momentum(), 0.0, 0.0
			for step := range 240 {
				h.steps(1)
				after := h.momentum()
				if _, ok := h.awake()[h.first]; !ok { // nothing is solved any more
					break
				}
				want := after.Sub(before).Scale(1 / timeStep).Add(world.Vec3{0, weight, 0}).Len()
				before = after
				got := h.Loads(nil)[0]
				most = max(most, got)
				off := math.Abs(got - want)
				if off > 0.02*max(want, last, weight) { // what was hit a step before still rings
					t.Errorf("%s, tree %d, step %d: it holds with %.1f N, by the momentum %.1f N", kind, seed, step, got, want)
					break
				}
				last = want
			}
			if most < 0.3*weight && !hit {
				t.Errorf("%s, tree %d: it holds %.1f N at most, and %.1f N hang on it", kind, seed, most, weight)
			}
		}
	}
}
