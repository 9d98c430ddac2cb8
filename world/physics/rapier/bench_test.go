package rapier_test

import (
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/world/physics"
)

// BenchmarkAwake reads the state of so many bodies that move.
func BenchmarkAwake(b *testing.B) {
	for _, n := range []int{200, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rig{open(b), b}
			heap(r, n)
			r.steps(10)
			var all []physics.State
			for b.Loop() {
				var err error
				all, err = r.Awake(all[:0])
				r.must(err)
			}
			b.ReportMetric(float64(len(all)), "awake")
		})
	}
}
