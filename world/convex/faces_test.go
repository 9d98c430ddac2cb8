package convex

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestFacesOfHulls: the faces that are found by way of a hull are those that are found by trying all planes.
func TestFacesOfHulls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(-3, 3)
		if rapid.Bool().Draw(t, "grid") { // many are in one plane, and in one line
			at = rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) })
		}
		list := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) Vec { return Vec{at.Draw(t, "x"), at.Draw(t, "y"), at.Draw(t, "z")} }), 4, 30, func(v Vec) Vec { return v }).Draw(t, "points")
		const size = 6
		sides := triangles(list, size)
		if sides == nil {
			t.Skip()
		}
		got, known := through(slices.Values(sides), list, size)
		if !covered(sides, known) {
			t.Skip()
		}
		want, _ := through(triples(len(list)), list, size)
		if volume(want, size) < 0.1 { // what is nearly flat has no faces to speak of
			t.Skip()
		}
		among := func(a, b []Face, what string) {
			for _, f := range a {
				if !slices.ContainsFunc(b, func(o Face) bool { return length(sub(f.Normal, o.Normal)) < 1e-2 && math.Abs(f.Off-o.Off) < 1e-3 }) {
					t.Fatalf("%v is %s", f, what)
				}
			}
		}
		among(want, got, "missing") // of what is nearly in one plane it is either one or two
		among(got, want, "none")
	})
}
