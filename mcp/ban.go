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
	m.tasks.cancel(of) // which go on without a connection; last, as a call may become one until its connection ends
	return len(gone)
}
