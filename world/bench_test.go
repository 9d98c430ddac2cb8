package world_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// scatter fills a world with n entities, evenly over a square in which a circle of 30 m holds
// about as many as in the state sync benchmark.
func scatter(tb testing.TB, w *world.World, n int) []world.ID {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	side := 240 * float64(n) / 2000
	if n > 2000 {
		side = 240 * 7.07 * float64(n) / 100_000
	}
	ids := make([]world.ID, 0, n)
	_, err := w.Update(context.Background(), func(tx *world.Tx) error {
		for range n {
			id, err := tx.Create(world.Spec{Position: world.Vec3{r.Float64() * side, r.Float64() * 4, r.Float64() * side}})
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return ids
}

type nothing struct{}

func BenchmarkDoSetPosition(b *testing.B) {
	w := world.New(world.Config{})
	ids := scatter(b, w, 2000)
	c := &call{agent: "ann", skill: "scene.createEntity"}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		id := ids[i%len(ids)]
		_, err := world.Do(w, c, func(tx *world.Tx) (nothing, error) {
			p, _ := tx.Position(id)
			p[0] += float64(i&7) - 3.5
			return nothing{}, tx.SetPosition(id, p)
		})
		if err != nil {
			b.Fatal(err)
		}
		c.end(uint64(i), false)
	}
}

func BenchmarkDoSetPositionObserved(b *testing.B) {
	w := world.New(world.Config{})
	ids := scatter(b, w, 2000)
	seen := 0
	defer w.Observe(func(c *world.Commit) { seen += len(c.Changes) })()
	c := &call{agent: "ann", skill: "scene.createEntity"}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		id := ids[i%len(ids)]
		_, err := world.Do(w, c, func(tx *world.Tx) (nothing, error) {
			p, _ := tx.Position(id)
			p[0] += float64(i&7) - 3.5
			return nothing{}, tx.SetPosition(id, p)
		})
		if err != nil {
			b.Fatal(err)
		}
		c.end(uint64(i), false)
	}
}

func BenchmarkDoCreate(b *testing.B) {
	w := world.New(world.Config{MaxEntities: 1 << 30})
	c := &call{agent: "ann", skill: "scene.createEntity"}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		_, err := world.Do(w, c, func(tx *world.Tx) (world.ID, error) {
			id, err := tx.Create(world.Spec{Position: world.Vec3{float64(i % 1000), 0, float64(i / 1000 % 1000)}})
			if err != nil {
				return 0, err
			}
			return id, w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 1, 1}, Color: 0xffffff})
		})
		if err != nil {
			b.Fatal(err)
		}
		c.end(uint64(i), false)
	}
}

func BenchmarkDoCreateDestroy(b *testing.B) {
	w := world.New(world.Config{})
	scatter(b, w, 2000)
	c := &call{agent: "ann", skill: "scene.createEntity"}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		_, err := world.Do(w, c, func(tx *world.Tx) (world.ID, error) {
			id, err := tx.Create(world.Spec{Position: world.Vec3{float64(i % 1000), 0, float64(i / 1000 % 1000)}})
			if err != nil {
				return 0, err
			}
			tx.Destroy(id)
			return id, nil
		})
		if err != nil {
			b.Fatal(err)
		}
		c.end(uint64(i), false)
	}
}

func BenchmarkRead(b *testing.B) {
	w := world.New(world.Config{})
	ids := scatter(b, w, 2000)
	c := &call{agent: "ann", skill: "scene.createEntity"}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = world.Read(w, c, func(v *world.View) (world.Vec3, error) {
			p, _ := v.Position(ids[7])
			return p, nil
		})
	}
}

func BenchmarkNear(b *testing.B) {
	for _, n := range []int{2000, 100_000} {
		for _, r := range []float64{10, 30} {
			b.Run(fmt.Sprintf("entities=%d/radius=%v", n, r), func(b *testing.B) {
				w := world.New(world.Config{})
				ids := scatter(b, w, n)
				var dst []world.ID
				hits, i := 0, 0
				w.View(func(v *world.View) {
					b.ReportAllocs()
					for b.Loop() {
						i += 7919
						p, _ := v.Position(ids[i%len(ids)])
						dst = v.AppendNear(dst[:0], p, r)
						hits += len(dst)
					}
				})
				b.ReportMetric(float64(hits)/float64(b.N), "hits/op")
			})
		}
	}
}

func BenchmarkHash(b *testing.B) {
	for _, n := range []int{2000, 100_000} {
		b.Run(fmt.Sprintf("entities=%d", n), func(b *testing.B) {
			w := world.New(world.Config{})
			ids := scatter(b, w, n)
			_, err := w.Update(context.Background(), func(tx *world.Tx) error {
				for _, id := range ids {
					if err := w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 2, 0.25}, Color: 0xff8800}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				w.Hash()
			}
		})
	}
}

func BenchmarkAppendEntity(b *testing.B) {
	w := world.New(world.Config{})
	ids := scatter(b, w, 10)
	_, err := w.Update(context.Background(), func(tx *world.Tx) error {
		if err := tx.SetName(ids[3], "table"); err != nil {
			return err
		}
		return w.Shapes.Set(tx, ids[3], world.Shape{Kind: "box", Size: world.Vec3{1, 2, 0.25}, Color: 0xff8800})
	})
	if err != nil {
		b.Fatal(err)
	}
	var dst []byte
	w.View(func(v *world.View) {
		b.ReportAllocs()
		for b.Loop() {
			dst = w.AppendEntity(dst[:0], v, ids[3])
		}
	})
	b.SetBytes(int64(len(dst)))
}

func BenchmarkStep(b *testing.B) {
	w := world.New(world.Config{})
	ids := scatter(b, w, 2000)
	w.OnStep("drift", func(tx *world.Tx) error {
		for _, id := range ids[:200] {
			p, _ := tx.Position(id)
			p[0] += tx.Rand().Float64() - 0.5
			if err := tx.SetPosition(id, p); err != nil {
				return err
			}
		}
		return nil
	})
	b.ReportAllocs()
	for b.Loop() {
		w.Step(context.Background())
	}
}

// BenchmarkSnapshot writes all of a world, as for a checkpoint, for which everybody waits; plain is what encoding/json takes.
func BenchmarkSnapshot(b *testing.B) {
	w := world.New(world.Config{})
	ids := scatter(b, w, 10_000)
	if _, err := w.Update(b.Context(), func(tx *world.Tx) error {
		for _, id := range ids {
			if err := w.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 1, 1}}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	var text []byte
	for name, write := range map[string]func(v *world.View){
		"written": func(v *world.View) { text = v.AppendSnapshot(text[:0]) },
		"plain":   func(v *world.View) { text = v.PlainSnapshot() },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.View(write)
			}
		})
	}
}
