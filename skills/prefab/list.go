package prefab

import (
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// ListIn is the input of prefab.list.
type ListIn struct {
	Name   string `json:"name,omitempty" validate:"omitempty,max=64" jsonschema_description:"Only this one, with its operations."`
	Offset int    `json:"offset" validate:"gte=0" jsonschema:"default=0" jsonschema_description:"How many to leave out at the beginning, for the next page."`
	Limit  int    `json:"limit" validate:"gte=1,lte=256" jsonschema:"default=50" jsonschema_description:"How many at most."`
}

// ListOut is the output of prefab.list.
type ListOut struct {
	Prefabs    []Prefab        `json:"prefabs" jsonschema_description:"Those that there are, by name."`
	Total      int             `json:"total" jsonschema_description:"How many there are in all."`
	Definition registry.Object `json:"definition,omitempty" jsonschema_description:"Of the one that was named: all of it. Operations and parameters are in the form that prefab.define takes."`
}

// Prefab describes a prefab.
type Prefab struct {
	Name        string      `json:"name" jsonschema_description:"What prefab.instantiate takes."`
	Description string      `json:"description,omitempty" jsonschema_description:"What it is."`
	Parameters  []Parameter `json:"parameters" jsonschema_description:"What instances may differ in."`
	Operations  int         `json:"operations" jsonschema_description:"How many operations of its own it has."`
	Entities    int         `json:"entities" jsonschema_description:"How many entities it is a copy of."`
	Uses        []string    `json:"uses" jsonschema_description:"The prefabs in it."`
	By          string      `json:"by" jsonschema_description:"Who defined it."`
	Instances   int         `json:"instances" jsonschema_description:"How many instances there are: entities with the tag prefab:<name>."`
}

func (p *Prefabs) list() registry.Skill {
	return registry.Define(registry.Spec[ListIn, ListOut]{
		Name:  "prefab.list",
		Title: "List prefabs",
		Description: "List the things that prefab.instantiate can make, with their parameters; with name one of them whole, to see how it is made or to define it anew. " +
			`Example: {}`,
		Category:    "scene",
		Permissions: []profiles.Permission{"scene.read"},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, in ListIn) (ListOut, error) {
			return world.Read(p.w, c, func(v *world.View) (ListOut, error) {
				out := ListOut{Prefabs: []Prefab{}, Total: p.rows.Len(v)}
				if in.Name != "" {
					d, err := p.rows.Find(v, in.Name)
					if err != nil {
						return ListOut{}, err
					}
					out.Prefabs = append(out.Prefabs, p.describe(v, in.Name, &d))
					d.By, d.Grants = "", nil
					out.Definition, err = json.Marshal(d)
					return out, err
				}
				n := 0
				for name, d := range p.rows.All(v) {
					if n++; n > in.Offset && len(out.Prefabs) < in.Limit {
						out.Prefabs = append(out.Prefabs, p.describe(v, name, &d))
					}
				}
				return out, nil
			})
		},
	})
}

func (p *Prefabs) describe(v *world.View, name string, d *Definition) Prefab {
	parameters := d.Parameters
	if parameters == nil {
		parameters = []Parameter{}
	}
	return Prefab{
		Name: name, Description: d.Description, Parameters: parameters, Operations: len(d.Operations),
		Entities: len(d.Entities), Uses: d.uses(), By: d.By, Instances: len(v.Tagged(Tag(name))),
	}
}
