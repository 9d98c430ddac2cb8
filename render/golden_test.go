package render_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

var update = flag.Bool("update", false, "rewrite the golden pictures; look at them before you commit them")

// goldens are the pictures in testdata.
func goldens() map[string]struct {
	scene   *render.Scene
	options render.Options
} {
	small := func(o render.Options) render.Options {
		o.Width, o.Height, o.Grid, o.Axes = 320, 240, true, true
		return o
	}
	eye := &render.Camera{Position: world.Vec3{1, 1.7, 9}, Target: world.Vec3{0, 1, 0}, FOV: 60}
	talking, there := talk()
	return map[string]struct {
		scene   *render.Scene
		options render.Options
	}{
		"talk":      {talking, there},
		"town":      {boxes(500), small(render.Options{})},
		"shapes":    {shapes(), small(render.Options{Labels: render.Names, Highlight: []world.ID{9}})},
		"wireframe": {shapes(), small(render.Options{Style: render.Wireframe})},
		"ids":       {shapes(), small(render.Options{Style: render.IDs, View: render.Top, Labels: render.LabelIDs})},
		"camera":    {shapes(), small(render.Options{View: render.FromCamera, Camera: eye})},
		"notes":     {noted(), small(render.Options{View: render.FromCamera, Camera: eye})},
		"night":     {square(), small(render.Options{View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{-3, 4, 9}, Target: world.Vec3{0, 1, 0}, FOV: 60}})},
		"finished":  {finished(), small(render.Options{View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{-3, 4, 9}, Target: world.Vec3{0, 1, 0}, FOV: 60}})},
		"surfaces":  {papered(), small(render.Options{View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{0.5, 2, 6}, Target: world.Vec3{0, 0.8, 0}, FOV: 60}})},
		"figures":   {figures(), small(render.Options{View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{0.2, 1.9, 5.4}, Target: world.Vec3{0.2, 0.9, 0}, FOV: 50}})},
		"sheet":     {shapes(), render.Options{View: render.Sheet, Width: 480, Height: 360, Grid: true, Axes: true, Labels: render.LabelIDs}},
	}
}

// TestGolden compares pictures, pixel by pixel, with those in testdata. scripts/test runs it on
// GOAMD64=v3 too: the pictures must not depend on the platform.
func TestGolden(t *testing.T) {
	for name, g := range goldens() {
		t.Run(name, func(t *testing.T) {
			pic := draw(t, g.scene, g.options)
			file := filepath.Join("testdata", name+".png")
			if *update {
				f, err := pic.Encode(render.PNG, 0)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := png.Decode(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if differs := difference(pic.Image, want); differs != "" {
				t.Errorf("%s: %s", file, differs)
			}
		})
	}
}

func difference(got, want image.Image) string {
	if got.Bounds() != want.Bounds() {
		return fmt.Sprintf("the picture has %v, want %v", got.Bounds(), want.Bounds())
	}
	n, first := 0, ""
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			r, g, b, _ := got.At(x, y).RGBA()
			r2, g2, b2, _ := want.At(x, y).RGBA()
			if r != r2 || g != g2 || b != b2 {
				if n++; n == 1 {
					first = fmt.Sprintf("the first at %d,%d: got %v, want %v", x, y, got.At(x, y), want.At(x, y))
				}
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d pixels differ, %s", n, first)
}

func draw(t testing.TB, s *render.Scene, o render.Options) *render.Picture {
	t.Helper()
	pic, err := render.Draw(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return pic
}

// TestWorkersDoNotShow draws the same scene with several numbers of workers, all at once.
func TestWorkersDoNotShow(t *testing.T) {
	for name, g := range goldens() {
		want := draw(t, g.scene, g.options)
		var all sync.WaitGroup
		for workers := 2; workers < 8; workers += 2 {
			all.Go(func() {
				o := g.options
				o.Workers = workers
				pic, err := render.Draw(g.scene, o)
				if err != nil || !bytes.Equal(pic.Image.Pix, want.Image.Pix) {
					t.Errorf("%s: %d workers draw something else, or fail: %v", name, workers, err)
				}
			})
		}
		all.Wait()
	}
}
