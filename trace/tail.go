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

	Bare bool // leave Integrity out, which is half of what reading an event costs
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
	for len(events) < f.Limit && v.next() {
		last++
		if m.match(v.body) {
			events = f.read(events, bytes.Clone(v.body), &v.at)
		}
	}
	return events, last
}

func (l *Log) tailNewest(f Filter) (events []Event, last ID) {
	found, last := l.copyNewest(f)
	if len(found.ends) > 0 {
		events = make([]Event, 0, len(found.ends))
	}
	for i, end := range slices.Backward(found.ends) {
		start := 0
		if i > 0 {
			start = found.ends[i-1]
		}
		var at *link
		if !f.Bare {
			at = &found.links[i]
		}
		events = f.read(events, found.bodies[start:end:end], at)
	}
	return events, last
}

// read appends the event of a body that matches. A bare one takes no link; what it says of itself is mostly what the filter
// or the event before it says, and then shares its text.
func (f *Filter) read(events []Event, body []byte, at *link) []Event {
	if !f.Bare {
		if e, ok := parseEvent(body); ok {
			e.Integrity = at.integrity()
			events = append(events, e)
		}
		return events
	}
	p, ok := parse(body)
	if !ok {
		return events
	}
	typ := f.Type
	if n := len(events); n > 0 {
		typ = events[n-1].Type
	}
	e := p.event(body)
	e.Type, e.ActorID, e.ThreadID = p.typ.like(body, typ), p.actor.like(body, f.Actor), p.session.like(body, f.Session)
	return append(events, e)
}

// like is what the part between two quotes says, sharing the text that it probably is.
func (p span) like(line []byte, probably string) string {
	if text := p.of(line); string(text) == probably && bytes.IndexByte(text, '\\') < 0 {
		return probably
	}
	return unquote(string(p.of(line)))
}

// found is copies of events, newest first.
type found struct {
	bodies []byte
	ends   []int  // of each body
	links  []link // of each event; none if they were not asked for
}

// copyNewest returns the events that match. It takes the lock once and leaves the parsing for later.
func (l *Log) copyNewest(f Filter) (all found, last ID) {
	m := newMatcher(f)
	if f.Bare {
		l.mu.Lock()
	} else {
		l.lockSealed()
	}
	defer l.mu.Unlock()
	id, before := l.index.next-1, func(id ID) ID { return id - 1 }
	if f.Actor != "" {
		id, before = l.index.actors.newest(f.Actor), l.index.previous
		m.actor = nil // the index knows
	}
	for ; id >= l.index.first && id > f.After && len(all.ends) < f.Limit; id = before(id) {
		body := l.bodyLocked(id)
		if !m.match(body) {
			continue
		}
		if all.bodies == nil {
			all.bodies = make([]byte, 0, len(body)*min(f.Limit+1, 16))
		}
		all.bodies = append(all.bodies, body...)
		all.ends = append(all.ends, len(all.bodies))
		if !f.Bare {
			all.links = append(all.links, l.index.link(id))
		}
	}
	return all, max(f.After, l.index.next-1)
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
