package httpmcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/limina-mcp/limina/internal/backlog"
	"github.com/limina-mcp/limina/mcp"
)

// post answers a POST: one message, or for a session at 2025-03-26 an array of them.
func (e *Endpoint) post(w http.ResponseWriter, r *http.Request, p mcp.Peer) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	takes, status, problem := vet(r.Header)
	if problem != "" {
		refuse(w, status, problem)
		return
	}
	body := bodies.Get().(*[]byte)
	defer bodies.Put(body)
	e.expect(control)
	text, held, err := e.read(w, r, (*body)[:0])
	defer held.Release()
	e.arrived(control, err)
	if cap(text) <= keepBody {
		*body = text
	}
	if err != nil {
		var long *http.MaxBytesError
		switch {
		case errors.As(err, &long):
			refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than the limit of %d bytes", long.Limit))
		case errors.Is(err, errCrowded):
			refuse(w, http.StatusServiceUnavailable, err.Error())
		default:
			refuse(w, http.StatusBadRequest, "the body did not arrive")
		}
		return
	}
	reply := e.begin(r.Context(), r.Header, text, takes, p)
	held.Release()
	e.finish(w, r, &reply)
}

// vet looks at the headers that any POST has to have.
func vet(h http.Header) (t takes, status int, problem string) {
	if kind, _, err := mime.ParseMediaType(h.Get("Content-Type")); kind != "application/json" || err != nil {
		return t, http.StatusUnsupportedMediaType, "Content-Type: want application/json"
	}
	if t = accepted(h); !t.json && !t.events {
		return t, http.StatusNotAcceptable, "Accept: want application/json and text/event-stream"
	}
	return t, 0, ""
}

// begin serves what a POST has brought. The text is the caller's again when it returns. ctx ends the calls
// of a modern message.
func (e *Endpoint) begin(ctx context.Context, h http.Header, text []byte, t takes, p mcp.Peer) reply {
	var o mcp.Outline
	o.Read(text)
	if o.Claims || mcp.Modern(h.Get(headerVersion)) {
		return e.modern(ctx, h, p, &o, t)
	}
	return e.legacy(h, p, &o, t)
}

// reply is how a POST is answered: with text, if there is no more to come, or by sending a stream.
type reply struct {
	status  int
	text    []byte // of an answer; empty: what came was taken, and that is all
	session string // that the answer opens
	later   bool   // the client may try again later

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
	defer e.counted(len(y.text), http.NewResponseController(w).SetWriteDeadline)()
	y.write(w)
}

// counted counts n bytes that are being sent, until what it returns is called. If they have to be let go, a deadline that is over
// has sending them fail.
func (e *Endpoint) counted(n int, deadline func(time.Time) error) (sent func()) {
	if n <= keepBody {
		return func() {}
	}
	return e.unsent.Hold(n, func() { _ = deadline(past) }).Release
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

// bodyTime is how long a body may take to arrive, also one that is not wanted.
const bodyTime = time.Minute

// answerTime is how long a client may take to read an answer that is one body.
const answerTime = 30 * time.Second

// keepBody is the largest buffer that is kept for the next body.
const keepBody = 64 << 10

var bodies = sync.Pool{New: func() any { return new([]byte) }}

// expect says that a body is being read: if the endpoint is stopped meanwhile, the rest has to come soon.
func (e *Endpoint) expect(c *http.ResponseController) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.bodies[c] = struct{}{}
	if e.stopped {
		hurry(c)
	}
}

// arrived says that a body is there or, with an error, will not be: then the deadline stands, because net/http
// reads the rest before it answers.
func (e *Endpoint) arrived(c *http.ResponseController, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.bodies, c)
	if err == nil {
		_ = c.SetReadDeadline(time.Time{})
	}
}

// hurry leaves a body no more time than one has that is nearly there.
func hurry(c *http.ResponseController) { _ = c.SetReadDeadline(time.Now().Add(soon)) }

// read appends the body to dst. Room for it is made as it comes: that a request says how long its body is costs nothing. What a long one
// takes is held until the caller releases it; nil for nothing.
func (e *Endpoint) read(w http.ResponseWriter, r *http.Request, dst []byte) (text []byte, held *backlog.Load, err error) {
	limit := e.opts.Limit
	if r.ContentLength > int64(limit) {
		return dst, nil, &http.MaxBytesError{Limit: int64(limit)}
	}
	defer func() {
		if !held.Keep() {
			err = errCrowded
		}
	}()
	body, length := r.Body, int(r.ContentLength)
	if length < 0 {
		body, length = http.MaxBytesReader(w, r.Body, int64(limit)), limit+1
	}
	for text = dst; len(text) < length; {
		if len(text) == cap(text) {
			room := min(max(2*cap(text), keepBody), length)
			text = append(make([]byte, 0, room), text...)
			switch {
			case held != nil:
				held.Resize(room)
			case room > keepBody:
				held = e.arriving.Hold(room, func() {
					_ = http.NewResponseController(w).SetReadDeadline(past)
				})
			}
		}
		n, err := body.Read(text[len(text):min(cap(text), length)])
		text = text[:len(text)+n]
		switch {
		case errors.Is(err, io.EOF):
			return text, held, nil
		case err != nil:
			return text, held, err
		}
	}
	return text, held, nil
}

// errCrowded says that a body that had been arriving for longer than others was given up for them.
var errCrowded = errors.New("too much is arriving at once: try again later, or faster")

// takes is what a client can read as an answer.
type takes struct{ json, events bool }

// accepted reads the Accept header. A client that sends none takes everything.
func accepted(h http.Header) (t takes) {
	values := h["Accept"]
	if len(values) == 0 {
		return takes{true, true}
	}
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			kind, _, _ := strings.Cut(part, ";")
			switch strings.ToLower(strings.TrimSpace(kind)) {
			case "*/*":
				return takes{true, true}
			case "application/json", "application/*":
				t.json = true
			case "text/event-stream", "text/*":
				t.events = true
			}
		}
	}
	return t
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

// sending is how a stream is sent.
type sending struct {
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

// send sends a stream as events until it is over, its client has gone, or another request has taken its
// place.
func (e *Endpoint) send(w http.ResponseWriter, r *http.Request, s sending) {
	e.streams(1)
	defer e.streams(-1)
	reader, next := s.stream.attach(s.after)
	defer s.stream.detach(reader)
	out := newEvents(w, e)
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
