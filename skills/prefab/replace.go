package prefab

import (
	"encoding/json"
	"maps"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// instance says of an instance how it was made: the component "prefab.instance", which copies of it have, too.
type instance struct {
	Prefab     string          `json:"prefab"`
	Parameters registry.Object `json:"parameters"`
	Parts      []world.ID      `json:"parts"` // that the prefab has made directly under it
}

// kin is what a copy of an instance has: its own parts.
func (i instance) kin(_ bool, copyOf func(world.ID) (world.ID, bool)) (instance, bool) {
	parts := make([]world.ID, 0, len(i.Parts))
	for _, id := range i.Parts {
		if id, ok := copyOf(id); ok {
			parts = append(parts, id)
		}
	}
	i.Parts = parts
	return i, true
}

// over returns parameters, and those of others that they do not name and the prefab has.
func (d *Definition) over(parameters, others registry.Object) (registry.Object, error) {
	before, err := members(others)
	if err != nil {
		return nil, err
	}
	given, err := members(parameters)
	if err != nil {
		return nil, err
	}
	all := map[string]json.RawMessage{}
	for i := range d.Parameters {
		if value, ok := before[d.Parameters[i].Name]; ok {
			all[d.Parameters[i].Name] = value
		}
	}
	maps.Copy(all, given)
	return json.Marshal(all)
}

// spot is where an instance stands that is made anew.
type spot struct {
	parent world.ID
	local  world.Transform
}

// clear readies an instance to be made anew, at the world's origin: what its prefab has made is gone, what others have put into it comes along. It returns where
// the instance stood.
func (p *Prefabs) clear(tx *world.Tx, d *Definition, in *InstantiateIn) (at spot, err error) {
	id := in.Replace
	if !tx.Exists(id) {
		return at, tx.Unknown(id)
	}
	was, ok := p.instances.Get(&tx.View, id)
	switch {
	case !ok:
		return at, registry.Invalidf("replace: %v is no instance of a prefab; scene.queryEntities with the tag %s finds those of this one", id, Tag(in.Name))
	case in.Position != world.Vec3{} || in.RotationEuler != world.Vec3{} || in.Scale != world.Vec3{1, 1, 1} || in.Parent != 0:
		return at, registry.Invalidf("replace: an instance that is made anew stays where it is; leave position, rotationEuler, scale and parent out, and move it by three.setTransform")
	}
	if was.Prefab == in.Name {
		if in.Parameters, err = d.over(in.Parameters, was.Parameters); err != nil {
			return at, err
		}
	}
	for _, part := range was.Parts {
		if tx.Parent(part) == id { // else somebody has taken it out
			tx.Destroy(part)
		}
	}
	at.parent = tx.Parent(id)
	at.local, _ = tx.Transform(id)
	if err := p.rename(tx, id, was.Prefab, in); err != nil {
		return at, err
	}
	return at, spot{local: world.Identity()}.put(tx, id)
}

// put puts an instance there, with all that is under it.
func (s spot) put(tx *world.Tx, id world.ID) error {
	if err := tx.SetParent(id, s.parent); err != nil {
		return err
	}
	return tx.SetTransform(id, s.local)
}

// rename gives an instance that is made anew the tag of its prefab, and the name that it is to have.
func (p *Prefabs) rename(tx *world.Tx, id world.ID, before string, in *InstantiateIn) error {
	if before != in.Name {
		if _, err := tx.RemoveTag(id, Tag(before)); err != nil {
			return err
		}
		if _, err := tx.AddTag(id, Tag(in.Name)); err != nil {
			return err
		}
	}
	switch {
	case in.Label != "":
		return tx.SetName(id, in.Label)
	case tx.Name(id) == before:
		return tx.SetName(id, in.Name)
	}
	return nil
}
