package player

import (
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// Tell has it said of characters that they were spawned and crushed, once, where the world is put together: the events "player.spawned" and "player.crushed"
// about each, "player.spawned:ann" for whose it is, and "player.crushed:ent_7" for what has done it. Nobody else can emit them.
func (s *Stage) Tell(does *action.Actions) {
	s.does = does
	s.p.OnCrushed(func(tx *world.Tx, id, by world.ID) error {
		owner, _ := s.owners.Get(&tx.View, id)
		return does.Tell(tx, "player", "crushed", by.String(), id, owner, struct {
			By world.ID `json:"crushedBy"`
		}{by})
	})
}

// tell tells of a character that it was spawned, if it is told of anything.
func (s *Stage) tell(tx *world.Tx, id world.ID, owner string) error {
	if s.does == nil {
		return nil
	}
	return s.does.Tell(tx, "player", "spawned", owner, id, owner, struct {
		Agent string `json:"agent"`
	}{owner})
}
