package server

import (
	"context"
	"sync"
	"time"
)

// wallClock is the time that others go by, who say in it when a token ends. It may be set, and it goes on while the machine sleeps, when the time by which
// durations and timers are measured stands still.
func wallClock() time.Time { return time.Now().Round(0) }

// moment is a time by both clocks.
type moment struct{ own, wall time.Time }

func now(wall func() time.Time) moment { return moment{time.Now(), wall()} }

// isAfter reports whether m is so long after another moment, by either clock.
func (m moment) isAfter(other moment, d time.Duration) bool {
	return m.own.Sub(other.own) >= d || m.wall.Sub(other.wall) >= d
}

// lookAgain is how long a timer waits at most for a time by the wall's clock, which may have been set meanwhile.
const lookAgain = 30 * time.Second

// end ends a context at a time by the wall's clock, soon after if that is set.
type end struct {
	at     time.Time
	wall   func() time.Time
	cancel context.CancelCauseFunc

	mu    sync.Mutex // guards what follows
	timer *time.Timer
	over  bool
}

// look ends the context if it is time.
func (e *end) look() {
	e.mu.Lock()
	defer e.mu.Unlock()
	left := min(e.at.Sub(e.wall()), lookAgain)
	switch {
	case e.over:
	case left <= 0:
		e.over = true
		e.cancel(errExpired)
	case e.timer == nil:
		e.timer = time.AfterFunc(left, e.look)
	default:
		e.timer.Reset(left)
	}
}

// stop lets the context go.
func (e *end) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	if e.timer != nil {
		e.timer.Stop()
	}
	e.cancel(nil)
}
