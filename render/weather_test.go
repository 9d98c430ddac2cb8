package render_test

import (
	"image"
	"testing"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// brightness returns the mean brightness of a part of a picture.
func brightness(m image.Image, part image.Rectangle) (sum int) {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			sum += grey(m, x, y)
		}
	}
	return sum / (part.Dx() * part.Dy())
}

// Each kind of weather looks different, rain does not fall under a roof, and a kind that nobody knows is a clear day.
func TestWeather(t *testing.T) {
	outside := &render.Camera{Position: world.Vec3{2, 1.7, 14}, Target: world.Vec3{0, 2, 0}, FOV: 60}
	look := func(w render.Weather, c *render.Camera, style render.Style) *image.RGBA {
		return draw(t, &render.Scene{Objects: house(), Weather: w}, render.Options{View: render.FromCamera, Camera: c, Grid: true, Style: style}).Image
	}
	sky := image.Rect(0, 0, 640, 80)
	fair := look(render.Weather{}, outside, render.Shaded)
	for _, kind := range []render.WeatherKind{"clear", "custom", ""} {
		if differs := difference(look(render.Weather{Kind: kind, Intensity: 1}, outside, render.Shaded), fair); differs != "" {
			t.Errorf("%q is no clear day: %s", kind, differs)
		}
	}
	for _, kind := range []render.WeatherKind{render.Rain, render.Storm, render.Snow, render.Fog} {
		full, half := look(render.Weather{Kind: kind, Intensity: 1}, outside, render.Shaded), look(render.Weather{Kind: kind, Intensity: 0.5}, outside, render.Shaded)
		if a, b, c := brightness(fair, sky), brightness(half, sky), brightness(full, sky); a <= b || b <= c {
			t.Errorf("%s: the sky is %d bright on a clear day, %d, and %d", kind, a, b, c)
		}
		if difference(full, look(render.Weather{Kind: kind, Intensity: 1}, outside, render.Shaded)) != "" {
			t.Errorf("two pictures of the same %s differ", kind)
		}
		if differs := difference(look(render.Weather{Kind: kind, Intensity: 1}, outside, render.IDs), look(render.Weather{}, outside, render.IDs)); differs != "" {
			t.Errorf("%s shows in the style ids: %s", kind, differs)
		}
		if difference(look(render.Weather{Kind: kind}, outside, render.Shaded), fair) != "" {
			t.Errorf("%s of no intensity shows", kind)
		}
	}
	// In a closed room nothing falls, and all walls are in the shade: they look as they do without the drops, evenly.
	inside := &render.Camera{Position: world.Vec3{0, 1.7, 0}, Target: world.Vec3{0, 1.7, -2.7}, FOV: 40}
	wall := look(render.Weather{Kind: render.Rain, Intensity: 1}, inside, render.Shaded)
	for x := range 640 {
		for y := range 480 {
			if wall.At(x, y) != wall.At(320, 240) {
				t.Fatalf("it rains in the room, at %d, %d", x, y)
			}
		}
	}
}

// Snow lies on generated ground, and fog hides what is far away more than what is near, but not altogether.
func TestSnowLiesAndFogHides(t *testing.T) {
	ground := func(w render.Weather) *image.RGBA {
		f := &render.Heights{Columns: 33, Rows: 33, Cell: 10, At: make([]float64, 33*33)}
		o := render.Object{ID: 1, Kind: render.Field, Heights: f, Color: 0x304020, Transform: world.Transform{Rotation: world.QuatFromEuler(0, 0, 0), Scale: world.Vec3{1, 1, 1}}}
		return draw(t, &render.Scene{Objects: []render.Object{o}, Weather: w}, render.Options{View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{0, 2, 0}, Target: world.Vec3{0, 1.5, -10}, FOV: 60}}).Image
	}
	near, distant := image.Rect(0, 440, 640, 480), image.Rect(0, 226, 640, 230)
	fair, snow, fog := ground(render.Weather{}), ground(render.Weather{Kind: render.Snow, Intensity: 1}), ground(render.Weather{Kind: render.Fog, Intensity: 1})
	if a, b := brightness(fair, near), brightness(snow, near); b < 2*a {
		t.Errorf("ground is %d bright, under snow %d", a, b)
	}
	if a, b, sky := brightness(fog, near), brightness(fog, distant), brightness(fog, image.Rect(0, 150, 640, 180)); b < 2*a || b >= sky {
		t.Errorf("in fog ground is %d bright, far away %d, the sky %d", a, b, sky)
	}
}

// Snow lies on what faces up under the open sky: on a roof and beside it, not below it nor on walls, less on people, and as well where images lie.
func TestSnowLiesUnderTheOpenSky(t *testing.T) {
	images := papered().Objects[0].Surface // dark and bright squares
	at := func(kind render.WeatherKind, surface *render.Surface, eye, target world.Vec3) int {
		s := &render.Scene{Weather: render.Weather{Kind: kind, Intensity: 1}, Light: render.Light{Sun: world.Vec3{0, 1, 0.1}}, Objects: []render.Object{
			{ID: 1, Kind: render.Box, Size: world.Vec3{40, 1, 40}, Color: 0x304020, Surface: surface, Transform: at(0, -0.5, 0)},
			{ID: 2, Kind: render.Box, Size: world.Vec3{4, 0.2, 4}, Color: 0x402010, Surface: surface, Transform: at(0, 3, 0)},
			{ID: 3, Kind: render.Box, Size: world.Vec3{2, 2, 0.2}, Color: 0x402010, Surface: surface, Transform: at(8, 1, 0)},
			{ID: 4, Kind: render.Figure, Dressed: true, Size: world.Vec3{0.7, 1.7, 0.7}, Color: 0x204060, Transform: at(-6, 0.85, 0)},
		}}
		pic := draw(t, s, render.Options{View: render.FromCamera, Camera: &render.Camera{Position: eye, Target: target, FOV: 4}, NoShadows: true, Width: 64, Height: 64})
		return brightness(pic.Image, image.Rect(16, 16, 48, 48))
	}
	for _, surface := range []*render.Surface{nil, images} {
		for _, c := range []struct {
			what        string
			eye, target world.Vec3
			white       bool
		}{
			{"the ground", world.Vec3{0, 2.5, 8}, world.Vec3{0, 0, 4}, true},
			{"the ground under a roof", world.Vec3{0, 2.5, 8}, world.Vec3{0, 0, 0}, false},
			{"the roof", world.Vec3{0, 9, 8}, world.Vec3{0, 3.1, 0}, true},
			{"the roof from below", world.Vec3{0, 0.5, 3}, world.Vec3{0, 2.9, 0}, false},
			{"a wall", world.Vec3{8, 1, 8}, world.Vec3{8, 1, 0}, false},
		} {
			// Rain and snow take as much of the sun and differ in the light that is everywhere: by less than a half.
			wet, white := at(render.Rain, surface, c.eye, c.target), at(render.Snow, surface, c.eye, c.target)
			if got := white > 2*wet+20; surface == nil && got != c.white || surface != nil && got && !c.white || surface != nil && c.white && white <= wet*3/2 {
				t.Errorf("%s, images on it %v: it is %d bright in rain and %d in snow; want snow on it %v", c.what, surface != nil, wet, white, c.white)
			}
		}
	}
	head := world.Vec3{-6, 1.68, 0}
	if wet, white := at(render.Rain, nil, world.Vec3{-6, 8, 3}, head), at(render.Snow, nil, world.Vec3{-6, 8, 3}, head); white <= wet+20 || white > 170 {
		t.Errorf("hair is %d bright in rain, %d in snow; want a little snow", wet, white)
	}
}
