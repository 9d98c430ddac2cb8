package exchange

import (
	"encoding/json"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/prefab"
	"github.com/limina-mcp/limina/world"
)

// RemoveMaterialIn is the input of material.remove.
type RemoveMaterialIn struct {
	Name   string `json:"name,omitempty" validate:"omitempty,min=1,max=64" jsonschema_description:"The imported material to remove. Nothing may have it any more."`
	Unused bool   `json:"unused" jsonschema:"default=false" jsonschema_description:"true, in place of name: remove all imported materials that no entity has and no prefab names."`
}

// RemoveMaterialOut is the output of material.remove.
type RemoveMaterialOut struct {
	Removed []string `json:"removed" jsonschema_description:"The names of those that were removed."`
	Left    int      `json:"left" jsonschema_description:"How many imported materials the world has now."`
}

// removeMaterial is material.remove.
func (d *Deps) removeMaterial() registry.Skill {
	return registry.Define(registry.Spec[RemoveMaterialIn, RemoveMaterialOut]{
		Name:  "material.remove",
		Title: "Remove an imported material",
		Description: "Remove a material that material.import or a model has brought, with its images, to make room for others: one by its name, or all that nothing has. " +
			`Example: {"unused":true}`,
		Keywords:    "texture textures delete unused free room full",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in RemoveMaterialIn) (RemoveMaterialOut, error) {
			if (in.Name != "") == in.Unused {
				return RemoveMaterialOut{}, registry.Invalidf(`name: give a name, or "unused":true for all that nothing has`)
			}
			return world.Do(d.World, c, func(tx *world.Tx) (RemoveMaterialOut, error) { return d.removeMaterials(tx, &in) })
		},
	})
}

func (d *Deps) removeMaterials(tx *world.Tx, in *RemoveMaterialIn) (out RemoveMaterialOut, err error) {
	worn := map[string][]world.ID{}
	for id, m := range d.World.Materials.All(&tx.View) {
		worn[m.Name] = append(worn[m.Name], id)
	}
	names := []string{in.Name}
	if in.Unused {
		if names, err = d.unused(&tx.View, worn); err != nil {
			return out, err
		}
	} else if _, ok := material.SetOf(&tx.View, in.Name); ok {
		switch by := worn[in.Name]; len(by) {
		case 0:
		case 1:
			return out, registry.Failf("name: %s has %s: give it another material with three.setMaterial first", by[0], quote.Clip(in.Name))
		default:
			return out, registry.Failf("name: %d entities have %s, such as %s: give them another material with three.setMaterial first", len(by), quote.Clip(in.Name), by[0])
		}
	}
	out.Removed = []string{}
	for _, name := range names {
		if err := d.Materials.Remove(tx, name); err != nil {
			return out, err
		}
		out.Removed = append(out.Removed, name)
	}
	out.Left = len(d.Materials.Names(&tx.View))
	return out, nil
}

// unused returns the imported materials that no entity has and no prefab names.
func (d *Deps) unused(v *world.View, worn map[string][]world.ID) (names []string, err error) {
	var prefabs strings.Builder
	for _, definition := range prefab.Definitions(v) {
		text, err := json.Marshal(definition)
		if err != nil {
			return nil, err
		}
		prefabs.Write(text)
	}
	for _, name := range d.Materials.Names(v) {
		quoted, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		if len(worn[name]) == 0 && !strings.Contains(prefabs.String(), string(quoted)) {
			names = append(names, name)
		}
	}
	return names, nil
}
