package trace

import "bytes"

// view is the lines of a log from one event on, as they were when it was opened. It is read without the log's lock,
// beside appends: while a view is open, the ring does not use its chunks again. One goroutine uses it and closes it.
type view struct {
	log    *Log
	first  ID // the first event; what follows is without gaps
	events int
	pieces [][]byte
	joined []byte // a line that lies in more than one piece
}

// open returns a view of the events after one, or from the oldest that is left.
func (l *Log) open(after ID) *view {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := max(after, l.index.first-1) + 1
	v := &view{log: l, first: first}
	if after < l.index.next-1 {
		v.events = int(l.index.next - first)
		v.pieces = l.lines.pieces(l.index.at(first).start, l.lines.end)
	}
	l.lines.pinned++
	return v
}

func (v *view) close() {
	v.log.mu.Lock()
	defer v.log.mu.Unlock()
	v.log.lines.pinned--
}

// next returns the next line without its line feed, valid until the next call, or nil at the end.
func (v *view) next() []byte {
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
		if len(v.joined) == 0 {
			return p[:n]
		}
		v.joined = append(v.joined, p[:n]...)
		return v.joined
	}
	return nil
}
