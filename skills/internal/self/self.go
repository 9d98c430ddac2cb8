// Package self is whom skills mean that are called without naming anybody: the caller's own body or character.
package self

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Of returns what a caller has of his own, as [github.com/limina-mcp/limina/skills/player.Stage.Own] does: his body, or else his characters. A nil one knows of
// nobody's.
type Of func(v *world.View, caller *profiles.Principal) []world.ID

// Fill sets an id that a field of the input has not named to the caller's own. Where he has not exactly one the error names the field, and says what would help.
func (of Of) Fill(v *world.View, caller *profiles.Principal, field string, id *world.ID) error {
	if *id != 0 {
		return nil
	}
	var own []world.ID
	if of != nil {
		own = of(v, caller)
	}
	switch len(own) {
	case 0:
		return registry.Invalidf("%s: you have no body or character of your own, which agent.embody or player.spawn makes: name an entity, such as ent_3", field)
	case 1:
		*id = own[0]
		return nil
	}
	return registry.Invalidf("%s: you have %d characters, such as %s and %s: name one", field, len(own), own[0], own[1])
}
