package prefab

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/operations"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// InstantiateIn is the input of prefab.instantiate.
type InstantiateIn struct {
	Name          string          `json:"name" validate:"min=1,max=64" jsonschema_description:"The prefab's name, as prefab.list gives it."`
	Parameters    registry.Object `json:"parameters,omitempty" jsonschema_description:"Values of its parameters by their names, such as {\"width\":2}; those left out have their defaults."`
	Position      world.Vec3      `json:"position" jsonschema:"default=0 0 0" jsonschema_description:"Where it goes, x, y, z in metres; in the space of parent, if there is one."`
	OnGround      bool            `json:"onGround" jsonschema:"default=false" jsonschema_description:"Stand it on what is below position, the ground for one, whatever its y."`
	RotationEuler world.Vec3      `json:"rotationEuler" jsonschema:"default=0 0 0" jsonschema_description:"How it is turned: angles about x, y, z in radians, in the order XYZ."`
	Scale         world.Vec3      `json:"scale" jsonschema:"default=1 1 1" jsonschema_description:"Scale factors along its own x, y, z."`
	Parent        world.ID        `json:"parent,omitempty" jsonschema_description:"Entity that it is put under. Default: none."`
	Replace       world.ID        `json:"replace,omitempty" jsonschema_description:"An instance that is made anew instead: it keeps its id, place, name and what others have put into it, and of its parameters those that you do not give. With the name of another prefab it becomes one of that."`
	Label         string          `json:"label,omitempty" validate:"omitempty,max=128" jsonschema_description:"Name of the instance; the prefab's if left out."`
}

// InstantiateOut is the output of prefab.instantiate.
type InstantiateOut struct {
	Entity   world.ID `json:"entity" jsonschema_description:"The instance: an entity without a shape that carries all of it. Moving, cloning or destroying it does so with everything."`
	Entities int      `json:"entities" jsonschema_description:"How many entities it carries."`
	Results  []Result `json:"results" jsonschema_description:"What the operations with a name have answered."`

	Copies []world.ID `json:"copies,omitempty" jsonschema_description:"Of a prefab that is a copy of entities: the copies of those that prefab.define was given in from, in that order. They have the stats that those had."`

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
		Description: "Make one of the things that prefab.define has given a name, with parameters of your own, at a position: all of it, under one entity, or nothing. Prefabs that there are: prefab.list. With replace an instance that there is becomes another, such as a higher tower. To make many in a row instantiate one and use scene.array; an action of a zone or listener may make small ones. " +
			`Example: {"name":"table","parameters":{"width":2},"position":[4,0,1]}`,
		Category:    "scene",
		Keywords:    "rebuild update change parameters swap",
		Permissions: mayWrite, // each operation needs its own besides
		Effect:      registry.Anything,
		Slow:        true, // there may be 2,000 operations
		Short:       true, // see brief
		Handle: func(c *registry.Call, in InstantiateIn) (InstantiateOut, error) {
			done, err := p.turns.Take(c)
			if err != nil {
				return InstantiateOut{}, err
			}
			defer done()
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
	if c.Lent() {
		if err := p.brief(c, in.Name, &needs); err != nil {
			return InstantiateOut{}, err
		}
	}
	if err := c.Review(slices.Sorted(maps.Keys(needs.skills))); err != nil {
		return InstantiateOut{}, err
	}
	if in.OnGround && p.stand == nil {
		return InstantiateOut{}, registry.Invalidf("onGround: nothing is known here of what is below; give position the height that is meant")
	}
	var at spot
	if in.Replace != 0 {
		if at, err = p.clear(tx, &d, in); err != nil {
			return InstantiateOut{}, err
		}
	}
	given, err := values(d.Parameters, in.Parameters)
	if err != nil {
		return InstantiateOut{}, err
	}
	if in.Parent != 0 && !tx.Exists(in.Parent) {
		return InstantiateOut{}, tx.Unknown(in.Parent)
	}
	root := in.Replace
	if root == 0 {
		if root, err = tx.Create(world.Spec{Name: cmp.Or(in.Label, in.Name), Tags: []string{Tag(in.Name)}}); err != nil {
			return InstantiateOut{}, err
		}
	}
	others := tx.Children(root)
	out, err := d.build(c, tx, root, in, given, func() error {
		if err := p.note(tx, root, in, others); err != nil {
			return err
		}
		if in.Replace == 0 { // what operations have done with the instance itself holds there, too
			a := in.RotationEuler
			place := world.Transform{Position: in.Position, Rotation: world.QuatFromEuler(a[0], a[1], a[2]), Scale: in.Scale}
			own, _ := tx.Transform(root)
			at = spot{cmp.Or(in.Parent, tx.Parent(root)), place.Apply(own)}
		}
		if err := at.put(tx, root); err != nil || !in.OnGround {
			return err
		}
		return p.stand(tx, root)
	})
	if err != nil {
		return InstantiateOut{}, err
	}
	for range tx.Below(root) {
		out.Entities++
	}
	if !c.Lent() {
		return out, err
	}
	return out, p.count(tx, c.Principal().ID, &out, in.Name)
}

// build makes what an instance consists of, at the origin of its root, which put puts in its place then, and sends it off.
func (d *Definition) build(c *registry.Call, tx *world.Tx, root world.ID, in *InstantiateIn, given map[string]json.RawMessage, put func() error) (InstantiateOut, error) {
	out := InstantiateOut{Entity: root, Results: []Result{}, Note: angle.Note("rotationEuler", in.RotationEuler[:]...)}
	if _, taken := given[self]; !taken {
		given[self] = fmt.Appendf(nil, `{"entity":%q}`, root)
	}
	run := operations.Run{Call: c, Arithmetic: true, Values: given}
	do := func(leaves bool) error {
		for i := range d.Operations {
			op := &d.Operations[i]
			if d.leaves(op) != leaves {
				continue
			}
			result, err := run.Do(op)
			if err != nil {
				return failed(i, op, in.Name, err)
			}
			if op.As != "" {
				out.Results = append(out.Results, Result{op.As, result})
			}
		}
		return nil
	}
	err := tx.Under(root, func() error {
		copies, err := tx.Build(d.Entities, root)
		if err != nil {
			return err
		}
		for i, id := range copies {
			if d.Entities[i].Parent < 0 {
				out.Copies = append(out.Copies, id)
			}
		}
		operate := func() error {
			if err := do(false); err != nil {
				return err
			}
			if err := put(); err != nil {
				return err
			}
			return do(true)
		}
		if d.Grants == nil { // an earlier program's
			return operate()
		}
		return c.Limited(profiles.Grant(d.Grants...), operate)
	})
	return out, err
}

// leaves reports whether an operation has the instance itself go somewhere from where it stands, which is known only when it does: along a path
// of the world, by itself, or by foot. A path that the prefab makes is its own, and is put in its place with the rest.
func (d *Definition) leaves(op *operations.Operation) bool {
	if op.As != "" {
		return false
	}
	switch op.Skill {
	case "animation.follow":
		if slices.ContainsFunc(d.Operations, func(o operations.Operation) bool { return o.Skill == "animation.authorPath" }) {
			return false
		}
	case "behavior.assign", "behavior.setGoal", "navmesh.moveTo":
	default:
		return false
	}
	var who struct {
		Entity   string   `json:"entity"`
		Entities []string `json:"entities"`
	}
	const itself = "$" + self + ".entity"
	return json.Unmarshal(op.Input, &who) == nil && !d.calls(self) && (who.Entity == itself || len(who.Entities) > 0 && who.Entities[0] == itself)
}

// brief reports why an action does not make an instance: it would take long.
func (p *Prefabs) brief(c *registry.Call, name string, needs *survey) error {
	if n := needs.operations + needs.entities; n > MaxInStep {
		return registry.Errorf(registry.CodeCapacityExceeded, "name: an action makes instances of at most %d operations and entities, of prefab %q it would be %d: call prefab.instantiate yourself", MaxInStep, name, n)
	}
	for _, skill := range slices.Sorted(maps.Keys(needs.skills)) {
		if k, ok := c.Registry().Lookup(skill); ok && k.Info().Slow && skill != instantiateName {
			return registry.Failf("name: prefab %q calls %s, which takes long, and a simulation step waits for nobody: call prefab.instantiate yourself", name, skill)
		}
	}
	return nil
}

// standing returns how many entities instances hold that actions have made, with the instances, and how many of them those of one agent.
func (p *Prefabs) standing(v *world.View, agent string) (has, all int) {
	is := share.Like(v, agent)
	for id := range p.made.All(v) {
		if p.inside(v, id) {
			continue
		}
		n := 1
		for range v.Below(id) {
			n++
		}
		all += n
		if by, _ := p.makers.Get(v, id); is(by) {
			has += n
		}
	}
	return has, all
}

// inside reports whether an entity is below an instance that an action has made.
func (p *Prefabs) inside(v *world.View, id world.ID) bool {
	for up := range v.Up(v.Parent(id)) {
		if p.made.Has(v, up) {
			return true
		}
	}
	return false
}

// standing is how many entities there are in instances that actions have made.
var standing = share.Kept{Most: MaxStanding, What: "entities in instances that actions have made", Free: "destroy some"}

// count has an instance be one that an action of an agent's has made, if it is not too many.
func (p *Prefabs) count(tx *world.Tx, by string, out *InstantiateOut, name string) error {
	if out.Entities > MaxInStep {
		return registry.Errorf(registry.CodeCapacityExceeded, "name: an action makes instances of at most %d entities, this one of prefab %q has %d: call prefab.instantiate yourself", MaxInStep, name, out.Entities)
	}
	if err := p.made.Set(tx, out.Entity, true); err != nil {
		return err
	}
	if err := p.makers.Set(tx, out.Entity, by); err != nil {
		return err
	}
	has, all := p.standing(&tx.View, by)
	return standing.RoomFor(0, has, all)
}

// note keeps of an instance how it was made. others are what was under it before.
func (p *Prefabs) note(tx *world.Tx, root world.ID, in *InstantiateIn, others []world.ID) error {
	if !tx.Exists(root) {
		return registry.Failf("an operation of prefab %q has destroyed the instance itself", in.Name)
	}
	made := instance{Prefab: in.Name, Parameters: in.Parameters}
	for _, id := range tx.Children(root) {
		if !slices.Contains(others, id) {
			made.Parts = append(made.Parts, id)
		}
	}
	return p.instances.Set(tx, root, made)
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
