// Package backlog bounds what a process holds for its peers: answers that they have not read, messages that have come in
// part. Each of them is bounded by itself; what thousands hold together is bounded here: of the owner who holds most it is the peer that has held something for longest
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
	safe int // of held, what is not dropped
	n    int // loads that may be dropped
	last uint64
	of   map[string]*owned // of those who have some that may be dropped
}

// owned is what an owner has that may be dropped.
type owned struct {
	name string
	held int
	list list.List // of *Load, the oldest first
}

// New returns a Bound of so many bytes.
func New(limit int) *Bound { return &Bound{limit: limit, of: map[string]*owned{}} }

// Load is what is held for one peer, in bytes.
type Load struct {
	bound *Bound
	drop  func()
	size  int
	of    *owned
	since uint64        // a number of bound.last
	at    *list.Element // nil if it is not to be dropped: it counts no more, or is safe
	safe  bool
}

// Hold counts n bytes of an owner from now on, until Release. Does that make too many, what he has held for longest who holds most is
// dropped, again and again, so that nobody has others dropped by all that he holds over many connections. Of whom nothing is known is "": all of those are one. drop is called once, by whoever has held more, with a lock held, so it must not wait, nor use the Bound. It may be called before
// Hold returns, where what is kept leaves no room. It is not called
// after Release or Keep, nor where nothing else is held: one alone may be of any size.
func (b *Bound) Hold(owner string, n int, drop func()) *Load {
	b.mu.Lock()
	defer b.mu.Unlock()
	of := b.of[owner]
	if of == nil {
		of = &owned{name: owner}
		b.of[owner] = of
	}
	b.last++
	l := &Load{bound: b, drop: drop, size: n, of: of, since: b.last}
	l.at = of.list.PushBack(l)
	of.held += n
	b.held += n
	b.n++
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
	l.of.held += n - l.size
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
	l.unlist()
	l.safe = true
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

// fit drops loads until there is room. mu is held.
func (b *Bound) fit() {
	for b.held > b.limit && (b.n > 1 || b.n > 0 && b.safe > 0) {
		oldest := b.first()
		oldest.remove()
		oldest.drop()
	}
}

// first returns the oldest load of the owner who holds most. There is one.
func (b *Bound) first() (first *Load) {
	for _, of := range b.of { // each holds what is not short: there are not many
		oldest, _ := of.list.Front().Value.(*Load)
		if first == nil || of.held > first.of.held || of.held == first.of.held && oldest.since < first.since {
			first = oldest
		}
	}
	return first
}

// unlist has a load not be dropped any more. mu is held.
func (l *Load) unlist() {
	l.of.list.Remove(l.at)
	l.of.held -= l.size
	if l.of.list.Len() == 0 {
		delete(l.bound.of, l.of.name)
	}
	l.bound.n--
	l.at = nil
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
	l.unlist()
	l.bound.held -= l.size
}
