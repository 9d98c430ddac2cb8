package mcp

import (
	"runtime"
	"sync"
)

// quantum is how many messages a connection may have run before others that wait get their turn.
const quantum = 16

// turns shares the machine among connections: as many as there are processors run their messages at
// a time, the others wait in the order in which they came. So who sends thousands of calls at once
// holds up nobody for longer than a few of them take.
type turns struct {
	mu    sync.Mutex // guards what follows
	free  int
	queue []*turn
}

func newTurns(width int) *turns { return &turns{free: width} }

// turn is one connection's part. It belongs to the reading goroutine.
type turn struct {
	all   *turns
	ready chan struct{} // it is this connection's turn; nil before it first had to wait
	has   bool
	left  int // messages
}

func (t *turns) join() turn { return turn{all: t} }

// step is called before each message, and waits while it is others' turn.
func (t *turn) step() {
	if t.has && t.left > 0 {
		t.left--
		return
	}
	all := t.all
	all.mu.Lock()
	waits := false
	yields := t.has && all.free == 0 // with a processor to spare nobody needs this one
	switch {
	case t.has && len(all.queue) > 0:
		all.passOn()
		waits = true
	case t.has:
	case all.free > 0:
		all.free--
	default:
		waits = true
	}
	if waits {
		if t.ready == nil {
			t.ready = make(chan struct{}, 1)
		}
		all.queue = append(all.queue, t)
	}
	all.mu.Unlock()
	switch {
	case waits:
		<-t.ready
	case yields:
		runtime.Gosched() // to those who have not got as far as to wait
	}
	t.has, t.left = true, quantum-1
}

// passOn gives a turn to the first who waits. mu is held, and there is one.
func (t *turns) passOn() {
	first := t.queue[0]
	t.queue[0] = nil
	t.queue = t.queue[1:]
	if len(t.queue) == 0 {
		t.queue = nil
	}
	first.ready <- struct{}{}
}

// end gives the turn back.
func (t *turn) end() {
	if !t.has {
		return
	}
	t.has, t.left = false, 0
	all := t.all
	all.mu.Lock()
	defer all.mu.Unlock()
	if len(all.queue) > 0 {
		all.passOn()
		return
	}
	all.free++
}

// waiting returns how many connections wait for their turn.
func (t *turns) waiting() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.queue)
}
