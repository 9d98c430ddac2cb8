package world

import (
	"sync"
	"sync/atomic"

	"github.com/limina-mcp/limina/internal/goroutine"
)

// lock is the lock of a world. Whoever asks for it again while he has it would wait for himself for ever, and everybody for him: he is told
// so, by errHeld, before he waits. Where goroutines cannot be told apart ([goroutine.ID]) he waits.
//
// A Lock is given back by the goroutine that has taken it.
type lock struct {
	sync.RWMutex
	writer  atomic.Uintptr // the goroutine that has it for writing; 0: nobody
	readers [64]reader     // those that have it for reading, each in the place that its number gives it, if that is free
}

type reader struct {
	of atomic.Uintptr
	_  [56]byte // so that readers on different processors do not share a line of their caches
}

// errHeld is the refusal of who would wait for himself. Engine code makes that mistake, and its author is to read what to do.
var errHeld = &Error{
	Code: "handler_error",
	Message: "the world is locked by the very goroutine that asks for it, which would wait for itself for ever: inside world.Do, Read, Update, View, a step or an observer, " +
		"use the transaction or view that you were handed; a handler calls other skills by Call.Invoke, a step by Registry.InvokeIn",
}

// held returns errHeld if a goroutine has the lock.
func (l *lock) held(g uintptr) error {
	if g != 0 && (l.writer.Load() == g || l.place(g).Load() == g) {
		return errHeld
	}
	return nil
}

// Locked returns an error if the goroutine that asks has the world locked, as inside [Do], [Read], [World.Update], [World.View], a step or an observer, else nil. It is for who would wait for
// something that needs the world, such as a write of it to the disk, and so would wait for himself. Where goroutines cannot be told apart, on processors other than amd64 and arm64, it is nil.
func (w *World) Locked() error { return w.mu.held(goroutine.ID()) }

func (l *lock) place(g uintptr) *atomic.Uintptr {
	const golden = 0x9E3779B97F4A7C15 // the low bits of a number say nothing: it is the address of something aligned
	return &l.readers[uint64(g)*golden>>58].of
}

// take locks for writing, or returns errHeld.
func (l *lock) take() error {
	g := goroutine.ID()
	if err := l.held(g); err != nil {
		return err
	}
	l.RWMutex.Lock()
	l.writer.Store(g)
	return nil
}

// share locks for reading, or returns errHeld.
func (l *lock) share() error {
	g := goroutine.ID()
	if err := l.held(g); err != nil {
		return err
	}
	l.RWMutex.RLock()
	if g != 0 {
		l.place(g).CompareAndSwap(0, g)
	}
	return nil
}

// Lock is take for who can return no error: it panics.
func (l *lock) Lock() {
	if err := l.take(); err != nil {
		panic(err)
	}
}

// Unlock is the opposite of Lock and take.
func (l *lock) Unlock() {
	l.writer.Store(0)
	l.RWMutex.Unlock()
}

// RLock is share for who can return no error: it panics.
func (l *lock) RLock() {
	if err := l.share(); err != nil {
		panic(err)
	}
}

// RUnlock is the opposite of RLock and share.
func (l *lock) RUnlock() {
	if g := goroutine.ID(); g != 0 {
		if at := l.place(g); at.Load() == g {
			at.Store(0)
		}
	}
	l.RWMutex.RUnlock()
}
