package numbered_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/skills/internal/numbered"
)

func TestComplete(t *testing.T) {
	few := numbered.IDs{Prefix: "ent_", First: 0, End: 125, Has: func(n uint64) bool { return n%2 == 0 }}
	many := numbered.IDs{Prefix: "evt_", First: 1000, End: 1_000_000, Has: func(uint64) bool { return true }}
	none := numbered.IDs{Prefix: "ent_", First: 0, End: math.MaxUint64, Has: func(uint64) bool { return false }}
	for _, tt := range []struct {
		ids     numbered.IDs
		written string
		want    string
	}{
		{few, "ent_1", "ent_10 ent_12 ent_14 ent_16 ent_18 ent_100 ent_102 ent_104 ent_106 ent_108 ent_110 ent_112 ent_114 ent_116 ent_118 ent_120 ent_122 ent_124"},
		{few, "12", "ent_12 ent_120 ent_122 ent_124"},
		{few, "ent_0", "ent_0"},
		{few, "ent_00", ""},
		{few, "ent_124", "ent_124"},
		{few, "ent_125", ""},
		{few, "door", ""},
		{few, "ent_-1", ""},
		{few, "ent_99999999999999999999", ""},
		{many, "evt_99999", "evt_99999 evt_999990 evt_999991 evt_999992 evt_999993 evt_999994 evt_999995 evt_999996 evt_999997 evt_999998 evt_999999"},
		{many, "evt_999", "100, more"},
		{many, "", "100, more"},
		{many, "ev", "100, more"},
		{many, "evt_", "100, more"},
		{none, "", "0, more"},
		{none, "ent_3", "0, more"},
	} {
		s := tt.ids.Complete(tt.written)
		got := strings.Join(s.Values, " ")
		if s.More {
			got = fmt.Sprint(len(s.Values), ", more")
		}
		if got != tt.want {
			t.Errorf("%q: %s, want %s", tt.written, got, tt.want)
		}
	}
	if s := few.Complete("e"); s.Values[0] != "ent_124" || s.Values[62] != "ent_0" || s.More {
		t.Errorf("the newest first: %v", s)
	}
}

// What is suggested is what a search through all ids finds.
func TestCompleteFindsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Uint64Range(0, 300).Draw(t, "first")
		end := first + rapid.Uint64Range(0, 300).Draw(t, "count")
		has := rapid.SliceOfNDistinct(rapid.Uint64Range(0, 600), 0, 90, rapid.ID).Draw(t, "there are")
		ids := numbered.IDs{Prefix: "x_", First: first, End: end, Has: func(n uint64) bool { return slices.Contains(has, n) }}
		digits := rapid.StringMatching("[0-9]{0,3}").Draw(t, "digits")
		var want []string
		for n := first; n < end; n++ {
			if text := fmt.Sprint(n); slices.Contains(has, n) && strings.HasPrefix(text, digits) {
				want = append(want, "x_"+text)
			}
		}
		got := slices.Sorted(slices.Values(ids.Complete("x_" + digits).Values))
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q of %d..%d %v: %v, want %v", digits, first, end, has, got, want)
		}
	})
}
