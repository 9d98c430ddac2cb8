package render_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/internal/race"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// with returns what a scene looks like with something done to the picture.
func with(t testing.TB, s *render.Scene, o render.Options, p render.Post) *image.RGBA {
	t.Helper()
	scene := *s
	scene.Post = p
	return draw(t, &scene, o).Image
}

// usual is an ambient occlusion that shows.
func usual() *render.AO {
	return &render.AO{Radius: 0.5, Scale: 1, DistanceExponent: 1, Thickness: 1, Samples: 16, ResolutionScale: 1, Intensity: 1}
}

// apart returns by how many levels the farthest parts of two colours differ.
func apart(a color.RGBA, r, g, b float64) float64 {
	return max(math.Abs(float64(a.R)-r), math.Abs(float64(a.G)-g), math.Abs(float64(a.B)-b))
}

// TestGrade grades pictures, and each pixel by itself.
func TestGrade(t *testing.T) {
	if race.Enabled {
		return // one goroutine computes
	}
	o := render.Options{Width: 80, Height: 64, Grid: true}
	s := shapes()
	s.Texts = nil
	plain := with(t, s, o, render.Post{})
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, most float64) float64 { return rapid.Float64Range(0, most).Draw(t, name) }
		g := render.Grade{Exposure: number("exposure", 8), Contrast: number("contrast", 4), Saturation: number("saturation", 4)}
		s.Post.Grade = &g
		pic, err := render.Draw(s, o)
		if err != nil {
			t.Fatal(err)
		}
		graded := func(part uint8) float64 { return (float64(part)/255*g.Exposure-0.5)*g.Contrast + 0.5 }
		for y := range o.Height {
			for x := range o.Width {
				c := plain.RGBAAt(x, y)
				red, green, blue := graded(c.R), graded(c.G), graded(c.B)
				grey := 0.2126*red + 0.7152*green + 0.0722*blue
				end := func(part float64) float64 { return 255 * max(0, min(1, grey+(part-grey)*g.Saturation)) }
				if got := pic.Image.RGBAAt(x, y); apart(got, end(red), end(green), end(blue)) > 0.501 || got.A != 255 {
					t.Fatalf("%v at %d, %d becomes %v, want %g %g %g", c, x, y, got, end(red), end(green), end(blue))
				}
			}
		}
	})
}

// TestBloom blurs what is bright, pixel by pixel.
func TestBloom(t *testing.T) {
	if race.Enabled {
		return // one goroutine computes
	}
	o := render.Options{View: render.Front, Width: 70, Height: 64, Coarse: true, Fit: []world.ID{1}}
	rapid.Check(t, func(t *rapid.T) {
		s := &render.Scene{Objects: []render.Object{box(1, world.Vec3{20, 20, 0.1}, at(0, 0, 0)), box(2, world.Vec3{100, 100, 0.1}, at(0, 0, -1))}}
		s.Objects[0].Color, s.Objects[1].Color = 0x203040, 0x203040
		for i := range rapid.IntRange(0, 5).Draw(t, "boxes") {
			place := func(name string) float64 { return rapid.Float64Range(-12, 12).Draw(t, name) }
			size := rapid.Float64Range(0.5, 6).Draw(t, "size")
			b := box(3+i, world.Vec3{size, size, 1}, at(place("x"), place("y"), 2+float64(i)))
			b.Color = rapid.Uint32Range(0, 0xffffff).Draw(t, "color")
			s.Objects = append(s.Objects, b)
		}
		bloom := render.Bloom{
			Strength: rapid.Float64Range(0, 4).Draw(t, "strength"), Radius: rapid.Float64Range(0, 1).Draw(t, "radius"),
			Threshold: rapid.Float64Range(0, 1).Draw(t, "threshold"),
		}
		take := func(b *render.Bloom) *image.RGBA {
			s.Post.Bloom = b
			pic, err := render.Draw(s, o)
			if err != nil {
				t.Fatal(err)
			}
			return pic.Image
		}
		plain, shining := take(nil), take(&bloom)
		var shine [3][][]float64
		for i := range shine {
			shine[i] = make([][]float64, o.Height)
			for y := range o.Height {
				for x := range o.Width {
					c := plain.RGBAAt(x, y)
					share := (float64(max(c.R, c.G, c.B))/255 - bloom.Threshold) / 0.1
					shine[i][y] = append(shine[i][y], max(0, min(1, share))*float64([]uint8{c.R, c.G, c.B}[i]))
				}
			}
			reach := int(bloom.Radius*float64(o.Height)/16 + 0.5)
			for range 3 {
				shine[i] = about(about(shine[i], reach, 1, 0), reach, 0, 1)
			}
		}
		for y := range o.Height {
			for x := range o.Width {
				c := plain.RGBAAt(x, y)
				end := func(part uint8, i int) float64 { return min(255, float64(part)+bloom.Strength*shine[i][y][x]) }
				if got := shining.RGBAAt(x, y); apart(got, end(c.R, 0), end(c.G, 1), end(c.B, 2)) > 1.2 {
					t.Fatalf("%v at %d, %d becomes %v, want %g %g %g", c, x, y, got, end(c.R, 0), end(c.G, 1), end(c.B, 2))
				}
			}
		}
	})
}

// about returns the mean of what is about each value in one direction.
func about(of [][]float64, reach, dx, dy int) [][]float64 {
	out := make([][]float64, len(of))
	for y := range of {
		for x := range of[y] {
			sum := 0.0
			for k := -reach; k <= reach; k++ {
				if u, v := x+k*dx, y+k*dy; v >= 0 && v < len(of) && u >= 0 && u < len(of[v]) {
					sum += of[v][u]
				}
			}
			out[y] = append(out[y], sum/float64(2*reach+1))
		}
	}
	return out
}

// TestWhatShines has nothing but sky shine, and a fire before it.
func TestWhatShines(t *testing.T) {
	o := render.Options{View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{0, 5, 9}, Target: world.Vec3{0, 5, 0}, FOV: 50}, Width: 160, Height: 160, Grid: true}
	post := render.Post{Bloom: &render.Bloom{Strength: 1, Radius: 1}}
	s := &render.Scene{}
	plain := with(t, s, o, render.Post{})
	if d := difference(with(t, s, o, post), plain); d != "" {
		t.Errorf("the sky and the ground shine: %s", d)
	}
	s.Particles = []render.Particle{{At: world.Vec3{0, 5, 0}, Size: 1, Color: [3]float64{1, 0.5, 0}, Opacity: 1, Blend: render.Glow}}
	before, after := with(t, s, o, render.Post{}), with(t, s, o, post)
	beside := image.Pt(80+15, 80) // the fire has a radius of 10 pixels
	if a, b := before.RGBAAt(beside.X, beside.Y), after.RGBAAt(beside.X, beside.Y); b.R < a.R+10 {
		t.Errorf("beside the fire it is %v, with its shine %v", a, b)
	}
	s.Particles[0].Blend = render.Multiply
	if d := difference(with(t, s, o, post), with(t, s, o, render.Post{})); d != "" {
		t.Errorf("what darkens shines: %s", d)
	}
}

// TestOcclusion looks from above at a floor with a wall on it.
func TestOcclusion(t *testing.T) {
	if race.Enabled {
		return // one goroutine computes
	}
	s := &render.Scene{Objects: []render.Object{box(1, world.Vec3{8, 0.2, 8}, at(0, -0.1, 0)), box(2, world.Vec3{8, 3, 0.2}, at(0, 1.5, -0.1))}}
	s.Objects[0].Color, s.Objects[1].Color = 0xc0c0c0, 0xc0c0c0
	o := render.Options{
		View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{0, 4, 4}, Target: world.Vec3{0, 0, 0}, FOV: 60},
		Width: 320, Height: 240, NoShadows: true,
	}
	// level returns how much of its light a place of the floor keeps, so far from the wall.
	level := func(a *render.AO, z float64) float64 {
		t.Helper()
		plain, dark := with(t, s, o, render.Post{}), with(t, s, o, render.Post{AO: a})
		// The camera looks down by 45 degrees: at 240 pixels over 60 degrees a place is that far below the middle.
		down, ahead := z/math.Sqrt2, math.Sqrt(32)-z/math.Sqrt2
		y := 120 + int(down/ahead*120/math.Tan(math.Pi/6))
		return float64(dark.RGBAAt(160, y).R) / float64(plain.RGBAAt(160, y).R)
	}
	for _, scale := range []float64{1, 0.5, 0.25} {
		a := usual()
		a.ResolutionScale = scale
		corner, near, open := level(a, 0.08), level(a, 0.3), level(a, 1.2)
		if corner > 0.88 || near < corner || near > 0.99 || open != 1 {
			t.Errorf("at 1/%g of the picture's pixels: %g of the light at the wall, %g near it, %g away from it", 1/scale, corner, near, open)
		}
	}
	change := func(f func(*render.AO)) *render.AO {
		a := usual()
		f(a)
		return a
	}
	at := level(usual(), 0.1)
	for name, a := range map[string]*render.AO{
		"half the intensity": change(func(a *render.AO) { a.Intensity = 0.5 }),
		"half the scale":     change(func(a *render.AO) { a.Scale = 0.5 }),
		"faster fall-off":    change(func(a *render.AO) { a.DistanceExponent = 2.5 }),
	} {
		if got := level(a, 0.1); got <= at+0.02 || got > 0.99 {
			t.Errorf("%s leaves %g of the light, before %g", name, got, at)
		}
	}
	if wide := level(change(func(a *render.AO) { a.Radius = 2 }), 1.2); wide > 0.99 {
		t.Errorf("with a radius of 2 m there is %g of the light in 1.2 m", wide)
	}
	for name, a := range map[string]*render.AO{"no intensity": change(func(a *render.AO) { a.Intensity = 0 }), "no scale": change(func(a *render.AO) { a.Scale = 0 })} {
		if d := difference(with(t, s, o, render.Post{AO: a}), with(t, s, o, render.Post{})); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestNothingOccludes looks at what has no corners.
func TestNothingOccludes(t *testing.T) {
	for name, s := range map[string]*render.Scene{
		"a box":    {Objects: []render.Object{box(1, world.Vec3{2, 2, 2}, turned(0, 1, 0, 0.4))}},
		"a ball":   {Objects: []render.Object{{ID: 1, Kind: render.Sphere, Size: world.Vec3{2, 2, 2}, Color: 0xffffff, Transform: at(0, 1, 0)}}},
		"far away": {Objects: []render.Object{box(1, world.Vec3{1, 1, 1}, at(-3, 0, 0)), box(2, world.Vec3{1, 1, 1}, at(3, 0, 0))}},
		"a lamp":   {Objects: []render.Object{box(1, world.Vec3{1, 1, 1}, at(0, 0, 0))}, Lamps: []render.Lamp{{ID: 1, Color: 0xffffff, Power: 1}}},
		"nothing":  {},
	} {
		o := render.Options{Width: 160, Height: 120, Grid: true}
		if d := difference(with(t, s, o, render.Post{AO: usual()}), with(t, s, o, render.Post{})); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestThickness has a pane of a board float over a floor: seen from above, only a thick one darkens what is far behind it.
func TestThickness(t *testing.T) {
	s := &render.Scene{Objects: []render.Object{box(1, world.Vec3{8, 0.2, 8}, at(0, -0.1, 0)), box(2, world.Vec3{3, 0.1, 3}, at(0, 0.6, 0))}}
	o := render.Options{View: render.Top, Width: 200, Height: 200, NoShadows: true}
	plain := with(t, s, o, render.Post{})
	a := usual()
	a.Radius = 1.5
	if difference(with(t, s, o, render.Post{AO: a}), plain) == "" {
		t.Error("a board over a floor takes no light")
	}
	a.Thickness = 0.3
	if d := difference(with(t, s, o, render.Post{AO: a}), plain); d != "" {
		t.Errorf("a board of 0.3 m at most, 0.65 m over a floor: %s", d)
	}
}

// TestWhatIsNotFinished draws what is not a picture of the world's colours: it stays as it is.
func TestWhatIsNotFinished(t *testing.T) {
	all := render.Post{AO: usual(), Bloom: &render.Bloom{Strength: 2, Radius: 1}, Grade: &render.Grade{Exposure: 0.2, Contrast: 3}}
	for _, style := range []render.Style{render.IDs, render.Wireframe} {
		o := render.Options{Width: 120, Height: 90, Style: style, Grid: true, Axes: true}
		if d := difference(with(t, shapes(), o, all), with(t, shapes(), o, render.Post{})); d != "" {
			t.Errorf("%s: %s", style, d)
		}
	}
	o := render.Options{View: render.Front, Width: 100, Height: 100, Highlight: []world.ID{1}}
	pic := with(t, &render.Scene{Objects: []render.Object{box(1, world.Vec3{1, 1, 1}, at(0, 0, 0))}}, o, render.Post{Grade: &render.Grade{Exposure: 1, Contrast: 1}})
	orange := false
	for y := range 100 {
		for x := range 100 {
			orange = orange || pic.RGBAAt(x, y) == color.RGBA{255, 115, 0, 255}
		}
	}
	if !orange {
		t.Error("in black and white the outline of what is highlighted is not orange")
	}
}

func BenchmarkPost(b *testing.B) {
	s := boxes(500)
	for name, p := range map[string]render.Post{
		"none": {}, "ao": {AO: usual()}, "bloom": {Bloom: &render.Bloom{Strength: 1, Radius: 0.5, Threshold: 0.5}}, "grade": {Grade: &render.Grade{Exposure: 1, Contrast: 1.2, Saturation: 1.2}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				with(b, s, render.Options{}, p)
			}
		})
	}
}
