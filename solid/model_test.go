package solid_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/convex"
)

// place draws where something is.
func place(t *rapid.T) world.Transform {
	number, angle, scale := rapid.Float64Range(-3, 3), rapid.Float64Range(-3, 3), rapid.Float64Range(0.3, 1.5)
	at := world.Transform{
		Position: world.Vec3{number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z")},
		Rotation: world.QuatFromEuler(angle.Draw(t, "a"), angle.Draw(t, "b"), angle.Draw(t, "c")),
		Scale:    world.Vec3{scale.Draw(t, "sx"), scale.Draw(t, "sy"), scale.Draw(t, "sz")},
	}
	if rapid.Bool().Draw(t, "mirrored") {
		at.Scale[0] = -at.Scale[0]
	}
	return at
}

// anyHull is what is between some points that are not nearly in a plane.
func anyHull(t *rapid.T) solid.Solid {
	points := []convex.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	number := rapid.Map(rapid.Float32Range(-1.5, 1.5), func(x float32) float64 { return float64(x) })
	for range rapid.IntRange(0, 12).Draw(t, "more") {
		points = append(points, convex.Vec{number.Draw(t, "px"), number.Draw(t, "py"), number.Draw(t, "pz")})
	}
	all := make([]uint32, len(points))
	for i := range all {
		all[i] = uint32(i)
	}
	m, err := convex.New(points, [][]uint32{all})
	if err != nil {
		t.Fatal(err)
	}
	return solid.NewModel(m, place(t))
}

// blocks are boxes: a model of them, and each for itself.
func blocks(t *rapid.T) (solid.Solid, []solid.Solid) {
	at := place(t)
	corner, extent := rapid.Float64Range(-2, 2), rapid.Float64Range(0.2, 2)
	var points []convex.Vec
	var pieces [][]uint32
	var each []solid.Solid
	for range rapid.IntRange(1, 3).Draw(t, "boxes") {
		lo := world.Vec3{corner.Draw(t, "x"), corner.Draw(t, "y"), corner.Draw(t, "z")}
		size := world.Vec3{extent.Draw(t, "w"), extent.Draw(t, "h"), extent.Draw(t, "d")}
		var piece []uint32
		for i := range 8 {
			piece = append(piece, uint32(len(points)))
			points = append(points, convex.Vec{lo[0] + size[0]*float64(i&1), lo[1] + size[1]*float64(i>>1&1), lo[2] + size[2]*float64(i>>2)})
		}
		pieces = append(pieces, piece)
		mid := lo.Add(size.Scale(0.5))
		each = append(each, solid.New(world.Shape{Kind: "box", Size: size}, world.Transform{Position: at.Position.Add(at.Rotation.Rotate(mid.Mul(at.Scale))), Rotation: at.Rotation, Scale: at.Scale}))
	}
	m, err := convex.New(points, pieces)
	if err != nil {
		t.Fatal(err)
	}
	return solid.NewModel(m, at), each
}

// TestModel holds a model of boxes against boxes.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, each := blocks(t)
		o := anySolid(t, "o")
		gap := math.Inf(1)
		bounds := solid.Nothing()
		for _, b := range each {
			gap = min(gap, solid.Between(b, o).Gap)
			bounds = bounds.Join(b.Bounds())
		}
		if c := solid.Between(m, o); math.Abs(c.Gap-gap) > 1e-4 {
			t.Errorf("gap %v, want %v", c.Gap, gap)
		}
		if c := solid.Between(o, m); math.Abs(c.Gap-gap) > 1e-4 {
			t.Errorf("from the other side the gap is %v, want %v", c.Gap, gap)
		}
		if got := m.Bounds(); got.Lo.Dist(bounds.Lo) > 1e-5 || got.Hi.Dist(bounds.Hi) > 1e-5 {
			t.Errorf("bounds %v, want %v", got, bounds)
		}
		far := rapid.SampledFrom([]float64{0, 0.5, max(gap+1e-3, 0)}).Draw(t, "far")
		if got := solid.Within(m, o, far); got != (gap <= far) && math.Abs(gap-far) > 1e-4 {
			t.Errorf("within %v: %v, but the gap is %v", far, got, gap)
		}
		box := made("box", world.Vec3{1, 2, 1}, o.Center, world.NoRotation())
		deepest := math.Inf(1)
		for _, b := range each {
			deepest = min(deepest, solid.Between(box, b).Gap)
		}
		for _, deep := range []float64{0, 0.2} {
			if got := solid.Overlap(box, m, deep); got != (deepest <= -deep) && math.Abs(deepest+deep) > 1e-4 {
				t.Errorf("in each other by %v: %v, but the gap is %v", deep, got, deepest)
			}
		}

		from, dir := world.Vec3{5, 4, -6}, o.Center.Sub(world.Vec3{5, 4, -6})
		dir = dir.Scale(1 / dir.Len())
		near, hits := math.Inf(1), false
		low, high, over := math.Inf(1), math.Inf(-1), false
		for _, b := range each {
			if d, hit := b.Ray(from, dir); hit {
				near, hits = min(near, d), true
			}
			if l, h, ok := b.Column(o.Center[0], o.Center[2]); ok {
				low, high, over = min(low, l), max(high, h), true
			}
		}
		if d, hit := m.Ray(from, dir); hit != hits || hit && math.Abs(d-near) > 1e-4 {
			grazes := solid.Between(pointAt(from.Add(dir.Scale(min(d, near)))), m).Gap
			if math.Abs(grazes) > 1e-4 {
				t.Errorf("a ray meets it at %v, %v; want %v, %v", d, hit, near, hits)
			}
		}
		if l, h, ok := m.Column(o.Center[0], o.Center[2]); ok && over && (math.Abs(l-low) > 1e-3 || math.Abs(h-high) > 1e-3) {
			t.Errorf("a column from %v to %v, want %v to %v", l, h, low, high)
		}
	})
}
