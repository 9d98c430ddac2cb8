package rapier

import "github.com/tetratelabs/wazero/experimental"

// linear returns the memory of an engine, which may grow to limit bytes. It is the operating system's where that has
// something to offer, because an engine goes through some megabytes in every step and most of what it then waits for
// is memory; elsewhere it is Go's.
func linear(_, limit uint64) experimental.LinearMemory {
	if m := mapped(limit); m != nil {
		return m
	}
	return &heap{}
}

// heap is memory of Go's.
type heap struct{ b []byte }

// Reallocate returns n bytes that begin with those that there were.
func (h *heap) Reallocate(n uint64) []byte {
	if n > uint64(cap(h.b)) {
		h.b = append(h.b, make([]byte, n-uint64(len(h.b)))...)
	}
	h.b = h.b[:n]
	return h.b
}

// Free lets go of the memory.
func (h *heap) Free() { h.b = nil }
