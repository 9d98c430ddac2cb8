package interaction

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// UnregisterIn is the input of interaction.unregister.
type UnregisterIn struct {
	Entity world.ID        `json:"entity" jsonschema_description:"What nothing is to be done with any more, such as ent_7."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event interaction.unregistered."`
}

// UnregisterOut is the output of interaction.unregister.
type UnregisterOut struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

// Unregister is interaction.unregister. What is on its way stays where it is.
func Unregister(t *Things) registry.Skill {
	return registry.Define(registry.Spec[UnregisterIn, UnregisterOut]{
		Name:  "interaction.unregister",
		Title: "Make something unusable",
		Description: "End what interaction.register has said of an entity: nothing can be done with it any more, and players are shown nothing. The entity itself stays as it is, a door that is open stays open. " +
			`To change what can be done with it register it again. Example: {"entity":"ent_7"}`,
		Keywords:    "remove end stop interactive usable no longer anymore disable deactivate",
		Permissions: []profiles.Permission{author},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in UnregisterIn) (UnregisterOut, error) {
			return world.Do(t.w, c, func(tx *world.Tx) (UnregisterOut, error) {
				th, s, err := t.find(&tx.View, in.Entity)
				if err != nil {
					return UnregisterOut{}, err
				}
				t.things.Remove(tx, in.Entity)
				t.setups.Remove(tx, in.Entity)
				t.ajar.Remove(tx, in.Entity)
				t.moving.Remove(tx, in.Entity)
				return UnregisterOut{OK: true}, c.Emit("interaction.unregistered", happening{Entity: in.Entity, By: c.Principal().ID, Type: th.Type, Action: s.Action, Meta: in.Meta})
			})
		},
	})
}
