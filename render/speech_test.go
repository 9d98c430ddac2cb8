package render_test

import (
	"image"
	"math"
	"testing"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// talk is what the figures say, from a camera that sees them all.
func talk() (*render.Scene, render.Options) {
	s := figures()
	for i, words := range [][]string{
		{"Good morning!"},
		{"Shall we build the roof today,", "or is it too wet?"},
		{"Let us go to the market first."},
		{"one", "two", "three", "four", "five"},
		{"a line that is longer than any of a bubble may be, and goes on"},
	} {
		o := &s.Objects[i]
		s.Speeches = append(s.Speeches, render.Speech{ID: o.ID, Head: o.Transform.Position.Add(world.Vec3{0, o.Size[1]/2 + 0.05, 0}), Lines: words})
	}
	return s, render.Options{Width: 480, Height: 300, View: render.FromCamera, Camera: &render.Camera{Position: world.Vec3{0.2, 1.9, 5.6}, Target: world.Vec3{0.2, 1.5, 0}, FOV: 55}}
}

// TestSpeech looks for where there are words and where there are none.
func TestSpeech(t *testing.T) {
	mute, o := talk()
	mute.Speeches = nil
	plain := draw(t, mute, o)
	changed := func(change func(s *render.Scene, o *render.Options)) (box image.Rectangle) {
		s, o := talk()
		change(s, &o)
		got := draw(t, s, o)
		for y := range o.Height {
			for x := range o.Width {
				if got.Image.RGBAAt(x, y) != plain.Image.RGBAAt(x, y) {
					box = box.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		return box
	}
	if box := changed(func(*render.Scene, *render.Options) {}); box.Dx() < 400 {
		t.Errorf("all who say something: their words are in %v, want nearly the whole width", box)
	}
	// The first stands at the left, and his bubble is over his head.
	first := changed(func(s *render.Scene, _ *render.Options) { s.Speeches = s.Speeches[:1] })
	if first.Empty() || first.Max.X > 180 || first.Max.Y > 150 {
		t.Errorf("the words of the first are in %v, want them over him, at the left", first)
	}
	for name, change := range map[string]func(s *render.Scene, o *render.Options){
		"without panels": func(_ *render.Scene, o *render.Options) { o.NoPanels = true },
		"who is not seen": func(s *render.Scene, _ *render.Options) {
			s.Speeches[0].Head = world.Vec3{0, 2, 50}
			s.Speeches = s.Speeches[:1]
		},
		"who says no word": func(s *render.Scene, _ *render.Options) { s.Speeches[0].Lines = nil; s.Speeches = s.Speeches[:1] },
		"who has no place": func(s *render.Scene, _ *render.Options) {
			s.Speeches[0].Head[1] = math.Inf(1)
			s.Speeches = s.Speeches[:1]
		},
		"who is behind the statue": func(s *render.Scene, _ *render.Options) {
			s.Speeches[0].Head = world.Vec3{4.4, 1.0, -2.4}
			s.Speeches = s.Speeches[:1]
		},
	} {
		if box := changed(change); !box.Empty() {
			t.Errorf("%s: there are words in %v, want none", name, box)
		}
	}
	// Those who stand in one place do not write over each other: each says its words above those of the one before.
	last := 0
	for n := 1; n <= 3; n++ {
		box := changed(func(s *render.Scene, _ *render.Options) {
			for i := range s.Speeches {
				s.Speeches[i].Head, s.Speeches[i].Lines = s.Speeches[0].Head, []string{"Good morning!"}
			}
			s.Speeches = s.Speeches[:n]
		})
		if n > 1 && box.Dy() < last+20 {
			t.Errorf("%d in one place take %d rows of the picture, %d fewer take %d, want 20 more", n, box.Dy(), 1, last)
		}
		last = box.Dy()
	}
}
