package render_test

import (
	"math"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// square is by night: a floor, a wall, a ball on a hill, a street lamp, and a spot that shines at the wall.
func square() *render.Scene {
	hill := &render.Heights{Columns: 17, Rows: 17, Cell: 0.5}
	for i := range 17 * 17 {
		x, z := float64(i%17-8)/8, float64(i/17-8)/8
		hill.At = append(hill.At, 1.5*(1-x*x)*(1-z*z))
	}
	return &render.Scene{
		Objects: []render.Object{
			{ID: 1, Kind: render.Box, Size: world.Vec3{16, 0.2, 12}, Color: 0xa0a0a0, Transform: at(0, -0.1, 0)},
			{ID: 2, Kind: render.Box, Size: world.Vec3{0.3, 2.5, 6}, Color: 0xc0b090, Transform: at(2, 1.25, 0)},
			{ID: 3, Kind: render.Field, Heights: hill, Color: 0x6fa05a, Transform: at(-4, 0, 0)},
			{ID: 4, Kind: render.Sphere, Size: world.Vec3{1, 1, 1}, Color: 0xb5563c, Transform: at(-4, 2, 0)},
			{ID: 5, Kind: render.Box, Size: world.Vec3{0.12, 3, 0.12}, Color: 0x333333, Transform: at(0, 1.5, 0)},
			{ID: 6, Kind: render.Sphere, Size: world.Vec3{0.4, 0.4, 0.4}, Color: 0xffffff, Transform: at(0, 3.1, 0)},
		},
		Lamps: []render.Lamp{
			{ID: 6, At: world.Vec3{0, 3.1, 0}, Color: 0xffe1bc, Power: 1, Range: 10},
			{ID: 7, At: world.Vec3{6, 1, 4}, Color: 0x80a0ff, Power: 1, Range: 12, Toward: world.Vec3{-0.7, 0, -0.7}, Angle: 0.7},
		},
		Light: render.Light{Night: 1},
	}
}

// from looks at a scene straight down, a pixel to a tenth of a metre, so that a place is a pixel.
func from(t *testing.T, s *render.Scene, o render.Options) func(x, z float64) float64 {
	t.Helper()
	o.View, o.Width, o.Height, o.Fit = render.Top, 400, 300, []world.ID{1}
	pic := draw(t, s, o)
	seen := pic.Views[0]
	return func(x, z float64) float64 {
		px := 200 + int(math.Round((x-seen.Camera.Position[0])*seen.Scale))
		py := 150 + int(math.Round((z-seen.Camera.Position[2])*seen.Scale))
		c := pic.Image.RGBAAt(px, py)
		return float64(c.R) + float64(c.G) + float64(c.B)
	}
}

// TestLampsLight: a lamp lights what is near it more than what is far, nothing behind a wall and nothing beyond its
// range; its globe and its post do not keep its light in.
func TestLampsLight(t *testing.T) {
	dark := square()
	dark.Lamps = nil
	lit := square()
	lit.Lamps = lit.Lamps[:1]
	with, without := from(t, lit, render.Options{}), from(t, dark, render.Options{})
	through := from(t, lit, render.Options{NoShadows: true})
	for _, c := range []struct {
		name     string
		x, z     float64
		from, to float64 // how much the lamp adds
	}{
		{"beside the post", 0.9, 0.9, 100, 400},
		{"four metres off", 0, 4, 40, 250},
		{"behind the wall", 4, 0, 0, 0},
		{"its globe", 0, 0, 150, 700},
	} {
		if more := with(c.x, c.z) - without(c.x, c.z); more < c.from || more > c.to {
			t.Errorf("%s: the lamp adds %v, want %v to %v", c.name, more, c.from, c.to)
		}
	}
	if near, farther := with(0.9, 0.9), with(0, 4); near <= farther {
		t.Errorf("near the lamp it is %v bright, farther away %v", near, farther)
	}
	if got, want := through(4, 0), without(4, 0)+20; got < want {
		t.Errorf("without shadows it is %v bright behind the wall, want %v", got, want)
	}
	lit.Lamps[0].Range = 3.4
	if got, want := from(t, lit, render.Options{})(0, 4), without(0, 4); got != want {
		t.Errorf("beyond its range it is %v bright, without the lamp %v", got, want)
	}
}

// TestLampsOnTables: what is wide keeps a lamp's light off however near it is, as the table does that the lamp stands on; what is
// no wider than a post does not.
func TestLampsOnTables(t *testing.T) {
	added := func(top float64) float64 {
		s := &render.Scene{
			Objects: []render.Object{
				{ID: 1, Kind: render.Box, Size: world.Vec3{16, 0.2, 12}, Color: 0xa0a0a0, Transform: at(0, -0.1, 0)},
				{ID: 2, Kind: render.Box, Size: world.Vec3{1, 1, 1}, Color: 0xa0a0a0, Transform: at(0, 0.73, 0)},
			},
			Light: render.Light{Night: 1},
		}
		s.Objects[1].Transform.Scale = world.Vec3{top, 0.06, top}
		// The camera is between the table and the floor, beside the one and over the other.
		beside := func() float64 {
			pic := draw(t, s, render.Options{View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{-1.5, 0.6, 0}, Target: world.Vec3{0, 0, 0}, FOV: 20}, Width: 64, Height: 64})
			c := pic.Image.RGBAAt(32, 32)
			return float64(c.R) + float64(c.G) + float64(c.B)
		}
		dark := beside()
		s.Lamps = []render.Lamp{{ID: 3, At: world.Vec3{0, 0.91, 0}, Color: 0xffe1bc, Power: 1, Range: 10}}
		return beside() - dark
	}
	if got := added(1.2); got != 0 {
		t.Errorf("the lamp on a table adds %v under it", got)
	}
	if got := added(0.2); got < 50 {
		t.Errorf("the lamp on a post adds %v at its foot", got)
	}
}

// TestShutRooms: where walls, floor and ceiling meet, a shut room lets no light in, neither the sun's nor that of a lamp upstairs.
func TestShutRooms(t *testing.T) {
	box := func(id world.ID, x, y, z, sx, sy, sz float64) render.Object {
		return render.Object{ID: id, Kind: render.Box, Size: world.Vec3{sx, sy, sz}, Color: 0xc0c0c0, Transform: at(x, y, z)}
	}
	for name, s := range map[string]*render.Scene{
		"sun":  {},
		"lamp": {Light: render.Light{Night: 1}, Lamps: []render.Lamp{{At: world.Vec3{-5, 5.5, -3}, Color: 0xffffff, Power: 1, Range: 20}}},
	} {
		s.Objects = []render.Object{
			box(1, 0, -0.1, 0, 12, 0.2, 8), box(2, 0, 3.3, 0, 12, 0.2, 8),
			box(3, -6.1, 3, 0, 0.2, 6, 8), box(4, 6.1, 3, 0, 0.2, 6, 8), box(5, 0, 3, -4.1, 12, 6, 0.2), box(6, 0, 3, 4.1, 12, 6, 0.2),
		}
		edge := []int{44, 44, 25, 25} // the first row of pixels that shows nothing but wall
		for wall, target := range []world.Vec3{{-6, 1.6, 0}, {6, 1.6, 0}, {0, 1.6, -4}, {0, 1.6, 4}} {
			pic := draw(t, s, render.Options{View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{0, 1.6, 0}, Target: target, FOV: 60}, Width: 160, Height: 160})
			for x := 30; x < 130; x++ {
				for _, y := range []int{edge[wall], 159 - edge[wall]} {
					if got, want := pic.Image.RGBAAt(x, y), pic.Image.RGBAAt(x, 80); got != want {
						t.Fatalf("%s, wall %d: at %d, %d it is %v, in the middle %v", name, wall, x, y, got, want)
					}
				}
			}
		}
	}
}

// TestSpotsPoint: a spot lights what it points at and nothing else.
func TestSpotsPoint(t *testing.T) {
	dark := square()
	dark.Lamps = nil
	lit := square()
	lit.Lamps = []render.Lamp{{At: world.Vec3{-7, 4, 5}, Color: 0xffffff, Power: 1, Range: 20, Toward: world.Vec3{1, -1, 0}.Scale(math.Sqrt(0.5)), Angle: 0.5}}
	with, without := from(t, lit, render.Options{}), from(t, dark, render.Options{})
	if more := with(-3, 5) - without(-3, 5); more < 50 {
		t.Errorf("where it points it adds %v", more)
	}
	for _, at := range [][2]float64{{-7, 5}, {4, 5}, {-3, 2.2}} {
		if more := with(at[0], at[1]) - without(at[0], at[1]); more != 0 {
			t.Errorf("at %v, beside its cone, it adds %v", at, more)
		}
	}
}

// TestManyLamps: lamps beyond what is drawn, and those with numbers that are none, change nothing and hurt nobody.
func TestManyLamps(t *testing.T) {
	s := square()
	want := draw(t, s, render.Options{Width: 160, Height: 120})
	s.Lamps = append(s.Lamps, []render.Lamp{
		{At: world.Vec3{math.NaN()}, Power: 1, Range: 5}, {Power: math.Inf(1), Range: 5}, {Power: -1, Range: 5}, {Power: 1, Range: math.NaN()},
	}...)
	for i := range 300 {
		s.Lamps = append(s.Lamps, render.Lamp{ID: world.ID(100 + i), At: world.Vec3{1000 + float64(i), 3, 0}, Color: 0xffffff, Power: 1, Range: 5})
	}
	if got := draw(t, s, render.Options{Width: 160, Height: 120}); !slices.Equal(got.Image.Pix, want.Image.Pix) {
		t.Error("lamps that shine at nothing show")
	}
}

// TestDusk: half way into the night all that the sun lights, the sky and the ground are warmer than by day, and than by night.
func TestDusk(t *testing.T) {
	warmth := func(night float64) (all [3]float64) {
		s := square()
		s.Lamps, s.Light.Night = nil, night
		pic := draw(t, s, render.Options{View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{3, 2.5, 14}, Target: world.Vec3{0, 2, 0}, FOV: 60}, Width: 400, Height: 300, Grid: true})
		for i, at := range [][2]int{{200, 8}, {20, 120}, {200, 230}} { // sky, horizon, floor
			c := pic.Image.RGBAAt(at[0], at[1])
			all[i] = float64(c.R) - float64(c.B)
		}
		return all
	}
	day, dusk, night := warmth(0), warmth(0.5), warmth(1)
	for i, what := range [...]string{"sky", "horizon", "floor"} {
		if dusk[i] < day[i]+10 || dusk[i] < night[i]+10 {
			t.Errorf("%s: red is above blue by %v at dusk, %v by day, %v by night", what, dusk[i], day[i], night[i])
		}
	}
}

// TestEmissive: what gives off light by itself is as bright by night and in shadow as by day, and lights nothing else.
func TestEmissive(t *testing.T) {
	if race.Enabled {
		return // one goroutine computes
	}
	scene := func(emissive uint32, night float64) *render.Scene {
		return &render.Scene{
			Objects: []render.Object{
				{ID: 1, Kind: render.Box, Size: world.Vec3{16, 0.2, 12}, Color: 0x808080, Transform: at(0, -0.1, 0)},
				{ID: 2, Kind: render.Box, Size: world.Vec3{2, 0.2, 2}, Color: 0, Transform: at(0, 0.1, 0), Emissive: emissive},
			},
			Light: render.Light{Night: night},
			Post:  render.Post{AO: usual()},
		}
	}
	for _, night := range []float64{0, 1} {
		dark, lit := from(t, scene(0, night), render.Options{}), from(t, scene(0xff8000, night), render.Options{})
		if got := lit(0, 0) - dark(0, 0); math.Abs(got-(0xff+0x80)) > 4 {
			t.Errorf("night %g: it is %g brighter, want %d", night, got, 0xff+0x80)
		}
		if dark(5, 3) != lit(5, 3) {
			t.Errorf("night %g: the floor is %g beside it, %g without its light", night, lit(5, 3), dark(5, 3))
		}
	}
}
