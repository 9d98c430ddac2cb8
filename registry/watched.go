package registry

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// watched is an immutable value that is replaced as a whole, and those who want to know when: the set
// of skills, of resources, of prompts. All methods may be called concurrently.
type watched[S any] struct {
	now atomic.Pointer[S]

	mu       sync.Mutex // guards changes of now, and watchers
	watchers map[int]func()
	seq      int
}

// Load returns the value as it is.
func (x *watched[S]) Load() *S { return x.now.Load() }

// change replaces the value by what next makes of it. If next fails, it stays.
func (x *watched[S]) change(next func(old *S) (*S, error)) error {
	x.mu.Lock()
	now, err := next(x.now.Load())
	if err != nil {
		x.mu.Unlock()
		return err
	}
	x.now.Store(now)
	watchers := slices.Collect(maps.Values(x.watchers))
	x.mu.Unlock()
	for _, notify := range watchers {
		notify()
	}
	return nil
}

// watch has notify called after every change, on the goroutine that made it, until stop is called.
func (x *watched[S]) watch(notify func()) (stop func()) {
	if notify == nil { // who changes the set would call it
		panic("registry: Watch: the function is nil")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.watchers == nil {
		x.watchers = map[int]func(){}
	}
	x.seq++
	id := x.seq
	x.watchers[id] = notify
	return func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		delete(x.watchers, id)
	}
}
