// Package agent holds the skills of the category agent: a caller gives itself a body (agent.embody),
// perceives what is around it (agent.getPerception), and leaves signals in the trace
// (agent.emitEvent).
//
// Who is meant is always the caller: the agent of the session, whatever the input says.
package agent

import (
	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package.
func All(w *world.World, a *agents.Agents) []registry.Skill {
	return []registry.Skill{Embody(w, a), GetPerception(w, a), EmitEvent()}
}
