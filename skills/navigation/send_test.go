package navigation

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/world"
)

// TestCut holds a way that is cut short to the length that it has then, and to the way that it was.
func TestCut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		point := rapid.Custom(func(rt *rapid.T) world.Vec3 {
			n := func(axis string) float64 { return float64(rapid.IntRange(-9, 9).Draw(rt, axis)) }
			return world.Vec3{n("x"), n("y"), n("z")}
		})
		at := point.Draw(rt, "at")
		points := rapid.SliceOfN(point, 1, 5).Draw(rt, "points")
		by := float64(rapid.IntRange(0, 3000).Draw(rt, "by")) / 100
		before := append([]world.Vec3{}, points...)
		long := length(at, points)
		got := cut(at, points, by)
		if want := max(0, long-by); math.Abs(length(at, got)-want) > 1e-9 {
			rt.Fatalf("%v from %v, cut by %v, is %v: %v long, want %v", before, at, by, got, length(at, got), want)
		}
		if end, _, left := follow(at, before, long-by); len(got) > 0 && (end.Dist(got[len(got)-1]) > 1e-9 || len(before)-len(left) > len(got)) {
			rt.Fatalf("%v from %v, cut by %v, ends at %v, want %v", before, at, by, got[len(got)-1], end)
		}
	})
}
