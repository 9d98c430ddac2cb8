package world_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/world"
)

// TestUnit: a direction has length 1 however short or long it is given, and what has none is said to have none.
func TestUnit(t *testing.T) {
	for _, size := range []float64{5e-324, 1e-200, 1, 1e200, math.MaxFloat64} {
		for _, v := range []world.Vec3{{size, 0, 0}, {0, -size, 0}, {size, -size, size}} {
			u, ok := v.Unit()
			if !ok || math.Abs(u.Len()-1) > 1e-15 {
				t.Errorf("of %v it is %v, %v", v, u, ok)
			}
			for i := range v {
				if (v[i] > 0) != (u[i] > 0) || (v[i] < 0) != (u[i] < 0) {
					t.Errorf("of %v it is %v, which points elsewhere", v, u)
				}
			}
		}
	}
	for _, v := range []world.Vec3{{}, {math.Inf(1), 0, 0}, {1, math.NaN(), 0}} {
		if u, ok := v.Unit(); ok {
			t.Errorf("of %v it is %v", v, u)
		}
	}
}
