package trace

import "crypto/sha256"

// To hash an event takes as long as all else that is done to append it, and hardly anybody asks for
// hashes. So they are made afterwards: by who has nothing else to do for a moment, see Settle; else a goroutine
// makes those of many events at a time, beside the calls that append, and ends. Whoever asks, and whoever drops an
// event, makes those that are missing. With a sink there is no afterwards, because it gets whole lines.
const (
	settleFrom  = 32           // so many events without a hash are worth a moment
	settleMost  = 4            // and so many batches are one
	sealFrom    = 512          // so many events without a hash have a goroutine started: to wake a processor for it costs what a few calls do
	sealBatch   = 64           // so many at a time are hashed without the log's lock
	batchBytes  = 64 << 10     // … and no more than about so many bytes
	maxUnsealed = 8 * sealFrom // who appends more makes the oldest hash himself: the goroutine gets no processor
)

// chainer makes hashes.
type chainer struct {
	text []byte // scratch
}

// next returns the hash of the event with a body and the one before it.
func (c *chainer) next(body []byte, prev *hash) hash {
	c.text = appendHashed(append(c.text[:0], body...), prev)
	h := sha256.Sum256(c.text)
	if cap(c.text) > maxKeptDraft {
		c.text = nil
	}
	return h
}

// sealLaterLocked sees to it that the newest events get their hashes some time.
func (l *Log) sealLaterLocked() {
	missing := l.index.next - 1 - l.index.sealed
	if missing >= maxUnsealed {
		l.sealLocked(l.index.sealed + 1)
	}
	if missing >= sealFrom && !l.sealing {
		l.sealing = true
		go l.behind()
	}
}

// sealLocked makes the hashes of all events up to one.
func (l *Log) sealLocked(to ID) {
	for x := &l.index; x.sealed < to; x.sealed++ {
		id := x.sealed + 1
		x.at(id).hash = l.chain.next(l.bodyLocked(id), x.hash(x.sealed))
	}
}

// sealedLocked notes hashes that have been made, those of the events from first on.
func (l *Log) sealedLocked(first ID, hashes []hash) {
	for i := range hashes {
		if id := first + ID(i); id > l.index.sealed { // nobody else was faster
			l.index.at(id).hash = hashes[i]
			l.index.sealed = id
		}
	}
}

// lockSealed locks mu when every event has its hash. It makes most of those that are missing before.
func (l *Log) lockSealed() {
	l.turn.Lock()
	for l.sealSome(1) {
	}
	l.turn.Unlock()
	l.mu.Lock()
	l.sealLocked(l.index.next - 1)
}

// sealBehind makes hashes until only a few are missing.
func (l *Log) sealBehind() {
	l.turn.Lock()
	defer l.turn.Unlock()
	for l.sealSome(sealBatch) {
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sealing = false
}

// Settle makes the hashes of events that have none yet, if they are some dozens, and nobody else is at it. It is for
// who has answered a client and is about to wait for the next: it takes some 20 µs, 100 at most, waits for nobody, and
// spares a goroutine that another processor would be woken for. Nothing that anybody is told depends on it.
func (l *Log) Settle() {
	if !l.turn.TryLock() {
		return
	}
	defer l.turn.Unlock()
	for range settleMost {
		if !l.sealSome(settleFrom) {
			return
		}
	}
}

// batch is events whose hashes are being made.
type batch struct {
	bodies []byte // with room behind each for what else is hashed
	ends   []int  // of the bodies
	hashes []hash
}

var hashedRoom [hashedLen]byte

// sealSome makes the hashes of the next few events, if at least so many are missing. It holds turn, and mu
// only to copy.
func (l *Log) sealSome(atLeast int) bool {
	b := &l.batch
	first, prev := l.copyUnsealed(b, atLeast)
	start := 0
	for _, end := range b.ends {
		prev = sha256.Sum256(appendHashed(b.bodies[start:end], &prev))
		b.hashes = append(b.hashes, prev)
		start = end + hashedLen
	}
	if len(b.hashes) == 0 {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sealedLocked(first, b.hashes)
	return true
}

// copyUnsealed fills a batch, or empties it if too few events have no hash.
func (l *Log) copyUnsealed(b *batch, atLeast int) (first ID, prev hash) {
	b.bodies, b.ends, b.hashes = b.bodies[:0], b.ends[:0], b.hashes[:0]
	if cap(b.bodies) > 2*batchBytes {
		b.bodies = nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	x := &l.index
	first = x.sealed + 1
	if int(x.next-first) < atLeast {
		return first, prev
	}
	for id := first; id < x.next && len(b.ends) < sealBatch && len(b.bodies) < batchBytes; id++ {
		from, to := x.body(id, l.lines.end)
		b.bodies = l.lines.read(from, to, b.bodies)
		b.ends = append(b.ends, len(b.bodies))
		b.bodies = append(b.bodies, hashedRoom[:]...)
	}
	return first, *x.hash(x.sealed)
}

// sinkLocked gives the drafts' whole lines to the sink.
func (l *Log) sinkLocked(last ID) error {
	if cap(l.whole) > maxKeptDraft {
		l.whole = nil
	}
	l.whole, l.hashes = l.whole[:0], l.hashes[:0]
	at := link{hash: *l.index.hash(l.index.next - 1)}
	start := 0
	for _, m := range l.made {
		body := l.draft[start : m.end-len("\n")]
		at = link{at.hash, l.chain.next(body, &at.hash)}
		l.whole = appendTail(append(l.whole, body...), &at)
		l.hashes = append(l.hashes, at.hash)
		start = m.end
	}
	return l.sink.Write(l.whole, last)
}
