package inproc

import (
	"testing"

	"github.com/limina-mcp/limina/bench/filler"
	"github.com/limina-mcp/limina/engine"
)

// BenchmarkStart is what a process does before it can serve, its own start aside: the catalogue, and
// that filled up to its future length.
func BenchmarkStart(b *testing.B) {
	b.Run("catalogue", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := engine.New(engine.Config{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("200 skills", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e, err := engine.New(engine.Config{})
			if err == nil {
				err = filler.Fill(e.Registry, fullCatalogue)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
