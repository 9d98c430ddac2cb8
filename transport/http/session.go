package httpmcp

import (
	"slices"
	"sync"
	"time"

	"github.com/limina-mcp/limina/internal/backlog"
	"github.com/limina-mcp/limina/mcp"
)

// maxFinished is how many streams that are over a session keeps for a client that comes back.
const maxFinished = 32

// session is a legacy client between its initialize and its end.
type session struct {
	id      string
	who     string // the principal of its credential, "" for none
	profile string // what the credential has opened, "" if there was none
	link    *mcp.Link
	limit   int            // of kept
	shelf   *backlog.Bound // of what all sessions keep
	general *stream        // what belongs to no request: stream 0

	mu      sync.Mutex // guards what follows
	streams map[int]*stream
	done    []*stream // of streams, those that are over, oldest first
	kept    int       // the bytes of done
	last    int       // the id of the newest stream
	using   int       // requests that have not been answered
	used    time.Time // when there last was one
	ended   bool
}

// enter says that a request is being answered. It reports false if the session has ended.
func (s *session) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.using++
	return true
}

// leave says that a request has been answered.
func (s *session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.using--
	s.used = time.Now()
}

// idleSince returns since when nobody has used the session; false if somebody does.
func (s *session) idleSince() (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used, s.using == 0
}

// open gives a stream its id, so that its client can come back for it.
func (s *session) open(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.streams == nil {
		s.streams = map[int]*stream{}
	}
	s.last++
	st.id = s.last
	s.streams[st.id] = st
	if st.isOver() {
		s.shelve(st)
	}
}

// finished says that a request's stream is over. If it has an id it is kept, as long as there is room.
func (s *session) finished(st *stream) {
	s.leave()
	s.mu.Lock()
	defer s.mu.Unlock()
	if st.id != 0 {
		s.shelve(st)
	}
}

// shelve keeps a stream that is over, once. s.mu is held.
func (s *session) shelve(st *stream) {
	if st.shelved || s.ended {
		return
	}
	st.shelved = true
	st.load = s.shelf.Hold(s.link.Owner(), st.weight(), func() { go s.lose(st) })
	s.done = append(s.done, st)
	s.kept += st.weight()
	for len(s.done) > maxFinished || s.kept > s.limit && len(s.done) > 1 {
		s.remove(0)
	}
}

// lose drops a stream that is over, if it is kept still: others need the room.
func (s *session) lose(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := slices.Index(s.done, st); at >= 0 {
		s.remove(at)
	}
}

// remove drops one of done, of which the first is the oldest. s.mu is held.
func (s *session) remove(at int) {
	st := s.done[at]
	s.done = slices.Delete(s.done, at, at+1)
	s.kept -= st.weight()
	st.load.Release()
	delete(s.streams, st.id)
}

// rest drops what is only kept for a client that comes back at once.
func (s *session) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.empty()
}

// empty drops all streams that are over. s.mu is held.
func (s *session) empty() {
	for len(s.done) > 0 {
		s.remove(0)
	}
	s.done = nil
	if len(s.streams) == 0 {
		s.streams = nil
	}
}

// find returns a stream by its id, nil if there is none or it has been forgotten.
func (s *session) find(id int) *stream {
	if id == 0 {
		return s.general
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams[id]
}

// end ends the session, once: its calls are cancelled, and its streams are over. It waits for that.
func (s *session) end() error {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return nil
	}
	s.ended = true
	s.empty()
	s.mu.Unlock()
	err := s.link.Close()
	s.general.end()
	return err
}

// returns reports whether the client is of those that come back for a stream that was broken off.
func (s *session) returns() bool { return s.link.Version() >= "2025-11-25" }

// hold is how long the client is held on a stream.
func (s *session) hold(limit time.Duration) time.Duration {
	if !s.returns() {
		return 0
	}
	return limit
}
