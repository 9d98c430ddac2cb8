package trace

import (
	"bytes"
	"cmp"
	"io"
	"slices"
)

// Get returns the event with this id, if the log still has it.
func (l *Log) Get(id ID) (Event, bool) {
	body, at, ok := l.copyEvent(id)
	if !ok {
		return Event{}, false
	}
	e, ok := parseEvent(body)
	e.Integrity = at.integrity()
	return e, ok
}

func (l *Log) copyEvent(id ID) (body []byte, at link, ok bool) {
	l.lockSealed()
	defer l.mu.Unlock()
	if id >= l.index.next {
		return nil, at, false
	}
	if id < l.index.first {
		for _, o := range l.aside.owners {
			if i, ok := slices.BinarySearchFunc(o.events, id, func(e setAside, id ID) int { return cmp.Compare(e.id, id) }); ok {
				return bytes.Clone(o.events[i].body), o.events[i].at, true
			}
		}
		return nil, at, false
	}
	return bytes.Clone(l.bodyLocked(id)), l.index.link(id), true
}

// bodyLocked returns the body of an event that the log has. It is valid until the next call, and no longer than mu is held.
func (l *Log) bodyLocked(id ID) []byte {
	from, to := l.index.body(id, l.lines.end)
	if body := l.lines.piece(from, to); len(body) == int(to-from) {
		return body
	}
	l.joined = l.lines.read(from, to, l.joined[:0])
	return l.joined
}

// Range calls yield with every event that the log has at that moment, oldest first, until yield returns false. The log can be used
// meanwhile, by yield too.
func (l *Log) Range(yield func(Event) bool) {
	v := l.openAll(0)
	defer v.close()
	for v.next() {
		if e, ok := v.event(); ok && !yield(e) {
			return
		}
	}
}

// Children returns the events that have id for their parent or among their causes, oldest first, at most limit; 0: all.
func (l *Log) Children(id ID, limit int) []Event {
	v := l.openAll(id)
	defer v.close()
	var events []Event
	for v.next() {
		if !isChild(v.body, id) {
			continue
		}
		if e, ok := v.event(); ok {
			events = append(events, e)
		}
		if limit > 0 && len(events) >= limit {
			break
		}
	}
	return events
}

func isChild(line []byte, id ID) bool {
	s := scanner{line: line}
	s.header()
	parent, causes := s.links()
	return parent != nil && *parent == id || slices.Contains(causes, id)
}

// Exported is what [Log.Export] has written.
type Exported struct {
	First  ID // the oldest event; 0 if there is none
	Events int
	Bytes  int64
}

// Export writes the chain as it is at that moment to w, every event from one on, oldest first, a line of JSON each, and returns what these are. The log can be used
// meanwhile. After an error, which is w's, Bytes is what was written and the rest is 0.
func (l *Log) Export(w io.Writer) (out Exported, err error) {
	v := l.open(0)
	defer v.close()
	var lines []byte
	for more := true; more; {
		if more = v.next(); more {
			lines = appendTail(append(lines, v.body...), &v.at)
			out.Events++
		}
		if len(lines) < exportSize && more {
			continue
		}
		n, err := w.Write(lines)
		out.Bytes += int64(n)
		if err != nil {
			return Exported{Bytes: out.Bytes}, err
		}
		lines = lines[:0]
	}
	if out.Events > 0 {
		out.First = v.first
	}
	return out, nil
}

// exportSize is about how many bytes Export writes at a time.
const exportSize = 64 << 10
