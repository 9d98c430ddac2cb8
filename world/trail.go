package world

import "sync/atomic"

// Trail tells somebody who keeps something that follows from the world, such as an index, which entities have changed since he last looked:
// by commits, and by what the transaction of his view has done so far, or has taken back. It costs nothing until it is first followed. Its methods are
// called through a view by one goroutine at a time, but for Current, which several may call while nobody calls another one.
type Trail struct {
	most   func() int // how many changes are remembered for who does not ask
	forget func()

	active atomic.Bool
	stale  []ID // what commits have changed since it was last followed
	seen   Cursor
	maybe  []ID // what has been told of the transaction that seen follows: if that is taken back it is stale
}

// NewTrail returns a trail of a world. If nobody follows it for so long that more than most() changes wait it ends, forget is called, in a commit, and
// the next Follow begins anew.
func (w *World) NewTrail(most func() int, forget func()) *Trail {
	t := &Trail{most: most, forget: forget}
	w.OnCommit(t.note)
	return t
}

// note remembers what a commit has changed.
func (t *Trail) note(_ *View, changes []Change) {
	if !t.active.Load() {
		return
	}
	if len(t.stale) > t.most() {
		t.active.Store(false)
		t.stale = nil
		t.forget()
		return
	}
	for i := range changes {
		t.stale = append(t.stale, changes[i].ID)
	}
}

// Current reports whether there is nothing to follow.
func (t *Trail) Current(v *View) bool {
	return t.active.Load() && len(t.stale) == 0 && !v.Behind(&t.seen)
}

// Follow calls begin if the trail is new, or was forgotten, for what follows from all of the world; then, and else, update with each entity that has changed
// since, which may be destroyed, and come several times.
func (t *Trail) Follow(v *View, begin func(), update func(ID)) {
	if !t.active.Load() {
		begin()
		t.active.Store(true)
	}
	fresh := len(t.maybe)
	touched := func(id ID) {
		if last := len(t.maybe) - 1; last < fresh || t.maybe[last] != id { // one change has several records
			t.maybe = append(t.maybe, id)
		}
	}
	if v.Follow(&t.seen, touched) {
		t.stale = append(t.stale, t.maybe[:fresh]...)
		t.maybe = append(t.maybe[:0], t.maybe[fresh:]...)
		fresh = 0
	}
	for _, id := range t.stale {
		update(id)
	}
	for _, id := range t.maybe[fresh:] {
		update(id)
	}
	t.stale = t.stale[:0]
}
