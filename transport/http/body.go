package httpmcp

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/limina-mcp/limina/internal/backlog"
)

// bodyTime is how long a body may take to arrive, also one that is not wanted.
const bodyTime = time.Minute

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

// letCome has a body come that has been refused, up to twice as much as one may have, for as long as one may take: who sends all of it before reading what comes
// back, as Apache does as a proxy, would find the connection closed and never learn why.
func (e *Endpoint) letCome(c *http.ResponseController, r *http.Request) {
	if r.Header.Get("Expect") != "" { // it does not come
		return
	}
	_ = c.SetWriteDeadline(time.Now().Add(bodyTime + answerTime)) // Flush waits for a short body, and then for who does not read
	e.expect(c)
	defer e.arrived(c, errUnwanted)
	if c.Flush() == nil {
		_, _ = io.CopyN(io.Discard, r.Body, 2*int64(e.opts.Limit))
	}
}

// errUnwanted says that a body has been refused.
var errUnwanted = errors.New("the body has been refused")

// hurry leaves a body no more time than one has that is nearly there, and who is told that it is not wanted as much to read that.
func hurry(c *http.ResponseController) {
	now := time.Now()
	_ = c.SetReadDeadline(now.Add(soon))
	_ = c.SetWriteDeadline(now.Add(2 * soon)) // of an answer it is set anew
}

// read appends the body to dst, of somebody's request. Room for it is made as it comes: that a request says how long its body is costs nothing. What a long one
// takes is held until the caller releases it; nil for nothing.
func (e *Endpoint) read(w http.ResponseWriter, r *http.Request, who string, dst []byte) (text []byte, held *backlog.Load, err error) {
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
				held = e.arriving.Hold(who, room, func() {
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
