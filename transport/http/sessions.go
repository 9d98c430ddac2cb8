package httpmcp

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"time"

	"github.com/limina-mcp/limina/mcp"
)

// spare is how long a session has to have been idle before it may be ended to make room for another,
// and before what it keeps for a client that comes back is dropped.
const spare = time.Minute

// Run ends sessions that nobody uses, until ctx ends.
func (e *Endpoint) Run(ctx context.Context) {
	tick := time.NewTicker(min(e.opts.Idle/2, spare))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			e.sweep(now)
		}
	}
}

// sweep ends the sessions that have been idle for too long.
func (e *Endpoint) sweep(now time.Time) {
	var expired []*session
	e.mu.Lock()
	for _, s := range e.sessions {
		since, idle := s.idleSince()
		switch {
		case !idle:
		case now.Sub(since) >= e.opts.Idle:
			e.remove(s)
			e.figures.Expired++
			expired = append(expired, s)
		case now.Sub(since) >= spare:
			s.rest()
		}
	}
	e.mu.Unlock()
	for _, s := range expired {
		e.log(s.end())
	}
}

// newSession returns a session that is not in the table yet, with one request being answered.
func (e *Endpoint) newSession(p mcp.Peer) *session {
	s := &session{limit: e.opts.History, shelf: e.kept, general: newStream(e.opts.History), using: 1}
	s.general.same = true
	if c := p.Credential; c != nil {
		s.who = c.Principal
		if len(c.Profiles) > 0 {
			s.profile = c.Profiles[0]
		}
		if slices.Contains(c.Profiles, p.Profile) {
			s.profile = p.Profile
		}
	}
	p.Meter = nil // a session has its own
	s.link = e.core.Link(e.calls, p, s.general.Tell)
	context.AfterFunc(s.link.Context(), func() { e.drop(s) }) // it may be somebody else who ends it
	return s
}

// admit puts a session into the table once its peer has initialized it, unless it has been ended since. It reports
// false if there is no room.
func (e *Endpoint) admit(s *session) bool {
	id := s.link.SessionID()
	if s.link.Version() == "" { // a native peer has chosen it: it may be no header, and others may know it
		id = "ses_" + rand.Text()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s.id = id
	if s.link.Context().Err() != nil { // it has been ended since, and drop may have been: nobody would take it out
		return true
	}
	if len(e.sessions) >= e.opts.MaxSessions {
		old := e.stalest(time.Now(), s.who)
		if old == nil {
			return false
		}
		e.remove(old)
		e.figures.Expired++
		go func() { e.log(old.end()) }()
	}
	e.sessions[s.id] = s
	e.own[s.who]++
	e.figures.Opened++
	return true
}

// stalest returns the session that has to go for one of who: that which has been idle for longest, if it has been for long, or else that of somebody
// who has more than twice as many as who would, so that nobody alone has all: one that is idle, if there is one. nil if there is none. e.mu is held.
func (e *Endpoint) stalest(now time.Time, who string) (found *session) {
	var greedy, busy *session
	oldest, since, begun := now.Add(-spare), now, now
	for _, s := range e.sessions {
		at, idle := s.idleSince()
		many := e.own[s.who] > 2*(e.own[who]+1)
		switch {
		case !idle && many && !at.After(begun):
			busy, begun = s, at
		case !idle:
		case at.Before(oldest):
			found, oldest = s, at
		case many && at.Before(since):
			greedy, since = s, at
		}
	}
	return cmp.Or(found, greedy, busy)
}

// remove takes a session out of the table. e.mu is held.
func (e *Endpoint) remove(s *session) {
	delete(e.sessions, s.id)
	if e.own[s.who]--; e.own[s.who] == 0 {
		delete(e.own, s.who)
	}
}

// session returns the session of an id, with one more request being answered; nil if there is none, or
// it is not open to the peer.
func (e *Endpoint) session(id string, p mcp.Peer) *session {
	e.mu.Lock()
	s := e.sessions[id]
	e.mu.Unlock()
	if s == nil || !s.opensTo(p) || !s.enter() {
		return nil
	}
	return s
}

// drop takes a session out of the table and ends it.
func (e *Endpoint) drop(s *session) {
	e.mu.Lock()
	if e.sessions[s.id] == s {
		e.remove(s)
	}
	e.mu.Unlock()
	e.log(s.end())
}

// opensTo reports whether a session is the peer's: of its principal, and of a profile that its credential opens,
// which need not be the one that the session was opened with.
func (s *session) opensTo(p mcp.Peer) bool {
	c := p.Credential
	if c == nil {
		return s.who == "" && s.profile == ""
	}
	return s.who == c.Principal && (s.profile == "" || slices.Contains(c.Profiles, s.profile))
}
