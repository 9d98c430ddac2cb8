package solid_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// TestRests holds how high a ball rests against how far one falls.
func TestRests(t *testing.T) {
	tile := hills(t, 13)
	beside := 0
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		at := world.Identity()
		at.Position, at.Rotation = world.Vec3{0, num("height", -5, 5), 0}, world.QuatFromEuler(0, num("turn", -3, 3), 0)
		at.Scale = world.Vec3{num("scale x", 0.05, 3), num("rise", 0.05, 5), num("scale z", 0.05, 3)}
		ground := solid.NewField(tile, at)
		ball := world.Identity()
		ball.Position = world.Vec3{num("x", -40, 40), 500, num("z", -40, 40)}
		r := num("radius", 0.05, 4)
		y, n, ok := ground.Rests(ball.Position[0], ball.Position[2], r)
		lies := solid.New(world.Shape{Kind: "sphere", Size: world.Vec3{2 * r, 2 * r, 2 * r}}, ball)
		d, over := ground.Fall(lies, math.Inf(1))
		if !ok {
			beside++
			in := ground.Axes[0].Dot(ball.Position)
			in = max(math.Abs(in)-ground.Half[0], math.Abs(ground.Axes[2].Dot(ball.Position))-ground.Half[2])
			if in < -r-1e-9 {
				t.Fatalf("a ball that is %v m inside rests nowhere", -in-r)
			}
			return
		}
		if !over || math.Abs(500-d-y) > 1e-5 {
			t.Fatalf("it rests at %v, and falls to %v", y, 500-d)
		}
		touches := world.Vec3{ball.Position[0], y, ball.Position[2]}.Sub(n.Scale(r))
		if _, high, on := ground.Column(touches[0], touches[2]); math.Abs(n.Len()-1) > 1e-9 || n[1] < 0 || !on || math.Abs(high-touches[1]) > 1e-5 {
			t.Fatalf("it is held along %v, by %v, over which the ground is at %v", n, touches, high)
		}
	})
	if beside == 0 {
		t.Error("it was beside the ground nowhere")
	}
}

// TestRestsOnBoxes is what a ball rests on that is no ground.
func TestRestsOnBoxes(t *testing.T) {
	box := world.Shape{Kind: "box", Size: world.Vec3{4, 2, 2}}
	for _, c := range []struct {
		shape world.Shape
		turn  world.Quat
		x, z  float64
		ok    bool
	}{
		{box, world.NoRotation(), 1.4, 0.4, true},
		{box, world.NoRotation(), 1.6, 0, false},
		{box, world.NoRotation(), 0, -0.6, false},
		{box, world.QuatFromEuler(0, math.Pi/2, 0), 0.4, -1.4, true},
		{box, world.QuatFromEuler(0, math.Pi/2, 0), 1.4, 0.4, false},
		{box, world.QuatFromEuler(0.1, 0, 0), 0, 0, false},
		{world.Shape{Kind: "sphere", Size: box.Size}, world.NoRotation(), 0, 0, false},
		{world.Shape{Kind: "wedge", Size: box.Size}, world.NoRotation(), 0, 0, false},
	} {
		at := world.Identity()
		at.Position, at.Rotation = world.Vec3{0, 3, 0}, c.turn
		s := solid.New(c.shape, at)
		y, n, ok := s.Rests(c.x, c.z, 0.5)
		if ok != c.ok || ok && (math.Abs(y-4.5) > 1e-9 || n != world.Vec3{0, 1, 0}) {
			t.Errorf("%s, turned by %v, at %v %v: %v, %v, %v", c.shape.Kind, c.turn, c.x, c.z, y, n, ok)
		}
	}
	for _, r := range []float64{0, -1, math.NaN()} {
		at := world.Identity()
		s := solid.New(box, at)
		if _, _, ok := s.Rests(0, 0, r); ok {
			t.Errorf("a ball with a radius of %v rests", r)
		}
	}
}

func BenchmarkRests(b *testing.B) {
	ground := solid.NewField(hills(b, 3), world.Identity())
	for i := 0; b.Loop(); i++ {
		ground.Rests(float64(i%40)-20, float64(i%37)-18, 0.37)
	}
}
