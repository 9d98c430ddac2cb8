package world

import "time"

// Alarm is what [World.Run] sleeps by. A world needs one of its own. Package world/alarm has one that takes less of the
// processor than Go's timers.
type Alarm interface {
	// Wait returns when d has passed, or when Ring is called, or at once if it was since the last Wait. It may
	// return earlier. A d below 0 is for ever. Only one Wait goes on at a time.
	Wait(d time.Duration)

	// Ring ends a Wait: the one that is going on, or else the next. It never blocks, and anybody may call it.
	Ring()
}

// timer is an Alarm by Go's timers. It holds one ring.
type timer chan struct{}

func (t timer) Wait(d time.Duration) {
	if d < 0 {
		<-t
		return
	}
	due := time.NewTimer(d)
	defer due.Stop()
	select {
	case <-t:
	case <-due.C:
	}
}

func (t timer) Ring() {
	select {
	case t <- struct{}{}:
	default: // the next Wait ends anyway
	}
}
