package trace

import (
	"bytes"
	"io"
)

// Get returns the event with this id, if the log still has it.
func (l *Log) Get(id ID) (Event, bool) {
	line, ok := l.copyLine(id)
	if !ok {
		return Event{}, false
	}
	return parseEvent(line)
}

func (l *Log) copyLine(id ID) ([]byte, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id < l.index.first || id >= l.index.next {
		return nil, false
	}
	from, to := l.index.line(id, l.lines.end)
	return l.lines.read(from, to, make([]byte, 0, to-from)), true
}

// Range calls yield with every event that the log has at that moment, oldest first, until yield returns false. The log can be used
// meanwhile, by yield too.
func (l *Log) Range(yield func(Event) bool) {
	v := l.open(0)
	defer v.close()
	for line := v.next(); line != nil; line = v.next() {
		if e, ok := parseEvent(bytes.Clone(line)); ok && !yield(e) {
			return
		}
	}
}

// Children returns the events that have id for their parent or among their causes, oldest first, at most limit; 0: all.
func (l *Log) Children(id ID, limit int) []Event {
	v := l.open(id)
	defer v.close()
	var events []Event
	for line := v.next(); line != nil; line = v.next() {
		if !isChild(line, id) {
			continue
		}
		if e, ok := parseEvent(bytes.Clone(line)); ok {
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
	if parent != nil && *parent == id {
		return true
	}
	for _, cause := range causes {
		if cause == id {
			return true
		}
	}
	return false
}

// Export writes every event that the log has at that moment to w, oldest first, a line of JSON each, and returns how many events and
// bytes these are. The log can be used meanwhile. After an error, which is w's, bytes is what was written and
// events is 0.
func (l *Log) Export(w io.Writer) (events int, bytes int64, err error) {
	v := l.open(0)
	defer v.close()
	for _, p := range v.pieces {
		n, err := w.Write(p)
		bytes += int64(n)
		if err != nil {
			return 0, bytes, err
		}
	}
	return v.events, bytes, nil
}
