package mcp

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/limina-mcp/limina/internal/seldom"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// Standing is what is known of a session that is open, for whoever runs the server.
type Standing struct {
	Agent   string    `json:"agent"`
	Session string    `json:"session"`
	Profile string    `json:"profile"`
	Token   string    `json:"token,omitempty"`  // for whom its credential is, where that is not the agent alone: "fleet-*"
	Client  string    `json:"client,omitempty"` // what a standard client calls itself, with its version
	Via     string    `json:"via,omitempty"`    // as [Peer.Via] says
	From    string    `json:"from,omitempty"`   // as [Peer.From] says
	Since   time.Time `json:"since"`
	Calls   uint64    `json:"calls"` // that were made in it, by a peer
}

// Sessions returns the sessions that are open, those for a single request aside, by agent and the oldest first.
func (m *Mcp) Sessions() []Standing {
	m.mu.Lock()
	all := make([]Standing, 0, len(m.sessions))
	for _, s := range m.sessions {
		if !s.principal.Brief {
			all = append(all, s.standing())
		}
	}
	m.mu.Unlock()
	slices.SortFunc(all, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(a.Agent, b.Agent), a.Since.Compare(b.Since), cmp.Compare(a.Session, b.Session))
	})
	return all
}

func (s *Session) standing() Standing {
	p := &s.principal
	st := Standing{Agent: p.ID, Session: p.Session, Profile: p.Profile, Token: p.Holder, Client: s.client, Since: s.since}
	if c := s.conn; c != nil {
		st.Via, st.From, st.Calls = c.peer.Via, c.peer.From, c.made.Load()-s.before
	}
	return st
}

// Opens reports whether a credential, which may be nil, opens a profile that has a permission.
func (m *Mcp) Opens(c *Credential, p profiles.Permission) bool {
	return c != nil && slices.ContainsFunc(c.Profiles, func(name string) bool {
		grants, err := m.profiles.Resolve(name)
		return err == nil && grants.Has(p)
	})
}

// maxTold is how many bytes of what a peer has said the log shows.
const maxTold = 64

// tell has the log say that a session has come or gone, of one whose peer has come from somewhere. Who comes and goes all the time does not fill it.
func (m *Mcp) tell(s *Session, what string) {
	if s.conn == nil || s.conn.peer.From == "" || s.principal.Brief {
		return
	}
	e := m.opts.Logger.Info()
	if !e.Enabled() {
		return
	}
	left, ok := m.notes.Note(time.Now())
	if !ok {
		return
	}
	st := s.standing()
	e = e.Str("agent", seldom.Clip(st.Agent, maxTold)).Str("session", seldom.Clip(st.Session, maxTold)).Str("profile", st.Profile).Str("via", st.Via).Str("from", st.From)
	if st.Client != "" {
		e = e.Str("client", seldom.Clip(st.Client, maxTold))
	}
	if s.closed.Load() {
		e = e.Str("after", time.Since(st.Since).Round(time.Millisecond).String()).Uint64("calls", st.Calls)
	}
	if left > 0 {
		e = e.Int("others", left)
	}
	e.Msg(what)
}

// ErrBanned is what Serve returns when the agent of its session was banned, see [Mcp.Ban].
var ErrBanned = errors.New("mcp: the agent may not be here")

// bans are the agents that are kept out; nil are none. They are immutable.
type bans struct{ agents []string }

// refuse fails if an agent is kept out.
func (b *bans) refuse(agent string) error {
	if b == nil || !slices.ContainsFunc(b.agents, func(ban string) bool { return covers(ban, agent) }) {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "agentId: %q may not be here: whoever runs this server has banned it", agent)
}

// Ban keeps agents out, by their ids, or by what ids begin with and a "*". They take the place of those that were banned before. Connections of theirs that have
// a session end with [ErrBanned], and its calls are cancelled; who asks for one is refused. Operators come in all the same. It waits for nobody.
func (m *Mcp) Ban(agents []string) {
	b := &bans{slices.Clone(agents)}
	m.end(ErrBanned, func(p *profiles.Principal) bool {
		return p.Kind != profiles.KindOperator && b.refuse(p.ID) != nil
	}, func() { m.banned.Store(b) })
}

// ErrReduced is what Serve returns when the profile of its session grants less than it did, see [Mcp.Reprofile].
var ErrReduced = errors.New("mcp: the profile does not grant any more what it did")

// Reprofile has [Options.Profiles] count that have been replaced. Connections whose session may do something by its profile that this does not grant any more end with
// [ErrReduced], and its calls are cancelled; sessions in process end, too. What a profile grants besides now is for sessions that are opened from now on. It waits for nobody, and
// returns how many sessions have ended.
func (m *Mcp) Reprofile() (ended int) {
	return m.end(ErrReduced, func(p *profiles.Principal) bool {
		now, err := m.profiles.Resolve(p.Profile)
		return err != nil || !p.Grants.Within(now)
	}, nil)
}

// end ends the sessions of some, for a reason, once first, which may be nil, is done: nobody comes in between.
func (m *Mcp) end(why error, of func(*profiles.Principal) bool, first func()) int {
	var gone []*Session
	m.mu.Lock()
	if first != nil {
		first()
	}
	for _, s := range m.sessions {
		if of(&s.principal) {
			gone = append(gone, s)
		}
	}
	m.mu.Unlock()
	for _, s := range gone {
		if s.conn != nil {
			s.conn.cancel(why)
		} else {
			s.Close()
		}
	}
	return len(gone)
}
