package solid_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// made is a solid of a kind with the given full extents.
func made(kind string, size, at world.Vec3, turn world.Quat) solid.Solid {
	return solid.New(world.Shape{Kind: kind, Size: size}, world.Transform{Position: at, Rotation: turn, Scale: world.Vec3{1, 1, 1}})
}

func upright(kind string, size, at world.Vec3) solid.Solid {
	return made(kind, size, at, world.NoRotation())
}

func TestBetween(t *testing.T) {
	one := world.Vec3{1, 1, 1}
	eighth := world.QuatFromEuler(0, math.Pi/4, 0)
	box := upright("box", one, world.Vec3{})
	for _, tt := range []struct {
		name   string
		a, b   solid.Solid
		gap    float64
		normal world.Vec3 // zero for any
	}{
		{"boxes apart", box, upright("box", one, world.Vec3{3, 0, 0}), 2, world.Vec3{1, 0, 0}},
		{"boxes across a corner", box, upright("box", one, world.Vec3{2, 2, 2}), math.Sqrt(3), world.Vec3{}},
		{"boxes that touch", box, upright("box", one, world.Vec3{0, 1, 0}), 0, world.Vec3{0, 1, 0}},
		{"boxes that touch off centre", box, upright("box", one, world.Vec3{0.4, 1, 0.3}), 0, world.Vec3{0, 1, 0}},
		{"boxes in each other", box, upright("box", one, world.Vec3{0.1, 0.9, 0}), -0.1, world.Vec3{0, 1, 0}},
		{"box below", box, upright("box", one, world.Vec3{0.1, -0.75, 0}), -0.25, world.Vec3{0, -1, 0}},
		{"the same box", box, box, -1, world.Vec3{0, 1, 0}},
		{"a turned box", box, made("box", one, world.Vec3{2, 0, 0}, eighth), 1.5 - math.Sqrt(0.5), world.Vec3{1, 0, 0}},
		{"a turned box inside", box, made("box", one, world.Vec3{1, 0, 0}, eighth), 0.5 - math.Sqrt(0.5), world.Vec3{1, 0, 0}},
		{"balls apart", upright("sphere", one, world.Vec3{}), upright("sphere", one, world.Vec3{0, 0, 4}), 3, world.Vec3{0, 0, 1}},
		{"balls in each other", upright("sphere", one, world.Vec3{}), upright("sphere", one, world.Vec3{0, 0.25, 0}), -0.75, world.Vec3{0, 1, 0}},
		{"ball on a box", box, upright("sphere", one, world.Vec3{0.3, 1, 0}), 0, world.Vec3{0, 1, 0}},
		{"ball at an edge", box, upright("sphere", one, world.Vec3{1, 1, 0}), math.Sqrt(0.5) - 0.5, world.Vec3{}},
		{"ball in a box", box, upright("sphere", one, world.Vec3{0, 0.6, 0}), -0.4, world.Vec3{0, 1, 0}},
		{"capsule beside a box", box, upright("capsule", world.Vec3{1, 3, 1}, world.Vec3{2, 5, 0}), math.Sqrt(14.5) - 0.5, world.Vec3{}},
		{"lying capsules", made("capsule", world.Vec3{1, 3, 1}, world.Vec3{}, world.QuatFromEuler(0, 0, math.Pi/2)), made("capsule", world.Vec3{1, 3, 1}, world.Vec3{0, 2, 0}, world.QuatFromEuler(math.Pi/2, 0, 0)), 1, world.Vec3{0, 1, 0}},
		{"cylinder on a box", box, upright("cylinder", one, world.Vec3{0.3, 1, 0}), 0, world.Vec3{0, 1, 0}},
		{"cylinder beside a box", box, upright("cylinder", one, world.Vec3{3, 0.2, 0}), 2, world.Vec3{1, 0, 0}},
		{"cylinder off an edge", box, upright("cylinder", one, world.Vec3{2, 0, 2}), 1.5*math.Sqrt2 - 0.5, world.Vec3{math.Sqrt(0.5), 0, math.Sqrt(0.5)}},
		{"cylinders side by side", upright("cylinder", one, world.Vec3{}), upright("cylinder", world.Vec3{2, 3, 2}, world.Vec3{3, 0, 4}), 3.5, world.Vec3{0.6, 0, 0.8}},
		{"cylinders in each other", upright("cylinder", one, world.Vec3{}), upright("cylinder", world.Vec3{2, 30, 2}, world.Vec3{0.6, 0, 0.8}), -0.5, world.Vec3{0.6, 0, 0.8}},
		{"lying cylinder on a box", box, made("cylinder", world.Vec3{1, 3, 1}, world.Vec3{0, 0.9, 0}, world.QuatFromEuler(0, 0, math.Pi/2)), -0.1, world.Vec3{0, 1, 0}},
		{"cone on a box", box, upright("cone", one, world.Vec3{0.7, 1, 0}), 0, world.Vec3{0, 1, 0}},
		{"box on a cone", upright("cone", one, world.Vec3{}), upright("box", one, world.Vec3{0, 1.25, 0}), 0.25, world.Vec3{0, 1, 0}},
		{"box on the edge of a wedge", upright("wedge", one, world.Vec3{}), upright("box", one, world.Vec3{0, 1.25, -1}), 0.25, world.Vec3{0, 1, 0}},
		{"ball on the slope of a wedge", upright("wedge", one, world.Vec3{}), upright("sphere", one, world.Vec3{0.2, 1, 1}), math.Sqrt2 - 0.5, world.Vec3{0, math.Sqrt(0.5), math.Sqrt(0.5)}},
		{"wedge that makes a box whole", upright("wedge", one, world.Vec3{}), made("wedge", one, world.Vec3{}, world.QuatFromEuler(math.Pi, 0, 0)), 0, world.Vec3{0, math.Sqrt(0.5), math.Sqrt(0.5)}},
		{"ball in the slope of a mirrored wedge", made("wedge", world.Vec3{1, 1, -1}, world.Vec3{}, world.NoRotation()), upright("sphere", one, world.Vec3{0, 0.2, -0.2}), 0.2*math.Sqrt2 - 0.5, world.Vec3{0, math.Sqrt(0.5), -math.Sqrt(0.5)}},
		{"ball beside a cone", upright("cone", one, world.Vec3{}), upright("sphere", one, world.Vec3{1, 0.25, 0}), 2*1.0/math.Sqrt(5)*0.875 - 0.5, world.Vec3{2 / math.Sqrt(5), 1 / math.Sqrt(5), 0}},
		{"flat ball on a box", box, upright("sphere", world.Vec3{3, 1, 1}, world.Vec3{0, 1.5, 0}), 0.5, world.Vec3{0, 1, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := solid.Between(tt.a, tt.b)
			if math.Abs(c.Gap-tt.gap) > 1e-6 {
				t.Errorf("gap %v, want %v", c.Gap, tt.gap)
			}
			if tt.normal != (world.Vec3{}) && c.Normal.Sub(tt.normal).Len() > 1e-5 {
				t.Errorf("normal %v, want %v", c.Normal, tt.normal)
			}
		})
	}
}

func TestBounds(t *testing.T) {
	eighth := world.QuatFromEuler(0, math.Pi/4, 0)
	for _, tt := range []struct {
		name string
		s    solid.Solid
		size world.Vec3
	}{
		{"box", made("box", world.Vec3{2, 1, 2}, world.Vec3{5, 5, 5}, eighth), world.Vec3{2 * math.Sqrt2, 1, 2 * math.Sqrt2}},
		{"ball", made("sphere", world.Vec3{2, 2, 2}, world.Vec3{5, 5, 5}, eighth), world.Vec3{2, 2, 2}},
		{"flat ball", made("sphere", world.Vec3{4, 2, 2}, world.Vec3{5, 5, 5}, eighth), world.Vec3{math.Sqrt(10), 2, math.Sqrt(10)}},
		{"leaning cylinder", made("cylinder", world.Vec3{2, 4, 2}, world.Vec3{5, 5, 5}, world.QuatFromEuler(0, 0, math.Pi/4)), world.Vec3{3 * math.Sqrt2, 3 * math.Sqrt2, 2}},
		{"lying capsule", made("capsule", world.Vec3{1, 4, 1}, world.Vec3{5, 5, 5}, world.QuatFromEuler(0, 0, math.Pi/2)), world.Vec3{4, 1, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := tt.s.Bounds()
			if b.Size().Sub(tt.size).Len() > 1e-9 || b.Center().Sub(world.Vec3{5, 5, 5}).Len() > 1e-9 {
				t.Errorf("size %v around %v, want %v", b.Size(), b.Center(), tt.size)
			}
		})
	}
}

func TestTree(t *testing.T) {
	w := world.New(world.Config{})
	var group, empty world.ID
	if _, err := w.Update(t.Context(), func(tx *world.Tx) (err error) {
		if group, err = tx.Create(world.Spec{Position: world.Vec3{10, 0, 0}, Rotation: world.QuatFromEuler(0, math.Pi/2, 0)}); err != nil {
			return err
		}
		if empty, err = tx.Create(world.Spec{}); err != nil {
			return err
		}
		for _, x := range []float64{1, 2} {
			id, err := tx.Create(world.Spec{Parent: group, Position: world.Vec3{x, 0, 0}})
			if err != nil {
				return err
			}
			if err := w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 2, 1}}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	w.View(func(v *world.View) {
		b := solid.Tree(w, v, group)
		if want := (world.Vec3{1, 2, 2}); b.Size().Sub(want).Len() > 1e-9 || b.Center().Sub(world.Vec3{10, 0, -1.5}).Len() > 1e-9 {
			t.Errorf("the group is %v around %v", b.Size(), b.Center())
		}
		if b := solid.Tree(w, v, empty); b.Empty() || b.Size() != (world.Vec3{}) {
			t.Errorf("an entity without a shape is %v", b)
		}
		if b := solid.Tree(w, v, 99); !b.Empty() {
			t.Errorf("an entity that is not there is %v", b)
		}
	})
}

func anySolid(t *rapid.T, name string) solid.Solid {
	number := rapid.Float64Range(-3, 3)
	extent := rapid.Float64Range(0.1, 3)
	angle := rapid.Float64Range(-3, 3)
	kind := rapid.SampledFrom([]string{"box", "sphere", "capsule", "cylinder", "cone", "wedge", "hull"}).Draw(t, name)
	if kind == "hull" {
		return anyHull(t)
	}
	return made(
		kind,
		world.Vec3{extent.Draw(t, "x"), extent.Draw(t, "y"), extent.Draw(t, "z")},
		world.Vec3{number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z")},
		world.QuatFromEuler(angle.Draw(t, "a"), angle.Draw(t, "b"), angle.Draw(t, "c")),
	)
}

// TestBetweenAgainstPlanes holds Between to what every contact must be: no direction separates the
// solids by more than the gap, the normal does by just as much, and moving the second by the gap
// along the normal parts them.
func TestBetweenAgainstPlanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anySolid(t, "a"), anySolid(t, "b")
		if rapid.IntRange(0, 9).Draw(t, "about one middle") == 9 {
			b = b.Moved(a.Center.Sub(b.Center))
		}
		c := solid.Between(a, b)
		if math.Abs(c.Normal.Len()-1) > 1e-9 {
			t.Fatalf("normal %v", c.Normal)
		}
		along := func(dir world.Vec3) float64 { return b.Support(dir.Scale(-1)).Sub(a.Support(dir)).Dot(dir) }
		if got := along(c.Normal); math.Abs(got-c.Gap) > 1e-4 {
			t.Errorf("gap %v, but along the normal it is %v", c.Gap, got)
		}
		for range 50 {
			dir := world.Vec3{rapid.Float64Range(-1, 1).Draw(t, "x"), rapid.Float64Range(-1, 1).Draw(t, "y"), rapid.Float64Range(-1, 1).Draw(t, "z")}
			n := dir.Len()
			if n < 0.1 {
				continue
			}
			if got := along(dir.Scale(1 / n)); got > 0 && got > c.Gap+1e-4 {
				t.Fatalf("gap %v, but %v apart along %v", c.Gap, got, dir)
			}
		}
		axes := []world.Vec3{{0, 1, 0}}
		for _, s := range []*solid.Solid{&a, &b} {
			if s.Kind != solid.Hull { // which has none of its own
				axes = append(axes, s.Axes[:]...)
			}
		}
		for i, axis := range axes {
			if got := max(along(axis), along(axis.Scale(-1))); got > c.Gap+1e-9 {
				t.Errorf("gap %v, but %v along the axis %d", c.Gap, got, i)
			}
		}
		if touch := solid.Between(a, b.Moved(c.Normal.Scale(-c.Gap))); touch.Gap < -1e-3 || c.Gap > 0 && touch.Gap > 1e-4 {
			t.Errorf("moved by its gap of %v the gap is %v", c.Gap, touch.Gap)
		}
		if back := solid.Between(b, a); math.Abs(back.Gap-c.Gap) > 1e-4 {
			t.Errorf("from the other side the gap is %v, not %v", back.Gap, c.Gap)
		}
	})
}

// TestBetweenOfWhatTouches brings solids together until they only touch, and a bit nearer or less near: there
// a search for the depth of uneven spheres ended on ridges, up to twelve millimetres deep.
func TestBetweenOfWhatTouches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anySolid(t, "a"), anySolid(t, "b")
		b = b.Moved(world.Vec3{20, rapid.Float64Range(-20, 20).Draw(t, "up"), rapid.Float64Range(-20, 20).Draw(t, "aside")})
		c := solid.Between(a, b)
		near := 1e-4
		if a.Kind == solid.Hull || b.Kind == solid.Hull { // whose points that are nearly in one plane are taken for a face
			near = 1e-3
		}
		for _, depth := range []float64{-1e-4, -1e-6, 0, 1e-6, 1e-4} {
			moved := b.Moved(c.Normal.Scale(-c.Gap - depth))
			got := solid.Between(a, moved)
			// Where edges meet, there is a shorter way out, and a tip goes by a tip: a direction that has more between them proves it.
			proved := moved.Support(got.Normal.Scale(-1)).Sub(a.Support(got.Normal)).Dot(got.Normal)
			if got.Gap < -depth-near || got.Gap > max(-depth, proved, 0)+near {
				t.Errorf("%v deep in each other the gap is %v", depth, got.Gap)
			}
		}
	})
}

// TestOverlap holds the question whether a box and something are so deep in each other against how deep they are.
func TestOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := anySolid(t, "o")
		size := rapid.Custom(func(t *rapid.T) world.Vec3 {
			edge := rapid.OneOf(rapid.Float64Range(0.01, 6), rapid.SampledFrom([]float64{0, 1e-300, 1e-4, 1, 3}))
			return world.Vec3{edge.Draw(t, "x"), edge.Draw(t, "y"), edge.Draw(t, "z")}
		}).Draw(t, "size")
		at := rapid.OneOf(rapid.Float64Range(-4, 4), rapid.Just(0.0)) // the middle of a hull's box need not be in the hull
		box := made("box", size, o.Center.Add(world.Vec3{at.Draw(t, "x"), at.Draw(t, "y"), at.Draw(t, "z")}), world.QuatFromEuler(0, rapid.Float64Range(0, 3).Draw(t, "turn"), 0))
		gap := solid.Between(box, o).Gap
		deep := rapid.SampledFrom([]float64{0, 0.001, 0.3, max(-gap+1e-4, 0), max(-gap-1e-4, 0)}).Draw(t, "deep")
		if got := solid.Overlap(box, o, deep); got != (gap <= -deep) && math.Abs(gap+deep) > 1e-5 {
			t.Errorf("in each other by %v or more: %v, but the gap is %v", deep, got, gap)
		}
	})
}

// TestColumn goes up a vertical line in small steps.
func TestColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySolid(t, "s")
		for s.Kind == solid.Capsule { // whose ends count as flat
			s = anySolid(t, "again")
		}
		at := rapid.Float64Range(-3, 3)
		x, z := s.Center[0]+at.Draw(t, "x"), s.Center[2]+at.Draw(t, "z")
		low, high, ok := s.Column(x, z)
		for y := s.Center[1] - 5; y < s.Center[1]+5; y += 0.05 {
			gap := solid.Between(pointAt(world.Vec3{x, y, z}), s).Gap
			if inside := ok && low <= y && y <= high; inside != (gap <= 0) && math.Abs(gap) > 1e-4 {
				t.Fatalf("at %v it is %v away; Column = %v, %v, %v", y, gap, low, high, ok)
			}
		}
	})
}

// TestWithin holds the question whether solids are so near to each other against how near they are.
func TestWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anySolid(t, "a"), anySolid(t, "b")
		gap := solid.Between(a, b).Gap
		far := rapid.SampledFrom([]float64{0, 0.001, 1, max(gap+1e-3, 0), max(gap-1e-3, 0)}).Draw(t, "far")
		if got := solid.Within(a, b, far); got != (gap <= far) && math.Abs(gap-far) > 1e-4 {
			t.Errorf("within %v: %v, but the gap is %v", far, got, gap)
		}
	})
}
