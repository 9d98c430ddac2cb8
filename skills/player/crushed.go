package player

import (
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// Tell has it said of characters that they were spawned, crushed, and have fallen out of the world, once, where the world is put together: the events "player.spawned",
// "player.crushed" and "player.fell" about each, "player.spawned:ann" and "player.fell:ann" for whose it is, and "player.crushed:ent_7" for what has done it. Nobody else can
// emit them.
func (s *Stage) Tell(does *action.Actions) {
	s.does = does
	s.p.OnCrushed(func(tx *world.Tx, id, by world.ID) error {
		owner, _ := s.owners.Get(&tx.View, id)
		return does.Tell(tx, "player", "crushed", by.String(), id, owner, struct {
			By world.ID `json:"crushedBy"`
		}{by})
	})
	s.p.OnFell(func(tx *world.Tx, id world.ID, from, to world.Vec3) error {
		owner, _ := s.owners.Get(&tx.View, id)
		return does.Tell(tx, "player", "fell", owner, id, owner, struct {
			From world.Vec3 `json:"from"`
			To   world.Vec3 `json:"to"`
		}{shown.Point(from), shown.Point(to)})
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
