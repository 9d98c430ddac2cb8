package agent

import (
	"maps"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// LimitIn is the input of agent.limit.
type LimitIn struct {
	Banned   []string                         `json:"banned,omitempty" jsonschema_description:"Agents for whom nothing is done any more, by their ids, or by what ids begin with and a *; those of before are none any more."`
	Profiles map[string][]profiles.Permission `json:"profiles,omitempty" jsonschema_description:"What profiles grant now; one that is not among them takes nothing from who has attached something with it."`
}

// LimitOut is the output of agent.limit.
type LimitOut struct {
	Released int `json:"released" jsonschema_description:"How many claims of agents that are banned have ended."`
}

// Limits returns what agent.limit has said.
func (p *Presence) Limits(v *world.View) LimitIn {
	if p.does == nil {
		return LimitIn{}
	}
	return LimitIn(p.does.Limits(v))
}

// Limit returns the skill agent.limit, which is not registered: like agent.attend it is the engine's, to call as itself. It says what whoever runs the server has taken from agents: what they have
// attached, timers, goals of who lives and calls of actions are held to that from then on, when they are done. Claims of who is banned end, and walks and paths that he has begun rest or end.
func (p *Presence) Limit() registry.Skill {
	return registry.Define(registry.Spec[LimitIn, LimitOut]{
		Name:        "agent.limit",
		Title:       "Limit what is done for agents",
		Description: "Note for which agents nothing is done any more, and what profiles grant now.",
		Permissions: []profiles.Permission{"agent.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in LimitIn) (LimitOut, error) {
			return world.Do(p.w, c, func(tx *world.Tx) (LimitOut, error) { return p.limit(tx, in) })
		},
	})
}

func (p *Presence) limit(tx *world.Tx, in LimitIn) (out LimitOut, err error) {
	if p.does == nil {
		return out, registry.Failf("nothing is done for agents in this world")
	}
	if err := p.does.Limit(tx, action.Limits{}); err != nil { // so that it is done for him that his claims end
		return out, err
	}
	ends := map[string]string{}
	for id, c := range tx.Claims() {
		if profiles.CoversAny(in.Banned, c.Holder) {
			ends[id] = c.Holder
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ends)) {
		if err := tx.As(ends[id], func() error { return tx.Release(id) }); err != nil {
			return out, err
		}
	}
	out.Released = len(ends)
	if err := p.does.Limit(tx, action.Limits(in)); err != nil {
		return out, err
	}
	return out, p.bar(tx)
}
