package mcp

import (
	"errors"
	"sync"

	"github.com/limina-mcp/limina/internal/backlog"
)

const (
	// postLimit bounds what waits for a peer that does not read: notifications beyond it are
	// dropped, and whoever has an answer waits.
	postLimit = 1 << 20
	// keepBuffer is the largest buffer that is kept for later use.
	keepBuffer = 256 << 10
)

// writer is the one owner of a connection's writes. Messages leave in the order in which they were
// handed in, one Framer.Write at a time, made by whoever finds nobody writing.
type writer struct {
	of    owner              // whose answers they are
	write func([]byte) error // Framer.Write
	fail  func(error)        // told of the first error
	bound *backlog.Bound     // of what all connections have not written yet
	drop  func()             // called when that is too much, and this one has had some for longest of who has most; see backlog.Bound.Hold

	mu      sync.Mutex    // guards what follows
	idle    *sync.Cond    // writing has become false, or there is room in pending
	writing bool          // somebody is in write and will look at pending before he goes
	pending []byte        // sealed messages that wait
	spare   []byte        // a buffer to become pending
	writes  uint64        // that are over
	outside int           // bytes that are being written, and of those who wait in send
	load    *backlog.Load // all of that counts, if it is more than keepBuffer; nil for nothing
	err     error         // the first error; nothing is written after it
}

// ErrUnread is why a connection ends whose peer does not read, where all such peers together had the server hold too much, and,
// of those of the owner for whom it held most, this one for longest.
var ErrUnread = errors.New("the answers are not read, and there is no more room for them")

// errClosed is what a writer says after stop.
var errClosed = errors.New("mcp: the connection is closed")

func newWriter(of owner, write func([]byte) error, fail func(error), bound *backlog.Bound, drop func()) *writer {
	w := &writer{of: of, write: write, fail: fail, bound: bound, drop: drop}
	w.idle = sync.NewCond(&w.mu)
	return w
}

// send writes sealed messages, or leaves them to who is writing. It waits for a peer that is slow
// to read: not to be called by anybody who holds what others need.
func (w *writer) send(p []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil && w.writing && len(w.pending) > postLimit {
		w.count(len(p))
		for w.err == nil && w.writing && len(w.pending) > postLimit {
			w.idle.Wait()
		}
		w.count(-len(p))
	}
	if w.err != nil {
		return w.err
	}
	if w.writing {
		w.pending = append(w.pending, p...)
		w.count(0)
		return nil
	}
	w.writing = true
	w.unlocked(p)
	w.drain()
	return w.err
}

// post hands in sealed messages and never waits. It reports false if they were dropped,
// because too much is waiting already.
func (w *writer) post(p []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil || len(w.pending) > postLimit {
		return false
	}
	w.pending = append(w.pending, p...)
	w.count(0)
	if !w.writing {
		w.writing = true
		go func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.drain()
		}()
	}
	return true
}

// drain writes until nothing waits. w.mu is held, and w.writing is the caller's.
func (w *writer) drain() {
	for len(w.pending) > 0 && w.err == nil {
		p := w.pending
		w.pending = w.spare[:0]
		w.spare = nil
		w.idle.Broadcast()
		w.unlocked(p)
		if cap(p) <= keepBuffer {
			w.spare = p
		}
	}
	if w.err != nil {
		w.pending = nil
	}
	w.count(0)
	w.writing = false
	w.idle.Broadcast()
}

// count says that n bytes more are outside, or fewer, or that pending has changed. w.mu is held.
func (w *writer) count(n int) {
	w.outside += n
	all := w.outside + len(w.pending)
	switch {
	case all <= keepBuffer:
		w.load.Release()
		w.load = nil
	case w.load == nil:
		w.load = w.bound.Hold(w.of.owner(), all, w.drop)
	default:
		w.load.Resize(all)
	}
}

// unlocked writes p with w.mu released.
func (w *writer) unlocked(p []byte) {
	w.count(len(p))
	w.mu.Unlock()
	err := w.write(p)
	w.mu.Lock()
	w.count(-len(p))
	w.writes++
	if err != nil && w.err == nil {
		w.err = err
		w.fail(err)
	}
}

// stop has nothing more written, whoever asks.
func (w *writer) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = errClosed
	}
	if !w.writing {
		w.pending = nil
		w.count(0)
	}
	w.idle.Broadcast()
}

// written returns when all that was handed in before is written, or nothing will be any more.
func (w *writer) written() {
	w.mu.Lock()
	defer w.mu.Unlock()
	upTo := w.writes + 1 // the one that is going on
	if len(w.pending) > 0 {
		upTo++
	}
	for w.writing && w.writes < upTo {
		w.idle.Wait()
	}
}

// wait returns when nothing is being written and nothing waits.
func (w *writer) wait() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.writing {
		w.idle.Wait()
	}
}
