package httpmcp

import (
	"context"
	"net/http"
	"time"

	"github.com/limina-mcp/limina/mcp"
)

// modern answers a message of the stateless era: it stands for itself, and its headers repeat what its
// body says.
func (e *Endpoint) modern(w http.ResponseWriter, r *http.Request, p mcp.Peer, o *mcp.Outline, takes takes) {
	if o.Kind == mcp.KindMalformed {
		text, code := o.Refuse(mcp.CodeInvalidRequest, "")
		answer(w, modernStatus(code), text)
		return
	}
	if text, code := mirrored(r.Header, e.core, o); text != nil {
		answer(w, modernStatus(code), text)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(e.calls, cancel)()
	link := e.core.Link(ctx, p, nil)
	defer func() { e.log(link.Close()) }()
	st := newStream(e.opts.History)
	st.once, st.mute = true, !takes.events
	link.Deliver(o, st)
	e.reply(w, r, takes, sending{stream: st, status: modernStatus, delay: beforeEvents, closing: e.closing, end: link.Unlisten})
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
