package ui

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// RemoveIn is the input of ui.remove.
type RemoveIn struct {
	Handle string `json:"handle" jsonschema_description:"Handle of the panel, as the skill that showed it returned it: \"ui_3\"."`
}

// RemoveOut is the output of ui.remove.
type RemoveOut struct {
	Removed bool `json:"removed" jsonschema_description:"False if there is no such panel (any more)."`
}

// Remove is ui.remove.
func Remove(p *Panels) registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, RemoveOut]{
		Name:  "ui.remove",
		Title: "Remove a panel",
		Description: "Remove a panel by its handle. Panels with lifecycle.ttlSeconds, and those at an entity that is destroyed, go by themselves. Use ui.update to change one instead." +
			` Example: {"handle":"ui_0"}`,
		Keywords:    "hide close clear panel",
		Permissions: []profiles.Permission{"ui.write"},
		Effect:      registry.Destroys,
		Idempotent:  true,
		Handle: func(c *registry.Call, in RemoveIn) (RemoveOut, error) {
			return world.Do(p.w, c, func(tx *world.Tx) (RemoveOut, error) {
				h, _, ok := p.lookup(&tx.View, in.Handle)
				if !ok {
					return RemoveOut{}, nil
				}
				p.Remove(tx, h)
				return RemoveOut{Removed: true}, c.Emit(EventRemoved, touched{h})
			})
		},
	})
}
