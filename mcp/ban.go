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
	if b == nil || !slices.ContainsFunc(b.agents, func(ban string) bool { return covers(ban, agent) }) {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "agentId: %q may not be here: whoever runs this server has banned it", agent)
}

// Ban keeps agents out, by their ids, or by what ids begin with and a "*". They take the place of those that were banned before. Connections of theirs that have
// a session end with [ErrBanned], and its calls are cancelled; who asks for one is refused. Operators come in all the same. It waits for nobody.
func (m *Mcp) Ban(agents []string) {
	b := &bans{slices.Clone(agents)}
	var gone []*Session
	m.mu.Lock()
	m.banned.Store(b)
	for _, s := range m.sessions {
		if s.principal.Kind != profiles.KindOperator && b.refuse(s.principal.ID) != nil {
			gone = append(gone, s)
		}
	}
	m.mu.Unlock()
	for _, s := range gone {
		if s.conn != nil {
			s.conn.cancel(ErrBanned)
		} else {
			s.Close()
		}
	}
}
