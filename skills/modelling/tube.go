package modelling

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/sculpt"
	"github.com/limina-mcp/limina/world"
)

// TubeIn is the input of scene.tube.
type TubeIn struct {
	Path     []world.Vec3 `json:"path" validate:"min=2,max=200" jsonschema_description:"Points [x, y, z] that its middle goes through, in metres."`
	Radius   float64      `json:"radius,omitempty" validate:"omitempty,gt=0,lte=100" jsonschema_description:"How thick it is from its middle, if it is round; 0.1 if neither this nor width and height are given."`
	Width    float64      `json:"width,omitempty" validate:"omitempty,gt=0,lte=200" jsonschema_description:"With height: it is a beam, level across, this wide …"`
	Height   float64      `json:"height,omitempty" validate:"omitempty,gt=0,lte=200" jsonschema_description:"… and this high. Half of that is below the path."`
	Smooth   bool         `json:"smooth" jsonschema:"default=true" jsonschema_description:"Go through the points in a curve; false goes straight from each to the next, with sharp bends."`
	Closed   bool         `json:"closed" jsonschema:"default=false" jsonschema_description:"Go on from the last point to the first: a ring."`
	Segments int          `json:"segments" validate:"gte=3,lte=32" jsonschema:"default=10" jsonschema_description:"How many flat sides a round one has."`

	Finish
}

// Tube is scene.tube.
func Tube(m *maker) registry.Skill {
	return spec("scene.tube", "Lay a pipe or a beam along points",
		"Make a pipe, or with width and height a beam, that follows points: a rail of a track, a handrail, a cable, a branch, a slide, an arch of a bridge, a kerb, a curved wall, a ring. It is static unless you say otherwise. For a rope that hangs and swings use physics.addJoint. "+
			`Example, an arch: {"path":[[-4,0,0],[-3,3,0],[0,4.2,0],[3,3,0],[4,0,0]],"radius":0.3,"material":"metal"}; a low wall around a pond: {"path":[[5,0.25,0],[0,0.25,5],[-5,0.25,0],[0,0.25,-5]],"closed":true,"width":0.4,"height":0.5,"material":"stone"}`,
		"hose cable wire rail railing handrail banister beam sweep spline curve bridge branch root slide waterslide snake ring torus hoop kerb curb coaster ribbon",
		func(c *registry.Call, in TubeIn) (Made, error) {
			if err := within("path", in.Path); err != nil {
				return Made{}, err
			}
			s := sculpt.Section{Radius: in.Radius, Corners: in.Segments, Width: in.Width, Height: in.Height}
			switch beam := in.Width > 0 || in.Height > 0; {
			case beam && in.Radius > 0:
				return Made{}, registry.Invalidf("radius: is of what is round, width and height of a beam: give one or the other")
			case beam && (in.Width == 0 || in.Height == 0):
				return Made{}, registry.Invalidf("width and height go together: give both, or radius for what is round")
			case !beam && in.Radius == 0:
				s.Radius = 0.1
			}
			path := in.Path
			if in.Smooth {
				path = sculpt.Smooth(path, in.Closed)
			}
			f, err := sculpt.Tube(path, in.Closed, s)
			return m.make(c, f, err, &in.Finish)
		})
}
