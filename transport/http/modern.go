package httpmcp

import (
	"context"
	"net/http"
	"time"

	"github.com/limina-mcp/limina/mcp"
)

// modern serves a message of the stateless era: it stands for itself, and its headers repeat what its
// body says.
func (e *Endpoint) modern(ctx context.Context, h http.Header, p mcp.Peer, o *mcp.Outline, t takes) reply {
	if o.Kind == mcp.KindMalformed {
		text, code := o.Refuse(mcp.CodeInvalidRequest, "")
		return answered(modernStatus(code), text)
	}
	if text, code := mirrored(h, e.core, o); text != nil {
		return answered(modernStatus(code), text)
	}
	if o.Listens && !t.events {
		text, _ := o.Refuse(mcp.CodeInvalidRequest, "Accept: want text/event-stream too: this request is answered by a stream of events")
		return answered(http.StatusNotAcceptable, text)
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(e.calls, cancel)
	heeded := func() bool { return true }
	if c := p.Credential; c != nil && c.Good != nil {
		heeded = context.AfterFunc(c.Good, cancel)
	}
	link := e.core.Link(ctx, p, nil)
	done := func() {
		e.log(link.Close())
		stop()
		heeded()
		cancel()
	}
	st := newStream(e.opts.History)
	st.once, st.mute = true, !t.events
	link.Deliver(o, st)
	y, settled := settle(&sending{stream: st, status: modernStatus, delay: beforeEvents, closing: e.closing, gone: link.Context().Done(), end: link.Unlisten}, t)
	if settled {
		y.who = link.Owner()
		done()
		return y
	}
	y.who, y.cancel, y.done = link.Owner(), cancel, done
	return y
}

// beforeEvents is how long an answer may take, if nothing is told before it, to still come in one body:
// with the status that says what kind of error it is.
const beforeEvents = 100 * time.Millisecond

// modernStatus is the status of an answer, by the code of its error: the protocol's table.
func modernStatus(code int) int {
	switch code {
	case mcp.CodeNoMethod:
		return http.StatusNotFound
	case mcp.CodeParse, mcp.CodeInvalidRequest, mcp.CodeInvalidParams,
		mcp.CodeHeaderMismatch, mcp.CodeMissingCapability, mcp.CodeUnsupportedVersion:
		return http.StatusBadRequest
	default:
		return http.StatusOK
	}
}
