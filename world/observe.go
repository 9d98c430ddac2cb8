package world

import (
	"slices"
	"sync"
	"sync/atomic"
)

// listeners are who wants to be told. They may be read while one comes or goes.
type listeners[T any] struct {
	now atomic.Pointer[[]*T]
	mu  sync.Mutex // held by who changes them
}

// add adds x, until remove is called.
func (l *listeners[T]) add(x T) (remove func()) {
	mine := &x
	l.change(func(all []*T) []*T { return append(all, mine) })
	return func() {
		l.change(func(all []*T) []*T { return slices.DeleteFunc(all, func(x *T) bool { return x == mine }) })
	}
}

func (l *listeners[T]) change(to func([]*T) []*T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := to(slices.Clone(l.all()))
	l.now.Store(&all)
}

// all returns them. They are not to be changed.
func (l *listeners[T]) all() []*T {
	if now := l.now.Load(); now != nil {
		return *now
	}
	return nil
}

// Observe has fn called with every commit from now on: in commit order, on the goroutine that
// commits, before the world is unlocked. So fn sees the world as the commit left it, through
// [Commit.View], and delays everybody: it copies what it needs and returns. The commit belongs to
// the world and is not to be kept or changed. fn must not call the world otherwise. It must not panic: the commit is done, what
// it panics with comes out where the commit was made, in a server the process ends by it, and observers behind it have not seen the commit.
//
// stop ends it; a commit that is under way may still be shown. To observe from a known state on,
// call Observe inside [World.View].
func (w *World) Observe(fn func(*Commit)) (stop func()) {
	needs("Observe", fn != nil)
	return w.observers.add(fn)
}

// needs panics if a function that the world is to call later is nil: later, in the middle of somebody's commit, nobody could tell
// whose it is.
func needs(method string, given bool) {
	if !given {
		panic("world: " + method + ": the function is nil")
	}
}

// OnCommit has fn called with every transaction that is committed, before those who observe: for
// packages that keep something beside the world, like an index, and are told first. changes are one
// per entity, in the order in which they were first changed, those that were created and destroyed
// in one transaction included; they and the view are valid while fn runs. fn must not change the
// world.
func (w *World) OnCommit(fn func(v *View, changes []Change)) {
	needs("OnCommit", fn != nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ending = append(w.ending, fn)
}
