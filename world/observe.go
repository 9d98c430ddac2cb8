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
