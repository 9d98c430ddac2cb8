package world

// Helper does what commits cause, such as to tell viewers, on goroutines of its own. To wake one takes as long as to tell a few
// viewers, and what it needs is in another processor's cache. So [World.Run], which sleeps between steps, lends its own goroutine.
type Helper interface {
	// Hold says that Run is about to commit a step: what that causes need not be begun before Release, which
	// comes soon. It is called with the world locked, must not wait and must not call the world.
	Hold()

	// Release ends Hold. With spare, Run has nothing to do for now: what is little may be done here and
	// now. Without, the next step is due. The world is unlocked. Release may come without Hold, and after
	// the end of help.
	Release(spare bool)
}

// Help has Run lend h its goroutine, until stop is called.
func (w *World) Help(h Helper) (stop func()) {
	if h == nil {
		panic("world: Help: the helper is nil")
	}
	return w.helpers.add(h)
}

// hold tells the helpers that a step is about to be committed.
func (w *World) hold() {
	for _, h := range w.helpers.all() {
		(*h).Hold()
	}
}

// release tells them that it is over.
func (w *World) release(spare bool) {
	for _, h := range w.helpers.all() {
		(*h).Release(spare)
	}
}
