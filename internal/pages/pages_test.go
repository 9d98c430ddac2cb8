package pages_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/internal/pages"
)

// TestOf holds pages against a map of them: small numbers, such as are at the ends of blocks and of spans, and such as come after a thousand kills.
func TestOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Custom(func(t *rapid.T) uint64 {
			from := rapid.SampledFrom([]uint64{0, 1, 510, 1<<9 + 510, 40<<9 - 2, 1<<14 - 2, 3<<14 + 1<<9 - 1, 1 << 22}).Draw(t, "from")
			return from + rapid.Uint64Range(0, 3).Draw(t, "more")
		})
		var got pages.Of[int]
		want := map[uint64]*int{}
		check := func(k uint64) {
			if p := got.At(k); p != want[k] {
				t.Fatalf("page %d is %p, want %p", k, p, want[k])
			}
			next, before, hasNext, hasBefore := uint64(0), uint64(0), false, false
			for n := range want {
				if n >= k && (!hasNext || n < next) {
					next, hasNext = n, true
				}
				if n < k && (!hasBefore || n > before) {
					before, hasBefore = n, true
				}
			}
			if n, p := got.From(k); (p != nil) != hasNext || hasNext && (n != next || p != want[next]) {
				t.Fatalf("from %d on the first is %d (%v), want %d (%v)", k, n, p != nil, next, hasNext)
			}
			if n, p := got.Before(k); (p != nil) != hasBefore || hasBefore && (n != before || p != want[before]) {
				t.Fatalf("before %d the last is %d (%v), want %d (%v)", k, n, p != nil, before, hasBefore)
			}
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			k := number.Draw(t, "number")
			if rapid.IntRange(0, 2).Draw(t, "what") == 0 {
				got.Drop(k)
				delete(want, k)
			} else {
				if want[k] != nil {
					got.Drop(k)
				}
				want[k] = new(int)
				got.Put(k, want[k])
			}
			check(k)
			check(k + 1)
			check(number.Draw(t, "other"))
		}
		for _, k := range []uint64{0, 1 << 56, ^uint64(0)} {
			check(k)
		}
	})
}
