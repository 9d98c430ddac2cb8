package scene

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/internal/figure"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/world"
)

// CreateEntityIn is the input of scene.createEntity.
type CreateEntityIn struct {
	Shape       string     `json:"shape" validate:"oneof=box sphere cylinder cone wedge figure" jsonschema:"default=box" jsonschema_description:"Visible shape. Cylinders and cones stand along y, cones with the point up. A wedge is half a box, a ramp: its slope falls to the front, +z. A figure is a person who stands and looks to +z: of a material a statue of that, else in clothes of its colour."`
	Collider    string     `json:"collider,omitempty" validate:"omitempty,oneof=box sphere capsule cylinder cone wedge" jsonschema_description:"Shape that a body collides with, if it gets one; the visible shape if left out, a capsule of a figure."`
	Size        float64    `json:"size" validate:"gt=0,lte=50" jsonschema:"default=1" jsonschema_description:"Edge length of a box or wedge, diameter of a sphere, diameter and height of a cylinder or cone, height of a figure, in metres. For other proportions give scale."`
	Material    string     `json:"material,omitempty" jsonschema_description:"Named material: brick, concrete, fabric, glass, gold, grass, ice, leather, marble, metal, plaster, plastic, rubber, sand, snow, stone, tile, water or wood."`
	PBR         bool       `json:"pbr" jsonschema:"default=false" jsonschema_description:"Ask viewers for physically based shading."`
	Color       int        `json:"color" validate:"gte=0,lte=16777215" jsonschema:"default=16777215" jsonschema_description:"Colour as 0xRRGGBB in decimal. White, the default, leaves a named material its own colour."`
	Position    world.Vec3 `json:"position" jsonschema:"default=0 0 0" jsonschema_description:"Centre x, y, z in metres; y is up. A box of size 1 stands on the ground at y 0.5."`
	Dynamic     bool       `json:"dynamic" jsonschema:"default=false" jsonschema_description:"Give it a body that falls and can be pushed."`
	Static      bool       `json:"static" jsonschema:"default=false" jsonschema_description:"Give it a body that never moves by itself, for ground and walls. Not together with dynamic."`
	Mass        float64    `json:"mass,omitempty" validate:"omitempty,gt=0,lte=1000000" jsonschema_description:"Mass of a dynamic body in kg. Left out it is its volume at 1 kg per cubic metre: a box of size 1 has 1 kg."`
	Density     float64    `json:"density,omitempty" validate:"omitempty,gt=0,lte=25000" jsonschema_description:"Instead of mass: in kg per cubic metre. Below 1000 it floats in water; left out it does so by its mass, else as its material does, else as wood."`
	Friction    float64    `json:"friction" validate:"gte=0,lte=10" jsonschema:"default=0.5" jsonschema_description:"Friction of the body; 0 is ice."`
	Restitution float64    `json:"restitution" validate:"gte=0,lte=2" jsonschema:"default=0" jsonschema_description:"Bounciness of the body: 0 does not bounce, 1 keeps all speed."`

	Name          string      `json:"name,omitempty" jsonschema_description:"What it is called, at most 256 bytes; names need not differ."`
	Tags          []string    `json:"tags,omitempty" validate:"max=64,dive,min=1" jsonschema_description:"What it is found by, as by tag of scene.forEach, scene.queryEntities and trigger.create; ecs.addComponent gives more later."`
	RotationEuler *world.Vec3 `json:"rotationEuler,omitempty" jsonschema_description:"How it is turned: angles about x, y, z in radians, in the order XYZ of three.js. To turn on the spot: [0, angle, 0]."`
	Scale         *world.Vec3 `json:"scale,omitempty" jsonschema_description:"Factors along its own x, y, z: of a box of size 1 they are its edges in metres, such as [4,3,0.2] for a wall; [0.4,3,0.4] makes a cylinder a column. Its centre stays at position."`
}

// CreateEntityOut is the output of scene.createEntity.
type CreateEntityOut struct {
	Entity world.ID `json:"entity" jsonschema_description:"Id of the new entity."`

	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// white is the colour that means: nobody chose one.
const white = 0xffffff

// CreateEntity is scene.createEntity. The body that is asked for is described in the component
// Bodies; package world/physics moves it.
func CreateEntity(w *world.World) registry.Skill {
	return registry.Define(registry.Spec[CreateEntityIn, CreateEntityOut]{
		Name:  "scene.createEntity",
		Title: "Create an entity",
		Description: "Add one box, sphere, cylinder, cone or wedge to the world, with a rigid body if dynamic or static is set, and return its id. " +
			`For a whole house use architecture.building; to change what you made use three.setTransform. Example, a wall: {"name":"north wall","scale":[4,3,0.2],"position":[0,1.5,0],"material":"wood","static":true}`,
		Core:        true,
		Published:   true,
		Keywords:    "box cube sphere ball window friction bouncy mass weight wall floor pillar post block primitive object add brick bridge jetty pier dock plank road platform maze labyrinth furniture shelf bookcase seesaw ramp marble bounciness elastic spire wheel barrel pipe disc log cylindrical conical pyramid wedge slope prism figure statue person human character figurine mannequin people",
		Permissions: []profiles.Permission{"scene.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in CreateEntityIn) (CreateEntityOut, error) {
			return world.Do(w, c, func(tx *world.Tx) (CreateEntityOut, error) {
				id, err := in.Create(w, tx)
				return CreateEntityOut{Entity: id, Note: in.note()}, err
			})
		},
	})
}

// note says what of the input may be a mistake.
func (in *CreateEntityIn) note() string {
	if s := in.Scale; s != nil && slices.Contains(s[:], 0) {
		return "scale 0 makes it flat along that axis; 1 leaves it as size has it"
	}
	if a := in.RotationEuler; a != nil {
		if note := angle.Note("rotationEuler", a[:]...); note != "" {
			return note
		}
	}
	return in.wet()
}

// wet says that a level slab that looks like water, or is called so, is none.
func (in *CreateEntityIn) wet() string {
	size := world.Vec3{in.Size, in.Size, in.Size}
	if in.Scale != nil {
		size = size.Mul(*in.Scale)
	}
	for i := range size {
		size[i] = math.Abs(size[i])
	}
	const wide, thin = 2.0, 0.5 // a surface of water is wider than this, and no thicker than that part of it
	if in.Shape == "figure" || min(size[0], size[2]) < wide || size[1] > thin*min(size[0], size[2]) || in.Material != "water" && !waters(in.Name) {
		return ""
	}
	return "it is a thing that looks like water: nothing swims in it, boats and ways know nothing of it, and what is in it is said to be in each other. If it is to be water, make it by world.addWater instead, or terrain.shape with form basin and water: true, which digs its bed, too"
}

// waters reports whether a name is one of water.
func waters(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"water", "river", "lake", "sea", "ocean", "pond", "pool", "stream", "canal", "moat", "brook", "creek"}, w)
	})
}

// Feasible reports what in a valid input cannot be done together, or is not there, as a call sees the world.
func (in *CreateEntityIn) Feasible(w *world.World, c world.Caller) error {
	if err := in.together(); err != nil {
		return err
	}
	return material.Check(w, c, in.Material)
}

// together reports what in a valid input cannot be done together.
func (in *CreateEntityIn) together() error {
	if in.Dynamic && in.Static {
		return registry.Invalidf("dynamic and static exclude each other: set one of them")
	}
	if in.Mass > 0 && in.Density > 0 {
		return registry.Invalidf("mass, density: give one of the two: the density gives the mass")
	}
	if in.Density > 0 && !in.Dynamic {
		return registry.Invalidf("density: is for dynamic bodies: set dynamic, too, or leave density out")
	}
	for i, tag := range in.Tags {
		if len(tag) > world.MaxTag {
			return registry.Invalidf("tags[%d]: must have at most %d bytes, got %d", i, world.MaxTag, len(tag))
		}
	}
	if in.Scale != nil && *in.Scale == (world.Vec3{}) {
		return registry.Invalidf("scale: must not be 0 along all axes; [1,1,1] leaves it as size has it")
	}
	return nil
}

// look is the material of a new entity and the colour of its shape.
type look struct {
	color   uint32
	surface world.Material // the zero Material for none
}

// look fills in a zero look.
func (in *CreateEntityIn) look(v *world.View, l *look) error {
	l.color, l.surface.PBR = uint32(in.Color), in.PBR
	if in.Material == "" {
		return nil
	}
	m, err := material.Named(v, in.Material)
	if err != nil {
		return err
	}
	if l.color == white {
		l.color = m.Color
	}
	l.surface = m.Worn()
	l.surface.PBR = in.PBR
	return nil
}

// Create adds the entity with its components, as the skill does.
func (in *CreateEntityIn) Create(w *world.World, tx *world.Tx) (world.ID, error) {
	if err := in.together(); err != nil {
		return 0, err
	}
	var l look
	if err := in.look(&tx.View, &l); err != nil {
		return 0, err
	}
	shape := world.Shape{Kind: in.Shape, Size: world.Vec3{in.Size, in.Size, in.Size}, Color: l.color}
	if in.Shape == figure.Shape {
		shape.Size[0] = float64(in.Size * figure.Slender)
		shape.Size[2] = shape.Size[0]
	}
	spec := world.Spec{Position: in.Position, Name: in.Name, Tags: in.Tags}
	if a := in.RotationEuler; a != nil {
		spec.Rotation = world.QuatFromEuler(a[0], a[1], a[2])
	}
	if in.Scale != nil {
		spec.Scale = *in.Scale
	}
	id, err := tx.Create(spec)
	if err != nil {
		return 0, err
	}
	if err := w.Shapes.Set(tx, id, shape); err != nil {
		return 0, err
	}
	if l.surface != (world.Material{}) {
		if err := w.Materials.Set(tx, id, l.surface); err != nil {
			return 0, err
		}
	}
	if !in.Dynamic && !in.Static {
		return id, nil
	}
	return id, w.Bodies.Set(tx, id, in.body())
}

// body describes the body that is asked for.
func (in *CreateEntityIn) body() world.Body {
	b := world.Body{Type: "static", Collider: in.Collider, Friction: in.Friction, Restitution: in.Restitution, Mass: in.Mass, Density: in.Density}
	if in.Dynamic {
		b.Type = "dynamic"
	}
	if b.Collider == "" {
		b.Collider = figure.Collider(in.Shape)
	}
	return b
}
