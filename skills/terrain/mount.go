package terrain

import (
	"strings"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// kind is what an asset is here.
type kind struct {
	hash  string // of a mesh
	mount func(tx *world.Tx, foot world.Vec3, turn world.Quat, scale float64) (world.ID, error)
}

// kind returns what a name means. What means nothing has no mount.
func (l *Lands) kind(v *world.View, name string) (kind, error) {
	if parts, ok := plants()[name]; ok {
		return kind{mount: func(tx *world.Tx, foot world.Vec3, turn world.Quat, scale float64) (world.ID, error) {
			return l.plant(tx, name, parts, foot, turn, scale)
		}}, nil
	}
	if id, err := world.ParseID(name); err == nil {
		if !v.Exists(id) {
			return kind{}, v.Unknown(id)
		}
		return kind{mount: func(tx *world.Tx, foot world.Vec3, turn world.Quat, scale float64) (world.ID, error) {
			return l.copy(tx, id, foot, turn, scale)
		}}, nil
	}
	if l.meshes != nil && l.meshes.Has(v, name) {
		return kind{hash: strings.TrimPrefix(name, "mesh_"), mount: func(tx *world.Tx, foot world.Vec3, turn world.Quat, scale float64) (world.ID, error) {
			id, err := tx.Create(world.Spec{Position: foot, Rotation: turn, Scale: world.Vec3{scale, scale, scale}, Tags: []string{Tag}})
			if err != nil {
				return 0, err
			}
			return id, l.meshes.Give(tx, id, name, 0xffffff)
		}}, nil
	}
	return kind{}, nil
}

// copy puts a copy of an entity so that its lowest point is at the height of foot, and its middle over it.
func (l *Lands) copy(tx *world.Tx, id world.ID, foot world.Vec3, turn world.Quat, scale float64) (world.ID, error) {
	from, _ := tx.WorldTransform(id)
	made, err := tx.Clone(id, world.Spec{
		Position: foot, Rotation: turn.Mul(from.Rotation), Scale: from.Scale.Scale(scale), Tags: []string{Tag},
	})
	if err != nil {
		return 0, err
	}
	b := solid.Tree(l.w, &tx.View, made)
	mid := b.Center()
	return made, tx.SetPosition(made, foot.Add(world.Vec3{foot[0] - mid[0], foot[1] - b.Lo[1], foot[2] - mid[2]}))
}

// part is a piece of a plant, its lowest point so far over its foot.
type part struct {
	kind  string
	size  world.Vec3
	above float64
	color uint32
}

// plants are what may be scattered without being made before: the first part is what stands, the others are on it.
func plants() map[string][]part {
	return map[string][]part{
		"pine":   {{"cylinder", world.Vec3{0.35, 1.2, 0.35}, 0, 0x6b4a2f}, {"cone", world.Vec3{2.2, 4, 2.2}, 0.9, 0x2f5d3a}},
		"oak":    {{"cylinder", world.Vec3{0.45, 2, 0.45}, 0, 0x6b5137}, {"sphere", world.Vec3{3, 2.6, 3}, 1.6, 0x4b7a35}},
		"palm":   {{"cylinder", world.Vec3{0.28, 4, 0.28}, 0, 0x8a6f4d}, {"cone", world.Vec3{3, 0.9, 3}, 3.7, 0x5c8f3d}},
		"cactus": {{"capsule", world.Vec3{0.5, 2.2, 0.5}, 0, 0x4f7f4a}},
		"bush":   {{"sphere", world.Vec3{1.2, 0.9, 1.2}, 0, 0x58793b}},
		"rock":   {{"sphere", world.Vec3{1.4, 0.9, 1.1}, 0, 0x83817b}},
	}
}

func (l *Lands) plant(tx *world.Tx, name string, parts []part, foot world.Vec3, turn world.Quat, scale float64) (root world.ID, err error) {
	base := 0.0 // of the first part, whose space the others are in
	for i, p := range parts {
		middle := p.above + p.size[1]/2
		spec := world.Spec{Parent: root, Position: world.Vec3{0, middle - base, 0}}
		if i == 0 {
			base = middle
			spec = world.Spec{
				Position: foot.Add(world.Vec3{0, float64(middle * scale), 0}), Rotation: turn, Scale: world.Vec3{scale, scale, scale},
				Name: name, Tags: []string{Tag},
			}
		}
		id, err := tx.Create(spec)
		if err != nil {
			return 0, err
		}
		if i == 0 {
			root = id
		}
		if err := l.w.Shapes.Set(tx, id, world.Shape{Kind: p.kind, Size: p.size, Color: p.color}); err != nil {
			return 0, err
		}
	}
	return root, nil
}
