package input

import (
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// RemoveIn is the input of input.remove.
type RemoveIn struct {
	Name string          `json:"name" validate:"min=1" jsonschema_description:"Which of yours, as input.bind named it: \"jump\"."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event input.removed."`
}

func (k *Controls) remove() registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, Done]{
		Name:  "input.remove",
		Title: "Forget a button or an axis",
		Description: "Take away a name that input.bind has given a button or an axis of yours. If it is pressed it is released before. " +
			`Example: {"name":"jump"}`,
		Keywords:    "unbind delete key gamepad mapping control binding",
		Permissions: mayConfigure,
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveIn) (Done, error) {
			return world.Do(k.w, c, func(tx *world.Tx) (Done, error) {
				agent := c.Principal().ID
				p, i, err := k.find(&tx.View, agent, in.Name)
				if err != nil {
					return Done{}, err
				}
				was := p.Controls[i]
				p.Controls = slices.Delete(slices.Clone(p.Controls), i, i+1)
				if len(p.Controls) == 0 {
					k.rows.Delete(tx, agent)
				} else if err := k.keep(tx, agent, p); err != nil {
					return Done{}, err
				}
				if was.Value != 0 {
					was.Value = 0
					if err := k.tell(tx, c.Principal(), &was); err != nil {
						return Done{}, err
					}
				}
				return Done{OK: true}, c.Emit("input.removed", event{in.Name, in.Meta})
			})
		},
	})
}
