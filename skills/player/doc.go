// Package player holds the skills about characters: player.spawn makes one, player.despawn removes it, player.move sends it
// somewhere, player.jump has it jump, player.sprint and player.crouch say how it moves.
//
// A call leaves an intent and answers at once. The simulation steps carry it out: they walk the
// character up stairs and slopes, stop it at walls, let it fall off edges, and push what is in its way.
// So speed depends neither on how often somebody calls nor on how busy the machine is; to see where a
// character has got to, wait for it with physics.settle.
package player

import (
	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/self"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// Stage is what the skills act on.
type Stage struct {
	w      *world.World
	agents *agents.Agents
	p      *physics.Physics
	owners *world.Component[string]             // which agent spawned a character, for viewers too
	does   *action.Actions                      // who hears of it; nil: nobody
	halt   func(tx *world.Tx, id world.ID) bool // ends what else walks a character; nil: nothing does
}

// Steer has a function end what else walks a character, and report whether anything did, as whoever moves it takes it from there. It is given once,
// where the world is put together.
func (s *Stage) Steer(halt func(tx *world.Tx, id world.ID) bool) { s.halt = halt }

// New declares in a world who spawned which character, once, where it is put together.
func New(w *world.World, a *agents.Agents, p *physics.Physics) *Stage {
	return &Stage{w: w, agents: a, p: p, owners: world.NewComponent[string](w, "player.owner", world.Single)}
}

// All returns the skills of this package.
func All(s *Stage) []registry.Skill {
	return []registry.Skill{s.spawn(), s.despawn(), s.move(), s.jump(), s.sprint(), s.crouch()}
}

// Guard reports why a caller may not control an entity: a character of somebody else's. What is no character it has
// nothing to say about.
func (s *Stage) Guard(v *world.View, caller *profiles.Principal, id world.ID) error {
	if !s.p.Walks(v, id) || caller.Grants.Has("scene.write") {
		return nil
	}
	if owner, ok := s.owners.Get(v, id); ok && owner == caller.ID {
		return nil
	}
	if agent, ok := s.agents.Agent(v, id); ok && agent == caller.ID {
		return nil
	}
	return registry.Errorf(registry.CodeForbidden, "%s is somebody else's character: move your own (player.spawn makes one); others' need the permission scene.write", id)
}

// character returns a character that the caller may control: one that it spawned, its own body, or any
// if it may change the scene, as it could then move the entity anyway.
func (s *Stage) character(tx *world.Tx, caller *profiles.Principal, id world.ID) (physics.Character, error) {
	c, err := s.p.Character(&tx.View, id)
	if err != nil {
		return c, err
	}
	return c, s.Guard(&tx.View, caller, id)
}

// named is character, of the caller's own if he has named none: his body if that is one, else the one that he spawned.
func (s *Stage) named(tx *world.Tx, caller *profiles.Principal, id *world.ID) (physics.Character, error) {
	own := func(v *world.View, caller *profiles.Principal) []world.ID {
		if body, ok := s.agents.Body(v, caller.ID); ok && s.p.Walks(v, body) {
			return []world.ID{body}
		}
		return s.Spawned(v, caller.ID)
	}
	if err := self.Of(own).Fill(&tx.View, caller, "entity", id); err != nil {
		return physics.Character{}, err
	}
	return s.character(tx, caller, *id)
}

// event is the payload of the events of this package.
type event struct {
	Entity world.ID        `json:"entity"`
	Meta   registry.Object `json:"meta,omitempty"`
}
