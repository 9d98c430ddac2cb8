package rapier

import (
	"runtime"
	"sync"
	"syscall"

	"github.com/tetratelabs/wazero/experimental"
)

// mapping is address space that gets memory where it is touched, in pages of 2 MiB if the kernel has them: with pages
// of 4 KiB the processor keeps looking up where they are. It never moves, and the garbage collector has
// nothing to do with it.
type mapping struct {
	b       []byte
	free    func()
	cleanup runtime.Cleanup
}

// mapped returns memory that may grow to limit bytes, nil if there is no address space for it.
func mapped(limit uint64) experimental.LinearMemory {
	b, err := syscall.Mmap(-1, 0, int(limit), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) // a kernel without them has small ones
	m := &mapping{b: b, free: sync.OnceFunc(func() { _ = syscall.Munmap(b) })}
	m.cleanup = runtime.AddCleanup(m, func(free func()) { free() }, m.free) // for an engine that nobody closes
	return m
}

// Reallocate returns the first n bytes.
func (m *mapping) Reallocate(n uint64) []byte {
	if n > uint64(len(m.b)) {
		return nil
	}
	return m.b[:n:n]
}

// Free gives the memory back.
func (m *mapping) Free() {
	m.cleanup.Stop()
	m.free()
}
