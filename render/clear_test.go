package render_test

import (
	"image/color"
	"testing"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// TestClear looks at a red ball in a case: through one that is clear it shows, and the sun shines on the floor of it.
func TestClear(t *testing.T) {
	scene := func(glass bool) *render.Scene {
		return &render.Scene{Objects: []render.Object{
			{ID: 1, Kind: render.Box, Size: world.Vec3{6, 0.2, 6}, Color: 0xffffff, Transform: at(0, -0.1, 0)},
			{ID: 2, Kind: render.Box, Size: world.Vec3{2, 2, 2}, Color: 0xd6ecf2, Transform: at(0, 1, 0), Clear: glass},
			{ID: 3, Kind: render.Sphere, Size: world.Vec3{1, 1, 1}, Color: 0xd00000, Transform: at(0, 1, 0)},
		}}
	}
	shot := func(glass bool, style render.Style, workers int) (*render.Picture, map[world.ID]int) {
		pic := draw(t, scene(glass), render.Options{
			View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{0, 1, 6}, Target: world.Vec3{0, 1, 0}, FOV: 60},
			Width: 160, Height: 120, Style: style, Workers: workers,
		})
		seen := map[world.ID]int{}
		for _, o := range pic.Views[0].Objects {
			seen[o.ID] = o.Pixels
		}
		return pic, seen
	}
	middle := func(p *render.Picture) color.RGBA { return p.Image.RGBAAt(80, 60) }
	red := func(c color.RGBA) bool { return int(c.R) > int(c.G)+40 }
	open, seen := shot(true, render.Shaded, 1)
	shut, hidden := shot(false, render.Shaded, 1)
	if c := middle(open); !red(c) || c.G < 20 {
		t.Errorf("in a clear case it looks like %v", c)
	}
	if c := middle(shut); red(c) || hidden[3] != 0 {
		t.Errorf("in a case it looks like %v, %d pixels show", c, hidden[3])
	}
	if seen[3] == 0 || seen[2] != hidden[2] {
		t.Errorf("of ball and clear case %v show, of a case %v", seen, hidden)
	}
	if flat, ids := shot(true, render.IDs, 1); ids[3] != 0 || red(middle(flat)) && ids[2] == 0 {
		t.Errorf("in flat colours %v show", ids)
	}
	if again, _ := shot(true, render.Shaded, 3); string(again.Image.Pix) != string(open.Image.Pix) {
		t.Error("it depends on the number of workers")
	}
	// Where the case would throw its shadow, and the ball none.
	lamp := func(glass bool) float64 { return from(t, scene(glass), render.Options{})(-1.4, -1.2) }
	if lit, dark := lamp(true), lamp(false); lit < dark+50 {
		t.Errorf("behind a clear case the floor is %v bright, behind a case %v", lit, dark)
	}
}
