package durable

import (
	"testing"

	"github.com/limina-mcp/limina/world"
)

// BenchmarkOpen opens a world of 100,000 entities.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	w := world.New(world.Config{})
	s, err := Open(w, dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	_, err = w.Update(b.Context(), func(tx *world.Tx) error {
		for n := range 100_000 {
			id, err := tx.Create(world.Spec{Position: world.Vec3{float64(n % 100), 1, float64(n / 100)}})
			if err != nil {
				return err
			}
			if err := w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 1, 1}}); err != nil {
				return err
			}
			if err := w.Materials.Set(tx, id, world.Material{Name: "wood"}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		s, err := Open(world.New(world.Config{}), dir, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		_ = s.Close()
		b.StartTimer()
	}
}
