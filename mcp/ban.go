package mcp

import (
	"errors"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
)

// ErrBanned is what Serve returns when the agent of its session was banned, see [Mcp.Ban].
var ErrBanned = errors.New("mcp: the agent may not be here")

// bans are the agents that are kept out; nil are none. They are immutable.
type bans struct{ agents []string }

// refuse fails if an agent is kept out.
func (b *bans) refuse(agent string) error {
	if b == nil || !profiles.CoversAny(b.agents, agent) {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "agentId: %q may not be here: whoever runs this server has banned it", agent)
}

// Ban keeps agents out, by their ids, or by what ids begin with and a "*". They take the place of those that were banned before. Connections of theirs that have
// a session end with [ErrBanned], and its calls are cancelled; who asks for one is refused. Where a connection is of several, as each of its messages says whose it is, and the first of
// them is not banned, it goes on: what runs of those who are ends, and nothing else. Nothing that a call of theirs has done is committed any more, and of what changes they are told nothing. Operators come in all the same. It waits for nobody.
func (m *Mcp) Ban(agents []string) {
	b := &bans{slices.Clone(agents)}
	m.end(ErrBanned, m.barred, func() { m.banned.Store(b) })
}

// Banned returns whom Ban keeps out, in the form that it wants. It waits for nobody, so that whoever holds the world may ask.
func (m *Mcp) Banned() []string {
	if b := m.banned.Load(); b != nil {
		return slices.Clone(b.agents)
	}
	return nil
}

// Bans reports whether Ban keeps somebody out. It waits for nobody.
func (m *Mcp) Bans(p *profiles.Principal) bool { return m.barred(p) != nil }

// gone says why who has begun something may not go on with it, nil where he may. It waits for nobody.
func (m *Mcp) gone(p *profiles.Principal) error {
	if err := m.barred(p); err != nil || !m.reprofiled.Load() {
		return err
	}
	return m.reduced(p)
}

// barred says that somebody is banned, if he is.
func (m *Mcp) barred(p *profiles.Principal) error {
	if p.Kind == profiles.KindOperator {
		return nil
	}
	return m.banned.Load().refuse(p.ID)
}

// reduced says that somebody's profile grants less than he has, if it does.
func (m *Mcp) reduced(p *profiles.Principal) error {
	if now, err := m.profiles.Resolve(p.Profile); err == nil && p.Grants.Within(now) {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "the profile %s does not grant any more what it did when you made the call: make it again", p.Profile)
}

// ErrReduced is what Serve returns when the profile of its session grants less than it did, see [Mcp.Reprofile].
var ErrReduced = errors.New("mcp: the profile does not grant any more what it did")

// Reprofile has [Options.Profiles] count that have been replaced. Connections whose session may do something by its profile that this does not grant any more end with
// [ErrReduced], and its calls are cancelled; sessions in process end, too. What a profile grants besides now is for sessions that are opened from now on. It waits for nobody, and
// returns how many sessions have ended.
func (m *Mcp) Reprofile() (ended int) {
	return m.end(ErrReduced, m.reduced, func() { m.reprofiled.Store(true) })
}

// end ends the sessions of those who are out, for a reason, and what runs of them on connections of others, once first is done: nobody comes in between.
func (m *Mcp) end(why error, out func(*profiles.Principal) error, first func()) int {
	var gone []*Session
	var others []*conn
	m.mu.Lock()
	first()
	m.terms.Add(1)
	for _, s := range m.sessions {
		switch {
		case out(&s.principal) != nil:
			gone = append(gone, s)
		case s.conn != nil:
			others = append(others, s.conn)
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
	for _, c := range others {
		c.running.clear(out)
		c.hush()
	}
	m.tasks.cancel(out) // which go on without a connection; last, as a call may become one until its connection ends
	return len(gone)
}
