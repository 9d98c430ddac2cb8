package behavior

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/derived"
	"github.com/limina-mcp/limina/skills/internal/shelf"
	"github.com/limina-mcp/limina/world"
)

// RemoveIn is the input of behavior.remove.
type RemoveIn struct {
	ID   string          `json:"id" validate:"min=1,max=128" jsonschema_description:"Which, as behavior.define named it."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// RemoveOut is the output of behavior.remove.
type RemoveOut struct {
	OK    bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Rules int  `json:"rules" jsonschema_description:"How many rules name it still, which game.rules with mentions tells; what they do with it fails."`
}

// Named has a function say, where the world is put together, how many rules name a profile.
func (m *Minds) Named(rules func(v *world.View, id string) int) { m.named = rules }

// Remove is behavior.remove.
func Remove(m *Minds) registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, RemoveOut]{
		Name:  "behavior.remove",
		Title: "Remove a way to behave",
		Description: "Remove a profile that behavior.define has written. Refused while somebody lives by it: behavior.assign with the profile \"\" ends that. " +
			`Example: {"id":"watchman"}`,
		Keywords:    "delete forget profile npc ai",
		Permissions: []profiles.Permission{"behavior.configure"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveIn) (RemoveOut, error) {
			return world.Do(m.World, c, func(tx *world.Tx) (out RemoveOut, err error) {
				p, err := m.find(&tx.View, in.ID)
				if err != nil {
					return out, err
				}
				var who []world.ID
				for id, mi := range m.minds.All(&tx.View) {
					if mi.Profile == in.ID {
						who = append(who, id)
					}
				}
				if err := shelf.Used("id", in.ID, who, "lives by", "live by", `behavior.assign {"entity":%q,"profileId":""}`); err != nil {
					return out, err
				}
				out.Rules = m.named.Of(&tx.View, in.ID)
				if err := derived.Move(tx, m.fans, in.ID, triggers(p.Reactions), nil); err != nil {
					return out, err
				}
				m.by.Drop(tx, in.ID)
				out.OK = m.profiles.Delete(tx, in.ID)
				return out, nil
			})
		},
	})
}
