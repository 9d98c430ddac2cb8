package statesync

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

func TestPlaceIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := newQuantum(rapid.IntRange(1, 16).Draw(t, "bits"))
		x := rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.Float64Range(-3.4e38, 3.4e38), rapid.SampledFrom([]float64{q.limit, -q.limit, math.Nextafter(q.limit, 1e300)}))
		p := world.Vec3{x.Draw(t, "x"), x.Draw(t, "y"), x.Draw(t, "z")}
		got := q.place(&p)
		fits := true
		for i := range p {
			fits = fits && math.Abs(p[i]) <= q.limit
		}
		if (got == far) == fits {
			t.Fatalf("place(%v) = %v with a limit of %v", p, got, q.limit)
		}
		for i := range p {
			if off := math.Abs(float64(got[i])/q.scale - p[i]); got != far && off > 0.5/q.scale {
				t.Errorf("place(%v)[%d] is off by %v, more than half of 1/%v", p, i, off, q.scale)
			}
			if got != far && (got[i] > 1<<30-1 || got[i] < -(1<<30-1)) {
				t.Errorf("place(%v) = %v: differences do not fit into 32 bits", p, got)
			}
		}
	})
}

func TestNoTurn(t *testing.T) {
	for _, q := range []world.Quat{{0, 0, 0, 1}, {0, 0, 0, -1}, {1e-5, -1e-5, 0, 1}} {
		if got := packTurn(&q); got != noTurn {
			t.Errorf("packTurn(%v) = %x, want %x", q, got, uint32(noTurn))
		}
	}
}

func TestAppendInt(t *testing.T) {
	makeShortInts()
	for _, n := range []int32{0, 1, -1, 9, 10, 99, 100, 999, -999, 1000, -1000, math.MaxInt32, -math.MaxInt32} {
		want := appendInts(nil, int64(n))
		if got := appendInt(nil, n); string(got) != string(want) {
			t.Errorf("appendInt(%d) = %q, want %q", n, got, want)
		}
	}
}
