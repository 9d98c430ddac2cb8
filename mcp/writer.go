package mcp

import (
	"errors"
	"sync"
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
	write func([]byte) error // Framer.Write
	fail  func(error)        // told of the first error

	mu      sync.Mutex // guards what follows
	idle    *sync.Cond // writing has become false, or there is room in pending
	writing bool       // somebody is in write and will look at pending before he goes
	pending []byte     // sealed messages that wait
	spare   []byte     // a buffer to become pending
	err     error      // the first error; nothing is written after it
}

// errClosed is what a writer says after stop.
var errClosed = errors.New("mcp: the connection is closed")

func newWriter(write func([]byte) error, fail func(error)) *writer {
	w := &writer{write: write, fail: fail}
	w.idle = sync.NewCond(&w.mu)
	return w
}

// send writes sealed messages, or leaves them to who is writing. It waits for a peer that is slow
// to read: not to be called by anybody who holds what others need.
func (w *writer) send(p []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.err == nil && w.writing && len(w.pending) > postLimit {
		w.idle.Wait()
	}
	if w.err != nil {
		return w.err
	}
	if w.writing {
		w.pending = append(w.pending, p...)
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
	w.writing = false
	w.idle.Broadcast()
}

// unlocked writes p with w.mu released.
func (w *writer) unlocked(p []byte) {
	w.mu.Unlock()
	err := w.write(p)
	w.mu.Lock()
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
	w.idle.Broadcast()
}

// wait returns when nothing is being written and nothing waits.
func (w *writer) wait() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.writing {
		w.idle.Wait()
	}
}
