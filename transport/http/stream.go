package httpmcp

import (
	"bytes"
	"slices"
	"sync"
	"time"

	"github.com/limina-mcp/limina/internal/backlog"
	"github.com/limina-mcp/limina/mcp"
)

// stream is the way back of one request, or what a session is told besides its requests: messages in
// their order, numbered from 1, of which some have been sent. One reader at a time sends them.
type stream struct {
	id     int    // within its session
	limit  int    // of the bytes that are kept
	mute   bool   // the client takes the answer only
	once   bool   // what was sent is not kept: the client cannot come back for it
	same   bool   // what waits already is not told again: that a list or a resource has changed is true once, however often
	ending func() // called once, when the last message is there

	// Guarded by its session:
	shelved bool
	load    *backlog.Load // what it counts for while it is shelved

	mu     sync.Mutex // guards what follows
	events [][]byte   // those that are kept
	first  int        // the number of events[0]
	size   int        // of events, in bytes
	sent   int        // the number of the next one that no reader has taken
	code   int        // of the answer
	over   bool       // there are no more to come
	reader *reader    // who sends them; nil for nobody
}

// reader is one who sends a stream's messages.
type reader struct {
	changed chan struct{} // holds one if there may be something to do
}

var _ mcp.Exchange = (*stream)(nil)

func newStream(limit int) *stream { return &stream{limit: limit, first: 1, sent: 1} }

// Tell implements mcp.Exchange.
func (s *stream) Tell(text []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.same && !s.over && s.waits(text) {
		return true
	}
	if s.mute || s.over || !s.room(len(text)) {
		return false
	}
	s.add(text)
	s.wake()
	return true
}

// Answer implements mcp.Exchange.
func (s *stream) Answer(text []byte, code int) {
	s.mu.Lock()
	if len(text) > 0 {
		s.room(len(text))
		s.add(bytes.Clone(text))
	}
	s.code = code
	ending := s.close()
	s.mu.Unlock()
	ending()
}

// end says that nothing more comes.
func (s *stream) end() {
	s.mu.Lock()
	ending := s.close()
	s.mu.Unlock()
	ending()
}

// close has nothing more come, and returns what is to be called then without s.mu, which is held.
func (s *stream) close() (ending func()) {
	ending = s.ending
	if s.over || ending == nil {
		ending = func() {}
	}
	s.over = true
	s.wake()
	return ending
}

// room forgets of what was sent until n bytes more may be kept, and reports whether there is room for a message: whether no more waits than may. One
// message may be of any size, because of the state of a world there is none that is shorter. s.mu is held.
func (s *stream) room(n int) bool {
	for s.size+n > s.limit && s.first < s.sent && len(s.events) > 0 {
		s.forget(1)
	}
	return s.size <= s.limit
}

// waits reports whether there is a message of the same text that no reader has taken. s.mu is held.
func (s *stream) waits(text []byte) bool {
	return slices.ContainsFunc(s.events[max(s.sent-s.first, 0):], func(other []byte) bool { return bytes.Equal(other, text) })
}

// add appends a message. s.mu is held.
func (s *stream) add(text []byte) {
	s.events = append(s.events, text)
	s.size += len(text)
}

// forget drops the first n messages. s.mu is held.
func (s *stream) forget(n int) {
	for _, text := range s.events[:n] {
		s.size -= len(text)
	}
	clear(s.events[:n])
	s.events = s.events[n:]
	s.first += n
	if len(s.events) == 0 {
		s.events = nil
	}
}

// wake tells the reader that something has changed. s.mu is held.
func (s *stream) wake() {
	if s.reader == nil {
		return
	}
	select {
	case s.reader.changed <- struct{}{}:
	default:
	}
}

// settled returns the answer, if the stream is over and has been told nothing else: what needs no
// stream of events.
func (s *stream) settled() (answer []byte, code int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over || len(s.events) > 1 {
		return nil, 0, false
	}
	if len(s.events) == 1 {
		answer = s.events[0]
	}
	return answer, s.code, true
}

// wait waits until the stream has been told something or is over, but no longer than d.
func (s *stream) wait(d time.Duration) {
	r, _ := s.attach(0)
	defer s.detach(r)
	if s.isOver() || s.told() {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-r.changed:
	case <-timer.C:
	}
}

// told reports whether there is something to be sent.
func (s *stream) told() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.events) > 0
}

// attach makes a new reader the stream's, in the place of the one before. after is the number of the
// last message that the client has; negative: what no reader has taken is next.
func (s *stream) attach(after int) (r *reader, next int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake()
	r = &reader{changed: make(chan struct{}, 1)}
	s.reader = r
	if after < 0 {
		return r, s.sent
	}
	return r, min(max(after+1, s.first), s.first+len(s.events))
}

// detach says that a reader is gone.
func (s *stream) detach(r *reader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reader == r {
		s.reader = nil
	}
}

// take returns what a reader has to send, from the message next on. last says that there is nothing
// to wait for after that: the stream is over, or another reader has taken the place.
func (s *stream) take(r *reader, next int) (events [][]byte, from int, last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reader != r {
		return nil, next, true
	}
	from = max(next, s.first)
	events = append(events, s.events[from-s.first:]...)
	s.sent = max(s.sent, from+len(events))
	if s.once {
		s.forget(len(s.events))
	}
	return events, from, s.over
}

func (s *stream) isOver() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// weight returns how many bytes a stream that is over keeps.
func (s *stream) weight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size
}
