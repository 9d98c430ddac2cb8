package player

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// DespawnIn is the input of player.despawn.
type DespawnIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"Id of the character, such as ent_3."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event player.despawned."`
}

// DespawnOut is the output of player.despawn.
type DespawnOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

func (s *Stage) despawn() registry.Skill {
	return registry.Define(registry.Spec[DespawnIn, DespawnOut]{
		Name:  "player.despawn",
		Title: "Remove a character",
		Description: "Remove a character that you spawned, for good, with all that it has, items, quests, level: interaction.drop lays items down before. To leave for a while just end your session: then what it has is kept for you. Who may change the scene removes any. For what is no character use scene.destroyEntity. " +
			`Example: {"entity":"ent_3"}`,
		Keywords:    "character npc person hero leave delete destroy quit",
		Permissions: []profiles.Permission{"player.write"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in DespawnIn) (DespawnOut, error) {
			return world.Do(s.w, c, func(tx *world.Tx) (DespawnOut, error) {
				if _, err := s.character(tx, c.Principal(), in.Entity); err != nil {
					return DespawnOut{}, err
				}
				tx.Destroy(in.Entity)
				return DespawnOut{OK: true}, c.Emit("player.despawned", event(in))
			})
		},
	})
}
