package ws

import "sync"

// turn is held by the one who writes to a connection. It is a lock that can be waited for in fake time,
// that goes round in the order of asking, and that knows who did not wait.
type turn struct {
	mu      sync.Mutex // guards what follows, for moments
	held    bool
	wanted  bool            // try was in vain since
	waiting []chan struct{} // whoever waits, oldest first
}

// lock waits until the turn is the caller's.
func (t *turn) lock() {
	t.mu.Lock()
	if !t.held {
		t.held = true
		t.mu.Unlock()
		return
	}
	mine := make(chan struct{})
	t.waiting = append(t.waiting, mine)
	t.mu.Unlock()
	<-mine
}

// try takes the turn if nobody has it. If somebody has, his unlock says so.
func (t *turn) try() bool {
	t.mu.Lock()
	free := !t.held
	t.held, t.wanted = true, t.wanted || !free
	t.mu.Unlock()
	return free
}

// unlock gives the turn to whoever has waited longest, and reports whether somebody tried in vain.
func (t *turn) unlock() (wanted bool) {
	t.mu.Lock()
	wanted, t.wanted = t.wanted, false
	if len(t.waiting) > 0 {
		close(t.waiting[0])
		if t.waiting = t.waiting[1:]; len(t.waiting) == 0 {
			t.waiting = nil
		}
	} else {
		t.held = false
	}
	t.mu.Unlock()
	return wanted
}
