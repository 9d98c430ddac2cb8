package modelling

import (
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/sculpt"
)

// LatheIn is the input of scene.lathe.
type LatheIn struct {
	Profile  [][2]float64 `json:"profile" validate:"min=2,max=100,dive,dive,gte=-10000,lte=10000" jsonschema_description:"Points [radius, height] from bottom to top, in metres: half of what is seen from the side. A radius of 0 is on the axis: a point, or a closed end. One that ends where it begins is the section of a ring, a tyre for one."`
	Wall     float64      `json:"wall,omitempty" validate:"omitempty,gt=0,lte=100" jsonschema_description:"Left out it is full. Else it is hollow and so thick, inwards from the profile, and open at an end that is not on the axis: a pipe, a bowl, a dome that one stands in."`
	Angle    float64      `json:"angle" validate:"gt=0,lte=6.3" jsonschema:"default=6.2832" jsonschema_description:"How far around it goes, in radians, from +z towards +x; all around if left out, 3.1416 is a half."`
	Segments int          `json:"segments" validate:"gte=3,lte=64" jsonschema:"default=24" jsonschema_description:"How many flat sides it has around; 24 look round."`

	Finish
}

// Lathe is scene.lathe.
func Lathe(m *maker) registry.Skill {
	return spec("scene.lathe", "Make something round by its profile",
		"Make what is round about an upright axis of half its side view, as a potter does: a column, a vase, a bowl, a dome, a bell, a chess piece, a fountain, a round tower. It is static unless you say otherwise. "+
			`Example, a fountain's bowl: {"profile":[[0,0],[0.8,0],[1.6,0.4],[2,1]],"wall":0.15,"material":"marble"}; a column: {"profile":[[0.6,0],[0.6,0.3],[0.4,0.4],[0.35,3.6],[0.6,4]]}; a dome: {"profile":[[5,0],[4.6,1.9],[3.5,3.5],[1.9,4.6],[0,5]],"wall":0.3}`,
		"revolve revolution column pillar baluster vase pot bowl goblet bottle barrel dome bell fountain chess pawn mushroom trunk tyre rim funnel frustum amphitheatre potter",
		func(c *registry.Call, in LatheIn) (Made, error) {
			if in.Angle > 2*math.Pi-0.001 { // as somebody writes it who rounds
				in.Angle = 2 * math.Pi
			}
			f, err := sculpt.Lathe(in.Profile, in.Segments, in.Angle, in.Wall)
			return m.make(c, f, err, &in.Finish)
		})
}
