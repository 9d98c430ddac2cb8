package prefab

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/operations"
	"github.com/limina-mcp/limina/world"
)

// InstantiateIn is the input of prefab.instantiate.
type InstantiateIn struct {
	Name          string          `json:"name" validate:"min=1,max=64" jsonschema_description:"The prefab's name, as prefab.list gives it."`
	Parameters    registry.Object `json:"parameters,omitempty" jsonschema_description:"Values of its parameters by their names, such as {\"width\":2}; those left out have their defaults."`
	Position      world.Vec3      `json:"position" jsonschema:"default=0 0 0" jsonschema_description:"Where it goes, x, y, z in metres; in the space of parent, if there is one."`
	RotationEuler world.Vec3      `json:"rotationEuler" jsonschema:"default=0 0 0" jsonschema_description:"How it is turned: angles about x, y, z in radians, in the order XYZ."`
	Scale         world.Vec3      `json:"scale" jsonschema:"default=1 1 1" jsonschema_description:"Scale factors along its own x, y, z."`
	Parent        world.ID        `json:"parent,omitempty" jsonschema_description:"Entity that it is put under. Default: none."`
	Label         string          `json:"label,omitempty" validate:"omitempty,max=128" jsonschema_description:"Name of the instance; the prefab's if left out."`
}

// InstantiateOut is the output of prefab.instantiate.
type InstantiateOut struct {
	Entity   world.ID `json:"entity" jsonschema_description:"The instance: an entity without a shape that carries all of it. Moving, cloning or destroying it does so with everything."`
	Entities int      `json:"entities" jsonschema_description:"How many entities it carries."`
	Results  []Result `json:"results" jsonschema_description:"What the operations with a name have answered."`

	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Result is what an operation with a name has answered.
type Result struct {
	As     string          `json:"as" jsonschema_description:"The name."`
	Result registry.Object `json:"result" jsonschema_description:"The skill's output."`
}

func (p *Prefabs) instantiate() registry.Skill {
	return registry.Define(registry.Spec[InstantiateIn, InstantiateOut]{
		Name:  instantiateName,
		Title: "Make an instance of a prefab",
		Description: "Make one of the things that prefab.define has given a name, with parameters of your own, at a position: all of it, under one entity, or nothing. Prefabs that there are: prefab.list. To make many in a row instantiate one and use scene.array. " +
			`Example: {"name":"table","parameters":{"width":2},"position":[4,0,1]}`,
		Category:    "scene",
		Permissions: mayWrite, // each operation needs its own besides
		Effect:      registry.Anything,
		Slow:        true,
		Handle: func(c *registry.Call, in InstantiateIn) (InstantiateOut, error) {
			return world.Do(p.w, c, func(tx *world.Tx) (InstantiateOut, error) { return p.instance(c, tx, &in) })
		},
	})
}

// instance makes one.
func (p *Prefabs) instance(c *registry.Call, tx *world.Tx, in *InstantiateIn) (InstantiateOut, error) {
	d, err := p.rows.Find(&tx.View, in.Name)
	if err != nil {
		return InstantiateOut{}, err
	}
	// Prefabs may have changed since they were defined, by undo for one.
	var needs survey
	if err := p.look(&tx.View, &needs, in.Name, nil); err != nil {
		return InstantiateOut{}, err
	}
	if err := c.Review(slices.Sorted(maps.Keys(needs.skills))); err != nil {
		return InstantiateOut{}, err
	}
	given, err := values(d.Parameters, in.Parameters)
	if err != nil {
		return InstantiateOut{}, err
	}
	if in.Parent != 0 && !tx.Exists(in.Parent) {
		return InstantiateOut{}, tx.Unknown(in.Parent)
	}
	name := in.Label
	if name == "" {
		name = in.Name
	}
	root, err := tx.Create(world.Spec{Name: name, Tags: []string{Tag(in.Name)}})
	if err != nil {
		return InstantiateOut{}, err
	}
	out := InstantiateOut{Entity: root, Results: []Result{}, Note: angle.Note("rotationEuler", in.RotationEuler[:]...)}
	run := operations.Run{Call: c, Arithmetic: true, Values: given}
	err = tx.Under(root, func() error {
		if _, err := tx.Build(d.Entities, root); err != nil {
			return err
		}
		for i := range d.Operations {
			op := &d.Operations[i]
			result, err := run.Do(op)
			if err != nil {
				return failed(i, op, in.Name, err)
			}
			if op.As != "" {
				out.Results = append(out.Results, Result{op.As, result})
			}
		}
		return nil
	})
	if err != nil {
		return InstantiateOut{}, err
	}
	return out, p.place(tx, &out, in)
}

// place puts an instance where it is to be, and counts what it carries.
func (p *Prefabs) place(tx *world.Tx, out *InstantiateOut, in *InstantiateIn) error {
	if !tx.Exists(out.Entity) {
		return registry.Failf("an operation of prefab %q has destroyed the instance itself", in.Name)
	}
	if in.Parent != 0 {
		if err := tx.SetParent(out.Entity, in.Parent); err != nil {
			return err
		}
	}
	a := in.RotationEuler
	if err := tx.SetTransform(out.Entity, world.Transform{
		Position: in.Position, Rotation: world.QuatFromEuler(a[0], a[1], a[2]), Scale: in.Scale,
	}); err != nil {
		return err
	}
	for range tx.Below(out.Entity) {
		out.Entities++
	}
	return nil
}

// failed is the error of an instance whose i-th operation failed.
func failed(i int, op *operations.Operation, name string, err error) error {
	e := operations.Refused(err)
	if e == nil {
		return err
	}
	as := ""
	if op.As != "" {
		as = fmt.Sprintf(" as %q", op.As)
	}
	said := *e
	said.Message = fmt.Sprintf("prefab %q, operations[%d], %s%s: %s", name, i, op.Skill, as, strings.TrimSuffix(e.Message, "."))
	return &said
}
