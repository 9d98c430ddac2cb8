package architecture_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// The tests of this file look at what stands in the world and know nothing of how it was planned.

// slack is what rounding may do, in metres.
const slack = 1e-7

// block is a box as it stands in the world.
type block struct {
	kind   string
	centre world.Vec3
	half   world.Vec3
	axes   [3]world.Vec3
}

func (b *block) corners() (all []world.Vec3) {
	for i := range 8 {
		p := b.centre
		for k := range 3 {
			sign := 1.0
			if i>>k&1 == 0 {
				sign = -1
			}
			p = p.Add(b.axes[k].Scale(sign * b.half[k]))
		}
		all = append(all, p)
	}
	return all
}

// depth returns how deep a point is in the block: negative outside.
func (b *block) depth(p world.Vec3) float64 {
	d := p.Sub(b.centre)
	depth := math.Inf(1)
	for k := range 3 {
		depth = min(depth, b.half[k]-math.Abs(d.Dot(b.axes[k])))
	}
	return depth
}

// overlap returns how far two blocks are in each other, by the axes that could separate them.
func overlap(a, b *block) float64 {
	var axes []world.Vec3
	for i := range 3 {
		axes = append(axes, a.axes[i], b.axes[i])
		for k := range 3 {
			if c := a.axes[i].Cross(b.axes[k]); c.Len() > 1e-6 {
				axes = append(axes, c.Scale(1/c.Len()))
			}
		}
	}
	least := math.Inf(1)
	for _, axis := range axes {
		least = min(least, a.reach(axis)+b.reach(axis)-math.Abs(a.centre.Sub(b.centre).Dot(axis)))
	}
	return least
}

func (b *block) reach(axis world.Vec3) (r float64) {
	for k := range 3 {
		r += b.half[k] * math.Abs(b.axes[k].Dot(axis))
	}
	return r
}

// house is a building that was built, and the input that it was built from.
type house struct {
	in     architecture.BuildingIn
	out    architecture.BuildingOut
	blocks []block
}

// every part of a house is listed.
var every = 2000

func build(t *rapid.T, s *skilltest.Server, p *profiles.Principal, in architecture.BuildingIn) house {
	t.Helper()
	in.List = &every
	out, err := registry.Invoke[architecture.BuildingIn, architecture.BuildingOut](context.Background(), s.Registry, p, "architecture.building", in)
	if err != nil {
		t.Fatalf("%+v: %v", in, err)
	}
	h := house{in: in, out: out}
	s.World.View(func(v *world.View) {
		for i, part := range out.Parts {
			at, _ := v.WorldTransform(part.Entity)
			shape, _ := s.World.Shapes.Get(v, part.Entity)
			out.Parts[i].Position, out.Parts[i].Size = at.Position, shape.Size // what is told is rounded
			if shown.Point(at.Position) != part.Position || shown.Point(shape.Size) != part.Size || at.Scale != (world.Vec3{1, 1, 1}) || shape.Kind != "box" {
				t.Errorf("%+v is told of, %+v %+v stands", part, at, shape)
			}
			b := block{kind: part.Kind, centre: at.Position, half: shape.Size.Scale(0.5)}
			for k := range 3 {
				var axis world.Vec3
				axis[k] = 1
				b.axes[k] = at.Rotation.Rotate(axis)
			}
			h.blocks = append(h.blocks, b)
		}
	})
	return h
}

// place returns where a point of the house's own frame is: x to its right, y up from the floor, z out
// of its door.
func (h *house) place(x, y, z float64) world.Vec3 {
	return h.in.Position.Add(world.QuatFromEuler(0, h.in.Rotation, 0).Rotate(world.Vec3{x, y, z}))
}

// inside counts the blocks that a point is in, not counting touches, and how near it comes to a
// surface.
func (h *house) inside(p world.Vec3) (n int, near float64) {
	near = math.Inf(1)
	for i := range h.blocks {
		d := h.blocks[i].depth(p)
		near = min(near, math.Abs(d))
		if d > 0 {
			n++
		}
	}
	return n, near
}

// inputs draws buildings that can be built, of all proportions.
func inputs(t *rapid.T) architecture.BuildingIn {
	in := registry.Default[architecture.BuildingIn]()
	in.Position = world.Vec3{rapid.Float64Range(-100, 100).Draw(t, "x"), rapid.Float64Range(-100, 100).Draw(t, "y"), rapid.Float64Range(-100, 100).Draw(t, "z")}
	in.Width = rapid.Float64Range(0.5, 200).Draw(t, "width")
	in.Depth = rapid.Float64Range(0.5, 200).Draw(t, "depth")
	in.Height = rapid.Float64Range(0.5, 80).Draw(t, "height")
	in.Rotation = rapid.Float64Range(-7, 7).Draw(t, "rotation")
	in.WallThickness = rapid.Float64Range(0.01, min(5, 0.49*min(in.Width, in.Depth))).Draw(t, "wallThickness")
	in.DoorWidth = rapid.Float64Range(0.005, min(50, in.Width-2*in.WallThickness)).Draw(t, "doorWidth")
	in.DoorHeight = min(rapid.Float64Range(0.1, 70).Draw(t, "doorHeight"), in.Height)
	in.Foundation = rapid.SampledFrom([]float64{0, 0, 0.5}).Draw(t, "foundation")
	in.WithRoof = rapid.Bool().Draw(t, "withRoof")
	in.RoofStyle = rapid.SampledFrom([]string{"gable", "flat"}).Draw(t, "roofStyle")
	in.RoofPitch = rapid.Float64Range(0.01, 40).Draw(t, "roofPitch")
	in.RoofOverhang = rapid.Float64Range(0, 5).Draw(t, "roofOverhang")
	if in.Storeys = rapid.SampledFrom([]int{1, 1, 2, 3}).Draw(t, "storeys"); in.Storeys > 1 {
		in.Height = min(in.Height, 66)
		in.DoorHeight = min(in.DoorHeight, in.Height)
		if in.Stairs = rapid.Bool().Draw(t, "stairs"); in.Stairs {
			in.Height = rapid.Float64Range(2.7, 8).Draw(t, "storey's height")
			in.DoorHeight = min(in.DoorHeight, in.Height)
			x, z := in.Width-2*in.WallThickness, in.Depth-2*in.WallThickness
			along := math.Ceil(in.Height/0.2)*0.26 + 2.41
			in.Stairs = x > along && z > 2.21 || z > along && x > 2.21
		}
	}
	in.Windows = windows(t, &in)
	return in
}

// top is how high the walls are.
func (h *house) top() float64 { return h.in.Height * float64(h.in.Storeys) }

// check runs a check on houses of all proportions.
func check(t *testing.T, holds func(t *rapid.T, h *house)) {
	t.Helper()
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	rapid.Check(t, func(rt *rapid.T) {
		h := build(rt, skilltest.New(t, skills), p, inputs(rt))
		holds(rt, &h)
	})
}

// TestPartsTouchAndNeverOverlap leaves out the two slabs of a gable roof, which are in each other at the ridge.
func TestPartsTouchAndNeverOverlap(t *testing.T) {
	check(t, func(t *rapid.T, h *house) {
		for i := range h.blocks {
			for k := range i {
				if h.blocks[k].kind == "roofLeft" && h.blocks[i].kind == "roofRight" {
					continue
				}
				if by := overlap(&h.blocks[i], &h.blocks[k]); by > slack {
					t.Errorf("%s and %s overlap by %g", h.blocks[i].kind, h.blocks[k].kind, by)
				}
			}
		}
	})
}

// TestWallsHaveNoGap draws points in the ring that the walls are to fill.
func TestWallsHaveNoGap(t *testing.T) {
	check(t, func(t *rapid.T, h *house) {
		in := &h.in
		for range 200 {
			x := rapid.Float64Range(-in.Width/2, in.Width/2).Draw(t, "x in the wall")
			y := rapid.Float64Range(0, h.top()).Draw(t, "y in the wall")
			z := rapid.Float64Range(-in.Depth/2, in.Depth/2).Draw(t, "z in the wall")
			room := math.Abs(x) < in.Width/2-in.WallThickness && math.Abs(z) < in.Depth/2-in.WallThickness
			door := math.Abs(x) < in.DoorWidth/2 && y <= in.DoorHeight && z > 0
			if room && in.Storeys > 1 { // see TestStoreys
				continue
			}
			want := 1
			if room || door {
				want = 0
			}
			if w, off := windowAt(in, x, y, z); w != nil && (w.Open || math.Abs(off) > min(0.04, in.WallThickness)/2) {
				want = 0
			}
			if n, near := h.inside(h.place(x, y, z)); n != want && near > slack {
				t.Fatalf("(%g, %g, %g) is in %d parts, want %d", x, y, z, n, want)
			}
		}
	})
}

// TestDoorIsFree walks through the door: from before the overhang to the back wall there is nothing
// in the way, as wide and as high as was asked, and not a bit more.
func TestDoorIsFree(t *testing.T) {
	check(t, func(t *rapid.T, h *house) {
		in := &h.in
		back := -in.Depth/2 + in.WallThickness
		if in.Storeys > 1 {
			back = -back // there may be stairs
		}
		for range 200 {
			x := rapid.Float64Range(-in.DoorWidth/2, in.DoorWidth/2).Draw(t, "x in the door")
			y := rapid.Float64Range(0, in.DoorHeight).Draw(t, "y in the door")
			z := rapid.Float64Range(back, in.Depth/2+in.RoofOverhang+2).Draw(t, "z on the way")
			if n, near := h.inside(h.place(x, y, z)); n != 0 && near > slack {
				t.Fatalf("(%g, %g, %g) is in the way", x, y, z)
			}
		}
		front := (in.Depth - in.WallThickness) / 2
		const beside = 1e-6
		for _, p := range []world.Vec3{
			h.place(-in.DoorWidth/2-beside, in.DoorHeight/2, front),
			h.place(in.DoorWidth/2+beside, in.DoorHeight/2, front),
		} {
			if n, _ := h.inside(p); n != 1 {
				t.Errorf("beside the door there are %d parts, want 1", n)
			}
		}
		above, _ := windowAt(in, 0, in.DoorHeight+beside, front)
		if n, _ := h.inside(h.place(0, in.DoorHeight+beside, front)); n != 1 && in.DoorHeight < h.top()-2*beside && (above == nil || !above.Open) {
			t.Errorf("above the door there are %d parts, want 1", n)
		}
	})
}

// TestRoofRestsAndCovers looks at the lines on which the roof rests, and up from every place in the
// house.
func TestRoofRestsAndCovers(t *testing.T) {
	check(t, func(t *rapid.T, h *house) {
		in := &h.in
		if !in.WithRoof {
			return
		}
		for range 50 {
			// A point on the outer upper edge of a side wall is on the surface of the roof.
			side := rapid.SampledFrom([]float64{-1, 1}).Draw(t, "side")
			z := rapid.Float64Range(-in.Depth/2, in.Depth/2).Draw(t, "z on the wall")
			if gap := h.roofGap(h.place(side*in.Width/2, h.top(), z)); math.Abs(gap) > slack {
				t.Fatalf("the roof is %g metres off the wall", gap)
			}
			// Nobody stands in the rain.
			x := rapid.Float64Range(-in.Width/2, in.Width/2).Draw(t, "x in the house")
			z = rapid.Float64Range(-in.Depth/2, in.Depth/2).Draw(t, "z in the house")
			if !h.covered(x, z) {
				t.Fatalf("no roof above (%g, %g)", x, z)
			}
		}
	})
}

// roofGap returns how far outside of the nearest roof slab a point is.
func (h *house) roofGap(p world.Vec3) float64 {
	gap := math.Inf(1)
	for i := range h.blocks {
		if b := &h.blocks[i]; b.kind == "roof" || b.kind == "roofLeft" || b.kind == "roofRight" {
			gap = min(gap, -b.depth(p))
		}
	}
	return gap
}

// covered reports whether a line from the top of the walls straight up meets the roof.
func (h *house) covered(x, z float64) bool {
	height := h.top()
	if h.in.RoofStyle == "gable" {
		// At this height the underside of the slab is above the place.
		height += h.in.RoofPitch * (1 - math.Abs(x)/(h.in.Width/2))
	}
	return math.Abs(h.roofGap(h.place(x, height, z))) <= slack
}

func TestBoundsAreTrue(t *testing.T) {
	check(t, func(t *rapid.T, h *house) {
		lo, hi := h.blocks[0].corners()[0], h.blocks[0].corners()[0]
		for i := range h.blocks {
			for _, c := range h.blocks[i].corners() {
				lo, hi = lo.Min(c), hi.Max(c)
			}
		}
		if most := 1e-5 + slack; h.out.Bounds.Min.Dist(lo) > most || h.out.Bounds.Max.Dist(hi) > most { // they are rounded
			t.Errorf("bounds %v, want %v %v", h.out.Bounds, lo, hi)
		}
		if lo[1] < h.in.Position[1]-slack && h.in.Foundation == 0 {
			t.Errorf("the house reaches %g metres into the ground", h.in.Position[1]-lo[1])
		}
	})
}

// TestRidgeIsClosed looks at the ridge of gable roofs from the front: up to where the upper sides of the slabs would meet there is roof, and nothing comes out of
// them. On a roof steeper than 45 degrees there is roof at least to half of the thickness above the ridge.
func TestRidgeIsClosed(t *testing.T) {
	check(t, func(t *rapid.T, h *house) {
		in := &h.in
		if !in.WithRoof || in.RoofStyle != "gable" {
			return
		}
		half, thick := in.Width/2, min(in.WallThickness, 0.25)
		slope := math.Hypot(half, in.RoofPitch)
		for range 50 {
			x := rapid.Float64Range(-1, 1).Draw(t, "x at the ridge") * thick
			up := rapid.Float64Range(-0.1, 1.3).Draw(t, "height at the ridge")
			z := rapid.Float64Range(-1, 1).Draw(t, "z at the ridge") * in.Depth / 2
			// How far it is out of the upper and the under side of the nearer slab.
			y := in.RoofPitch*(1-math.Abs(x)/half) + float64(up*thick*slope/half)
			out := up - 1
			got := h.roofGap(h.place(x, h.top()+y, z))
			if math.Abs(up) < 1e-6 || math.Abs(out) < 1e-6 || math.Abs(x) > half/2 {
				continue
			}
			steep := in.RoofPitch > half
			switch {
			case up < 0 && got < -slack:
				t.Fatalf("%g beside the ridge there is roof under the roof", x)
			case out > 0 && got < -slack:
				t.Fatalf("%g beside the ridge something comes out of the roof", x)
			case up > 0 && out < 0 && got > slack && !steep:
				t.Fatalf("%g beside the ridge, %g of the thickness up, there is a gap", x, up)
			case up > 0 && got > slack && steep && up*slope/half < 0.5:
				t.Fatalf("%g beside the ridge of a steep roof, %g of the thickness up, there is a gap", x, up)
			}
		}
	})
}
