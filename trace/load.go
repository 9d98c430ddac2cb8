package trace

import (
	"errors"
	"io"
)

// Load has the log go on from lines that were written, as [Verify] reads them: what is appended next has the id and the hash that come
// next. The newest of the events are in the log then. Several files are loaded one after the other; where events are missing between
// two, those before are not in the log.
//
// The error is a [*VerifyError] if the lines are not what was written, and the log has those before it then; or it is the reader's. A
// log to which something was appended is refused.
func (l *Log) Load(r io.Reader) (Summary, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var sum Summary
	if l.own {
		return sum, errOwn
	}
	err := eachLine(r, func(line []byte) (reason string) {
		e, ok := readEvent(line)
		if !ok {
			return notEvent
		}
		if sum.Events == 0 && l.index.next > 1 {
			if reason = l.followsLocked(&e); reason != "" {
				return reason
			}
		}
		if reason = sum.add(&e, len(line), &l.chain); reason == "" {
			l.loadLocked(&e)
		}
		return reason
	})
	return sum, err
}

var errOwn = errors.New("trace: the log has events of its own")

// followsLocked checks the first event of a file against the newest of the one before.
func (l *Log) followsLocked(e *lineEvent) (reason string) {
	newest := l.index.next - 1
	at := link{hash: *l.index.hash(newest)}
	before := Summary{Last: newest, Hash: at.integrity().Hash}
	if err := before.joins(e.ID, e.Integrity.Prev); err != nil {
		return err.Error()
	}
	return ""
}

// Skip has the log go on with an event of a later id, since those before it are known to have been somewhere, and cannot be read any more: their ids
// are not given again. As with any events that are missing, those before them are not in the log then. What is appended next states the hash of the newest that
// was loaded, so that this cannot be changed either. An id that is not later than that which comes next changes nothing. A log to which something was appended is refused.
func (l *Log) Skip(next ID) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own {
		return errOwn
	}
	if x := &l.index; next > x.next {
		l.emptyLocked(next, *x.hash(x.next - 1))
	}
	return nil
}

// emptyLocked lets all events go: an event comes next, behind one with that hash.
func (l *Log) emptyLocked(next ID, before hash) {
	x := &l.index
	for x.len() > 0 {
		x.pop()
	}
	l.clearAsideLocked()
	l.lines.discard(l.lines.end)
	x.first, x.next, x.sealed, x.before = next, next, next-1, before
}

// loadLocked adds an event that was checked.
func (l *Log) loadLocked(e *lineEvent) {
	x := &l.index
	tooLarge := len(e.body)+1+tailLen > l.maxBytes // for this log, which is smaller than the one that had it
	if e.ID != x.next || tooLarge {
		l.emptyLocked(e.ID, e.at.prev)
	}
	if tooLarge {
		x.first, x.next, x.sealed, x.before = e.ID+1, e.ID+1, e.ID, e.at.hash
		return
	}
	l.draft = append(append(l.draft[:0], e.body...), '\n')
	has := facts{e.Tick, int32(len(e.body) - len(e.Payload))}
	l.keepLocked(label{e.Type, e.ActorID, e.ThreadID}, has, l.draft)
	x.at(e.ID).hash, x.sealed = e.at.hash, e.ID
}
