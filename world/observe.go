package world

import "slices"

type observer struct{ fn func(*Commit) }

// Observe has fn called with every commit from now on: in commit order, on the goroutine that
// commits, before the world is unlocked. So fn sees the world as the commit left it, through
// [Commit.View], and delays everybody: it copies what it needs and returns. The commit belongs to
// the world and is not to be kept or changed. fn must not call the world otherwise.
//
// stop ends it; a commit that is under way may still be shown. To observe from a known state on,
// call Observe inside [World.View].
func (w *World) Observe(fn func(*Commit)) (stop func()) {
	o := &observer{fn}
	w.watch(func(all []*observer) []*observer { return append(all, o) })
	return func() {
		w.watch(func(all []*observer) []*observer {
			return slices.DeleteFunc(all, func(x *observer) bool { return x == o })
		})
	}
}

// OnCommit has fn called with every transaction that is committed, before those who observe: for
// packages that keep something beside the world, like an index, and are told first. changes are one
// per entity, in the order in which they were first changed, those that were created and destroyed
// in one transaction included; they and the view are valid while fn runs. fn must not change the
// world.
func (w *World) OnCommit(fn func(v *View, changes []Change)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ending = append(w.ending, fn)
}

func (w *World) watch(change func([]*observer) []*observer) {
	w.watching.Lock()
	defer w.watching.Unlock()
	var all []*observer
	if now := w.observers.Load(); now != nil {
		all = slices.Clone(*now)
	}
	all = change(all)
	if len(all) == 0 {
		w.observers.Store(nil)
		return
	}
	w.observers.Store(&all)
}
