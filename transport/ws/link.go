package ws

import (
	"net"
	"sync/atomic"
)

// maxOverhead is how much of a message that is not complete may be frame headers, beside as much as
// its payload.
const maxOverhead = 64 << 10

// link is the stream below a connection, as gorilla reads it. It is a net.Conn that tells of its
// reads, keeps what gorilla wants to write to itself, and lets one writer at a time through.
type link struct {
	// What pushing looks at comes first.
	turn  turn // held by who writes
	cut   bool // a frame went out in part: nothing can follow it; guarded by the turn
	ended bool // the close frame is out; guarded by the turn
	raw   socket
	wake  func() // has the connection pushed again

	net.Conn
	clock func() int64 // seconds, never 0
	idle  func()       // called before the reader waits for a message's beginning

	upgraded bool // the handshake is over

	// Of the reading goroutine:
	before  func() error // see Conn.OnWait; may be nil
	after   func()
	got     int  // bytes read since the message began
	payload int  // bytes of the message that have come
	partial bool // a message is being read
	verdict *Error

	alive atomic.Bool  // bytes have come, or the peer has taken some of a long message, since the keeper looked
	begun atomic.Int64 // when a message began that has come in part; 0 if none has
	since atomic.Int64 // when the write of a piece that is going on began; 0 if none is
}

// Read reads for gorilla, which does so when all that it has read before is used up.
func (l *link) Read(p []byte) (int, error) {
	if l.raw.Buffered() {
		n, err := l.raw.Receive(p)
		l.got += n
		return n, err
	}
	if l.partial && l.got-l.payload > l.payload+maxOverhead {
		return 0, &Error{CodePolicy, "a message in too many fragments"}
	}
	if l.partial && l.begun.Load() == 0 {
		l.begun.Store(l.clock())
	}
	if l.before != nil {
		if err := l.before(); err != nil {
			return 0, err
		}
	}
	if !l.partial {
		l.idle()
	}
	n, err := l.receive(p)
	if l.after != nil {
		l.after()
	}
	if n > 0 {
		l.got += n
		l.alive.Store(true)
	}
	return n, err
}

// receive reads from the stream.
func (l *link) receive(p []byte) (int, error) {
	if l.raw.Native() {
		return l.raw.Receive(p)
	}
	return l.Conn.Read(p)
}

// whole says that the message is no longer being read.
func (l *link) whole() {
	l.partial = false
	if l.begun.Load() != 0 {
		l.begun.Store(0)
	}
}

// Write takes what gorilla writes: first the answer to the handshake, later a close frame that says
// how the peer broke the protocol. That one is kept for the end.
func (l *link) Write(p []byte) (int, error) {
	if !l.upgraded {
		return l.Conn.Write(p)
	}
	if len(p) >= 4 && p[0] == headClose {
		l.verdict = &Error{int(p[2])<<8 | int(p[3]), string(p[4:])}
	}
	return len(p), nil
}

// write writes frames when its turn has come, and waits for the peer.
func (l *link) write(p []byte) error {
	l.turn.lock()
	defer l.yield()
	return l.put(p)
}

// put writes frames. The turn is the caller's.
func (l *link) put(p []byte) error {
	if l.cut || l.ended {
		return errEnded
	}
	var (
		n   int
		err error
	)
	for n < len(p) && err == nil {
		l.since.Store(l.clock())
		var wrote int
		wrote, err = l.Conn.Write(p[n:min(n+piece, len(p))])
		if n += wrote; err == nil && n < len(p) {
			l.alive.Store(true) // the peer reads, and cannot be pinged meanwhile
		}
	}
	l.since.Store(0)
	l.cut = 0 < n && n < len(p)
	return err
}

// piece is how much is written at a time: a peer that is slow is not taken for one that reads nothing because what it
// is sent is long.
const piece = 64 << 10

// yield gives the turn back, and has pushed who tried to.
func (l *link) yield() {
	if l.turn.unlock() {
		l.wake()
	}
}

// offer writes frames without waiting: what the peer has no room for, a goroutine writes while it
// holds the turn. The turn is the caller's, and p too from then on unless kept is false.
func (l *link) offer(p []byte) (kept bool) {
	if l.cut || l.ended {
		l.yield()
		return false
	}
	if !l.raw.Native() {
		go l.finish(p)
		return true
	}
	n, err := l.raw.Send(p)
	switch {
	case err != nil: // whoever reads will see it
		l.cut = true
	case n < len(p):
		go l.finish(p[n:])
		return true
	}
	l.yield()
	return false
}

// finish writes the rest of what was offered, waiting for the peer.
func (l *link) finish(p []byte) {
	if l.put(p) != nil { // whoever reads will see it
		l.cut = true // what came before p may be out
	}
	l.yield()
}
