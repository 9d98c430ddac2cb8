package httpmcp

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/limina-mcp/limina/mcp"
)

// post answers a POST: one message, or for a session at 2025-03-26 an array of them.
func (e *Endpoint) post(w http.ResponseWriter, r *http.Request, p mcp.Peer) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" || err != nil {
		refuse(w, http.StatusUnsupportedMediaType, "Content-Type: want application/json")
		return
	}
	takes := accepted(r.Header)
	if !takes.json && !takes.events {
		refuse(w, http.StatusNotAcceptable, "Accept: want application/json and text/event-stream")
		return
	}
	body := bodies.Get().(*[]byte)
	defer bodies.Put(body)
	text, err := e.read(w, r, (*body)[:0])
	if cap(text) <= keepBody {
		*body = text
	}
	if err != nil {
		var long *http.MaxBytesError
		if errors.As(err, &long) {
			refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than the limit of %d bytes", long.Limit))
		} else {
			refuse(w, http.StatusBadRequest, "the body did not arrive")
		}
		return
	}
	var o mcp.Outline
	o.Read(text)
	if o.Claims || mcp.Modern(r.Header.Get(headerVersion)) {
		e.modern(w, r, p, &o, takes)
	} else {
		e.legacy(w, r, p, &o, takes)
	}
}

// bodyTime is how long a body may take to arrive.
const bodyTime = time.Minute

// keepBody is the largest buffer that is kept for the next body.
const keepBody = 64 << 10

var bodies = sync.Pool{New: func() any { return new([]byte) }}

// read appends the body to dst.
func (e *Endpoint) read(w http.ResponseWriter, r *http.Request, dst []byte) ([]byte, error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	defer func() { _ = control.SetReadDeadline(time.Time{}) }()
	limit := e.opts.Limit
	if r.ContentLength > int64(limit) {
		return dst, &http.MaxBytesError{Limit: int64(limit)}
	}
	if n := int(r.ContentLength); n >= 0 {
		if cap(dst) < n {
			dst = make([]byte, 0, n)
		}
		dst = dst[:n]
		_, err := io.ReadFull(r.Body, dst)
		return dst, err
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(limit)))
	return append(dst, text...), err
}

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

// answer answers a request with a message, or, if there is none, says that what came was taken.
func answer(w http.ResponseWriter, status int, text []byte) {
	if len(text) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	h := w.Header()
	h["Content-Type"] = typeJSON
	h["Content-Length"] = []string{strconv.Itoa(len(text))}
	w.WriteHeader(status)
	_, _ = w.Write(text) // who does not read it has gone
}

// reply answers with a stream: in one body if that will do, else as events, which may begin.
func (e *Endpoint) reply(w http.ResponseWriter, r *http.Request, takes takes, s sending) {
	text, code, settled := s.stream.settled()
	if !settled && s.delay > 0 {
		text, code, settled = s.stream.settledWithin(s.delay)
	}
	switch {
	case settled && (takes.json || len(text) == 0):
		answer(w, s.status(code), text)
	case !takes.events:
		e.await(w, r, s)
	default:
		if s.open != nil {
			s.open(s.stream)
		}
		e.send(w, r, s)
	}
}

// await answers with the one message of a stream, to a client that takes no events, or before there
// were any.
func (e *Endpoint) await(w http.ResponseWriter, r *http.Request, s sending) {
	reader, _ := s.stream.attach(0)
	defer s.stream.detach(reader)
	for {
		if text, code, ok := s.stream.settled(); ok {
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(e.opts.Patience))
			answer(w, s.status(code), text)
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
	end     func()          // has the stream come to its own end; nil: it is broken off
}

// send sends a stream as events until it is over, its client has gone, or another request has taken its
// place.
func (e *Endpoint) send(w http.ResponseWriter, r *http.Request, s sending) {
	e.streams(1)
	defer e.streams(-1)
	reader, next := s.stream.attach(s.after)
	defer s.stream.detach(reader)
	out := newEvents(w, e.opts.Patience)
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
