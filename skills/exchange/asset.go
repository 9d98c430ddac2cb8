package exchange

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/files"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// PlaceIn is the input of asset.place.
type PlaceIn struct {
	AssetID         files.Name  `json:"assetId" jsonschema_description:"Name of a GLB file on the server, with or without .glb behind it."`
	Position        world.Vec3  `json:"position" jsonschema:"default=0 0 0" jsonschema_description:"Where it stands: x, y, z in metres; y is up."`
	Rotation        *world.Vec3 `json:"rotation,omitempty" jsonschema_description:"How it is turned: angles about x, y, z in radians, in the order XYZ of three.js. To turn it on the spot: [0, angle, 0]."`
	Scale           *world.Vec3 `json:"scale,omitempty" jsonschema_description:"Factors along its own x, y, z. Default: as large as in the file."`
	Ground          bool        `json:"ground" jsonschema:"default=true" jsonschema_description:"Its lowest point is at the height of position, or on generated ground where that is higher. false: the origin of the file is at position."`
	NormalizeHeight *float64    `json:"normalizeHeight,omitempty" validate:"omitempty,gt=0,lte=500" jsonschema_description:"How high it is to be, in metres, turned and scaled as it is: all of it grows or shrinks evenly."`
	Material        *Paint      `json:"material,omitempty" jsonschema_description:"What all of it looks like, instead of what the file says."`
	Hash            string      `json:"hash,omitempty" validate:"omitempty,len=64" jsonschema_description:"What the sha256 of the file must be, in hexadecimal digits, as hash of an earlier answer. Another file is refused, so that the same call cannot place something else."`
}

// Paint is what a surface looks like. What is left out stays as it is.
type Paint struct {
	Color     *uint32  `json:"color,omitempty" validate:"omitempty,gte=0,lte=16777215" jsonschema_description:"Colour, 0xRRGGBB as a number."`
	Roughness *float64 `json:"roughness,omitempty" validate:"omitempty,gte=0,lte=1" jsonschema_description:"0 is a mirror, 1 chalk."`
	Metalness *float64 `json:"metalness,omitempty" validate:"omitempty,gte=0,lte=1" jsonschema_description:"0 is no metal, 1 is metal."`
}

// PlaceOut is the output of asset.place.
type PlaceOut struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"The whole model: what the file holds is below it. Destroying it takes all of it out again."`
	Hash     string     `json:"hash" jsonschema_description:"The sha256 of the file, in hexadecimal digits."`
	Resource Model      `json:"resource" jsonschema_description:"What was read."`
	Bounds   world.Vec3 `json:"bounds" jsonschema_description:"How large it is along the axes of the world, in metres."`
	Note     string     `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// LoadIn is the input of three.loadGLTF.
type LoadIn struct {
	AssetID  files.Name `json:"assetId" jsonschema_description:"Name of a GLB file on the server, with or without .glb behind it."`
	Position world.Vec3 `json:"position" jsonschema:"default=0 0 0" jsonschema_description:"Where the origin of the file is: x, y, z in metres; y is up."`
}

// LoadOut is the output of three.loadGLTF.
type LoadOut struct {
	Entity   world.ID `json:"entity" jsonschema_description:"The whole model: what the file holds is below it."`
	Resource Model    `json:"resource" jsonschema_description:"What was read."`
	Note     string   `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Model describes a model file.
type Model struct {
	Kind          string     `json:"kind" jsonschema_description:"gltf."`
	AssetID       files.Name `json:"assetId" jsonschema_description:"As it was asked for."`
	Source        string     `json:"source" jsonschema_description:"The file on the server."`
	Hash          string     `json:"hash" jsonschema_description:"Its sha256, in hexadecimal digits."`
	Bytes         int        `json:"bytes" jsonschema_description:"How large it is."`
	RootName      string     `json:"rootName,omitempty" jsonschema_description:"Name of its first node, if that has one."`
	ObjectCount   int        `json:"objectCount" jsonschema_description:"How many nodes it has."`
	MeshCount     int        `json:"meshCount" jsonschema_description:"How many meshes it has."`
	MaterialCount int        `json:"materialCount" jsonschema_description:"How many materials it has."`
	TextureCount  int        `json:"textureCount" jsonschema_description:"How many textures it has. The note says which are not shown, if any: what has one of them has its plain colour."`
}

// placeAsset is asset.place.
func (d *Deps) placeAsset() registry.Skill {
	return registry.Define(registry.Spec[PlaceIn, PlaceOut]{
		Name:  "asset.place",
		Title: "Place a model",
		Description: "Put a model, a GLB file (glTF 2.0) among those on the server, into the world, standing on the ground, turned and as high as you want it. It is a group with what the file holds below it. " +
			`For a file of your own use scene.import; for many on generated ground, asset.scatter of the entity. Example: {"assetId":"tree","position":[4,0,-2],"normalizeHeight":6}`,
		Core:        true,
		Keywords:    "glb gltf model mesh library spawn import blender",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Slow:        true,
		Handle: func(c *registry.Call, in PlaceIn) (out PlaceOut, err error) {
			from, about, err := d.model(c, in.AssetID, in.Hash)
			if err != nil {
				return out, err
			}
			return world.Do(d.World, c, func(tx *world.Tx) (PlaceOut, error) { return d.stand(tx, from, about, &in) })
		},
	})
}

// loadGLTF is three.loadGLTF.
func (d *Deps) loadGLTF() registry.Skill {
	return registry.Define(registry.Spec[LoadIn, LoadOut]{
		Name:  "three.loadGLTF",
		Title: "Load a model file",
		Description: "Put a model, a GLB file (glTF 2.0) among those on the server, into the world as it is in the file, its origin at position. To have it stand on the ground or be of a certain height use asset.place. " +
			`Example: {"assetId":"lamp.glb","position":[0,2,0]}`,
		Keywords:    "glb gltf mesh import blender",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Slow:        true,
		Handle: func(c *registry.Call, in LoadIn) (LoadOut, error) {
			from, about, err := d.model(c, in.AssetID, "")
			if err != nil {
				return LoadOut{}, err
			}
			return world.Do(d.World, c, func(tx *world.Tx) (LoadOut, error) {
				out, err := d.stand(tx, from, about, &PlaceIn{AssetID: in.AssetID, Position: in.Position})
				return LoadOut{out.Entity, out.Resource, out.Note}, err
			})
		},
	})
}

// model reads a model file, and checks that it has a hash if that is given.
func (d *Deps) model(c *registry.Call, id files.Name, hash string) (*incoming, *Model, error) {
	if d.Dir == "" {
		return nil, nil, registry.Failf("assetId: the server has no folder for files: its operator gives one with --files DIR; scene.import takes a file as data")
	}
	done, err := d.Turns.Take(c)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	name := strings.TrimSuffix(string(id), ending) + ending
	if !d.folder().Has(name) {
		return nil, nil, d.noModel(id)
	}
	data, err := d.read("assetId", name, fileLimits().Bytes)
	if err != nil {
		return nil, nil, err
	}
	sum := sha256.Sum256(data)
	m := &Model{Kind: "gltf", AssetID: id, Source: name, Hash: hex.EncodeToString(sum[:]), Bytes: len(data)}
	if hash != "" && !strings.EqualFold(hash, m.Hash) {
		return nil, nil, registry.Invalidf("hash: the file %s has %s", name, m.Hash)
	}
	from, err := d.file(c, data)
	if err != nil {
		return nil, nil, registry.Failf("assetId: the file %s cannot be read: %s", name, err)
	}
	doc := from.doc
	m.ObjectCount, m.MeshCount, m.MaterialCount, m.TextureCount = len(doc.Nodes), len(doc.Meshes), len(doc.Materials), doc.Textures
	if len(doc.Nodes) > 0 {
		m.RootName = doc.Nodes[0].Name
	}
	return from, m, nil
}

// ending is what the names of model files end in.
const ending = ".glb"

// noModel says that there is no such model, and which there are.
func (d *Deps) noModel(id files.Name) error {
	names, err := d.folder().List(ending)
	if err != nil {
		return err
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, ending)
	}
	return registry.Failf("assetId: there is no model %s on the server; there are %s", id, files.Some(names))
}

// stand puts a model into the world.
func (d *Deps) stand(tx *world.Tx, from *incoming, about *Model, in *PlaceIn) (out PlaceOut, err error) {
	at := world.Transform{Position: in.Position, Rotation: world.Quat{3: 1}, Scale: world.Vec3{1, 1, 1}}
	if in.Scale != nil {
		at.Scale = *in.Scale
	}
	if r := in.Rotation; r != nil {
		at.Rotation, out.Note = world.QuatFromEuler(r[0], r[1], r[2]), angle.Note("rotation", r[:]...)
	}
	if out.Entity, err = tx.Create(world.Spec{Position: in.Position, Name: strings.TrimSuffix(about.Source, ending)}); err != nil {
		return out, err
	}
	if err := tx.SetTransform(out.Entity, at); err != nil {
		return out, err
	}
	done, err := d.insert(tx, from, out.Entity)
	if err != nil {
		return out, err
	}
	if err := in.Material.over(tx, done.Entities); err != nil {
		return out, err
	}
	box, err := d.fit(tx, out.Entity, in)
	out.Hash, out.Resource, out.Bounds, out.Note = about.Hash, *about, box.Size(), cmp.Or(out.Note, note(done.Lost))
	return out, err
}

// fit makes a model as high as it is to be and has it stand where it is to stand. It returns the room that it takes up.
func (d *Deps) fit(tx *world.Tx, model world.ID, in *PlaceIn) (solid.Bounds, error) {
	at, _ := tx.Transform(model)
	box := solid.Tree(d.World, &tx.View, model)
	if in.NormalizeHeight != nil {
		high := box.Size()[1]
		if !(high > 0) {
			return box, registry.Failf("normalizeHeight: %s has no height; give scale instead, or leave both out", in.AssetID)
		}
		by := *in.NormalizeHeight / high
		at.Scale = at.Scale.Scale(by)
		box = solid.Bounds{Lo: around(at.Position, box.Lo, by), Hi: around(at.Position, box.Hi, by)}
	}
	if in.Ground {
		floor := in.Position[1]
		if y, ok := d.Things.Ground(&tx.View, in.Position[0], in.Position[2]); ok {
			floor = max(floor, y)
		}
		up := world.Vec3{1: floor - box.Lo[1]}
		at.Position, box = at.Position.Add(up), box.Moved(up)
		if err := rebase(tx, model, &at, floor); err != nil {
			return box, err
		}
	}
	return box, tx.SetTransform(model, at)
}

// rebase has a model that is about to stand at a place have its own origin on the floor there, not wherever the file has it: who puts it elsewhere then says where it is to stand. What is
// directly below it makes up for that.
func rebase(tx *world.Tx, model world.ID, at *world.Transform, floor float64) error {
	const nothing = 1e-6
	off := at.Position[1] - floor
	if math.Abs(off) < nothing || at.Scale[0] == 0 || at.Scale[1] == 0 || at.Scale[2] == 0 {
		return nil
	}
	by := at.Rotation.Conj().Rotate(world.Vec3{0, off, 0})
	for i := range by {
		by[i] /= at.Scale[i]
	}
	at.Position[1] = floor
	for _, child := range slices.Clone(tx.Children(model)) {
		t, _ := tx.Transform(child)
		t.Position = t.Position.Add(by)
		if err := tx.SetTransform(child, t); err != nil {
			return err
		}
	}
	return nil
}

// around moves a point away from a centre by a factor.
func around(center, p world.Vec3, by float64) world.Vec3 {
	return center.Add(p.Sub(center).Scale(by))
}

// over paints what has a shape of its own.
func (p *Paint) over(tx *world.Tx, entities []world.ID) error {
	if p == nil {
		return nil
	}
	w := tx.World()
	for _, id := range entities {
		if !w.Shapes.Has(&tx.View, id) {
			continue
		}
		m, _ := w.Materials.Get(&tx.View, id)
		m.Color, m.Roughness, m.Metalness = cmp.Or(p.Color, m.Color), cmp.Or(p.Roughness, m.Roughness), cmp.Or(p.Metalness, m.Metalness)
		if err := w.Materials.Set(tx, id, m); err != nil {
			return err
		}
	}
	return nil
}
