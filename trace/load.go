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

// loadLocked adds an event that was checked.
func (l *Log) loadLocked(e *lineEvent) {
	x := &l.index
	tooLarge := len(e.body)+1+tailLen > l.maxBytes // for this log, which is smaller than the one that had it
	if e.ID != x.next || tooLarge {
		for x.len() > 0 {
			x.pop()
		}
		l.clearAsideLocked()
		l.lines.discard(l.lines.end)
		x.first, x.next, x.sealed, x.before = e.ID, e.ID, e.ID-1, e.at.prev
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
