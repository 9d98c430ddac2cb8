package physics

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// RaycastIn is the input of physics.raycast.
type RaycastIn struct {
	Origin      world.Vec3 `json:"origin" jsonschema_description:"Where the ray starts: x, y, z in metres."`
	Direction   world.Vec3 `json:"direction" jsonschema_description:"Where it goes; of any length but 0. [0,-1,0] is straight down."`
	MaxDistance float64    `json:"maxDistance" validate:"gt=0" jsonschema:"default=1000" jsonschema_description:"How far it goes, in metres."`
}

// RaycastOut is the output of physics.raycast.
type RaycastOut struct {
	Hit      bool        `json:"hit" jsonschema_description:"Whether the ray meets a body."`
	Distance *float64    `json:"distance,omitempty" jsonschema_description:"How far from the origin, in metres; 0 from inside."`
	Point    *world.Vec3 `json:"point,omitempty" jsonschema_description:"Where it meets it."`
	Entity   *world.ID   `json:"entity,omitempty" jsonschema_description:"The entity whose body it is."`
}

// Raycast is physics.raycast.
func Raycast(w *world.World, colliders *solid.Index) registry.Skill {
	return registry.Define(registry.Spec[RaycastIn, RaycastOut]{
		Name:  "physics.raycast",
		Title: "Cast a ray",
		Description: "Find the first body, static or not, that a ray meets: what is below a point, whether something is in the way, how high the ground is. Entities without a body are not met. " +
			`For all that is in a place use physics.overlap. Example: {"origin":[0,50,0],"direction":[0,-1,0]}`,
		Keywords:    "sight visible below hit aim shoot line way blocked obstacle",
		Permissions: []profiles.Permission{"physics.read"},
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in RaycastIn) (RaycastOut, error) {
			dir, ok := in.Direction.Unit()
			if !ok {
				return RaycastOut{}, registry.Invalidf("direction: must not be [0, 0, 0]")
			}
			return world.Read(w, c, func(v *world.View) (RaycastOut, error) {
				hit, ok := colliders.Ray(v, in.Origin, dir, in.MaxDistance, nil)
				if !ok {
					return RaycastOut{}, nil
				}
				far, point := shown.Number(hit.Distance), shown.Point(hit.Point)
				return RaycastOut{Hit: true, Distance: &far, Point: &point, Entity: &hit.Entity}, nil
			})
		},
	})
}
