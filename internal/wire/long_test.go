package wire_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/internal/wire"
)

// TestLongKey: a key that no field has takes some times its own length, however many fields there are.
func TestLongKey(t *testing.T) {
	type in struct {
		A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T int
	}
	const size = 1 << 20
	text := []byte(`{"` + strings.Repeat("x", size) + `":1}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := wire.Unmarshal(text, new(in))
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "unknown field") || len(err.Error()) > 1000 {
		t.Errorf("the error has %d bytes: %.200s", len(err.Error()), err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 12*size {
		t.Errorf("a key of %d bytes took %d", size, took)
	}
}
