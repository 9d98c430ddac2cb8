package server

import (
	"container/list"
	"net/netip"
	"runtime"
	"sync"
	"time"
)

// handshakes bounds the processor time that the TLS of those who have just come takes. A handshake is a private key's work, a millisecond with RSA, which
// costs whoever asks for it nothing, so that a few thousand a second would have all processors. So as many as there are half the
// processors are computed at a time, and the others wait for a turn: that lasts from when something has been read
// until more is to be read or written, so that nobody has it who is waited for. Who has been answered goes before those who have
// not, since else what was done for him is for nothing; of the others each address has a turn after the other, and of one address who has come last,
// since he has the most time left. The methods may be called concurrently.
type handshakes struct {
	patience time.Duration // of one who waits

	mu     sync.Mutex // guards what follows, and the shake of every incoming
	free   int
	begun  list.List // of *incoming that have been answered
	lines  map[netip.Prefix]*shakeLine
	ring   list.List // of *shakeLine: the first has the next turn
	waits  int
	missed uint64 // that have waited in vain
}

// shakeLine are those of one address who wait and have not been answered.
type shakeLine struct {
	from    netip.Prefix
	waiting list.List // of *incoming, the newest first
	place   *list.Element
}

// shake is what handshakes know of one connection.
type shake struct {
	has   bool          // a turn
	begun bool          // it has been answered
	gone  bool          // it has been closed
	ready chan struct{} // closed when it need not wait any more; nil: it does not wait
	line  *shakeLine    // nil: handshakes.begun
	place *list.Element // in there
}

// newHandshakes returns turns for those who may take so long until they have said something.
func newHandshakes(patience time.Duration) *handshakes {
	return &handshakes{patience: patience / 2, free: max(runtime.GOMAXPROCS(0)/2, 1), lines: map[netip.Prefix]*shakeLine{}}
}

// take waits for a turn, which give ends. It reports false if there is none in time, or the connection is closed.
func (h *handshakes) take(c *incoming) bool {
	ready := h.join(c)
	if ready == nil {
		return true
	}
	timer := time.NewTimer(h.patience)
	defer timer.Stop()
	select {
	case <-ready:
	case <-timer.C:
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.drop(c) {
		h.missed++
	}
	return c.shake.has
}

// join gives a turn, or a place in a line: then it returns what is closed when the connection has had to wait.
func (h *handshakes) join(c *incoming) (ready <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := &c.shake
	s.ready = make(chan struct{})
	switch {
	case s.gone:
		close(s.ready)
		ready, s.ready = s.ready, nil
		return ready
	case h.free > 0:
		h.free--
		s.has, s.ready = true, nil
		return nil
	case s.begun:
		s.place = h.begun.PushBack(c)
	default:
		from := originOf(c.Conn)
		s.line = h.lines[from]
		if s.line == nil {
			s.line = &shakeLine{from: from}
			h.lines[from], s.line.place = s.line, h.ring.PushBack(s.line)
		}
		s.place = s.line.waiting.PushFront(c)
	}
	h.waits++
	return s.ready
}

// give ends the turn of a connection, if it has one, and gives it to the next.
func (h *handshakes) give(c *incoming) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pass(c)
}

// done is give of a connection for which what it has asked for has been computed.
func (h *handshakes) done(c *incoming) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.shake.begun = true
	h.pass(c)
}

// leave is give of a connection that has been closed: nor does it wait any more.
func (h *handshakes) leave(c *incoming) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.shake.gone = true
	h.drop(c)
	h.pass(c)
}

// pass is give with h.mu held.
func (h *handshakes) pass(c *incoming) {
	if !c.shake.has {
		return
	}
	c.shake.has = false
	next := h.next()
	if next == nil {
		h.free++
		return
	}
	h.drop(next)
	next.shake.has = true
}

// next returns who has the next turn, nil for nobody. h.mu is held.
func (h *handshakes) next() *incoming {
	if first := h.begun.Front(); first != nil {
		c, _ := first.Value.(*incoming)
		return c
	}
	first := h.ring.Front()
	if first == nil {
		return nil
	}
	h.ring.MoveToBack(first)
	line, _ := first.Value.(*shakeLine)
	c, _ := line.waiting.Front().Value.(*incoming)
	return c
}

// drop has a connection wait no more, and reports whether it did. h.mu is held.
func (h *handshakes) drop(c *incoming) bool {
	s := &c.shake
	if s.ready == nil {
		return false
	}
	close(s.ready)
	if s.line == nil {
		h.begun.Remove(s.place)
	} else if s.line.waiting.Remove(s.place); s.line.waiting.Len() == 0 {
		h.ring.Remove(s.line.place)
		delete(h.lines, s.line.from)
	}
	s.ready, s.line, s.place = nil, nil, nil
	h.waits--
	return true
}

// figures returns how many wait, and how many have waited in vain so far.
func (h *handshakes) figures() (waiting int, missed uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.waits, h.missed
}
