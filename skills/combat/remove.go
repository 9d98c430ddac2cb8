package combat

import (
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// RemoveIn is the input of ability.remove.
type RemoveIn struct {
	ID   string          `json:"id" validate:"min=1,max=64" jsonschema_description:"Which, as ability.define named it: \"fireball\"."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event ability.removed."`
}

// RemoveOut is the output of ability.remove.
type RemoveOut struct {
	OK      bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Resting int  `json:"resting" jsonschema_description:"How many entities rest from it still: defined again, it is not ready for them before that is over."`
	Rules   int  `json:"rules" jsonschema_description:"How many rules name it still, which game.rules with mentions tells; what they do with it fails."`
}

// Named has a function say, where the world is put together, how many rules name an ability.
func (a *Arena) Named(rules func(v *world.View, id string) int) { a.named = rules }

func (a *Arena) remove() registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, RemoveOut]{
		Name:  "ability.remove",
		Title: "Remove an ability",
		Description: "Remove an ability that ability.define has made: nobody can cast it any more. " +
			`Example: {"id":"fireball"}`,
		Category:    "combat",
		Keywords:    "delete undefine forget spell skill power",
		Permissions: []profiles.Permission{"combat.write"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveIn) (RemoveOut, error) {
			return world.Do(a.w, c, func(tx *world.Tx) (out RemoveOut, err error) {
				if err := a.mayDefine(&tx.View, c.Principal()); err != nil {
					return out, err
				}
				if _, err := a.find(&tx.View, in.ID); err != nil {
					return out, err
				}
				for _, all := range a.cooldowns.All(&tx.View) {
					if slices.ContainsFunc(all, func(c cooldown) bool { return c.ID == in.ID && c.Ready > tx.Step() }) {
						out.Resting++
					}
				}
				out.Rules = a.named.Of(&tx.View, in.ID)
				out.OK = a.abilities.Delete(tx, in.ID)
				return out, c.Emit("ability.removed", defined(in))
			})
		},
	})
}
