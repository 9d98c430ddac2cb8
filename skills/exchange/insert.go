package exchange

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/internal/figure"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/terrain"
)

// maxTile bounds the numbers of tiles of ground.
const maxTile = 100_000

// Inserted says what became of a document.
type Inserted struct {
	Entities []world.ID          // in the order of their creation
	Roots    []world.ID          // those that have no parent in the document
	Now      map[string]world.ID // by the id that an entity had when it was exported
	Lost     []string            // what could not be kept as it was, and where it stands
}

// Insert makes the nodes of a document entities, below parent if that is not 0. Nodes that are only the
// shape or the light of an entity are not entities of their own. It fails, and its errors name the node, if the world
// is full or something in the file is not allowed; the caller then drops the transaction.
func Insert(tx *world.Tx, meshes *mesh.Meshes, doc *gltf.Document, parent world.ID) (Inserted, error) {
	forms, err := center(context.Background(), meshes, doc)
	if err != nil {
		return Inserted{}, err
	}
	return insert(tx, &Deps{Meshes: meshes}, &incoming{doc: doc, where: inFile, forms: forms}, parent, nil)
}

// places says where a node stands in what it was read from.
type places func(node int) string

func inFile(node int) string { return fmt.Sprintf("node %d of the file", node) }

// insert is Insert of a scene that was read. worn are the names of its materials that images make.
func insert(tx *world.Tx, d *Deps, from *incoming, parent world.ID, worn map[int]string) (Inserted, error) {
	doc := from.doc
	in := inserter{
		tx: tx, meshes: d.Meshes, physics: d.Physics, houses: d.Houses, doc: doc, parent: parent, where: from.where, forms: from.forms, worn: worn,
		made: make([]world.ID, len(doc.Nodes)), above: make([]bool, len(doc.Nodes)), shifts: make([]world.Vec3, len(doc.Nodes)), out: Inserted{Now: map[string]world.ID{}},
	}
	for i := range doc.Nodes {
		if parent := doc.Nodes[i].Parent; parent != gltf.None {
			in.above[parent] = true
		}
	}
	for i := range doc.Nodes {
		if err := in.node(i); err != nil {
			return Inserted{}, err
		}
	}
	if err := in.hangAll(); err != nil {
		return Inserted{}, err
	}
	return in.out, nil
}

type inserter struct {
	tx       *world.Tx
	meshes   *mesh.Meshes
	physics  *physics.Physics    // nil if nothing hangs on anything
	houses   *architecture.Plans // nil if there are none
	doc      *gltf.Document
	parent   world.ID
	where    places
	forms    map[*gltf.Geometry]centred
	worn     map[int]string // by material: under which name it is a material of the world
	made     []world.ID     // by node; 0 for one that is no entity, or not yet
	above    []bool         // by node: whether there are others below it
	shifts   []world.Vec3   // by node: how far, in its own space, its entity is from where the node is
	hangings []hanging
	corners  int // what was spent on pieces
	out      Inserted
}

// node makes a node an entity, after those above it.
func (in *inserter) node(i int) error {
	n := &in.doc.Nodes[i]
	if in.made[i] != 0 {
		return nil
	}
	rec, err := recordOf(n)
	if err != nil {
		return registry.Invalidf("%s: %s", in.where(i), err)
	}
	if rec.part() {
		return nil
	}
	above := in.parent
	if n.Parent != gltf.None {
		if err := in.node(n.Parent); err != nil {
			return err
		}
		if above = in.made[n.Parent]; above == 0 {
			return registry.Invalidf("%s: its parent is only the shape or the light of an entity", in.where(i))
		}
	}
	lamp := in.lamp(i, &rec)
	if lamp == onAbove {
		if err := in.shine(i, above, lamp); err != nil {
			return in.refused(i, err)
		}
		return nil
	}
	rotation := world.Quat(n.Rotation)
	if lamp == onFront && turn(in.doc, i) == about {
		rotation = world.Quat{0 - rotation[2], rotation[3], rotation[0], 0 - rotation[1]} // times about, without a -0
	}
	parts := in.parts(n, &rec)
	position := world.Vec3(n.Translation)
	if n.Parent != gltf.None {
		position = position.Sub(in.shifts[n.Parent])
	}
	if len(parts) > 0 {
		in.shifts[i] = parts[0].middle
		position = position.Add(rotation.Rotate(parts[0].middle.Mul(n.Scale)))
	}
	id, err := in.tx.Create(world.Spec{
		Position: position, Parent: above, Name: rec.Name, Tags: rec.Tags,
	})
	if err != nil {
		return in.refused(i, err)
	}
	// Apart from Create, where a scale of zeros means 1.
	if err := in.tx.SetTransform(id, world.Transform{Position: position, Rotation: rotation, Scale: n.Scale}); err != nil {
		return in.refused(i, err)
	}
	in.made[i] = id
	in.out.Entities = append(in.out.Entities, id)
	if n.Parent == gltf.None {
		in.out.Roots = append(in.out.Roots, id)
	}
	if rec.Entity != "" {
		in.out.Now[rec.Entity] = id
	}
	if rec.Joint != nil && in.physics != nil {
		in.hangings = append(in.hangings, hanging{i, id, rec})
	}
	if err := in.components(id, &rec); err != nil {
		return in.refused(i, err)
	}
	if rec.House != nil && in.houses != nil {
		if err := in.houses.SetText(in.tx, id, rec.House); err != nil {
			return in.refused(i, registry.Under("house", err))
		}
	}
	if err := in.show(id, parts, &rec); err != nil {
		return in.refused(i, err)
	}
	if err := in.shine(i, id, lamp); err != nil {
		return in.refused(i, err)
	}
	return nil
}

// refused says which node the world does not take.
func (in *inserter) refused(i int, err error) error {
	return registry.Under(in.where(i), err)
}

// recordOf returns what Limina has written into a node, or what a foreign node amounts to.
func recordOf(n *gltf.Node) (record, error) {
	rec, err := extrasOf[record](n.Extras)
	if err != nil {
		return record{}, err
	}
	if rec == nil {
		return record{Name: shorten(n.Name, world.MaxName), foreign: true}, nil
	}
	return *rec, rec.check("extras.limina.")
}

// shorten returns a name of at most so many bytes.
func shorten(name string, most int) string {
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "")
}

// check says what in a record, which stands under a name that ends in a point, no skill would have made.
func (r *record) check(under string) error {
	among := func(what, value string, allowed ...string) error {
		if !slices.Contains(allowed, value) {
			return fmt.Errorf("%s%s: must be one of %s, got %.40q", under, what, strings.Join(allowed, ", "), value)
		}
		return nil
	}
	within := func(what string, value, most float64) error {
		if !(value >= 0 && value <= most) {
			return fmt.Errorf("%s%s: must be from 0 to %g, got %g", under, what, most, value)
		}
		return nil
	}
	var errs []error
	if s := r.Shape; s != nil {
		errs = append(errs, among("shape.kind", s.Kind, "box", "sphere", "capsule", "cylinder", "cone", "wedge", figure.Shape, mesh.Shape, ground), within("shape.color", float64(s.Color), 0xffffff))
		for _, x := range s.Size {
			errs = append(errs, within("shape.size", x, world.MaxNumber))
		}
	}
	if g := r.Ground; g != nil {
		if !g.Land.Valid() {
			errs = append(errs, fmt.Errorf("%sground.land: is none that hints could have given", under))
		}
		errs = append(errs, within("ground.lod", float64(g.LOD), terrain.MaxLOD),
			within("ground.tile", math.Abs(float64(g.Tile[0])), maxTile), within("ground.tile", math.Abs(float64(g.Tile[1])), maxTile))
	} else if r.Shape != nil && r.Shape.Kind == ground {
		errs = append(errs, fmt.Errorf("%sground: is missing, of which shape.kind says that it is %s", under, ground))
	}
	if m := r.Material; m != nil {
		if len(m.Name) > world.MaxName {
			errs = append(errs, fmt.Errorf("%smaterial.name: may have %d bytes, got %d", under, world.MaxName, len(m.Name)))
		}
		if m.Roughness != nil {
			errs = append(errs, within("material.roughness", *m.Roughness, 1))
		}
		if m.Metalness != nil {
			errs = append(errs, within("material.metalness", *m.Metalness, 1))
		}
		if m.Color != nil {
			errs = append(errs, within("material.color", float64(*m.Color), 0xffffff))
		}
		errs = append(errs, within("material.emissive", float64(m.Emissive), 0xffffff))
	}
	if b := r.Body; b != nil {
		errs = append(errs,
			among("body.type", b.Type, "dynamic", "static", "kinematic"), among("body.collider", b.Collider, "", "box", "sphere", "capsule", "cylinder", "cone", "wedge", mesh.Shape),
			within("body.friction", b.Friction, 10), within("body.restitution", b.Restitution, 2), within("body.mass", b.Mass, 1e9), within("body.density", b.Density, 1e9))
	}
	if l := r.Light; l != nil {
		errs = append(errs, among("light.kind", l.Kind, "point", "spot", "directional"), within("light.color", float64(l.Color), 0xffffff),
			within("light.intensity", l.Intensity, world.MaxNumber), within("light.range", l.Range, world.MaxNumber), within("light.angle", l.Angle, math.Pi))
	}
	if a := r.Water; a != nil {
		errs = append(errs, within("water.size", a.Size, world.MaxNumber), within("water.color", float64(a.Color), 0xffffff), within("water.flow", a.Flow, terrain.MaxFlow))
		if n := len(a.Line); n == 1 || n > terrain.MaxPieces+1 {
			errs = append(errs, fmt.Errorf("%swater.line: must have from 2 to %d points, got %d", under, terrain.MaxPieces+1, n))
		}
	}
	for _, err := range append(errs, r.checkJoint(under)) {
		if err != nil {
			return err
		}
	}
	return nil
}

// components gives an entity what its record has.
func (in *inserter) components(id world.ID, rec *record) error {
	w := in.tx.World()
	if rec.Material != nil {
		if err := w.Materials.Set(in.tx, id, *rec.Material); err != nil {
			return err
		}
	}
	if rec.Body != nil {
		if err := w.Bodies.Set(in.tx, id, *rec.Body); err != nil {
			return err
		}
	}
	if rec.Light != nil {
		if err := w.Lights.Set(in.tx, id, *rec.Light); err != nil {
			return err
		}
	}
	if rec.Ground != nil {
		if err := w.Grounds.Set(in.tx, id, *rec.Ground); err != nil {
			return err
		}
	}
	if rec.Water != nil {
		return w.Waters.Set(in.tx, id, *rec.Water)
	}
	return nil
}

// part is a piece of a mesh as an entity has it.
type part struct {
	*gltf.Primitive
	centred
}

// parts returns what a node's mesh is made of, nil if that is no mesh here. What Limina has written is where it was.
func (in *inserter) parts(n *gltf.Node, rec *record) (list []part) {
	if rec.Shape != nil && rec.Shape.Kind != mesh.Shape || n.Mesh == gltf.None {
		return nil
	}
	all := in.doc.Meshes[n.Mesh].Primitives
	for i := range all {
		p := part{&all[i], centred{geometry: all[i].Geometry}}
		switch {
		case rec.Shape != nil:
			p.geometry = rec.whole(p.geometry)
		case rec.foreign:
			p.centred = in.forms[p.geometry]
		}
		list = append(list, p)
	}
	return list
}

// show gives an entity its shape, or the parts of a mesh. An entity has one mesh in one colour, so
// further parts of a mesh become entities below it.
func (in *inserter) show(id world.ID, parts []part, rec *record) error {
	if rec.Shape != nil && rec.Shape.Kind != mesh.Shape {
		return in.tx.World().Shapes.Set(in.tx, id, *rec.Shape)
	}
	for i, p := range parts {
		at := id
		if i > 0 {
			var err error
			if at, err = in.tx.Create(world.Spec{Parent: id, Position: p.middle.Sub(parts[0].middle), Name: shorten(fmt.Sprintf("part %d of %s", i+1, rec.Name), world.MaxName)}); err != nil {
				return err
			}
			in.out.Entities = append(in.out.Entities, at)
		}
		color, worn := uint32(0xffffff), ""
		if rec.Shape != nil {
			color = rec.Shape.Color
		} else if p.Material != gltf.None {
			if len(p.Geometry.Coords) > 0 {
				worn = in.worn[p.Material]
			}
			if worn == "" {
				color = gltf.SRGB(in.doc.Materials[p.Material].Color)
			}
		}
		asset, err := in.asset(rec, &p.centred)
		if err != nil {
			return err
		}
		if err := in.meshes.Give(in.tx, at, asset, color); err != nil {
			return err
		}
		if rec.Shape == nil && p.Material != gltf.None {
			if err := in.material(at, &in.doc.Materials[p.Material], worn); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxCorners bounds what is spent on the pieces of an import, for which the world waits, see [mesh.Solid], to a second or two.
const maxCorners = 100_000_000

// asset keeps the mesh of a node, with the pieces of which it consists, if they are known.
func (in *inserter) asset(rec *record, f *centred) (string, error) {
	switch {
	case f.solid != nil:
		return in.meshes.AddSolid(in.tx, f.solid)
	case rec.Shape == nil || len(rec.Pieces) == 0:
		return in.meshes.Add(in.tx, f.geometry)
	}
	s, err := in.meshes.NewSolid(f.geometry, mesh.Pieces{Of: rec.Pieces, Corners: rec.Corners})
	if err != nil {
		return "", err
	}
	if in.corners += s.Took; in.corners > maxCorners {
		return "", registry.Errorf(registry.CodeCapacityExceeded, "pieces: there are too many with many corners to be taken in at once; import fewer of what consists of pieces")
	}
	return in.meshes.AddSolid(in.tx, s)
}

// glassy is the alpha below which a foreign material becomes glass.
const glassy = 0.9

// material gives an entity the surface of a foreign material, or the material of the world that was made of it.
func (in *inserter) material(id world.ID, m *gltf.Material, worn string) error {
	own := world.Material{PBR: true, Name: worn, Emissive: fromLight(m.Emissive)}
	if worn == "" {
		if m.LightImage != nil { // which says where the light is
			own.Emissive = 0
		}
		roughness, metalness := m.Roughness, m.Metallic
		own.Roughness, own.Metalness = &roughness, &metalness
		if m.Color[3] < glassy {
			own.Name = material.Glass
		}
	}
	return in.tx.World().Materials.Set(in.tx, id, own)
}
