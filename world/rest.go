package world

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Activity says what a simulation step has to do.
type Activity uint8

const (
	// Idle says that a step would change nothing.
	Idle Activity = iota
	// Waiting says that it would, but nothing that cannot wait until somebody is there to see it.
	Waiting
	// Busy says that there is something that cannot wait, such as a walk, a timer or a body that falls.
	Busy
)

// BusyWhile returns the activity of what is Busy while fn says so, and Idle otherwise.
func BusyWhile(fn func(*View) bool) func(*View) Activity {
	needs("BusyWhile", fn != nil)
	return func(v *View) Activity {
		if fn(v) {
			return Busy
		}
		return Idle
	}
}

// idle reports whether the next step can be left out: it has nothing to do, and no gate holds it back. The lock
// is held.
func (w *World) idle() bool { return w.activity() == Idle && w.gated() == nil }

// activity returns what the next step has to do. The lock is held, for reading at least.
func (w *World) activity() Activity {
	most := Idle
	for i := range w.stepping {
		most = max(most, w.stepping[i].activity(&w.view))
	}
	return most
}

// rest is time that passes while steps have nothing to do. Run sleeps then, and steps are counted when
// somebody wants to know, by the clock: at the begin of a transaction, which ends the rest, and when
// their number is asked for. A transaction after which there still is nothing to do lets it go on.
type rest struct {
	on   atomic.Bool // changed under World.mu, held for writing, and under mu
	mu   sync.Mutex
	pace pace // of the steps, those counted taken

	begun     uint // transactions so far; guarded by World.mu
	seen      uint // … when Run looked
	suspended bool // the open transaction has ended it
	left      int  // how many transactions may come before the next step is due
}

// crowd is how many transactions in a step's time are too many for a rest: to look at the clock at each would take
// longer than the steps.
const crowd = 4

// keepUp counts the steps that were due during a rest and returns their number.
func (w *World) keepUp() uint64 {
	r := &w.rest
	if !r.on.Load() {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.on.Load() {
		return 0
	}
	n := r.pace.passed(time.Now())
	w.steps.Add(n)
	return n
}

// set begins or ends a rest. World.mu is held for writing.
func (r *rest) set(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.on.Store(on)
}

// suspend ends a rest for the transaction that begins.
func (w *World) suspend() {
	if w.rest.left--; w.keepUp() > 0 {
		w.rest.left = crowd
	}
	w.rest.suspended = true
	w.rest.set(false)
}

// resume has the rest go on that the open transaction has ended, or, if there is something to do now, tells Run.
// It tells Run too if there are many transactions.
func (w *World) resume() {
	w.rest.suspended = false
	if w.rest.left > 0 && w.idle() {
		w.rest.set(true)
		return
	}
	w.Wake()
}

// restFrom rests, if the steps have nothing to do, until something happens, and returns the pace to go on at.
func (w *World) restFrom(ctx context.Context, p pace) pace {
	if !w.lieDown(p) {
		return p
	}
	w.await(ctx, -1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.keepUp()
	w.rest.set(false)
	return w.rest.pace
}

// lieDown begins a rest, unless there is something to do or there are many transactions.
func (w *World) lieDown(p pace) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &w.rest
	begun := r.begun - r.seen
	r.seen = r.begun
	if begun > crowd || !w.idle() {
		return false
	}
	r.pace, r.left = p, crowd
	r.set(true)
	return true
}
