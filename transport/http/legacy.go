package httpmcp

import (
	"net/http"

	"github.com/limina-mcp/limina/mcp"
)

// legacy answers what belongs to a session, or begins one.
func (e *Endpoint) legacy(w http.ResponseWriter, r *http.Request, p mcp.Peer, o *mcp.Outline, takes takes) {
	id := r.Header.Get(headerSession)
	if o.Opens && id == "" {
		e.initialize(w, r, p, o, takes)
		return
	}
	s := e.enterSession(w, r, p, o)
	if s == nil {
		return
	}
	e.deliver(w, r, s, o, takes)
}

// initialize opens a session. Only when its client has been answered well is there one.
func (e *Endpoint) initialize(w http.ResponseWriter, r *http.Request, p mcp.Peer, o *mcp.Outline, takes takes) {
	s := e.begin(p)
	st := newStream(e.opts.History)
	s.link.Deliver(o, st)
	text, code, _ := st.settled() // nothing in it takes time
	if s.link.SessionID() == "" {
		e.log(s.end())
		answer(w, legacyStatus(code), text)
		return
	}
	if !e.admit(s) {
		e.log(s.end())
		w.Header().Set("Retry-After", "60")
		text, _ := o.Refuse(mcp.CodeInternal, "too many sessions are open: try again later")
		answer(w, http.StatusServiceUnavailable, text)
		return
	}
	w.Header()[headerSession] = []string{s.id}
	s.leave()
	e.reply(w, r, takes, sending{stream: st, status: legacyStatus})
}

// enterSession finds the session that a request names, and answers a request that names none.
func (e *Endpoint) enterSession(w http.ResponseWriter, r *http.Request, p mcp.Peer, o *mcp.Outline) *session {
	fail := func(status int, message string) *session {
		text, _ := o.Refuse(mcp.CodeInvalidRequest, message)
		answer(w, status, text)
		return nil
	}
	if version := r.Header.Get(headerVersion); version != "" && !mcp.Legacy(version) {
		return fail(http.StatusBadRequest, "MCP-Protocol-Version: "+version+" is not served to sessions")
	}
	id := r.Header.Get(headerSession)
	if id == "" {
		return fail(http.StatusBadRequest, "Mcp-Session-Id is missing: initialize gives it")
	}
	s := e.session(id, p)
	if s == nil {
		return fail(http.StatusNotFound, "there is no such session (any more): initialize again")
	}
	return s
}

// deliver hands a session what came, and answers with what comes of it. That the client goes away ends
// nothing: it may come back.
func (e *Endpoint) deliver(w http.ResponseWriter, r *http.Request, s *session, o *mcp.Outline, takes takes) {
	st := newStream(e.opts.History)
	st.mute = !takes.events
	st.ending = func() { s.finished(st) }
	s.link.Deliver(o, st)
	e.reply(w, r, takes, sending{
		stream: st, status: legacyStatus, open: s.open, named: true, primed: s.returns(), hold: s.hold(e.opts.Hold),
	})
}

// get sends the client of a session what no request of its own has caused, or the rest of a stream that
// it has lost.
func (e *Endpoint) get(w http.ResponseWriter, r *http.Request, p mcp.Peer) {
	if mcp.Modern(r.Header.Get(headerVersion)) {
		w.Header().Set("Allow", "POST")
		refuse(w, http.StatusMethodNotAllowed, "this version of MCP has no stream of its own: subscriptions/listen opens one")
		return
	}
	if !accepted(r.Header).events {
		refuse(w, http.StatusNotAcceptable, "Accept: want text/event-stream")
		return
	}
	s := e.enterSession(w, r, p, new(mcp.Outline))
	if s == nil {
		return
	}
	defer s.leave()
	what := sending{stream: s.general, after: -1, named: true, primed: s.returns(), closing: e.closing}
	if last := r.Header.Get(headerResume); last != "" {
		id, after, ok := parseEventID(last)
		if ok {
			what.stream, what.after = s.find(id), after
		}
		if !ok || what.stream == nil {
			refuse(w, http.StatusBadRequest, "Last-Event-ID: the stream is not known (any more)")
			return
		}
		what.primed = false
		if id != 0 {
			what.hold, what.closing = s.hold(e.opts.Hold), nil
		}
	}
	e.send(w, r, what)
}

// delete ends a session.
func (e *Endpoint) delete(w http.ResponseWriter, r *http.Request, p mcp.Peer) {
	if mcp.Modern(r.Header.Get(headerVersion)) {
		w.Header().Set("Allow", "POST")
		refuse(w, http.StatusMethodNotAllowed, "this version of MCP has no sessions")
		return
	}
	s := e.enterSession(w, r, p, new(mcp.Outline))
	if s == nil {
		return
	}
	e.drop(s)
	w.WriteHeader(http.StatusNoContent)
}

// legacyStatus is the status of an answer, by the code of its error.
func legacyStatus(code int) int {
	switch code {
	case mcp.CodeParse, mcp.CodeInvalidRequest:
		return http.StatusBadRequest
	default:
		return http.StatusOK
	}
}
