package render_test

import (
	"image/color"
	"testing"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// pixel is the colour in the middle of a picture of particles before, or behind, a grey wall.
func pixel(t *testing.T, o render.Options, particles ...render.Particle) color.RGBA {
	t.Helper()
	s := &render.Scene{Particles: particles, Objects: []render.Object{{ID: 1, Size: world.Vec3{20, 20, 1}, Color: 0x808080, Transform: at(0, 0, 0)}}}
	o.View, o.Camera = render.FromCamera, &render.Camera{Position: world.Vec3{0.013, 0.017, 10}, Target: world.Vec3{0.013, 0.017, 0}, FOV: 60}
	o.Width, o.Height = 64, 64
	return draw(t, s, o).Image.RGBAAt(32, 32)
}

func TestParticles(t *testing.T) {
	p := func(z float64, blend render.Blend) render.Particle {
		return render.Particle{At: world.Vec3{0, 0, z}, Size: 4, Color: [3]float64{1, 0.5, 0}, Opacity: 1, Blend: blend}
	}
	wall := pixel(t, render.Options{})
	before := func(name string, got color.RGBA, holds bool) {
		t.Helper()
		if !holds {
			t.Errorf("%s: %v, on a wall of %v", name, got, wall)
		}
	}
	c := pixel(t, render.Options{}, p(5, render.Cover))
	before("one that covers", c, c.R > 240 && c.G > 118 && c.G < 138 && c.B < 15)
	c = pixel(t, render.Options{}, p(5, render.Glow))
	before("one that glows", c, c.R > 240 && c.G > wall.G+20 && c.B > wall.B/3 && c.B < wall.B*2/3)
	c = pixel(t, render.Options{}, p(5, render.Multiply))
	before("one that darkens", c, c.R == wall.R && c.G < wall.G*2/3 && c.B < 15)
	for name, none := range map[string]render.Particle{
		"behind the wall": p(-5, render.Cover), "behind the camera": p(15, render.Cover),
		"of no size":   {At: world.Vec3{0, 0, 5}, Opacity: 1, Color: [3]float64{1, 0, 0}},
		"not there":    {At: world.Vec3{0, 0, 5}, Size: 1, Color: [3]float64{1, 0, 0}},
		"far too far":  {At: world.Vec3{0, 0, -1e300}, Size: 1, Opacity: 1},
		"far too high": {At: world.Vec3{0, 1e9, 5}, Size: 1, Opacity: 1},
	} {
		before(name, pixel(t, render.Options{}, none), pixel(t, render.Options{}, none) == wall)
	}
	flat := pixel(t, render.Options{Style: render.IDs})
	if c := pixel(t, render.Options{Style: render.IDs}, p(5, render.Cover)); c != flat {
		t.Errorf("a particle shows among ids: %v, want %v", c, flat)
	}
	near, far := p(6, render.Cover), p(4, render.Cover)
	near.Color = [3]float64{0, 1, 0}
	for _, both := range [][]render.Particle{{near, far}, {far, near}} {
		c = pixel(t, render.Options{}, both...)
		before("the nearer of two", c, c.G > 240 && c.R < 15)
	}
}

// TestManyParticles draws more than a picture is to take time for, of which each fills it: the nearest are drawn.
func TestManyParticles(t *testing.T) {
	var all []render.Particle
	for i := range 1 << 16 {
		all = append(all, render.Particle{At: world.Vec3{0, 0, 9 - float64(i)/1e4}, Size: 100, Opacity: 1, Color: [3]float64{float64(min(i, 1))}})
	}
	if c := pixel(t, render.Options{}, all...); c.R > 15 {
		t.Errorf("the nearest of many is not seen: %v", c)
	}
}
