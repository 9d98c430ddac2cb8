package catalogue_test

import (
	"runtime"
	"strings"
	"testing"
)

// TestLongQuery: of a query as long as a message can be no more is looked at than of one that somebody has written.
func TestLongQuery(t *testing.T) {
	r := newRig(t)
	const size = 1 << 20
	input := `{"query":"weather ` + strings.Repeat("x ", size/2) + `"}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := r.call(builder, "skills.search", input)
	runtime.ReadMemStats(&after)
	if !strings.Contains(got, "world.setWeather") || len(got) > 10_000 {
		t.Errorf("it has %d bytes: %.200s", len(got), got)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 12*size {
		t.Errorf("a query of %d bytes took %d", size, took)
	}
}
