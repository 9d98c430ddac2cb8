package physics

import (
	"math"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// OverlapIn is the input of physics.overlap.
type OverlapIn struct {
	Shape         string      `json:"shape" validate:"oneof=box sphere" jsonschema:"default=box" jsonschema_description:"What the place to look at is."`
	Position      world.Vec3  `json:"position" jsonschema_description:"Its centre: x, y, z in metres."`
	Size          *world.Vec3 `json:"size,omitempty" jsonschema_description:"Edges of the box along x, y, z in metres, each above 0. Only with a box."`
	Radius        float64     `json:"radius,omitempty" validate:"omitempty,gt=0" jsonschema_description:"Radius of the sphere in metres. Only with a sphere."`
	RotationEuler world.Vec3  `json:"rotationEuler" jsonschema:"default=0 0 0" jsonschema_description:"How the box is turned: angles about x, y, z in radians, in the order XYZ of three.js."`
	Limit         int         `json:"limit" validate:"gte=1,lte=500" jsonschema:"default=50" jsonschema_description:"How many entities to list at most."`
}

// OverlapOut is the output of physics.overlap.
type OverlapOut struct {
	Entities []Overlapping `json:"entities" jsonschema_description:"The entities whose bodies reach into the place, oldest first."`
	More     int           `json:"more" jsonschema_description:"How many there are beyond limit."`

	Note string `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Overlapping is an entity whose body reaches into a place.
type Overlapping struct {
	Entity   world.ID   `json:"entity" jsonschema_description:"Id of the entity."`
	Position world.Vec3 `json:"position" jsonschema_description:"Where its centre is, in metres."`
	Depth    float64    `json:"depth" jsonschema_description:"How far one of the two would have to be moved to be free of the other, in metres."`
}

// Overlap is physics.overlap.
func Overlap(w *world.World, colliders *solid.Index) registry.Skill {
	return registry.Define(registry.Spec[OverlapIn, OverlapOut]{
		Name:  "physics.overlap",
		Title: "What is in a place",
		Description: "List the entities whose bodies reach into a box or a sphere, by their real, turned form, and how deep. Touching is not reaching in. An empty list means that the place is free of bodies. " +
			`For entities by their centre, with or without a body, use scene.queryEntities. Example: {"position":[0,1,0],"size":[2,2,2]}`,
		Keywords:    "inside collide touch contain",
		Permissions: []profiles.Permission{"physics.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in OverlapIn) (OverlapOut, error) {
			place, err := in.place()
			if err != nil {
				return OverlapOut{}, err
			}
			near, err := world.Read(w, c, func(v *world.View) ([]solid.Found, error) { return colliders.In(v, place.Bounds()), nil })
			if err != nil {
				return OverlapOut{}, err
			}
			out := in.among(near, &place) // behind the lock: of a whole town it takes a second
			out.Note = angle.Note("rotationEuler", in.RotationEuler[:]...)
			return out, nil
		},
	})
}

// place returns what to look at.
func (in *OverlapIn) place() (solid.Solid, error) {
	at := world.Transform{Position: in.Position, Rotation: world.NoRotation(), Scale: world.Vec3{1, 1, 1}}
	if in.Shape == "sphere" {
		if in.Radius == 0 || in.Size != nil {
			return solid.Solid{}, registry.Invalidf("radius: a sphere needs radius, and takes no size")
		}
		d := 2 * in.Radius
		return solid.New(world.Shape{Kind: "sphere", Size: world.Vec3{d, d, d}}, at), nil
	}
	if in.Size == nil || in.Radius != 0 {
		return solid.Solid{}, registry.Invalidf("size: a box needs size, and takes no radius")
	}
	for i, edge := range in.Size {
		if !(edge > 0) {
			return solid.Solid{}, registry.Invalidf("size[%d]: must be above 0, got %v", i, edge)
		}
	}
	e := in.RotationEuler
	at.Rotation = world.QuatFromEuler(e[0], e[1], e[2])
	return solid.New(world.Shape{Kind: "box", Size: *in.Size}, at), nil
}

// touching is the depth below which bodies only touch, in metres: one that rests on another is a little
// in it.
const touching = 0.001

// among returns which of what is near reaches into a place.
func (in *OverlapIn) among(near []solid.Found, place *solid.Solid) OverlapOut {
	out := OverlapOut{Entities: []Overlapping{}}
	for i := range near {
		f := &near[i]
		if len(out.Entities) == in.Limit {
			if reaches(place, &f.Solid) {
				out.More++
			}
			continue
		}
		if depth := -solid.Between(*place, f.Solid).Gap; depth > touching {
			out.Entities = append(out.Entities, Overlapping{f.Entity, f.Solid.Center, min(depth, world.MaxNumber)})
		}
	}
	return out
}

// reaches reports whether a body reaches into a place, without how deep, which takes ten times as long.
func reaches(place, s *solid.Solid) bool {
	switch s.Kind {
	case solid.Box, solid.Ball, solid.Capsule, solid.Cylinder, solid.Cone, solid.Wedge:
		if deep(place, s.Center) > 2*touching { // whoever parts them brings that point out, too
			return true
		}
	}
	if place.Kind == solid.Box {
		return solid.Overlap(*place, *s, touching)
	}
	return -solid.Between(*place, *s).Gap > touching
}

// deep returns how deep a point is in a place; below zero it is beside it.
func deep(place *solid.Solid, p world.Vec3) float64 {
	off := p.Sub(place.Center)
	if place.Kind == solid.Ball {
		return place.Half[0] - off.Len()
	}
	least := math.Inf(1)
	for i, axis := range place.Axes {
		least = min(least, place.Half[i]-math.Abs(off.Dot(axis)))
	}
	return least
}
