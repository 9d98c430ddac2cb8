package goroutine_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/limina-mcp/limina/internal/goroutine"
)

// deep has the stack grow, which moves it.
func deep(n int) byte {
	var room [1 << 10]byte
	if n > 0 {
		room[n%len(room)] = deep(n - 1)
	}
	return room[0]
}

// TestID has goroutines that are there at the same time tell theirs: each keeps its own, whatever it does meanwhile, and no two have the same.
func TestID(t *testing.T) {
	if goroutine.ID() == 0 {
		t.Skipf("not known on %s", runtime.GOARCH)
	}
	const many = 100
	ids := make([]uintptr, many)
	var told, done sync.WaitGroup
	told.Add(many)
	for i := range many {
		done.Go(func() {
			ids[i] = goroutine.ID()
			told.Done()
			told.Wait() // all of them are there
			deep(100)
			runtime.Gosched()
			if now := goroutine.ID(); now != ids[i] {
				t.Errorf("goroutine %d had %x and has %x", i, ids[i], now)
			}
		})
	}
	done.Wait()
	seen := map[uintptr]int{}
	for i, id := range ids {
		if other, ok := seen[id]; ok || id == 0 {
			t.Errorf("goroutines %d and %d have %x", i, other, id)
		}
		seen[id] = i
	}
}

func BenchmarkID(b *testing.B) {
	for b.Loop() {
		goroutine.ID()
	}
}
