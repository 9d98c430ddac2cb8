package decimal_test

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/internal/decimal"
)

// TestAppend writes what strconv does, of numbers at the ends of every width and at random.
func TestAppend(t *testing.T) {
	check := func(t interface{ Errorf(string, ...any) }, dst []byte, n uint64) {
		want := strconv.AppendUint(append([]byte(nil), dst...), n, 10)
		if got := decimal.Append(dst, n); string(got) != string(want) {
			t.Errorf("Append(%q, %d) = %q", dst, n, got)
		}
		want = strconv.AppendInt(append([]byte(nil), dst...), int64(n), 10)
		if got := decimal.AppendInt(dst, int64(n)); string(got) != string(want) {
			t.Errorf("AppendInt(%q, %d) = %q", dst, int64(n), got)
		}
	}
	check(t, nil, math.MaxUint64)
	for n, ok := uint64(1), true; ok; n, ok = n*10, n <= math.MaxUint64/10 {
		check(t, nil, n-1)
		check(t, nil, n)
		check(t, nil, n+1)
	}
	for n := range 64 {
		check(t, nil, 1<<n-1)
		check(t, nil, 1<<n)
	}
	rapid.Check(t, func(t *rapid.T) {
		dst := make([]byte, rapid.IntRange(0, 30).Draw(t, "len"), 30+rapid.IntRange(0, 30).Draw(t, "more"))
		check(t, dst, rapid.Uint64().Draw(t, "n")>>rapid.IntRange(0, 63).Draw(t, "shift"))
	})
}

func BenchmarkAppend(b *testing.B) {
	var buf [32]byte
	b.Run("decimal", func(b *testing.B) {
		for i := range uint64(b.N) {
			decimal.Append(buf[:0], i)
		}
	})
	b.Run("strconv", func(b *testing.B) {
		for i := range uint64(b.N) {
			strconv.AppendUint(buf[:0], i, 10)
		}
	})
}
