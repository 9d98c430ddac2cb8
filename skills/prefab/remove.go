package prefab

import (
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// RemoveIn is the input of prefab.remove.
type RemoveIn struct {
	Name string `json:"name" validate:"min=1,max=64" jsonschema_description:"The prefab's name, as prefab.list gives it."`
}

// RemoveOut is the output of prefab.remove.
type RemoveOut struct {
	OK        bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Instances int  `json:"instances" jsonschema_description:"How many instances of it there are; they stay."`
}

func (p *Prefabs) remove() registry.Skill {
	return registry.Define(registry.Spec[RemoveIn, RemoveOut]{
		Name:  "prefab.remove",
		Title: "Remove a prefab",
		Description: "Remove a prefab, so that no more instances of it can be made. Instances that there are stay; remove them with scene.destroyEntity. Refused while another prefab holds it. " +
			`Example: {"name":"table"}`,
		Category:    "scene",
		Permissions: mayWrite,
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveIn) (RemoveOut, error) {
			return world.Do(p.w, c, func(tx *world.Tx) (RemoveOut, error) {
				if _, err := p.rows.Find(&tx.View, in.Name); err != nil {
					return RemoveOut{}, err
				}
				for other, d := range p.rows.All(&tx.View) {
					if slices.Contains(d.uses(), in.Name) {
						return RemoveOut{}, registry.Failf("name: prefab %q holds %q: define or remove that one first", other, in.Name)
					}
				}
				return RemoveOut{OK: p.rows.Delete(tx, in.Name), Instances: len(tx.Tagged(Tag(in.Name)))}, nil
			})
		},
	})
}
