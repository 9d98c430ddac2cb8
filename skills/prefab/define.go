package prefab

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/operations"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// DefineIn is the input of prefab.define.
type DefineIn struct {
	Name        string                 `json:"name" validate:"min=1,max=64" jsonschema_description:"What it is called: a letter, then letters, digits or _."`
	Description string                 `json:"description,omitempty" validate:"omitempty,max=512" jsonschema_description:"What it is, for others who build."`
	Parameters  []Parameter            `json:"parameters,omitempty" validate:"max=32" jsonschema_description:"What instances may differ in."`
	Operations  []operations.Operation `json:"operations,omitempty" validate:"max=500" jsonschema_description:"What makes an instance that stands at the origin, in the form of world.batch. \"$width\" is a parameter, \"$leg.entity\" the field of an earlier result, \"$self.entity\" the instance itself, \"$(width / 2 - 0.1)\" a number worked out of them, whole by floor( ), ceil( ) or round( )."`
	From        []world.ID             `json:"from,omitempty" validate:"max=500" jsonschema_description:"Instead of operations: entities that it is to be a copy of, with everything below them."`
	Origin      *world.Vec3            `json:"origin,omitempty" jsonschema_description:"For from: the point that an instance's position is. Default: the middle of the entities, on their lowest level."`
	Replace     bool                   `json:"replace" jsonschema:"default=false" jsonschema_description:"Whether it may take the place of a prefab of the same name. Instances that there are stay as they are."`
}

// DefineOut is the output of prefab.define.
type DefineOut struct {
	Name       string   `json:"name" jsonschema_description:"What prefab.instantiate takes."`
	Replaced   bool     `json:"replaced" jsonschema_description:"Whether there was one of the name."`
	Operations int      `json:"operations" jsonschema_description:"How many operations an instance runs, with those of the prefabs in it."`
	Entities   int      `json:"entities" jsonschema_description:"How many entities it is a copy of; 0 for one of operations."`
	Uses       []string `json:"uses" jsonschema_description:"The prefabs in it."`
}

func (p *Prefabs) define() registry.Skill {
	return registry.Define(registry.Spec[DefineIn, DefineOut]{
		Name:  "prefab.define",
		Title: "Define a prefab",
		Description: "Give a thing that you will make many times a name: a list of operations with parameters, or a copy of entities. prefab.instantiate then makes one in a single call. For copies of one thing only scene.clone and scene.array are simpler. " +
			`Example: {"name":"table","parameters":[{"name":"width","default":1.2,"min":0.4,"max":4}],"operations":[` +
			`{"skill":"scene.createEntity","input":{"position":[0,0.75,0]},"as":"top"},{"skill":"three.setTransform","input":{"entity":"$top.entity","scale":["$width",0.05,0.8]}},` +
			`{"skill":"scene.createEntity","input":{"size":0.7,"position":["$(width/2 - 0.35)",0.35,0]}}]}`,
		Category:    "scene",
		Keywords:    "template reuse blueprint design furniture furnished market stall bookcase parametric",
		Permissions: mayWrite,
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in DefineIn) (DefineOut, error) {
			return world.Do(p.w, c, func(tx *world.Tx) (DefineOut, error) { return p.make(c, tx, &in) })
		},
	})
}

var mayWrite = []profiles.Permission{"scene.write"}

// make puts a definition into the table.
func (p *Prefabs) make(c *registry.Call, tx *world.Tx, in *DefineIn) (DefineOut, error) {
	if !operations.IsName(in.Name) {
		return DefineOut{}, registry.Invalidf("name: want a letter, then letters, digits or _, got %q", in.Name)
	}
	old, replaced := p.rows.Get(&tx.View, in.Name)
	if replaced && !in.Replace {
		return DefineOut{}, registry.Failf("name: there is a prefab %q already, which %s has defined: choose another name, or set replace", in.Name, old.By)
	}
	d := Definition{Description: in.Description, Parameters: in.Parameters, Operations: in.Operations, By: c.Principal().ID}
	switch {
	case len(in.From) > 0 && (len(in.Operations) > 0 || len(in.Parameters) > 0):
		return DefineOut{}, registry.Invalidf("from: a copy has neither operations nor parameters")
	case len(in.From) == 0 && len(in.Operations) == 0:
		return DefineOut{}, registry.Invalidf("operations: give at least one, or entities in from")
	case len(in.From) > 0:
		if err := p.copy(tx, in, &d); err != nil {
			return DefineOut{}, err
		}
	case in.Origin != nil:
		return DefineOut{}, registry.Invalidf("origin: is for from only")
	default:
		if err := d.check(c); err != nil {
			return DefineOut{}, err
		}
		d.Grants = c.Principal().Grants.List()
	}
	if !replaced {
		of := share.Kept{Most: MaxPrefabs, What: "prefabs", Free: "prefab.remove takes one away"}
		if err := share.RoomIn(&tx.View, &of, p.rows.All(&tx.View), d.By, func(d *Definition) string { return d.By }); err != nil {
			return DefineOut{}, err
		}
	}
	if err := p.rows.Set(tx, in.Name, d); err != nil {
		return DefineOut{}, err
	}
	needs, err := p.vet(tx, in.Name)
	if err != nil {
		return DefineOut{}, err
	}
	return DefineOut{Name: in.Name, Replaced: replaced, Operations: needs.operations, Entities: len(d.Entities), Uses: d.uses()}, nil
}

// vet looks at a new definition together with all the others, and returns what an instance of it needs.
func (p *Prefabs) vet(tx *world.Tx, name string) (survey, error) {
	var needs survey
	if err := p.look(&tx.View, &needs, name, nil); err != nil {
		return needs, err
	}
	all := 0
	holders := map[string][]string{} // of each prefab, what it is in
	for other, d := range p.rows.All(&tx.View) {
		size, err := d.size()
		if err != nil {
			return needs, err
		}
		if other == name && size > MaxBytes {
			return needs, registry.Errorf(registry.CodeCapacityExceeded, "a prefab may have %d bytes, this one has %d", MaxBytes, size)
		}
		all += size
		for _, used := range d.uses() {
			holders[used] = append(holders[used], other)
		}
	}
	// What it is in, however deep, needs more now.
	seen := map[string]bool{name: true}
	for list := []string{name}; len(list) > 0; list = list[1:] {
		for _, holder := range holders[list[0]] {
			if seen[holder] {
				continue
			}
			seen[holder] = true
			list = append(list, holder)
			if err := p.look(&tx.View, new(survey), holder, nil); err != nil {
				return needs, err
			}
		}
	}
	if all > MaxAll {
		return needs, registry.Errorf(registry.CodeCapacityExceeded, "prefabs hold at most %d bytes together, with this one they would hold %d: prefab.remove makes room", MaxAll, all)
	}
	return needs, nil
}

// copy makes a definition a copy of entities.
func (p *Prefabs) copy(tx *world.Tx, in *DefineIn, d *Definition) error {
	box := solid.Nothing()
	for i, id := range in.From {
		if !tx.Exists(id) {
			return tx.Unknown(id)
		}
		for j, other := range in.From {
			if i != j && tx.Within(id, other) {
				return registry.Invalidf("from[%d]: %v is %v or below it, which is there already", i, id, other)
			}
		}
		box = box.Join(solid.Tree(p.w, &tx.View, id))
	}
	origin := box.Center()
	origin[1] = box.Lo[1]
	if in.Origin != nil {
		origin = *in.Origin
	}
	for _, id := range in.From {
		first := len(d.Entities)
		d.Entities = tx.AppendRecords(d.Entities, id)
		if len(d.Entities) > MaxEntities {
			return registry.Errorf(registry.CodeCapacityExceeded, "from: a prefab may hold %d entities, these are more", MaxEntities)
		}
		for i := first; i < len(d.Entities); i++ {
			if r := &d.Entities[i]; r.Parent >= 0 {
				continue
			}
			d.Entities[i].Position = d.Entities[i].Position.Sub(origin)
		}
	}
	return nil
}
