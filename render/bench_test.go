package render_test

import (
	"testing"

	"github.com/limina-mcp/limina/render"
)

// BenchmarkTown draws 500 boxes in 640×480 pixels.
func BenchmarkTown(b *testing.B) {
	s := boxes(500)
	for _, c := range []struct {
		name    string
		options render.Options
	}{
		{"plain", render.Options{Grid: true, NoShadows: true}},
		{"shadows", render.Options{Grid: true}},
		{"coarse", render.Options{Grid: true, NoShadows: true, Coarse: true}},
		{"coarse shadows", render.Options{Grid: true, Coarse: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := render.Draw(s, c.options); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEncode makes files of that picture.
func BenchmarkEncode(b *testing.B) {
	pic, err := render.Draw(boxes(500), render.Options{Grid: true})
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range []render.Format{render.Auto, render.PNG, render.JPEG} {
		b.Run(string(f), func(b *testing.B) {
			for b.Loop() {
				if _, err := pic.Encode(f, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
