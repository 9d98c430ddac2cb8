package architecture_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// roofed is a house with its parts as solids.
type roofed struct {
	house
	solids []solid.Solid
}

func raise(t testing.TB, p *profiles.Principal, in architecture.BuildingIn) (r roofed, err error) {
	t.Helper()
	s := skilltest.New(t, skills)
	in.List = &every
	out, err := registry.Invoke[architecture.BuildingIn, architecture.BuildingOut](context.Background(), s.Registry, p, "architecture.building", in)
	if err != nil {
		return r, err
	}
	r.house = house{in: in, out: out}
	s.World.View(func(v *world.View) {
		for _, part := range out.Parts {
			one, _ := solid.Of(s.World, v, part.Entity)
			r.solids = append(r.solids, one)
		}
	})
	return r, nil
}

// over names the parts that are above a place of the ground plan, and above the walls.
func (r *roofed) over(x, z float64) (kinds []string) {
	const high = 100.0
	ray := solid.New(world.Shape{Kind: "box", Size: world.Vec3{1e-6, high, 1e-6}}, world.Transform{Position: r.place(x, r.top()+1e-4+high/2, z), Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}})
	for i, part := range r.out.Parts {
		if solid.Between(ray, r.solids[i]).Gap <= 0 {
			kinds = append(kinds, part.Kind)
		}
	}
	return kinds
}

// TestRoofs puts dormers, skylights and chimneys on roofs: the house stays covered but for its open skylights, within a dormer there is nothing but its own roof, and no two parts
// are in each other but what stands on the roof.
func TestRoofs(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	built := 0
	rapid.Check(t, func(rt *rapid.T) {
		in := registry.Default[architecture.BuildingIn]()
		in.Width, in.Depth = rapid.Float64Range(6, 16).Draw(rt, "width"), rapid.Float64Range(5, 16).Draw(rt, "depth")
		in.RoofPitch, in.GableEnds = rapid.Float64Range(0.3, 0.8).Draw(rt, "pitch")*in.Width, true
		in.WallThickness, in.Rotation = rapid.Float64Range(0.1, 0.5).Draw(rt, "thickness"), rapid.Float64Range(-4, 4).Draw(rt, "rotation")
		if in.RoofStyle = rapid.SampledFrom([]string{"gable", "flat", "hip"}).Draw(rt, "style"); in.RoofStyle != "gable" {
			in.GableEnds = false
		}
		slope := rapid.SampledFrom([]string{"left", "right"})
		if in.RoofStyle == "hip" {
			slope = rapid.SampledFrom([]string{"left", "right", "front", "back"})
		}
		for range rapid.IntRange(0, 2).Draw(rt, "dormers") {
			if in.RoofStyle != "flat" {
				d := architecture.Dormer{Side: slope.Draw(rt, "side"), Width: rapid.Float64Range(0.8, 3).Draw(rt, "its width"), Height: rapid.Float64Range(0.6, 1.6).Draw(rt, "its height")}
				d.At, d.Inset, d.Open = rapid.Float64Range(-5, 5).Draw(rt, "at"), rapid.Float64Range(0, 1).Draw(rt, "inset"), rapid.Bool().Draw(rt, "open")
				in.Dormers = append(in.Dormers, d)
			}
		}
		for range rapid.IntRange(0, 2).Draw(rt, "skylights") {
			if in.RoofStyle == "hip" {
				break
			}
			k := architecture.Skylight{Width: 0.8, Height: 1.4, At: rapid.Float64Range(-5, 5).Draw(rt, "at"), Up: rapid.Float64Range(0, 4).Draw(rt, "up"), Open: rapid.Bool().Draw(rt, "open")}
			if in.RoofStyle == "gable" {
				k.Side = slope.Draw(rt, "side")
			}
			in.Skylights = append(in.Skylights, k)
		}
		if rapid.Bool().Draw(rt, "chimney") {
			in.Chimneys = []architecture.Chimney{{X: rapid.Float64Range(-2, 2).Draw(rt, "x"), Z: rapid.Float64Range(-2, 2).Draw(rt, "z"), Width: 0.6, Height: 0.8}}
		}
		r, err := raise(t, p, in)
		if err != nil { // there is no room; TestRoofErrors has when
			return
		}
		built++
		stands := func(kind string) bool {
			return kind == "chimney" || strings.HasPrefix(kind, "dormerFront") || strings.HasPrefix(kind, "dormerGable")
		}
		for i, part := range r.out.Parts {
			for k, other := range r.out.Parts[:i] {
				on := stands(part.Kind) || stands(other.Kind) || strings.HasPrefix(part.Kind, "roofRight") && strings.HasPrefix(other.Kind, "roofLeft")
				if gap := solid.Between(r.solids[i], r.solids[k]).Gap; gap < -1e-6 && !on {
					rt.Fatalf("%s is %g deep in %s", part.Kind, -gap, other.Kind)
				}
			}
		}
		open := map[[2]float64]bool{} // middles
		for _, k := range in.Skylights {
			x, z := k.At, in.Depth/2-k.Up-k.Height/2
			if k.Side != "" {
				cos := in.Width / 2 / math.Hypot(in.Width/2, in.RoofPitch)
				x, z = in.Width/2-(k.Up+k.Height/2)*cos, -k.At
				if k.Side == "left" {
					x, z = -x, -z
				}
			}
			over := others(r.over(x, z))
			switch {
			case k.Open && len(over) > 0:
				rt.Fatalf("over the middle of a skylight, %v, %v, there is %v", x, z, over)
			case !k.Open && (len(over) != 1 || !strings.HasSuffix(over[0], "Pane")):
				rt.Fatalf("over the middle of a pane, %v, %v, there is %v", x, z, over)
			}
			open[[2]float64{x, z}] = k.Open
		}
		for _, d := range in.Dormers {
			half, flat, within := in.Width/2, in.Width/2/in.RoofPitch, []string{"dormerRoof"}
			if in.RoofStyle == "hip" {
				flat, within = (min(in.Width, in.Depth)/2+in.RoofOverhang)/in.RoofPitch, []string{"roofHip", "dormerRoof"}
				if d.Side == "front" || d.Side == "back" {
					half = in.Depth / 2
				}
			}
			x, z := half-d.Inset-d.Height*flat+0.02, -d.At // before where its eaves come to the slope
			if x > half-d.Inset-0.5 {
				continue // it is hardly deeper than its front and the roof below are thick
			}
			z += 1e-3
			switch d.Side {
			case "left":
				x, z = -x, -z
			case "front":
				x, z = -z, x
			case "back":
				x, z = z, -x
			}
			if over := others(r.over(x, z)); !slices.Equal(over, within) {
				rt.Fatalf("in a dormer, at %v, %v, there is %v", x, z, over)
			}
		}
	points:
		for range 60 {
			x, z := rapid.Float64Range(-0.499, 0.499).Draw(rt, "x")*in.Width, rapid.Float64Range(-0.499, 0.499).Draw(rt, "z")*in.Depth
			for at, is := range open {
				if is && math.Abs(at[0]-x) < 1 && math.Abs(at[1]-z) < 1 {
					continue points
				}
			}
			if over := r.over(x, z); len(over) == 0 {
				rt.Fatalf("it rains in at %v, %v", x, z)
			}
		}
	})
	if built < 20 {
		t.Errorf("only %d houses could be built", built)
	}
}

// others leaves out chimneys and gables, over which there may be an opening.
func others(kinds []string) []string {
	return slices.DeleteFunc(kinds, func(k string) bool { return k == "chimney" || strings.HasPrefix(k, "gable") })
}

// TestDormersAreClosed has a dormer be closed at its sides and above its window, and open into the house.
func TestDormersAreClosed(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	in := registry.Default[architecture.BuildingIn]()
	in.RoofPitch = 4
	for side, out := range map[string]float64{"left": -1, "right": 1} {
		in.Dormers = []architecture.Dormer{{Side: side, Width: 2, Height: 1.2}}
		r, err := raise(t, p, in)
		if err != nil {
			t.Fatal(err)
		}
		lintel := solid.Nothing()
		for i, part := range r.out.Parts {
			if part.Kind == "dormerFrontLintel" {
				lintel = r.solids[i].Bounds()
			}
		}
		from := lintel.Center().Sub(world.Vec3{out * 0.3, 0, 0}) // behind the lintel, at its height
		for _, c := range []struct {
			name, hits string
			to         world.Vec3
		}{
			{"down to its foot", "dormerCheek", world.Vec3{out * 0.15, -0.9, 1}},
			{"to the front", "dormerCheek", world.Vec3{0, 0, 1.5}},
			{"to the back", "dormerCheek", world.Vec3{0, 0, -1.5}},
			{"out", "dormerFrontLintel", world.Vec3{out, 0, 0}},
			{"up to the front", "dormerRoof", world.Vec3{0, 1.2, 0.4}},
			{"up and out", "dormerGable", world.Vec3{out, 0.7, 0.2}},
			{"into the house", "", world.Vec3{-out * 1.2, -0.5, 0}},
			{"down", "", world.Vec3{-out * 0.3, -1.2, 0}},
		} {
			hit := map[string]bool{}
			for k := range 200 {
				at := from.Add(c.to.Scale(float64(k) / 199))
				dot := solid.New(world.Shape{}, world.Transform{Position: at, Rotation: world.NoRotation()})
				for i, part := range r.out.Parts {
					if solid.Between(dot, r.solids[i]).Gap <= 0 {
						hit[part.Kind] = true
					}
				}
			}
			if c.hits == "" && len(hit) > 0 || c.hits != "" && !hit[c.hits] {
				t.Errorf("%s: on the way %s there is %v", side, c.name, hit)
			}
		}
	}
}

// TestChimneys has a chimney stand on the roof, whatever that is, and end as far above it as it was told.
func TestChimneys(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	for _, style := range []string{"gable", "hip", "flat"} {
		for _, x := range []float64{-3, 0, 1.5} {
			in := registry.Default[architecture.BuildingIn]()
			in.RoofStyle, in.Chimneys = style, []architecture.Chimney{{X: x, Z: -1, Width: 0.6, Height: 1}}
			r, err := raise(t, p, in)
			if err != nil {
				t.Fatal(err)
			}
			stack, roof := solid.Nothing(), solid.Nothing()
			least := math.Inf(1)
			for i, part := range r.out.Parts {
				switch {
				case part.Kind == "chimney":
					stack = r.solids[i].Bounds()
					for k, other := range r.out.Parts {
						if strings.HasPrefix(other.Kind, "roof") {
							least = min(least, solid.Between(r.solids[i], r.solids[k]).Gap)
						}
					}
				case strings.HasPrefix(part.Kind, "roof"):
					roof = roof.Join(r.solids[i].Bounds())
				}
			}
			if math.Abs(stack.Hi[1]-roof.Hi[1]-1) > 0.01 || least > 1e-6 || stack.Lo[1] < r.top() {
				t.Errorf("%s, %v: the chimney is from %v to %v, the roof ends at %v, and it is %v from that", style, x, stack.Lo, stack.Hi, roof.Hi, least)
			}
		}
	}
}

// TestRoofErrors holds that what has no room on the roof is named, and what can be.
func TestRoofErrors(t *testing.T) {
	const bad = registry.CodeInvalidInput
	skilltest.Run(t, skills, "architecture.building", []skilltest.Case{
		{Name: "high", Input: `{"dormers":[{"side":"right","height":3}]}`, Code: bad, Err: `dormers[0].height: must be at most 1.32, so that its roof is below the ridge of the house, got 3; or give a greater roofPitch`},
		{Name: "low roof", Input: `{"roofPitch":1,"dormers":[{"side":"right"}]}`, Code: bad, Err: `dormers[0]: the roof is too low for it: give a roofPitch of at least 2.3, got 1, or a smaller inset, width or height`},
		{Name: "beyond the gable", Input: `{"dormers":[{"side":"left","at":4}]}`, Code: bad, Err: `dormers[0].at: must be from -2.1 to 2.1, where it is above the wall of its side, got 4`},
		{Name: "wide", Input: `{"dormers":[{"side":"left","width":8}]}`, Code: bad, Err: `dormers[0].width: must be at most 6, as long as the wall below, got 8`},
		{Name: "flat", Input: `{"roofStyle":"flat","dormers":[{"side":"left"}]}`, Code: bad, Err: `dormers: need a gable or a hip roof: roofStyle gable or hip`},
		{Name: "on a gable", Input: `{"dormers":[{"side":"front"}]}`, Code: bad, Err: `dormers[0].side: must be left or right on a gable roof, got front; a hip roof has all four`},
		{
			Name: "at the edge of a hip", Input: `{"roofStyle":"hip","width":12,"roofPitch":4,"dormers":[{"side":"front","at":5}]}`, Code: bad,
			Err: `dormers[0].at: must be from -2.81 to 2.81, as the slope narrows to the ridge, got 5; a smaller width, height or inset leaves more`,
		},
		{
			Name: "at the narrow end of a hip", Input: `{"roofStyle":"hip","width":5,"depth":12,"roofPitch":3,"dormers":[{"side":"front","width":2.5,"height":0.6,"inset":0.8}]}`, Code: bad,
			Err: `dormers[0]: the front slope, which narrows to the ridge, has no room for it: give a smaller width, height or inset, or a greater roofPitch`,
		},
		{Name: "too low a hip", Input: `{"roofStyle":"hip","roofPitch":1.5,"dormers":[{"side":"back"}]}`, Code: bad, Err: `dormers[0]: the roof is too low for it: give a roofPitch of at least 2.8, got 1.5, or a smaller inset, width or height`},
		{Name: "hip", Input: `{"roofStyle":"hip","skylights":[{}]}`, Code: bad, Err: `skylights: need a gable or a flat roof; one of style hip is solid`},
		{Name: "no side", Input: `{"skylights":[{}]}`, Code: bad, Err: `skylights[0].side: is required on a gable roof: left or right, as seen from before the door`},
		{Name: "a side", Input: `{"roofStyle":"flat","skylights":[{"side":"left"}]}`, Code: bad, Err: `skylights[0].side: a flat roof has none: leave it out`},
		{Name: "over the ridge", Input: `{"skylights":[{"side":"left","up":9}]}`, Code: bad, Err: `skylights[0].up: must be at most 3.41 with a height of 1.2, on a roof of 4.665 from edge to edge, got 9`},
		{Name: "long", Input: `{"skylights":[{"side":"left","height":9}]}`, Code: bad, Err: `skylights[0].height: must be less than 4.61, got 9`},
		{Name: "aside", Input: `{"skylights":[{"side":"left","at":3}]}`, Code: bad, Err: `skylights[0].at: must be from -2.6 to 2.6, where it is over the house, got 3`},
		{Name: "in each other", Input: `{"roofPitch":4,"dormers":[{"side":"left"}],"skylights":[{"side":"left","up":1.5}]}`, Code: bad, Err: `skylights[0]: is in dormers[0]: give it another at, or another size`},
		{Name: "beside the house", Input: `{"chimneys":[{"x":9}]}`, Code: bad, Err: `chimneys[0].x: must be from -3.65 to 3.65, where it is over the house, got 9`},
		{Name: "on nothing", Input: `{"withRoof":false,"chimneys":[{}]}`, Code: bad, Err: `chimneys: need a roof: leave withRoof out, or chimneys`},
	})
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s := skilltest.New(t, skills)
	for _, taken := range []string{ // what the errors allow
		`{"dormers":[{"side":"right","height":1.32}]}`, `{"roofPitch":2.3,"dormers":[{"side":"right"}]}`, `{"dormers":[{"side":"left","at":-2.1}]}`,
		`{"skylights":[{"side":"left","up":3.41}]}`, `{"chimneys":[{"x":-3.65}]}`,
	} {
		s.Must(t, p, "architecture.building", taken)
	}
}

// TestRebuildRoof has a house get dormers and lose them: what stays keeps its id, and the roof is as it was.
func TestRebuildRoof(t *testing.T) {
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s := skilltest.New(t, skills)
	house := registry.Default[architecture.BuildingIn]()
	house.RoofPitch = 4
	built, err := registry.Invoke[architecture.BuildingIn, architecture.BuildingOut](context.Background(), s.Registry, p, "architecture.building", house)
	if err != nil {
		t.Fatal(err)
	}
	slabs := func() (list []string) {
		s.World.View(func(v *world.View) {
			for id := range v.Below(built.Group) {
				if name := v.Name(id); strings.HasPrefix(name, "roof") || strings.HasPrefix(name, "dormer") {
					shape, _ := s.World.Shapes.Get(v, id)
					list = append(list, fmt.Sprintf("%v %s %.3f", id, name, shape.Size))
				}
			}
		})
		return list
	}
	before := slabs()
	if len(before) != 2 {
		t.Fatalf("the roof is %v", before)
	}
	s.Must(t, p, "architecture.rebuild", `{"building":"ent_8","dormers":[{"side":"right"}],"chimneys":[{"x":1}]}`)
	if with := slabs(); len(with) < 12 || with[0] != before[0] {
		t.Errorf("with a dormer the roof is %v", with)
	}
	s.Must(t, p, "architecture.rebuild", `{"building":"ent_8","dormers":[],"chimneys":[]}`)
	if again := slabs(); len(again) != 2 || again[0] != before[0] || again[1][6:] != before[1][6:] {
		t.Errorf("without it the roof is %v, and was %v", again, before)
	}
}
