package rapier_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

const timeStep = 1.0 / 60

// open returns an engine.
func open(t testing.TB) physics.Engine {
	t.Helper()
	e, err := rapiertest.Runtime().Open(context.Background(), physics.Settings{Gravity: -9.81, TimeStep: timeStep})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func box(kind physics.Kind, half, at world.Vec3) *physics.Body {
	return &physics.Body{Kind: kind, Form: physics.Form{Kind: physics.Box, Half: half}, Position: at, Rotation: world.NoRotation(), Friction: 0.5}
}

func ball(radius float64, at world.Vec3) *physics.Body {
	return &physics.Body{Kind: physics.Dynamic, Form: physics.Form{Kind: physics.Ball, Radius: radius}, Position: at, Rotation: world.NoRotation(), Friction: 0.5}
}

// rig adds bodies and takes steps, and ends the test if that fails.
type rig struct {
	physics.Engine
	t testing.TB
}

func (r rig) add(b *physics.Body) physics.Handle {
	r.t.Helper()
	h, err := r.Add(b)
	r.must(err)
	return h
}

func (r rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r rig) steps(n int) {
	r.t.Helper()
	for range n {
		r.must(r.Step())
	}
}

// awake returns the states of those that are.
func (r rig) awake() map[physics.Handle]physics.State {
	r.t.Helper()
	all, err := r.Awake(nil)
	r.must(err)
	out := map[physics.Handle]physics.State{}
	for _, s := range all {
		out[s.Handle] = s
	}
	return out
}

// TestFall drops a box for a second, against the sum that the engine's kind of integration gives.
func TestFall(t *testing.T) {
	r := rig{open(t), t}
	h := r.add(box(physics.Dynamic, world.Vec3{0.5, 0.5, 0.5}, world.Vec3{1, 100, -2}))
	r.steps(60)
	got, ok := r.awake()[h]
	if !ok {
		t.Fatal("the box is asleep in mid air")
	}
	v, y := 0.0, 100.0
	for range 60 {
		v -= 9.81 * timeStep
		y += v * timeStep
	}
	if math.Abs(got.Position[1]-y) > 0.1 || math.Abs(got.Linear[1]-v) > 1e-3 || got.Position[0] != 1 || got.Position[2] != -2 {
		t.Errorf("after a second at %v with %v, want y %.3f and v %.3f", got.Position, got.Linear, y, v)
	}
}

// TestRest lets a box fall on a floor, where it comes to rest and then costs nothing.
func TestRest(t *testing.T) {
	r := rig{open(t), t}
	r.add(box(physics.Static, world.Vec3{10, 0.5, 10}, world.Vec3{0, -0.5, 0}))
	h := r.add(box(physics.Dynamic, world.Vec3{0.5, 0.5, 0.5}, world.Vec3{0, 2, 0}))
	var began []physics.Contact
	var last physics.State
	n := 0
	for ; n < 600; n++ {
		r.steps(1)
		s, ok := r.awake()[h]
		if !ok {
			break
		}
		last = s
		c, err := r.Contacts(nil)
		r.must(err)
		began = append(began, c...)
	}
	if n == 600 || math.Abs(last.Position[1]-0.5) > 0.01 {
		t.Errorf("after %d steps the box is at %v; it should sleep at y 0.5", n, last.Position)
	}
	if len(began) == 0 || !began[0].Began || !began[0].Located || math.Abs(math.Abs(began[0].Normal[1])-1) > 1e-3 || math.Abs(began[0].Point[1]) > 0.1 {
		t.Errorf("contacts %+v", began)
	}
	r.must(r.Push(h, world.Vec3{0, 5, 0}))
	r.steps(1)
	if s := r.awake()[h]; math.Abs(s.Linear[1]-(5-9.81*timeStep)) > 1e-3 {
		t.Errorf("5 Ns on 1 kg gave %v", s.Linear)
	}
}

// TestWakes takes the floor from under a sleeping box, and moves it away from under another.
func TestWakes(t *testing.T) {
	for _, how := range []string{"remove", "place"} {
		r := rig{open(t), t}
		floor := r.add(box(physics.Static, world.Vec3{10, 0.5, 10}, world.Vec3{0, -0.5, 0}))
		h := r.add(box(physics.Dynamic, world.Vec3{0.5, 0.5, 0.5}, world.Vec3{0, 0.5, 0}))
		r.steps(300)
		if len(r.awake()) != 0 {
			t.Fatal("the box does not sleep")
		}
		if how == "remove" {
			r.must(r.Remove(floor))
		} else {
			r.must(r.Place(floor, world.Vec3{0, -9, 0}, world.NoRotation()))
		}
		r.steps(60)
		if s := r.awake()[h]; s.Position[1] > -1 {
			t.Errorf("%s: a second after the floor was gone the box is at %v", how, s.Position)
		}
	}
}

// TestKinematic has a platform push a box.
func TestKinematic(t *testing.T) {
	r := rig{open(t), t}
	r.add(box(physics.Static, world.Vec3{20, 0.5, 20}, world.Vec3{0, -0.5, 0}))
	wall := r.add(box(physics.Kinematic, world.Vec3{0.1, 1, 1}, world.Vec3{-1, 1, 0}))
	h := r.add(box(physics.Dynamic, world.Vec3{0.5, 0.5, 0.5}, world.Vec3{0, 0.5, 0}))
	for i := range 120 {
		r.must(r.Aim(wall, world.Vec3{-1 + float64(i+1)*timeStep, 1, 0}, world.NoRotation()))
		r.steps(1)
	}
	if s := r.awake()[h]; math.Abs(s.Position[0]-1.6) > 0.05 {
		t.Errorf("the box was pushed to %v, want x 1.6", s.Position)
	}
}

// TestForms drops a body on each form; a mass that is given counts.
func TestForms(t *testing.T) {
	r := rig{open(t), t}
	heights := make([]float32, 9*9)
	for i := range heights {
		heights[i] = 2
	}
	r.add(&physics.Body{Field: &physics.Field{Rows: 8, Columns: 8, Heights: heights, Size: world.Vec3{16, 1, 16}}, Rotation: world.NoRotation()})
	r.add(box(physics.Static, world.Vec3{4, 0.5, 4}, world.Vec3{20, -0.5, 0}))
	onField := r.add(ball(0.5, world.Vec3{1, 3, 1}))
	capsule := r.add(&physics.Body{Kind: physics.Dynamic, Form: physics.Form{Kind: physics.Capsule, HalfHeight: 0.5, Radius: 0.3}, Position: world.Vec3{20, 1, 0}, Rotation: world.NoRotation(), Mass: 40})
	r.must(r.Push(capsule, world.Vec3{0, 40, 0}))
	r.steps(1)
	all := r.awake()
	if v := all[capsule].Linear[1]; math.Abs(v-(1-9.81*timeStep)) > 1e-3 {
		t.Errorf("40 Ns on 40 kg gave %v m/s", v)
	}
	var last physics.State
	for range 200 {
		r.steps(1)
		if s, ok := r.awake()[onField]; ok {
			last = s
		}
	}
	if math.Abs(last.Position[1]-2.5) > 0.02 {
		t.Errorf("the ball on the height field is at %v, want y 2.5", last.Position)
	}
}

// heap drops n boxes in layers on a floor.
func heap(r rig, n int) {
	r.add(box(physics.Static, world.Vec3{100, 0.5, 100}, world.Vec3{0, -0.5, 0}))
	for i := range n {
		layer, x, z := i/100, i%10, i/10%10
		r.add(box(physics.Dynamic, world.Vec3{0.5, 0.5, 0.5}, world.Vec3{float64(float64(x)*1.1) + float64(float64(layer)*0.05), 1 + float64(float64(layer)*1.3), float64(float64(z) * 1.1)}))
	}
}

// digest is a hash of every bit of those that are awake.
func (r rig) digest(n int) string {
	r.t.Helper()
	sum := sha256.New()
	for range n {
		r.steps(1)
		all, err := r.Awake(nil)
		r.must(err)
		r.must(binary.Write(sum, binary.LittleEndian, all))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// TestSameBits runs the same scene twice, and a third time through a snapshot in another engine. The
// hash is pinned, so that it is the same on every platform.
// What a body's parts weigh and touch is the body's, also after a snapshot.
func TestParts(t *testing.T) {
	part := func(x float64) physics.Part {
		return physics.Part{Form: physics.Form{Kind: physics.Ball, Radius: 0.3}, Position: world.Vec3{x, 0.5, 0}, Rotation: world.NoRotation()}
	}
	for _, tt := range []struct {
		name  string
		parts []physics.Part
		falls bool
	}{
		{"none", nil, false},
		{"two that balance", []physics.Part{part(-1), part(1)}, false},
		{"one to the side", []physics.Part{part(1)}, true},
		{"two to the side", []physics.Part{part(1), part(2)}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := rig{open(t), t}
			ground := r.add(box(physics.Static, world.Vec3{50, 0.5, 50}, world.Vec3{0, -0.5, 0}))
			r.add(box(physics.Static, world.Vec3{0.2, 1, 0.2}, world.Vec3{0, 1, 0}))
			b := box(physics.Dynamic, world.Vec3{0.3, 0.1, 0.3}, world.Vec3{0, 2.1, 0})
			b.Parts = tt.parts
			h := r.add(b)
			fell, met := false, false
			for range 240 {
				r.steps(1)
				states, err := r.Awake(nil)
				r.must(err)
				for _, s := range states {
					fell = fell || s.Handle == h && s.Position[1] < 1.9
				}
				contacts, err := r.Contacts(nil)
				r.must(err)
				for _, c := range contacts {
					met = met || c.Began && (c.A == h && c.B == ground || c.A == ground && c.B == h)
				}
			}
			if fell != tt.falls || met != tt.falls {
				t.Errorf("it fell: %v, and met the ground: %v; want %v", fell, met, tt.falls)
			}
		})
	}
}

func TestSameBits(t *testing.T) {
	one, two := rig{open(t), t}, rig{open(t), t}
	heap(one, 200)
	heap(two, 200)
	one.steps(50)
	two.steps(50)
	const want = "e78c301bf32620540cb681a7df21b5587f07e9e1ebcf542be6be51148f395847"
	if got := one.digest(50); got != want {
		t.Errorf("the heap ends as %s, want %s", got, want)
	}
	if got := two.digest(50); got != want {
		t.Errorf("the second time as %s, want %s", got, want)
	}
}

// TestTrap asks for what the module cannot do: that is an error, not a panic.
func TestTrap(t *testing.T) {
	r := rig{open(t), t}
	if err := r.Place(physics.Handle(12345), world.Vec3{}, world.NoRotation()); err == nil {
		t.Error("a body that is not there was moved")
	}
}

// TestThinWedges adds wedges of all proportions, mirrored too, of which many are too thin to have a hull: each is a body, and stays
// where it is finite.
func TestThinWedges(t *testing.T) {
	r := rig{open(t), t}
	sizes := []float64{0, 1e-9, -0.001, 0.02, -1, 30, 99_000}
	n := 0
	for _, x := range sizes {
		for _, y := range sizes {
			for _, z := range sizes {
				n++
				r.add(&physics.Body{Kind: physics.Dynamic, Form: physics.NewForm("wedge", world.Vec3{x, y, z}), Position: world.Vec3{0, float64(n%7) * 200, 0}, Rotation: world.NoRotation()})
			}
		}
	}
	r.steps(3)
	for h, s := range r.awake() {
		for i := range 3 {
			if math.IsNaN(s.Position[i]) || math.IsInf(s.Position[i], 0) {
				t.Fatalf("%v is at %v", h, s.Position)
			}
		}
	}
}
