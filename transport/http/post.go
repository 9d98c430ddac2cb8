package httpmcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/limina-mcp/limina/mcp"
)

// post answers a POST: one message, or for a session at 2025-03-26 an array of them.
func (e *Endpoint) post(w http.ResponseWriter, r *http.Request, p mcp.Peer) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	takes, status, problem := vet(r.Header)
	if problem != "" {
		refuse(w, status, problem)
		e.letCome(control, r)
		return
	}
	reply, err := e.take(w, r, control, takes, p)
	if err != nil { // nothing of the body is held any more: who is slow to be told holds up nobody
		var long *http.MaxBytesError
		switch {
		case errors.As(err, &long):
			refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than the limit of %d bytes", long.Limit))
			e.letCome(control, r)
		case errors.Is(err, errCrowded):
			refuse(w, http.StatusServiceUnavailable, err.Error())
		default:
			refuse(w, http.StatusBadRequest, "the body did not arrive")
		}
		return
	}
	e.finish(w, r, &reply)
}

// take reads the body of a POST and begins what it asks for. Nothing of it is held when it returns, however long the answer takes.
func (e *Endpoint) take(w http.ResponseWriter, r *http.Request, c *http.ResponseController, t takes, p mcp.Peer) (y reply, err error) {
	body := bodies.Get().(*[]byte)
	defer bodies.Put(body)
	e.expect(c)
	text, held, err := e.read(w, r, p.Credential.Owner(), (*body)[:0])
	defer held.Release()
	e.arrived(c, err)
	if cap(text) <= keepBody {
		*body = text
	}
	if err != nil {
		return y, err
	}
	return e.begin(r.Context(), r.Header, text, t, p), nil
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

// begin serves what a POST has brought. The text is the caller's again when it returns. ctx ends the calls
// of a modern message.
func (e *Endpoint) begin(ctx context.Context, h http.Header, text []byte, t takes, p mcp.Peer) reply {
	y := e.serve(ctx, h, text, t, p)
	y.who = cmp.Or(y.who, p.Credential.Owner())
	if y.sending != nil {
		y.sending.who = y.who
	}
	return y
}

// serve is begin.
func (e *Endpoint) serve(ctx context.Context, h http.Header, text []byte, t takes, p mcp.Peer) reply {
	var o mcp.Outline
	o.Read(text)
	if revoked(&p) { // while the body came
		text, _ := o.Refuse(mcp.CodeInvalidRequest, "the token has been taken back")
		return answered(http.StatusUnauthorized, text)
	}
	if o.Claims || mcp.Modern(h.Get(headerVersion)) {
		return e.modern(ctx, h, p, &o, t)
	}
	return e.legacy(h, p, &o, t)
}

// revoked reports whether the credential of a peer, which has none perhaps, is good no longer.
func revoked(p *mcp.Peer) bool {
	c := p.Credential
	return c != nil && c.Good != nil && c.Good.Err() != nil
}
