package exchange

import (
	"encoding/json"
	"math"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/skills/internal/figure"
	"github.com/limina-mcp/limina/world"
)

// figureSides is how many the round parts of a person have in a file: there are eighteen.
const figureSides = 12

// figure adds the node of an entity that is drawn as a person, who stands, below that of the entity.
func (x *writer) figure(parent int, id world.ID, rec *record) error {
	n := gltf.Identity()
	n.Parent = parent
	if !figure.Dressed(rec.Material) {
		g, err := x.person(rec.Shape.Size, nil)
		if err != nil {
			return err
		}
		n.Mesh = x.mesh(g, x.material(rec, false))
		x.wear(len(x.doc.Nodes), id, rec, world.Vec3{1, 1, 1}, false)
		return x.below(n, &record{ShapeOf: rec.Entity})
	}
	var all gltf.Mesh
	for _, tone := range []render.Tone{render.Clothes, render.Legwear, render.Skin, render.Hair, render.Dark} {
		g, err := x.person(rec.Shape.Size, &tone)
		if err != nil {
			return err
		}
		part := *rec
		shape := *rec.Shape
		shape.Color = render.Tint(tone, id, ownColor(rec))
		part.Shape = &shape
		if rec.Material != nil {
			m := *rec.Material
			m.Color, part.Material = nil, &m
		}
		all.Primitives = append(all.Primitives, gltf.Primitive{Geometry: g, Material: x.material(&part, false)})
	}
	n.Mesh = len(x.doc.Meshes)
	x.doc.Meshes = append(x.doc.Meshes, all)
	return x.below(n, &record{ShapeOf: rec.Entity})
}

// person returns the geometry of a standing person whose room is so large, or of those parts of one that have a tone.
func (x *writer) person(size world.Vec3, tone *render.Tone) (*gltf.Geometry, error) {
	text, err := json.Marshal(struct {
		Size world.Vec3
		Tone *render.Tone
	}{size, tone})
	if err != nil {
		return nil, err
	}
	key := figure.Shape + string(text)
	g := x.solids[key]
	if g == nil {
		g = &gltf.Geometry{}
		x.solids[key] = g
		for _, part := range (render.Pose{}).Parts(size) {
			if tone == nil || part.Tone == *tone {
				attach(g, &part)
			}
		}
	}
	return g, nil
}

// attach adds a part of a person to a geometry.
func attach(g *gltf.Geometry, part *render.FigurePart) {
	size, apart, straight := part.Size, 0.0, 0.0
	if part.Kind == render.Capsule { // half balls that are apart by 1 each way, which is made as long as they are to be
		dome := float64(min(size[0], size[1], size[2]) / 2)
		apart, straight, size[1] = 1, float64(size[1]/2)-dome, 2*dome
	}
	piece := turned(globe(0.5, apart, figureSides), figureSides)
	first := uint32(len(g.Positions))
	t := &part.Transform
	for i, p := range piece.Positions {
		end := math.Copysign(apart, float64(p[1]))
		at := world.Vec3{float64(p[0]) * size[0], float64((float64(p[1])-end)*size[1]) + float64(end*straight), float64(p[2]) * size[2]}
		n := world.Vec3{}
		for k, x := range piece.Normals[i] {
			n[k] = float64(x) / max(size[k], 1e-9)
		}
		n, _ = n.Unit()
		g.Positions = append(g.Positions, narrow(t.Position.Add(t.Rotation.Rotate(at))))
		g.Normals = append(g.Normals, narrow(t.Rotation.Rotate(n)))
	}
	for _, c := range piece.Triangles {
		g.Triangles = append(g.Triangles, [3]uint32{first + c[0], first + c[1], first + c[2]})
	}
}
