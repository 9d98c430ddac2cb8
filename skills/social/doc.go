// Package social holds the skills by which agents with bodies meet: social.say and social.approach.
//
// Who speaks and who walks is always the caller, through its own body; who has none, but has spawned a character, speaks where that
// is. Without either both fail and say so. [New] adds to a world what they need, [All] gives the skills.
package social

import (
	"strconv"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Social is what has been said in a world, as far as it is kept: how much. A world has one Social.
type Social struct {
	w      *world.World
	agents *agents.Agents
	said   *world.Global[uint64] // utterances so far; it never goes back
}

// New adds to a world what the skills need.
func New(w *world.World, a *agents.Agents) *Social {
	return &Social{w: w, agents: a, said: world.NewGlobal[uint64](w, "social.said", 0, world.Private, world.Lasting)}
}

// All returns the skills of the package.
func All(s *Social) []registry.Skill {
	return []registry.Skill{Say(s), Approach(s)}
}

// next returns the handle of a new utterance.
func (s *Social) next(tx *world.Tx) (string, error) {
	n := s.said.Get(&tx.View)
	return "say_" + strconv.FormatUint(n, 10), s.said.Set(tx, n+1)
}

// mouth returns through what the caller speaks, its body or its first character, and where that is.
func (s *Social) mouth(v *world.View, agent string) (world.ID, world.Vec3, error) {
	id, ok := s.agents.Eyes(v, agent)
	if !ok {
		return 0, world.Vec3{}, registry.Failf("you have no body and no character: call agent.embody or player.spawn first")
	}
	at, _ := v.Position(id)
	return id, at, nil
}

// body returns the caller's body and where it is.
func (s *Social) body(v *world.View, agent string) (world.ID, world.Vec3, error) {
	body, ok := s.agents.Body(v, agent)
	if !ok {
		return 0, world.Vec3{}, registry.Failf("you have no body: call agent.embody first; a character goes where navmesh.moveTo sends it")
	}
	at, _ := v.Position(body)
	return body, at, nil
}
