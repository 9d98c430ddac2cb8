package mcp

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// maxIdentity bounds the ids that a peer may call itself by, in bytes.
const maxIdentity = 256

// guarded are the profiles that nobody is given for the asking: they judge the others, as every
// profile does that holds the permission to.
var guarded = []string{"reviewer", "reviewer.coordinator"}

const mayJudge profiles.Permission = "approval.review"

// Identity is what a caller says of himself when a session is opened.
type Identity struct {
	AgentID   string
	SessionID string // unique among the sessions that are open
	Profile   string // the name of what he may do
	Kind      profiles.Kind
	Token     string // opens profiles that are not open to everybody

	by     *Credential // by which it is opened; nil for none
	conn   *conn       // whose session it is; nil of one that is opened in process
	client string      // what a standard client calls itself, with its version
	brief  bool        // the session is for one request: its agent has not come, and will not have gone
}

// Session is one caller's standing: who he is and what he may do, fixed when it is opened. It is
// safe for concurrent use.
type Session struct {
	mcp       *Mcp
	principal profiles.Principal
	closed    atomic.Bool

	conn   *conn  // nil of one that is opened in process
	token  string // the owner of the credential that has opened it, "" for none
	client string // what a standard client calls itself, with its version
	since  time.Time
	before uint64 // the calls of its connection when it was opened
}

// Open opens a session. It fails with a [profiles.UnknownProfileError], which lists the known ones,
// if there is no such profile, and with a [registry.Error] if the ids are bad, the profile is not
// open to the caller, or the session id is in use. The operator, [profiles.KindOperator], may take
// any profile.
func (m *Mcp) Open(id Identity) (*Session, error) {
	if err := id.check(); err != nil {
		return nil, err
	}
	var opened *Credential
	if id.Token != "" && m.opts.Tokens != nil {
		if c, ok := m.opts.Tokens(id.Token); ok {
			opened = &c
		}
	}
	if err := m.allow(id, opened); err != nil {
		return nil, err
	}
	if opened != nil && opened.names(id.AgentID) {
		id.by = opened
	}
	return m.open(id, nil)
}

// check refuses bad ids.
func (id Identity) check() error {
	for _, f := range []struct{ name, value string }{{"agentId", id.AgentID}, {"sessionId", id.SessionID}} {
		if f.value == "" {
			return registry.Errorf(registry.CodeInvalidInput, "%s: required, a string of 1 to %d bytes", f.name, maxIdentity)
		}
		if len(f.value) > maxIdentity || !utf8.ValidString(f.value) {
			return registry.Errorf(registry.CodeInvalidInput, "%s: must be a string of 1 to %d bytes", f.name, maxIdentity)
		}
		if plain(f.value) != f.value {
			return registry.Errorf(registry.CodeInvalidInput, "%s: must have no control characters or others that nobody sees, and no space at its ends: others have to tell it from theirs", f.name)
		}
	}
	return nil
}

// plain returns a name without what nobody sees of it, such as control characters, marks of direction and spaces at its ends: with those it would look like another's, or like
// text of the server's.
func plain(name string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsPrint(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return -1
	}, name))
}

// open opens a session that is checked and allowed, in the place of old, which may be nil and has the same
// owner.
func (m *Mcp) open(id Identity, old *Session) (*Session, error) {
	if id.Kind == "" {
		id.Kind = profiles.KindAgent
	}
	grants, err := m.profiles.Resolve(id.Profile)
	if err != nil {
		return nil, err
	}
	s := &Session{mcp: m, principal: id.principal(grants), conn: id.conn, token: id.by.Owner(), client: id.client, since: time.Now()}
	if id.conn != nil {
		s.before = id.conn.made.Load()
	}
	defer m.attendance() // after the session is there to be seen
	ended, err := m.put(s, old)
	if err != nil {
		return nil, err
	}
	if ended { // the log is waited for by nobody else
		m.tell(old, "session ended")
	}
	m.tell(s, "session opened")
	return s, nil
}

// principal is who calls are made as by who says so of himself, and may do what is granted.
func (id *Identity) principal(grants profiles.Grants) profiles.Principal {
	return profiles.Principal{
		Kind: id.Kind, ID: id.AgentID, Holder: id.by.holder(), Session: id.SessionID, Brief: id.brief, Profile: id.Profile, Grants: grants,
	}
}

// put has a session there to be seen, in the place of old, which may be nil, and reports whether that has ended by it.
func (m *Mcp) put(s, old *Session) (ended bool, err error) {
	p := &s.principal
	m.mu.Lock()
	defer m.mu.Unlock()
	if p.Kind != profiles.KindOperator {
		if err := m.banned.Load().refuse(p.ID); err != nil {
			return false, err
		}
	}
	if live := m.sessions[p.Session]; live != nil && live != old {
		return false, live.taken(p)
	}
	if p.Grants, err = m.profiles.Resolve(p.Profile); err != nil { // it may be another one by now, and Reprofile has not seen the session
		return false, err
	}
	m.count(s, 1) // before the old one ends, which may be the agent's last
	ended = old != nil && old.closeLocked()
	m.sessions[p.Session] = s
	return ended, nil
}

// taken refuses somebody a session id that is in use. If it is the same agent, who may well have lost the connection that has it
// without the server having been told, that connection has to prove that its peer is there.
func (s *Session) taken(by *profiles.Principal) error {
	var prober Prober
	if s.conn != nil {
		prober, _ = s.conn.framer.(Prober)
	}
	if prober == nil || s.principal.ID != by.ID {
		return registry.Errorf(registry.CodeForbidden, "session %q is in use on another connection: take another sessionId", by.Session)
	}
	return registry.Errorf(registry.CodeForbidden, "session %q is in use on another connection, which is asked whether anybody is there: "+
		"if not, it ends within %v, and the session is free: try again then, or take another sessionId", by.Session, prober.Probe())
}

// allow decides whether the caller may have the profile that he asks for, by what his token stands for, nil for nothing.
func (m *Mcp) allow(id Identity, opened *Credential) error {
	if _, err := m.profiles.Resolve(id.Profile); err != nil {
		return err
	}
	if id.Kind == profiles.KindOperator || m.allows(id.Profile) {
		return nil
	}
	if id.Token == "" {
		return registry.Errorf(registry.CodeForbidden, "profile %q needs a token; without one: %s", id.Profile, cmp.Or(strings.Join(m.allowed(), ", "), "none"))
	}
	if opened == nil || !slices.Contains(opened.Profiles, id.Profile) {
		return registry.Errorf(registry.CodeForbidden, "the token does not open profile %q", id.Profile)
	}
	if !opened.names(id.AgentID) {
		return registry.Errorf(registry.CodeForbidden, "agentId: the token is for %q", opened.Principal)
	}
	return nil
}

// Principal returns who the session's calls are made as.
func (s *Session) Principal() profiles.Principal { return s.principal }

// Close ends the session: its id is free again and calls are refused. Running ones go on.
func (s *Session) Close() {
	if s == nil {
		return
	}
	defer s.mcp.attendance()
	s.mcp.mu.Lock()
	ended := s.closeLocked()
	s.mcp.mu.Unlock()
	if ended {
		s.mcp.tell(s, "session ended")
	}
}

// attendance tells whoever is to know that sessions have come or gone.
func (m *Mcp) attendance() {
	if m.opts.Attendance != nil {
		m.opts.Attendance()
	}
}

// count notes that an agent has a session more or less, and tells if it is the first or was the last. m.mu is held.
func (m *Mcp) count(s *Session, more int) {
	if s.principal.Brief {
		return
	}
	agent := s.principal.ID
	before := m.present[agent]
	if m.present[agent] += more; before+more == 0 {
		delete(m.present, agent)
	}
	if m.opts.Presence != nil && (before == 0 || before+more == 0) {
		m.opts.Presence(agent, more > 0)
	}
}

// closeLocked ends the session, and reports whether it was open.
func (s *Session) closeLocked() (ended bool) {
	if ended = !s.closed.Swap(true); ended {
		s.mcp.count(s, -1)
	}
	if s.mcp.sessions[s.principal.Session] == s {
		delete(s.mcp.sessions, s.principal.Session)
	}
	return ended
}

// live reports whether calls may be made; a nil Session is none.
func (s *Session) live() bool { return s != nil && !s.closed.Load() }

// grants returns what the session may do, nil for no session: nothing is decided yet.
func (s *Session) grants() *profiles.Grants {
	if !s.live() {
		return nil
	}
	return &s.principal.Grants
}

// allows reports whether a profile is open to everybody: those that options name, or all but those that judge others.
func (m *Mcp) allows(name string) bool {
	if m.opts.Allowed != nil {
		return slices.Contains(m.opts.Allowed, name)
	}
	grants, err := m.profiles.Resolve(name)
	return err == nil && !grants.Has(mayJudge) && !slices.Contains(guarded, name)
}

// allowed returns the profiles that are open to everybody.
func (m *Mcp) allowed() []string {
	return slices.DeleteFunc(m.profiles.Names(), func(name string) bool { return !m.allows(name) })
}
