package trace

import "bytes"

// view is the events of a log from one on, as they were when it was opened. It is read without the log's lock,
// beside appends: while a view is open, the ring does not use its chunks again. One goroutine uses it and closes it.
type view struct {
	log    *Log
	first  ID         // the first event; what follows is without gaps
	pieces [][]byte   // the bodies
	hashes []hash     // of the event before the first, and of all
	older  []setAside // come before those: see openAll
	joined []byte     // scratch: a body that lies in more than one piece

	// Of the event that next has found:
	body []byte // valid until the next call
	at   link
}

// open returns a view of the events after one, or from the oldest that is left in the chain.
func (l *Log) open(after ID) *view {
	l.lockSealed()
	defer l.mu.Unlock()
	return l.openLocked(after)
}

// openAll returns a view like open, of what is aside, too.
func (l *Log) openAll(after ID) *view {
	l.lockSealed()
	defer l.mu.Unlock()
	v := l.openLocked(after)
	v.older = l.copyAsideLocked()
	for len(v.older) > 0 && v.older[0].id <= after {
		v.older = v.older[1:]
	}
	return v
}

func (l *Log) openLocked(after ID) *view {
	x := &l.index
	first := max(after, x.first-1) + 1
	v := &view{log: l, first: first}
	if after < x.next-1 {
		v.pieces = l.lines.pieces(x.at(first).start, l.lines.end)
		v.hashes = make([]hash, 0, x.next-first+1)
		for id := first - 1; id < x.next; id++ {
			v.hashes = append(v.hashes, *x.hash(id))
		}
	}
	l.lines.pinned++
	return v
}

func (v *view) close() {
	v.log.mu.Lock()
	defer v.log.mu.Unlock()
	v.log.lines.pinned--
}

// next goes on to the next event and reports whether there is one.
func (v *view) next() bool {
	if len(v.older) > 0 {
		v.body, v.at = v.older[0].body, v.older[0].at
		v.older = v.older[1:]
		return true
	}
	v.joined = v.joined[:0]
	for len(v.pieces) > 0 {
		p := v.pieces[0]
		n := bytes.IndexByte(p, '\n')
		if n < 0 {
			v.joined = append(v.joined, p...)
			v.pieces = v.pieces[1:]
			continue
		}
		v.pieces[0] = p[n+1:]
		v.body = p[:n]
		if len(v.joined) > 0 {
			v.joined = append(v.joined, p[:n]...)
			v.body = v.joined
		}
		v.at = link{v.hashes[0], v.hashes[1]}
		v.hashes = v.hashes[1:]
		return true
	}
	return false
}

// event returns a copy of the event that next has found.
func (v *view) event() (Event, bool) {
	e, ok := parseEvent(bytes.Clone(v.body))
	e.Integrity = v.at.integrity()
	return e, ok
}
