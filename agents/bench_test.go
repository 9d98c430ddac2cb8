package agents_test

import (
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/world"
)

func name(i int) string { return fmt.Sprintf("agent-%d", i) }

// crowd makes a world of so many entities, the first of them bodies, in a square of 240 m.
func crowd(tb testing.TB, s scene, bodies, entities int) {
	tb.Helper()
	s.must(tb, func(tx *world.Tx) error {
		for i := range entities {
			spec := world.Spec{Position: world.Vec3{tx.Rand().Float64() * 240, 0, tx.Rand().Float64() * 240}}
			if i%4 == 0 {
				spec.Name, spec.Tags = "thing", []string{"wall", "stone"}
			}
			id, err := tx.Create(spec)
			if err != nil {
				return err
			}
			if i < bodies {
				if err := s.Embody(tx, name(i), id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// BenchmarkPerceive has 200 agents perceive once, in a world of 2,000 entities.
func BenchmarkPerceive(b *testing.B) {
	for _, radius := range []float64{10, 20, 40} {
		b.Run(fmt.Sprintf("radius=%v", radius), func(b *testing.B) {
			s := newScene()
			crowd(b, s, 200, 2000)
			names := make([]string, 200)
			for i := range names {
				names[i] = name(i)
			}
			seen := 0
			b.ReportAllocs()
			for b.Loop() {
				s.View(func(v *world.View) {
					for _, n := range names {
						p, err := s.Perceive(v, n, radius, 32)
						if err != nil {
							b.Fatal(err)
						}
						seen += len(p.Seen) + p.More
					}
				})
			}
			b.ReportMetric(float64(seen)/float64(b.N)/200, "seen/agent")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/agent")
		})
	}
}

// BenchmarkWalk is a step in which 200 agents walk.
func BenchmarkWalk(b *testing.B) {
	s := newScene()
	crowd(b, s, 200, 2000)
	s.must(b, func(tx *world.Tx) error {
		for i := range 200 {
			if err := s.Approach(tx, name(i), agents.Target{Point: world.Vec3{1e12, 0, 0}}, 0); err != nil {
				return err
			}
		}
		return nil
	})
	b.ReportAllocs()
	for b.Loop() {
		s.Step(b.Context())
	}
}
