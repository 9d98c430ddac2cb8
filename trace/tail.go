package trace

import "slices"

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
	found, last := l.find(&f)
	if len(found.ends) > 0 {
		events = make([]Event, 0, len(found.ends))
	}
	start := 0
	for i, end := range found.ends {
		if e, ok := parseEvent(found.bodies[start:end:end]); ok {
			e.Integrity = found.links[i].integrity()
			events = append(events, e)
		}
		start = end
	}
	if f.Newest {
		slices.Reverse(events)
	}
	return events, last
}

// found is copies of events.
type found struct {
	bodies []byte
	ends   []int // of each body
	links  []link
}

// find returns the events that match, the newest first if those are wanted. It takes the lock once and leaves the parsing for later.
func (l *Log) find(f *Filter) (all found, last ID) {
	want := label{shown(f.Type), shown(f.Actor), shown(f.Session)}
	l.lockSealed()
	defer l.mu.Unlock()
	x := &l.index
	newest := x.next - 1
	if f.After >= newest {
		return all, f.After
	}
	fits := func(id ID) bool { return x.labels.of(x.at(id).label).fits(&want) }
	oldest := max(f.After+1, x.first)
	var older []setAside
	if f.After+1 < x.first {
		older = l.asideLocked(want.actor)
	}
	fitsOlder := func(e *setAside) bool { return e.id > f.After && x.labels.of(e.label).fits(&want) }
	if !f.Newest {
		for i := range older {
			if e := &older[i]; fitsOlder(e) {
				all.add(e.body, e.at, f.Limit)
				if len(all.ends) == f.Limit {
					return all, e.id
				}
			}
		}
		for id := oldest; id <= newest; id++ {
			if !fits(id) {
				continue
			}
			all.add(l.bodyLocked(id), x.link(id), f.Limit)
			if len(all.ends) == f.Limit {
				return all, id
			}
		}
		return all, newest
	}
	id, before := newest, func(id ID) ID { return id - 1 }
	if f.Actor != "" {
		id, before = x.labels.newest(want.actor), x.previous
	}
	for ; id >= oldest && len(all.ends) < f.Limit; id = before(id) {
		if fits(id) {
			all.add(l.bodyLocked(id), x.link(id), f.Limit)
		}
	}
	for i := len(older) - 1; i >= 0 && len(all.ends) < f.Limit; i-- {
		if e := &older[i]; fitsOlder(e) {
			all.add(e.body, e.at, f.Limit)
		}
	}
	return all, newest
}

// add adds an event, one of at most limit.
func (to *found) add(body []byte, at link, limit int) {
	if to.bodies == nil {
		to.bodies = make([]byte, 0, min(len(body)*min(limit, 16), 64<<10))
	}
	to.bodies = append(to.bodies, body...)
	to.ends = append(to.ends, len(to.bodies))
	to.links = append(to.links, at)
}

// fits reports whether a label has what is wanted; empty texts are not.
func (l *label) fits(want *label) bool {
	return (want.typ == "" || l.typ == want.typ) && (want.actor == "" || l.actor == want.actor) && (want.session == "" || l.session == want.session)
}
