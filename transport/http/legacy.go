package httpmcp

import (
	"net/http"
	"time"

	"github.com/limina-mcp/limina/mcp"
)

// legacy serves what belongs to a session, or begins one.
func (e *Endpoint) legacy(h http.Header, p mcp.Peer, o *mcp.Outline, t takes) reply {
	if o.Opens && h.Get(headerSession) == "" {
		return e.initialize(p, o, t)
	}
	s, no := e.enterSession(h, p, o)
	if s == nil {
		return no
	}
	return e.deliver(s, o, t)
}

// initialize opens a session. Only when its client has been answered well is there one.
func (e *Endpoint) initialize(p mcp.Peer, o *mcp.Outline, t takes) reply {
	s := e.newSession(p)
	st := newStream(e.opts.History)
	s.link.Deliver(o, st)
	text, code, _ := st.settled() // nothing in it takes time
	if s.link.SessionID() == "" {
		e.log(s.end())
		return answered(legacyStatus(code), text)
	}
	if !e.admit(s) {
		e.log(s.end())
		text, _ := o.Refuse(mcp.CodeInternal, "too many sessions are open: try again later")
		return reply{status: http.StatusServiceUnavailable, text: text, later: true}
	}
	s.leave()
	y, _ := settle(&sending{stream: st, status: legacyStatus}, t)
	y.session = s.id
	return y
}

// enterSession finds the session that a request names; if there is none it returns the answer.
func (e *Endpoint) enterSession(h http.Header, p mcp.Peer, o *mcp.Outline) (*session, reply) {
	fail := func(status int, message string) (*session, reply) {
		text, _ := o.Refuse(mcp.CodeInvalidRequest, message)
		return nil, answered(status, text)
	}
	if version := h.Get(headerVersion); version != "" && !mcp.Legacy(version) {
		return fail(http.StatusBadRequest, "MCP-Protocol-Version: "+version+" is not served to sessions: send the version that initialize has answered")
	}
	id := h.Get(headerSession)
	if id == "" {
		return fail(http.StatusBadRequest, "Mcp-Session-Id is missing: initialize gives it")
	}
	s := e.session(id, p)
	if s == nil {
		return fail(http.StatusNotFound, "there is no such session (any more): initialize again")
	}
	return s, reply{}
}

// deliver hands a session what came. That the client goes away ends nothing: it may come back.
func (e *Endpoint) deliver(s *session, o *mcp.Outline, t takes) reply {
	st := newStream(e.opts.History)
	st.mute = !t.events
	st.ending = func() { s.finished(st) }
	s.link.Deliver(o, st)
	y, _ := settle(&sending{
		stream: st, status: legacyStatus, open: s.open, named: true, primed: s.returns(), hold: s.hold(e.opts.Hold),
	}, t)
	y.who = s.link.Owner()
	return y
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
	s, no := e.enterSession(r.Header, p, new(mcp.Outline))
	if s == nil {
		no.write(w)
		return
	}
	defer s.leave()
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // nothing more is read, and it may take its time
	what := sending{who: s.link.Owner(), stream: s.general, after: -1, named: true, primed: s.returns(), closing: e.closing}
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
	s, no := e.enterSession(r.Header, p, new(mcp.Outline))
	if s == nil {
		no.write(w)
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
