package player

import (
	"iter"
	"slices"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/world"
)

// Acts reports why a caller may not have an entity act: it is the body of another agent, or a character that Guard keeps
// from him. What is neither acts for everybody.
func (s *Stage) Acts(v *world.View, caller *profiles.Principal, id world.ID) error {
	if agent, ok := s.agents.Agent(v, id); ok && agent != caller.ID {
		return registry.Errorf(registry.CodeForbidden, "%s is the body of another agent, %s, who alone acts with it: leave it out to act with your own, which agent.embody or player.spawn makes", id, agent)
	}
	return s.Guard(v, caller, id)
}

// Own returns what a caller acts with who names nothing: its body, or else the characters that it spawned, in id order; nothing if it
// has neither.
func (s *Stage) Own(v *world.View, caller *profiles.Principal) []world.ID {
	if body, ok := s.agents.Body(v, caller.ID); ok {
		return []world.ID{body}
	}
	return s.Spawned(v, caller.ID)
}

// Owner returns who spawned a character, and false for what is none, or nobody's.
func (s *Stage) Owner(v *world.View, id world.ID) (agent string, ok bool) { return s.owners.Get(v, id) }

// Player returns who plays an entity, whose body it is or who has spawned the character, and false where nobody does.
func (s *Stage) Player(v *world.View, id world.ID) (agent string, ok bool) {
	if agent, ok = s.agents.Agent(v, id); ok {
		return agent, true
	}
	return s.Owner(v, id)
}

// Plays reports whether an entity is an agent's body, or a character that it has spawned.
func (s *Stage) Plays(v *world.View, agent string, id world.ID) bool {
	body, has := s.agents.Agent(v, id)
	owner, owned := s.owners.Get(v, id)
	return has && body == agent || owned && owner == agent
}

// Spawned returns the characters that an agent spawned, in id order.
func (s *Stage) Spawned(v *world.View, agent string) (own []world.ID) {
	for id, owner := range s.owners.All(v) {
		if owner == agent {
			own = append(own, id)
		}
	}
	return own
}

// Avatars returns what agents play: their bodies, and the characters that they have spawned, in id order.
func (s *Stage) Avatars(v *world.View) []world.ID {
	all := slices.Collect(s.agents.Bodies(v))
	for id := range s.owners.All(v) {
		all = append(all, id)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Played yields the agents that have a body or a character, each once for each.
func (s *Stage) Played(v *world.View) iter.Seq[string] {
	return func(yield func(string) bool) {
		for id := range v.All() {
			agent, ok := s.agents.Agent(v, id)
			if !ok {
				agent, ok = s.owners.Get(v, id)
			}
			if ok && !yield(agent) {
				return
			}
		}
	}
}

// Walk returns how fast a caller may have an entity go where he sends it, as a guard of ways: as he likes, if he may change the scene. Else it has
// to be his own body, or a character that he spawned, and goes no faster than that runs.
func (s *Stage) Walk(v *world.View, caller *profiles.Principal, id world.ID) (most float64, err error) {
	if caller.Grants.Has("scene.write") {
		return navigation.Free, nil
	}
	if err := s.Guard(v, caller, id); err != nil {
		return 0, err
	}
	if c, err := s.p.Character(v, id); err == nil {
		return c.RunSpeed, nil
	}
	if agent, ok := s.agents.Agent(v, id); ok && agent == caller.ID {
		return agents.Speed, nil
	}
	return 0, registry.Errorf(registry.CodeForbidden, "%s is not yours to move: without the permission scene.write you walk with your own body or character, which agent.embody or player.spawn makes", id)
}

// Lives reports whether an entity is a character, or the body of an agent.
func (s *Stage) Lives(v *world.View, id world.ID) bool {
	_, body := s.agents.Agent(v, id)
	return body || s.p.Walks(v, id)
}

// Walks reports whether an entity is a character, which player.move moves.
func (s *Stage) Walks(v *world.View, id world.ID) bool { return s.p.Walks(v, id) }
