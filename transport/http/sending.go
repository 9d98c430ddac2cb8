package httpmcp

import (
	"net/http"
	"time"
)

// sending is how a stream is sent.
type sending struct {
	who    string             // for whose answers it counts
	status func(code int) int // of an answer in one body
	open   func(*stream)      // called before there are events; nil for nothing
	delay  time.Duration      // within which an answer still comes in one body, with its status

	// As events:
	stream  *stream
	after   int             // the number of the last message that the client has; negative: go on where the stream is
	named   bool            // its events have ids
	primed  bool            // the first event only brings an id
	hold    time.Duration   // after which the client is sent away, to come back; 0 is never
	closing <-chan struct{} // ends it, or calls end
	gone    <-chan struct{} // calls end, which is not nil; nil: never
	end     func()          // has the stream come to its own end; nil: it is broken off
}

// await answers with the one message of a stream, to a client that takes no events, or before there
// were any.
func (e *Endpoint) await(w http.ResponseWriter, r *http.Request, s *sending) {
	reader, _ := s.stream.attach(0)
	defer s.stream.detach(reader)
	for {
		if text, code, ok := s.stream.settled(); ok {
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(e.opts.Patience))
			y := answered(s.status(code), text)
			y.who = s.who
			e.give(w, &y)
			return
		}
		select {
		case <-reader.changed:
		case <-r.Context().Done():
			return
		}
	}
}

// send sends a stream as events until it is over, its client has gone, or another request has taken its
// place.
func (e *Endpoint) send(w http.ResponseWriter, r *http.Request, s sending) {
	e.streams(1)
	defer e.streams(-1)
	reader, next := s.stream.attach(s.after)
	defer s.stream.detach(reader)
	out := newEvents(w, e, s.who)
	if s.primed {
		out.message(s.stream.id, next-1, true, nil)
	}
	alive := time.NewTicker(e.opts.KeepAlive)
	defer alive.Stop()
	var held <-chan time.Time
	if s.hold > 0 {
		timer := time.NewTimer(s.hold)
		defer timer.Stop()
		held = timer.C
	}
	for {
		messages, from, last := s.stream.take(reader, next)
		for i, text := range messages {
			out.message(s.stream.id, from+i, s.named, text)
		}
		next = from + len(messages)
		if (len(out.buf) > 0 || !last) && out.flush() != nil || last {
			return
		}
		select {
		case <-reader.changed:
		case <-alive.C:
			out.comment()
		case <-held:
			out.retry(e.opts.Retry)
			_ = out.flush()
			return
		case <-s.closing:
			if s.end == nil {
				return
			}
			s.end()
			s.closing = nil
		case <-s.gone:
			s.end()
			s.gone = nil
		case <-r.Context().Done():
			return
		}
	}
}

// streams counts the streams that are open.
func (e *Endpoint) streams(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.figures.Streams += n
}
