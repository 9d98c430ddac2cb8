package sculpt_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/skills/internal/sculpt"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/convex"
)

// TestDoorways cuts holes that end at a straight side of the outline, or reach over it, out of that side, however both are drawn, also several out of one side.
func TestDoorways(t *testing.T) {
	wall := []sculpt.Point{{-5, 0}, {5, 0}, {5, 4}, {0, 7}, {-5, 4}}
	door := func(x, low float64) []sculpt.Point {
		return []sculpt.Point{{x - 0.5, low}, {x + 0.5, low}, {x + 0.5, 2}, {x, 2.5}, {x - 0.5, 2}}
	}
	for name, c := range map[string]struct {
		holes [][]sculpt.Point
		gone  float64
	}{
		"at the ground":    {[][]sculpt.Point{door(0, 0)}, 2.25},
		"over the ground":  {[][]sculpt.Point{door(0, -1)}, 2.25},
		"two":              {[][]sculpt.Point{door(-2, 0), door(2, -0.5)}, 4.5},
		"and a window":     {[][]sculpt.Point{{{-1, 4}, {1, 4}, {0, 5}}, door(2, 0)}, 3.25},
		"at a side":        {[][]sculpt.Point{{{4, 1}, {6, 1}, {6, 2}, {4, 2}}}, 1},
		"in a slope":       {[][]sculpt.Point{{{2, 5}, {2.5, 5.5}, {2, 5.8}}}, 0.2},
		"the window alone": {[][]sculpt.Point{{{-1, 4}, {1, 4}, {0, 5}}}, 1},
	} {
		for turned := range 4 {
			outline, holes := slices.Clone(wall), [][]sculpt.Point{}
			for _, h := range c.holes {
				h = slices.Clone(h)
				if turned&1 != 0 {
					slices.Reverse(h)
				}
				holes = append(holes, h)
			}
			if turned&2 != 0 {
				slices.Reverse(outline)
			}
			for _, plane := range []sculpt.Plane{sculpt.Front, sculpt.Ground} {
				f, err := sculpt.Extrude(outline, holes, plane, 2, 1)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if volume := whole(t, f, 1e-6); math.Abs(volume-2*(55-c.gone)) > 1e-4 {
					t.Errorf("%s, %d, %s: it has %v m³, want %v", name, turned, plane, volume, 2*(55-c.gone))
				}
			}
		}
	}
}

// inside is the volume that a surface encloses, by Gauss: a surface that is open, or turned inside out anywhere, encloses another one.
func inside(g *gltf.Geometry) (sum float64) {
	at := func(i uint32) world.Vec3 {
		p := g.Positions[i]
		return world.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
	}
	for _, t := range g.Triangles {
		sum += at(t[0]).Dot(at(t[1]).Cross(at(t[2]))) / 6
	}
	return sum
}

// whole holds a form to what all must be: its surface is closed, every side of a triangle meets another triangle that has it the other way round, its
// normals look outwards, and its pieces have the volume that it encloses. It returns that.
func whole(t interface {
	Helper()
	Fatalf(string, ...any)
	Errorf(string, ...any)
}, f *sculpt.Form, slack float64,
) float64 {
	t.Helper()
	g, pieces := f.Solid()
	type side struct{ a, b [3]float32 }
	sides := map[side]int{}
	for _, tri := range g.Triangles {
		for k := range tri {
			a, b := g.Positions[tri[k]], g.Positions[tri[(k+1)%3]]
			if a != b {
				sides[side{a, b}]++
				sides[side{b, a}]--
			}
		}
	}
	for s, n := range sides {
		if n != 0 {
			t.Fatalf("the side %v belongs to %d triangles more on one side than on the other", s, n)
		}
	}
	for _, tri := range g.Triangles {
		var p [3]world.Vec3
		for k, i := range tri {
			for c := range 3 {
				p[k][c] = float64(g.Positions[i][c])
			}
		}
		n := p[1].Sub(p[0]).Cross(p[2].Sub(p[0]))
		if n.Len() < 1e-6 {
			continue
		}
		for _, i := range tri {
			own := world.Vec3{float64(g.Normals[i][0]), float64(g.Normals[i][1]), float64(g.Normals[i][2])}
			if math.Abs(own.Len()-1) > 1e-3 || own.Dot(n) < 0 {
				t.Errorf("at %v the normal is %v, of a triangle that looks to %v", g.Positions[i], own, n.Scale(1/n.Len()))
			}
		}
	}
	points := make([]convex.Vec, len(g.Positions))
	for i, p := range g.Positions {
		points[i] = convex.Vec{float64(p[0]), float64(p[1]), float64(p[2])}
	}
	m, err := convex.New(points, pieces)
	if err != nil {
		t.Fatalf("its pieces: %v", err)
	}
	in := inside(g)
	if math.Abs(in-m.Volume) > slack*math.Abs(in) {
		t.Errorf("it encloses %v m³, and its pieces have %v", in, m.Volume)
	}
	return in
}

func must(t *testing.T, f *sculpt.Form, err error) *sculpt.Form {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestKnownVolumes(t *testing.T) {
	square := []sculpt.Point{{-2, -2}, {2, -2}, {2, 2}, {-2, 2}}
	hole := []sculpt.Point{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}
	ell := []sculpt.Point{{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 3}, {0, 3}}
	extrude := func(outline []sculpt.Point, holes [][]sculpt.Point, plane sculpt.Plane, depth, taper float64) *sculpt.Form {
		f, err := sculpt.Extrude(outline, holes, plane, depth, taper)
		return must(t, f, err)
	}
	lathe := func(profile []sculpt.Point, segments int, angle, wall float64) *sculpt.Form {
		f, err := sculpt.Lathe(profile, segments, angle, wall)
		return must(t, f, err)
	}
	tube := func(path []world.Vec3, closed bool, s sculpt.Section) *sculpt.Form {
		f, err := sculpt.Tube(path, closed, s)
		return must(t, f, err)
	}
	// How much of a circle a polygon of n corners has.
	part := func(n float64) float64 { return n / (2 * math.Pi) * math.Sin(2*math.Pi/n) }
	for name, tt := range map[string]struct {
		f      *sculpt.Form
		volume float64
	}{
		"a slab":                {extrude(square, nil, sculpt.Ground, 0.5, 1), 8},
		"one with a hole":       {extrude(square, [][]sculpt.Point{hole}, sculpt.Ground, 0.5, 1), 6},
		"an L":                  {extrude(ell, nil, sculpt.Front, 2, 1), 12},
		"a pyramid":             {extrude(square, nil, sculpt.Ground, 3, 0), 16},
		"a frustum":             {extrude(square, nil, sculpt.Ground, 3, 0.5), 28},
		"a cylinder":            {lathe([]sculpt.Point{{1, 0}, {1, 2}}, 24, 7, 0), 2 * math.Pi * part(24)},
		"a cone":                {lathe([]sculpt.Point{{1, 0}, {0, 3}}, 24, 7, 0), math.Pi * part(24)},
		"a cone in halves":      {lathe([]sculpt.Point{{1, 0}, {1, 1}, {0, 2}}, 34, 7, 0), 4.0 / 3 * math.Pi * part(34)},
		"half a cylinder":       {lathe([]sculpt.Point{{1, 0}, {1, 2}}, 12, math.Pi, 0), math.Pi * part(24)},
		"three quarters of one": {lathe([]sculpt.Point{{1, 0}, {1, 2}}, 18, 1.5*math.Pi, 0), 1.5 * math.Pi * part(24)},
		"two steps":             {lathe([]sculpt.Point{{2, 0}, {2, 1}, {1, 1}, {1, 2}}, 24, 7, 0), 5 * math.Pi * part(24)},
		"a pipe":                {lathe([]sculpt.Point{{2, 0}, {2, 3}}, 24, 7, 1), 9 * math.Pi * part(24)},
		"half a pipe":           {lathe([]sculpt.Point{{2, 0}, {2, 3}}, 12, math.Pi, 1), 4.5 * math.Pi * part(24)},
		"a pot":                 {lathe([]sculpt.Point{{0, 0}, {2, 0}, {2, 3}}, 24, 7, 1), 8*math.Pi*part(24) + 2*math.Pi*part(24)},
		"a beam":                {tube([]world.Vec3{{0, 0, 0}, {0, 0, 5}}, false, sculpt.Section{Width: 0.5, Height: 0.2}), 0.5},
		"a beam upright":        {tube([]world.Vec3{{1, 0, 0}, {1, 5, 0}}, false, sculpt.Section{Width: 0.5, Height: 0.2}), 0.5},
		"a frame":               {tube([]world.Vec3{{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {0, 0, 4}}, true, sculpt.Section{Width: 1, Height: 1}), 16},
		"a rod":                 {tube([]world.Vec3{{0, 0, 0}, {3, 4, 0}}, false, sculpt.Section{Radius: 1, Corners: 12}), 5 * math.Pi * part(12)},
		"a rod with a knee":     {tube([]world.Vec3{{0, 0, 0}, {0, 4, 0}, {4, 4, 0}}, false, sculpt.Section{Radius: 0.5, Corners: 12}), 8 * 0.25 * math.Pi * part(12)},
	} {
		if got := whole(t, tt.f, 1e-3); math.Abs(got-tt.volume) > 1e-3*tt.volume {
			t.Errorf("%s has %v m³, want %v", name, got, tt.volume)
		}
	}
	roof, err := sculpt.Hull([]world.Vec3{{-3, 0, -2}, {3, 0, -2}, {3, 0, 2}, {-3, 0, 2}, {-1, 2, 0}, {1, 2, 0}, {0, 1, 0}})
	if got := whole(t, must(t, roof, err), 1e-6); math.Abs(got-56.0/3) > 1e-3 { // a hipped roof: 2·(2·4/2) m³ between the ends of the ridge, and 2·(4·2·2/3) beyond
		t.Errorf("the roof has %v m³", got)
	}
}

// star draws an outline around the origin, which crosses itself nowhere: points at growing angles.
func star(t *rapid.T, n int, low, high float64) (list []sculpt.Point) {
	for i := range n {
		sin, cos := world.Sincos(2 * math.Pi * float64(i) / float64(n))
		r := rapid.Float64Range(low, high).Draw(t, "r")
		list = append(list, sculpt.Point{r * cos, r * sin})
	}
	return list
}

func TestExtrude(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		outline := star(t, rapid.IntRange(3, 40).Draw(t, "corners"), 3, 9)
		var holes [][]sculpt.Point
		for i := range rapid.IntRange(0, 3).Draw(t, "holes") {
			sin, cos := world.Sincos(2 * math.Pi * float64(i) / 3)
			hole := star(t, rapid.IntRange(3, 8).Draw(t, "corners"), 0.1, 0.45)
			for k := range hole {
				hole[k][0] += 0.7 * cos
				hole[k][1] += 0.7 * sin
			}
			holes = append(holes, hole)
		}
		taper := 1.0
		if rapid.Bool().Draw(t, "tapers") {
			taper = rapid.Float64Range(0.1, 2).Draw(t, "taper")
		}
		plane := rapid.SampledFrom([]sculpt.Plane{sculpt.Ground, sculpt.Front}).Draw(t, "plane")
		f, err := sculpt.Extrude(outline, holes, plane, rapid.Float64Range(0.1, 5).Draw(t, "depth"), taper)
		if err != nil {
			if strings.Contains(err.Error(), "holes[") { // beyond a side between two points
				return
			}
			t.Fatal(err)
		}
		if len(f.Pieces) > 2*(len(outline)+30) {
			t.Errorf("%d pieces of %d corners", len(f.Pieces), len(outline))
		}
		whole(t, f, 1e-3)
	})
}

func TestLathe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var profile []sculpt.Point
		y := 0.0
		for range rapid.IntRange(2, 6).Draw(t, "points") {
			r := rapid.OneOf(rapid.Float64Range(0.5, 4), rapid.SampledFrom([]float64{0, 1})).Draw(t, "r")
			profile = append(profile, sculpt.Point{r, y})
			y += rapid.OneOf(rapid.Float64Range(0.1, 2), rapid.Just(0.0)).Draw(t, "up")
		}
		angle := rapid.OneOf(rapid.Just(7.0), rapid.Float64Range(0.3, 6.2)).Draw(t, "angle")
		f, err := sculpt.Lathe(profile, rapid.IntRange(8, 40).Draw(t, "segments"), angle, 0)
		if err != nil {
			return // of no width or height
		}
		whole(t, f, 1e-3)
	})
}

func TestTube(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var path []world.Vec3
		at := world.Vec3{}
		for range rapid.IntRange(2, 8).Draw(t, "points") {
			step := rapid.Float64Range(-3, 3)
			at = at.Add(world.Vec3{4, step.Draw(t, "y"), step.Draw(t, "z")})
			path = append(path, at)
		}
		slack := 0.15 // what is twisted is not flat
		s := sculpt.Section{Radius: rapid.Float64Range(0.02, 0.3).Draw(t, "radius"), Corners: rapid.IntRange(3, 24).Draw(t, "corners")}
		if rapid.Bool().Draw(t, "square") {
			s = sculpt.Section{Width: rapid.Float64Range(0.05, 0.6).Draw(t, "w"), Height: rapid.Float64Range(0.05, 0.6).Draw(t, "h")}
			slack = 0.5
		}
		if rapid.Bool().Draw(t, "smooth") {
			path = sculpt.Smooth(path, false)
		}
		f, err := sculpt.Tube(path, false, s)
		if err != nil {
			t.Fatal(err)
		}
		whole(t, f, slack)
	})
}

// TestSmooth holds a curve to what it goes through.
func TestSmooth(t *testing.T) {
	corners := []world.Vec3{{0, 0, 0}, {10, 0, 0}, {10, 0, 10}, {0, 2, 10}}
	for _, closed := range []bool{false, true} {
		curve := sculpt.Smooth(corners, closed)
		for _, p := range corners {
			near := math.Inf(1)
			for i := range len(curve) - 1 {
				a, b := curve[i], curve[i+1]
				k := min(max(p.Sub(a).Dot(b.Sub(a))/b.Sub(a).Dot(b.Sub(a)), 0), 1)
				near = min(near, p.Dist(a.Add(b.Sub(a).Scale(k))))
			}
			if near > 0.05 && (!closed || p != corners[0]) {
				t.Errorf("closed %v: the curve comes no nearer to %v than %v m", closed, p, near)
			}
		}
		for i := 2; i < len(curve); i++ {
			a, b := curve[i-1].Sub(curve[i-2]), curve[i].Sub(curve[i-1])
			if turn := math.Acos(min(1, a.Dot(b)/a.Len()/b.Len())) * 180 / math.Pi; turn > 25 {
				t.Errorf("closed %v: it turns by %v degrees at %v", closed, turn, curve[i-1])
			}
		}
		f, err := sculpt.Tube(curve, closed, sculpt.Section{Radius: 0.2, Corners: 8})
		whole(t, must(t, f, err), 0.02)
	}
}

func TestRefusals(t *testing.T) {
	square := []sculpt.Point{{0, 0}, {4, 0}, {4, 4}, {0, 4}}
	extrude := func(outline []sculpt.Point, holes ...[]sculpt.Point) error {
		_, err := sculpt.Extrude(outline, holes, sculpt.Ground, 1, 1)
		return err
	}
	lathe := func(wall float64, profile ...sculpt.Point) error {
		_, err := sculpt.Lathe(profile, 12, 7, wall)
		return err
	}
	tube := func(path ...world.Vec3) error {
		_, err := sculpt.Tube(path, false, sculpt.Section{Radius: 1, Corners: 8})
		return err
	}
	var zigzag []world.Vec3
	for i := range 300 {
		zigzag = append(zigzag, world.Vec3{float64(i), float64(i % 2), 0})
	}
	for want, err := range map[string]error{
		"outline: needs three points":                            extrude(square[:2]),
		"outline: touches or crosses itself":                     extrude([]sculpt.Point{{0, 0}, {4, 4}, {4, 0}, {0, 4}, {-1, 2}}),
		"outline: turns back on itself":                          extrude([]sculpt.Point{{0, 0}, {4, 0}, {2, 0}}),
		"holes[0]: must be inside of the outline":                extrude(square, []sculpt.Point{{6, 6}, {7, 6}, {7, 7}}),
		"holes[0]: must not touch outline":                       extrude(square, []sculpt.Point{{3, 3}, {5, 3}, {5, 5}, {3, 5}}), // a corner
		"holes[1]: must not touch holes[0]":                      extrude(square, []sculpt.Point{{1, 1}, {2, 1}, {2, 2}}, []sculpt.Point{{1.5, 0.5}, {3, 1.5}, {1.5, 1.5}}),
		"holes[1]: is inside of holes[0]":                        extrude(square, []sculpt.Point{{1, 1}, {3, 1}, {3, 3}, {1, 3}}, []sculpt.Point{{1.5, 1.5}, {2, 1.5}, {2, 2}}),
		"profile[1]: the first number":                           lathe(0, sculpt.Point{1, 0}, sculpt.Point{-1, 2}),
		"profile[1]: must not be lower than the point before":    lathe(0, sculpt.Point{1, 0}, sculpt.Point{1, -2}),
		"profile: needs two points or more":                      lathe(0, sculpt.Point{0, 0}, sculpt.Point{0, 2}),
		"wall: must be less than":                                lathe(2, sculpt.Point{1, 0}, sculpt.Point{1, 2}),
		"path: needs 2 points":                                   tube(world.Vec3{1, 2, 3}, world.Vec3{1, 2, 3}),
		"path[1]: turns by more than 150 degrees":                tube(world.Vec3{}, world.Vec3{5, 0, 0}, world.Vec3{0, 0, 0.5}),
		"this makes 299 convex pieces, and a model may have 256": tube(zigzag...),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := sculpt.Hull([]world.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}}); err == nil || !strings.HasPrefix(err.Error(), "points: piece 0: its points must not be all in a plane") {
		t.Errorf("a flat hull: %v", err)
	}
}

// TestMuch holds that what takes long is refused before it does.
func TestMuch(t *testing.T) {
	var ring []sculpt.Point
	for i := range 401 {
		sin, cos := world.Sincos(2 * math.Pi * float64(i) / 401)
		ring = append(ring, sculpt.Point{cos, sin})
	}
	if _, err := sculpt.Extrude(ring, nil, sculpt.Ground, 1, 1); err == nil || err.Error() != "outline and holes: must have at most 400 corners together, got 401" {
		t.Error(err)
	}
	f, err := sculpt.Extrude(ring[:400], nil, sculpt.Ground, 1, 1)
	whole(t, must(t, f, err), 1e-3)
}
