package solid_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

func hills(t testing.TB, seed int64) *terrain.Tile {
	t.Helper()
	l, err := terrain.New(seed, terrain.Hills, terrain.Hints{})
	if err != nil {
		t.Fatal(err)
	}
	return l.Tile(0, 0, 0)
}

// nearGround draws one that is not far from a tile around the origin.
func nearGround(t *rapid.T) solid.Solid {
	num := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
	shape := world.Shape{
		Kind: rapid.SampledFrom([]string{"box", "sphere", "capsule", "cylinder", "cone", "wedge"}).Draw(t, "kind"),
		Size: world.Vec3{num("sx", 0.1, 6), num("sy", 0.1, 6), num("sz", 0.1, 6)},
	}
	return solid.New(shape, world.Transform{
		Position: world.Vec3{num("x", -23, 23), num("y", -20, 20), num("z", -23, 23)},
		Rotation: world.QuatFromEuler(num("a", -3, 3), num("b", -3, 3), num("c", -3, 3)), Scale: world.Vec3{1, 1, 1},
	})
}

// TestFieldHoldsWhatFallsOnIt: after a fall of the length that Fall says a solid touches the ground, and at no point it is in
// it; and Between agrees.
func TestFieldHoldsWhatFallsOnIt(t *testing.T) {
	tile := hills(t, 3)
	rapid.Check(t, func(t *rapid.T) {
		at := world.Identity()
		at.Position = world.Vec3{0, rapid.Float64Range(-5, 5).Draw(t, "height"), 0}
		at.Rotation = world.QuatFromEuler(0, rapid.Float64Range(-3, 3).Draw(t, "turn"), 0)
		at.Scale = world.Vec3{1.5, rapid.Float64Range(0.2, 2).Draw(t, "rise"), 1.5}
		ground, o := solid.NewField(tile, at), nearGround(t)
		d, ok := ground.Fall(o, math.Inf(1))
		if !ok {
			t.Fatalf("%+v falls past the ground", o)
		}
		far := rapid.Float64Range(-10, 40).Draw(t, "far")
		if got, ok := ground.Fall(o, far); ok != (d < far) || ok && got != d {
			t.Fatalf("it falls %v, of %v at most %v, %v", d, far, got, ok)
		}
		rests := o.Moved(world.Vec3{0, -d, 0})
		if c := solid.Between(ground, rests); math.Abs(c.Gap) > 1e-5 {
			t.Fatalf("after %v the gap is %v", d, c.Gap)
		}
		// Its surface, point by point.
		for range 50 {
			dir := world.Vec3{rapid.Float64Range(-1, 1).Draw(t, "dx"), rapid.Float64Range(-1, 1).Draw(t, "dy"), rapid.Float64Range(-1, 1).Draw(t, "dz")}
			if dir.Len() < 1e-9 {
				continue // of no length that could be measured, and so no direction
			}
			p := rests.Support(dir)
			if _, y, ok := ground.Column(p[0], p[2]); ok && p[1] < y-1e-5 {
				t.Fatalf("%v is %v under the ground", p, y-p[1])
			}
		}
		for _, shift := range []float64{-0.5, 0.5} {
			c := solid.Between(ground, rests.Moved(world.Vec3{0, shift, 0}))
			if shift < 0 && math.Abs(c.Gap-shift) > 1e-5 || shift > 0 && (c.Gap <= 0 || c.Gap > shift+1e-5) {
				t.Fatalf("%v above, the gap is %v", shift, c.Gap)
			}
			if back := solid.Between(rests.Moved(world.Vec3{0, shift, 0}), ground); back.Gap != c.Gap || back.Normal != c.Normal.Scale(-1) {
				t.Fatalf("seen from the other side %+v is %+v", c, back)
			}
		}
	})
}

// TestFieldRay holds rays against a march in small steps.
func TestFieldRay(t *testing.T) {
	tile := hills(t, 5)
	rapid.Check(t, func(t *rapid.T) {
		at := world.Identity()
		at.Position, at.Rotation = world.Vec3{1, 2, 3}, world.QuatFromEuler(0, rapid.Float64Range(-3, 3).Draw(t, "turn"), 0)
		ground := solid.NewField(tile, at)
		num := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		from := world.Vec3{num("x", -20, 20), num("y", 12, 30), num("z", -20, 20)}
		dir := world.Vec3{num("dx", -1, 1), num("dy", -1, -0.05), num("dz", -1, 1)}
		dir = dir.Scale(1 / dir.Len())
		got, hit := ground.Ray(from, dir)
		const step = 0.01
		for i := range 6000 {
			p := from.Add(dir.Scale(step * float64(i)))
			_, y, over := ground.Column(p[0], p[2])
			if over && p[1] < y && p[1] > ground.Bounds().Lo[1] {
				if !hit || got > step*float64(i)+1e-6 || got < step*float64(i-1)-0.2 && over {
					t.Fatalf("it is under the ground after %v, the ray hits: %v, after %v", step*float64(i), hit, got)
				}
				return
			}
		}
		if !hit || got >= 59 {
			return
		}
		p := from.Add(dir.Scale(got)) // between two steps it may have cut a corner
		for _, by := range []world.Vec3{{step}, {-step}, {0, 0, step}, {0, 0, -step}} {
			if _, y, over := ground.Column(p[0]+by[0], p[2]+by[2]); over && p[1] < y+2*step {
				return
			}
		}
		t.Fatalf("it hits after %v, and comes under the ground nowhere", got)
	})
}

// TestFieldOnItsSide is the same ground, turned by a right angle about z: what was up is to the left.
func TestFieldOnItsSide(t *testing.T) {
	tile := hills(t, 7)
	at := world.Identity()
	upright := solid.NewField(tile, at)
	at.Rotation = world.QuatFromEuler(0, 0, math.Pi/2)
	tilted := solid.NewField(tile, at)
	ball := func(x, y, z float64) solid.Solid {
		t := world.Identity()
		t.Position = world.Vec3{x, y, z}
		return solid.New(world.Shape{Kind: "sphere", Size: world.Vec3{1, 1, 1}}, t)
	}
	for _, p := range []world.Vec3{{3, 9, 4}, {-7, 2, 11}, {0, -6, 0}, {15, 15, -15}} {
		a, b := solid.Between(upright, ball(p[0], p[1], p[2])), solid.Between(tilted, ball(-p[1], p[0], p[2]))
		if math.Abs(a.Gap-b.Gap) > 1e-9 {
			t.Errorf("at %v the gap is %v, turned %v", p, a.Gap, b.Gap)
		}
	}
	if _, high, ok := tilted.Column(-tile.Lo-1e-6, 0); !ok || math.Abs(high-24) > 1e-9 {
		t.Errorf("the edge is at %v, %v; want 24", high, ok)
	}
}

// TestUprightFall holds the fall of upright boxes against that of the same boxes, tilted by less than can be told.
func TestUprightFall(t *testing.T) {
	tile := hills(t, 11)
	beside := 0
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		at := world.Identity()
		at.Position, at.Scale = world.Vec3{0, num("height", -5, 5), 0}, world.Vec3{num("scale x", 0.01, 3), num("rise", 0, 2), num("scale z", 0.01, 3)}
		ground := solid.NewField(tile, at)
		box := world.Identity()
		box.Position = world.Vec3{num("x", -80, 80), num("y", -20, 20), num("z", -80, 80)}
		turn := num("turn", -3, 3)
		box.Rotation = world.QuatFromEuler(0, turn, 0)
		shape := world.Shape{Kind: "box", Size: world.Vec3{num("sx", 0.1, 60), num("sy", 0.1, 6), num("sz", 0.1, 60)}}
		got, ok := ground.Fall(solid.New(shape, box), math.Inf(1))
		box.Rotation = world.QuatFromEuler(1e-9, turn, 0)
		want, over := ground.Fall(solid.New(shape, box), math.Inf(1))
		if !over {
			beside++
		}
		if ok != over || ok && math.Abs(got-want) > 1e-5 {
			t.Fatalf("it falls %v, %v, and tilted %v, %v", got, ok, want, over)
		}
	})
	if beside == 0 {
		t.Error("it was beside the ground nowhere")
	}
}

func BenchmarkFall(b *testing.B) {
	ground := solid.NewField(hills(b, 3), world.Identity())
	for name, tilt := range map[string]float64{"upright": 0, "tilted": 1e-9} {
		b.Run(name, func(b *testing.B) {
			at := world.Identity()
			at.Position, at.Rotation = world.Vec3{3, 0, 4}, world.QuatFromEuler(tilt, 0.3, 0)
			box := solid.New(world.Shape{Kind: "box", Size: world.Vec3{8, 4, 6}}, at)
			for b.Loop() {
				if _, ok := ground.Fall(box, math.Inf(1)); !ok {
					b.Fatal("it falls past the ground")
				}
			}
		})
	}
}
