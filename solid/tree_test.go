package solid

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A half is what a sorted list has for it, however the seats stand at first.
func TestHalve(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		axis := rapid.IntRange(0, 2).Draw(rt, "axis")
		widest := rapid.SampledFrom([]int{0, 1, 5, 1 << 20}).Draw(rt, "widest")
		places := rapid.SliceOfN(rapid.IntRange(-widest, widest), 1, 300).Draw(rt, "places")
		order := rapid.IntRange(0, 3).Draw(rt, "order")
		if order > 0 {
			slices.Sort(places)
		}
		switch order {
		case 2:
			slices.Reverse(places)
		case 3: // up and down again
			slices.Reverse(places[len(places)/2:])
		}
		seats := make([]seat, len(places))
		for i, p := range places {
			seats[i].leaf = int32(i)
			seats[i].centre[axis] = float64(p)
			seats[i].centre[(axis+1)%3] = float64(-i)
		}
		halve(seats, axis, rapid.IntRange(0, 20).Draw(rt, "rounds"))
		slices.Sort(places)
		got := make([]int, len(seats))
		seen := map[int32]bool{}
		for i, s := range seats {
			got[i] = int(s.centre[axis])
			seen[s.leaf] = true
		}
		slices.Sort(got[:len(got)/2])
		slices.Sort(got[len(got)/2:])
		if !slices.Equal(got, places) || len(seen) != len(seats) {
			rt.Fatalf("the halves are %v, of %v", got, places)
		}
	})
}
