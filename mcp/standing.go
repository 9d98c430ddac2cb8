package mcp

import (
	"cmp"
	"slices"
	"time"

	"github.com/limina-mcp/limina/internal/clip"
	"github.com/limina-mcp/limina/profiles"
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
	e = e.Str("agent", clip.Shown(st.Agent, maxTold)).Str("session", clip.Shown(st.Session, maxTold)).Str("profile", st.Profile).Str("via", st.Via).Str("from", st.From)
	if st.Client != "" {
		e = e.Str("client", clip.Shown(st.Client, maxTold))
	}
	if s.closed.Load() {
		e = e.Str("after", time.Since(st.Since).Round(time.Millisecond).String()).Uint64("calls", st.Calls)
	}
	e.EmbedObject(left).Msg(what)
}
