// Package backlog bounds what a process holds for its peers: answers that they have not read, messages that have come in
// part. Each of them is bounded by itself; what thousands hold together is bounded here, and it is who has held something for longest
// that has to go. Peers that read and send as peers do hold it for some milliseconds.
package backlog

import (
	"container/list"
	"sync"
)

// Bound bounds what is held. It is safe for concurrent use.
type Bound struct {
	limit int

	mu   sync.Mutex // guards what follows, and all that changes in loads
	held int
	safe int       // of held, what is not dropped
	list list.List // of *Load, the oldest first
}

// New returns a Bound of so many bytes.
func New(limit int) *Bound { return &Bound{limit: limit} }

// Load is what is held for one peer, in bytes.
type Load struct {
	bound *Bound
	drop  func()
	size  int
	at    *list.Element // nil if it is not to be dropped: it counts no more, or is safe
	safe  bool
}

// Hold counts n bytes from now on, until Release. Does that make too many, those that have been held for longest are
// dropped: drop is called once, by whoever has held more, with a lock held, so it must not wait, nor use the Bound. It may be called before
// Hold returns, where what is kept leaves no room. It is not called
// after Release or Keep, nor where nothing else is held: one alone may be of any size.
func (b *Bound) Hold(n int, drop func()) *Load {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &Load{bound: b, drop: drop, size: n}
	l.at = b.list.PushBack(l)
	b.held += n
	b.fit()
	return l
}

// Resize says that it is n bytes by now.
func (l *Load) Resize(n int) {
	b := l.bound
	b.mu.Lock()
	defer b.mu.Unlock()
	if l.at == nil {
		return
	}
	b.held += n - l.size
	l.size = n
	b.fit()
}

// Keep has a load count until Release, as it is, and not be dropped any more: it will soon be over, and not sooner for being dropped. It
// reports false if it was dropped before. It may be called of nil.
func (l *Load) Keep() bool {
	if l == nil {
		return true
	}
	b := l.bound
	b.mu.Lock()
	defer b.mu.Unlock()
	if l.at == nil {
		return l.safe
	}
	b.list.Remove(l.at)
	l.at, l.safe = nil, true
	b.safe += l.size
	return true
}

// Release says that nothing is held any more. It may be called again, and of nil.
func (l *Load) Release() {
	if l == nil {
		return
	}
	l.bound.mu.Lock()
	defer l.bound.mu.Unlock()
	l.remove()
}

// Held returns how many bytes are held.
func (b *Bound) Held() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held
}

// fit drops the oldest loads until there is room. mu is held.
func (b *Bound) fit() {
	for b.held > b.limit && (b.list.Len() > 1 || b.list.Len() > 0 && b.safe > 0) {
		oldest, _ := b.list.Front().Value.(*Load)
		oldest.remove()
		oldest.drop()
	}
}

// remove has a load count no more. mu is held.
func (l *Load) remove() {
	if l.safe {
		l.safe = false
		l.bound.safe -= l.size
		l.bound.held -= l.size
		return
	}
	if l.at == nil {
		return
	}
	l.bound.list.Remove(l.at)
	l.bound.held -= l.size
	l.at = nil
}
