package trace

import (
	"bytes"
	"slices"
)

// Filter says which events [Log.Tail] returns. Empty strings match everything.
type Filter struct {
	After  ID   // only events after this one; 0: from the oldest
	Limit  int  // at most so many; 0: 100
	Newest bool // of those that match, the newest; otherwise the oldest, to go on after them

	Actor   string
	Session string
	Type    string
}

const defaultLimit = 100

// Tail returns the events that match, oldest first, and how far it looked: the After of a next Tail that returns what has not
// been looked at yet. Without Newest that is the last event returned if Limit was reached, else the
// newest event of the log; with Newest it is always the latter.
//
// A gap between After and the first event means that the log has dropped those between. An actor's newest events are
// found without looking at those of others.
func (l *Log) Tail(f Filter) (events []Event, last ID) {
	if f.Limit <= 0 {
		f.Limit = defaultLimit
	}
	if f.Newest {
		return l.tailNewest(f)
	}
	return l.tailOldest(f)
}

func (l *Log) tailOldest(f Filter) (events []Event, last ID) {
	v := l.open(f.After)
	defer v.close()
	m := newMatcher(f)
	last = v.first - 1
	for len(events) < f.Limit {
		line := v.next()
		if line == nil {
			break
		}
		last++
		if !m.match(line) {
			continue
		}
		if e, ok := parseEvent(bytes.Clone(line)); ok {
			events = append(events, e)
		}
	}
	return events, last
}

func (l *Log) tailNewest(f Filter) (events []Event, last ID) {
	lines, last := l.copyNewest(f)
	for _, line := range slices.Backward(lines) {
		if e, ok := parseEvent(line); ok {
			events = append(events, e)
		}
	}
	return events, last
}

// copyNewest returns the lines that match, newest first. It takes the lock once and leaves the parsing for later.
func (l *Log) copyNewest(f Filter) (lines [][]byte, last ID) {
	m := newMatcher(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	id, before := l.index.next-1, func(id ID) ID { return id - 1 }
	if f.Actor != "" {
		id, before = l.index.actors.newest(f.Actor), l.index.previous
	}
	var buf []byte // for lines that lie in more than one chunk
	for ; id >= l.index.first && id > f.After && len(lines) < f.Limit; id = before(id) {
		from, to := l.index.line(id, l.lines.end)
		line := l.lines.piece(from, to)
		if len(line) < int(to-from) {
			buf = l.lines.read(from, to, buf[:0])
			line = buf
		}
		if m.match(line) {
			lines = append(lines, bytes.Clone(line))
		}
	}
	return lines, max(f.After, l.index.next-1)
}

// matcher is a filter whose texts are as they stand in a line. Nil matches everything.
type matcher struct{ typ, actor, session []byte }

func newMatcher(f Filter) matcher {
	return matcher{typ: appendText(nil, f.Type), actor: appendText(nil, f.Actor), session: appendText(nil, f.Session)}
}

func (m *matcher) match(line []byte) bool {
	if m.typ == nil && m.actor == nil && m.session == nil {
		return true
	}
	s := scanner{line: line}
	h := s.header()
	return !s.bad && matches(m.typ, h.typ.of(line)) && matches(m.actor, h.actor.of(line)) && matches(m.session, h.session.of(line))
}

func matches(want, got []byte) bool { return want == nil || bytes.Equal(want, got) }
