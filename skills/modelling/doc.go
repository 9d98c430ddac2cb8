// Package modelling holds the skills that make forms which no box, ball or cylinder has: scene.extrude draws an outline out, scene.lathe
// turns a profile about an axis, scene.tube has a section follow a path, and scene.hull is what lies between points.
//
// What they make is one entity that shows a mesh (package mesh) and consists of convex pieces: it is stood on, walked through where it is open,
// measured and checked as what it is, in physics too.
package modelling

import (
	"math"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/sculpt"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of this package on w, whose meshes are m.
func All(w *world.World, m *mesh.Meshes) []registry.Skill {
	k := &maker{w, m}
	return []registry.Skill{Extrude(k), Lathe(k), Tube(k), Hull(k)}
}

// Finish is what all inputs have in common: where the form goes, how it looks, and whether it is solid.
type Finish struct {
	Name          string      `json:"name,omitempty" jsonschema_description:"What it is called, at most 256 bytes."`
	Position      *world.Vec3 `json:"position,omitempty" jsonschema_description:"Where the origin of your coordinates goes, in metres; [0,0,0] if left out."`
	RotationEuler *world.Vec3 `json:"rotationEuler,omitempty" jsonschema_description:"How it is turned about that origin: angles about x, y, z in radians. To turn on the spot: [0, angle, 0]."`
	Material      string      `json:"material,omitempty" jsonschema_description:"What it is made of: brick, wood, stone, glass or another that scene.createEntity takes."`
	Color         *int        `json:"color,omitempty" validate:"omitempty,gte=0,lte=16777215" jsonschema_description:"Colour as 0xRRGGBB in decimal; the material's own, or white, if left out."`
	Body          string      `json:"body,omitempty" validate:"omitempty,oneof=static dynamic none" jsonschema_description:"static: one stands on it and is stopped by it, the default. dynamic: it falls and can be pushed. none: one goes through it."`
	Mass          float64     `json:"mass,omitempty" validate:"omitempty,gt=0,lte=1000000" jsonschema_description:"Mass of a dynamic body in kg; by its volume, at 1 kg per cubic metre, if left out."`
	Replaces      world.ID    `json:"replaces,omitempty" jsonschema_description:"Give this entity the form instead of making another one, as to make a tower taller. It keeps its id and what you leave out; without position its underside stays where it is."`
}

// Made is the output of the skills of this package.
type Made struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"Id of the entity."`
	Position world.Vec3 `json:"position" jsonschema_description:"Its centre, in metres: the middle of the box around the form, which it is turned and scaled about from now on."`
	Size     world.Vec3 `json:"size" jsonschema_description:"Extents of the form along its own axes."`
	Bounds   Bounds     `json:"bounds" jsonschema_description:"The smallest upright box around it."`
	Volume   float64    `json:"volume" jsonschema_description:"How much there is of it, in cubic metres."`
	Pieces   int        `json:"pieces" jsonschema_description:"How many convex pieces it collides as."`
	Note     string     `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Bounds are two corners.
type Bounds struct {
	Min world.Vec3 `json:"min" jsonschema_description:"Corner with the smallest coordinates."`
	Max world.Vec3 `json:"max" jsonschema_description:"Corner with the largest coordinates."`
}

// farthest is how far from the origin of their coordinates forms may reach, in metres. Outlines and profiles say so by their tags.
const farthest = 10_000

// within says which of the points of a field is too far out.
func within(field string, points []world.Vec3) error {
	for i, p := range points {
		for k := range p {
			if math.Abs(p[k]) > farthest {
				return registry.Invalidf("%s[%d]: must be at most %d m from the origin along each axis, got %g", field, i, farthest, p[k])
			}
		}
	}
	return nil
}

// spec is a skill of this package, but for what all have in common.
func spec[In any](name, title, description, keywords string, handle func(c *registry.Call, in In) (Made, error)) registry.Skill {
	return registry.Define(registry.Spec[In, Made]{
		Name: name, Title: title, Description: description, Keywords: keywords,
		Category:    "scene",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Handle:      handle,
	})
}

// maker puts forms into the world.
type maker struct {
	w      *world.World
	meshes *mesh.Meshes
}

// make carries out a call that asks for a form.
func (m *maker) make(c *registry.Call, f *sculpt.Form, err error, in *Finish) (Made, error) {
	if err != nil {
		return Made{}, registry.Invalidf("%s", err)
	}
	if in.Mass > 0 && in.Body != "dynamic" && in.Replaces == 0 {
		return Made{}, registry.Invalidf("mass: is for dynamic bodies: give body dynamic, too, or leave mass out")
	}
	origin := f.Center()
	g, pieces := f.Solid()
	form, err := m.meshes.NewSolid(g, mesh.Pieces{Of: pieces})
	if err != nil {
		return Made{}, err
	}
	return world.Do(m.w, c, func(tx *world.Tx) (Made, error) {
		out, err := m.put(tx, form, origin, in)
		if in.RotationEuler != nil {
			out.Note = angle.Note("rotationEuler", in.RotationEuler[:]...)
		}
		return out, err
	})
}

// put makes an entity of a form whose middle was at origin, or gives it to one.
func (m *maker) put(tx *world.Tx, form *mesh.Solid, origin world.Vec3, in *Finish) (Made, error) {
	asset, err := m.meshes.AddSolid(tx, form)
	if err != nil {
		return Made{}, err
	}
	color, surface, err := in.look(&tx.View)
	if err != nil {
		return Made{}, err
	}
	id := in.Replaces
	if id == 0 {
		id, err = tx.Create(in.place(origin))
	} else {
		color, err = m.reshape(tx, form.Half(), origin, in, color)
	}
	if err != nil {
		return Made{}, err
	}
	if err := m.meshes.Give(tx, id, asset, color); err != nil {
		return Made{}, err
	}
	if surface != nil {
		if err := m.w.Materials.Set(tx, id, *surface); err != nil {
			return Made{}, err
		}
	}
	if err := m.embody(tx, id, in); err != nil {
		return Made{}, err
	}
	return m.told(tx, id), nil
}

// place is where a new entity goes whose middle was at origin.
func (in *Finish) place(origin world.Vec3) world.Spec {
	spec := world.Spec{Name: in.Name, Rotation: world.NoRotation()}
	if a := in.RotationEuler; a != nil {
		spec.Rotation = world.QuatFromEuler(a[0], a[1], a[2])
	}
	spec.Position = spec.Rotation.Rotate(origin)
	if in.Position != nil {
		spec.Position = spec.Position.Add(*in.Position)
	}
	return spec
}

// look is the colour and the material of the input, nil for none.
func (in *Finish) look(v *world.View) (color uint32, surface *world.Material, err error) {
	color = 0xffffff
	if in.Material != "" {
		m, err := material.Named(v, in.Material)
		if err != nil {
			return 0, nil, err
		}
		worn := m.Worn()
		color, surface = m.Color, &worn
	}
	if in.Color != nil {
		color = uint32(*in.Color)
	}
	return color, surface, nil
}

// reshape makes an entity ready for another form, which reaches so far from its middle: it is put where that goes, and called as it is to be. It returns the colour that it is to have.
func (m *maker) reshape(tx *world.Tx, half, origin world.Vec3, in *Finish, color uint32) (uint32, error) {
	id := in.Replaces
	was, shown := m.w.Shapes.Get(&tx.View, id)
	switch {
	case !tx.Exists(id):
		return 0, registry.Under("replaces", tx.Unknown(id))
	case !shown || m.w.Grounds.Has(&tx.View, id):
		return 0, registry.Invalidf("replaces: %s has no shape that could be replaced; leave replaces out to make a new entity", id)
	}
	if in.Color == nil && in.Material == "" {
		color = was.Color
	}
	if in.Name != "" {
		if err := tx.SetName(id, in.Name); err != nil {
			return 0, err
		}
	}
	at, _ := tx.Transform(id)
	spec := in.place(origin)
	foot := at.Position.Sub(at.Rotation.Rotate(world.Vec3{0, was.Size[1] / 2, 0}.Mul(at.Scale)))
	if in.RotationEuler != nil {
		at.Rotation = spec.Rotation
	}
	at.Position = foot.Add(at.Rotation.Rotate(world.Vec3{0, half[1], 0}.Mul(at.Scale)))
	if in.Position != nil {
		at.Position = in.Position.Add(at.Rotation.Rotate(origin.Mul(at.Scale)))
	}
	return color, tx.SetTransform(id, at)
}

// embody gives an entity the body that the input asks for: a static one if it asks for none and there is none yet.
func (m *maker) embody(tx *world.Tx, id world.ID, in *Finish) error {
	b, has := m.w.Bodies.Get(&tx.View, id)
	switch {
	case in.Body == "none":
		m.w.Bodies.Remove(tx, id)
		return nil
	case in.Replaces != 0 && in.Body == "" && !has:
		return nil
	case !has:
		b = world.Body{Type: "static", Friction: 0.5}
	}
	b.Collider = mesh.Shape
	if in.Body != "" {
		b.Type = in.Body
	}
	if in.Mass > 0 {
		if b.Type != "dynamic" {
			return registry.Invalidf("mass: is for dynamic bodies, and this one is %s: give body dynamic, too, or leave mass out", b.Type)
		}
		b.Mass, b.Density = in.Mass, 0
	}
	if b.Type != "dynamic" {
		b.Mass, b.Density = 0, 0
	}
	return m.w.Bodies.Set(tx, id, b)
}

// told is what the answer says of an entity.
func (m *maker) told(tx *world.Tx, id world.ID) Made {
	at, _ := tx.WorldTransform(id)
	model := m.meshes.Model(&tx.View, id)
	room := solid.NewModel(model, at).Bounds()
	scale := at.Scale
	return Made{
		Entity: id, Position: shown.Point(at.Position), Size: shown.Point(world.Vec3(model.Half).Scale(2).Mul(scale)),
		Bounds: Bounds{shown.Point(room.Lo.Bounded()), shown.Point(room.Hi.Bounded())},
		Volume: shown.Number(math.Abs(float64(float64(model.Volume*scale[0])*scale[1]) * scale[2])), Pieces: len(model.Parts),
	}
}
