package player

import (
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// Tell has it said of characters that they were crushed, once, where the world is put together: the event "player.crushed" about each, and
// "player.crushed:ent_7" for what has done it. Nobody else can emit them.
func (s *Stage) Tell(does *action.Actions) {
	s.p.OnCrushed(func(tx *world.Tx, id, by world.ID) error {
		owner, _ := s.owners.Get(&tx.View, id)
		return does.Tell(tx, "player", "crushed", by.String(), id, owner, struct {
			By world.ID `json:"crushedBy"`
		}{by})
	})
}
