package httpmcp

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// reply is how a POST is answered: with text, if there is no more to come, or by sending a stream.
type reply struct {
	status  int
	text    []byte // of an answer; empty: what came was taken, and that is all
	session string // that the answer opens
	later   bool   // the client may try again later
	who     string // for whose answer it counts, see mcp.Link.Owner

	sending *sending // of an answer that is not there yet, or no single text; nil if it is
	takes   takes
	cancel  context.CancelFunc // of a stream that its client has left; may be nil
	done    func()             // called once the stream has been sent; may be nil
}

// settle returns the reply that a stream is, if it is one text and the client takes that.
func settle(s *sending, t takes) (r reply, settled bool) {
	text, code, settled := s.stream.settled()
	if !settled || !t.json && len(text) > 0 {
		return reply{sending: s, takes: t}, false
	}
	return answered(s.status(code), text), true
}

// answered returns the reply that a message is; with none what came was taken, and that is all.
func answered(status int, text []byte) reply {
	if len(text) == 0 {
		status = http.StatusAccepted
	}
	return reply{status: status, text: text}
}

// finish answers a request with a reply.
func (e *Endpoint) finish(w http.ResponseWriter, r *http.Request, y *reply) {
	if y.session != "" {
		w.Header()[headerSession] = []string{y.session}
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime)) // the body has taken its time
	if y.sending == nil {
		e.give(w, y)
		return
	}
	if y.done != nil {
		defer y.done()
	}
	if y.cancel != nil {
		defer context.AfterFunc(r.Context(), y.cancel)()
	}
	s := y.sending
	if s.delay > 0 {
		s.stream.wait(s.delay)
	}
	now, settled := settle(s, y.takes)
	now.who = y.who
	switch {
	case settled:
		e.give(w, &now)
	case !y.takes.events:
		e.await(w, r, s)
	default:
		if s.open != nil {
			s.open(s.stream)
		}
		e.send(w, r, *s)
	}
}

// give is write, of what counts among the answers that are being sent.
func (e *Endpoint) give(w http.ResponseWriter, y *reply) {
	defer e.counted(y.who, len(y.text), http.NewResponseController(w).SetWriteDeadline)()
	y.write(w)
}

// counted counts n bytes that are being sent to somebody, until what it returns is called. If they have to be let go, a deadline that is over
// has sending them fail.
func (e *Endpoint) counted(who string, n int, deadline func(time.Time) error) (sent func()) {
	if n <= keepBody {
		return func() {}
	}
	return e.unsent.Hold(who, n, func() { _ = deadline(past) }).Release
}

// past is a deadline that is over.
var past = time.Unix(1, 0)

// write answers a request with a reply that is there.
func (y *reply) write(w http.ResponseWriter) {
	h := w.Header()
	if y.later {
		h.Set("Retry-After", retryAfter)
	}
	if len(y.text) > 0 {
		h["Content-Type"] = typeJSON
		h["Content-Length"] = []string{strconv.Itoa(len(y.text))}
	}
	w.WriteHeader(y.status)
	_, _ = w.Write(y.text) // who does not read it has gone
}

// retryAfter is how many seconds a client is asked to wait for a session.
const retryAfter = "60"

// answerTime is how long a client may take to read an answer that is one body.
const answerTime = 30 * time.Second
