package modelling

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/sculpt"
	"github.com/limina-mcp/limina/world"
)

// HullIn is the input of scene.hull.
type HullIn struct {
	Points []world.Vec3 `json:"points" validate:"min=4,max=64" jsonschema_description:"Corners [x, y, z] in metres, in any order; what is between the others may be left out."`

	Finish
}

// Hull is scene.hull.
func Hull(m *maker) registry.Skill {
	return spec("scene.hull", "Make what is between points",
		"Make the solid that a sheet pulled tight around some points encloses: a rock, a crystal, a gem, a boat's bow, a tent, a ramp that is cut anyhow. It is static unless you say otherwise. "+
			`Example, hipped tiles on a house of 8 by 6 m whose walls are 3 m high: {"points":[[-4,0,-3],[4,0,-3],[4,0,3],[-4,0,3],[-1.5,2,0],[1.5,2,0]],"position":[0,3,0],"material":"tile","color":10040115}`,
		"convex polyhedron hip hipped crystal gem diamond rock boulder bow keel tetrahedron octahedron corners vertices",
		func(c *registry.Call, in HullIn) (Made, error) {
			if err := within("points", in.Points); err != nil {
				return Made{}, err
			}
			f, err := sculpt.Hull(in.Points)
			return m.make(c, f, err, &in.Finish)
		})
}
