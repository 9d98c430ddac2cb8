package modelling

import (
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/sculpt"
)

// ExtrudeIn is the input of scene.extrude.
type ExtrudeIn struct {
	Outline [][2]float64   `json:"outline" validate:"min=3,max=200,dive,dive,gte=-10000,lte=10000" jsonschema_description:"Corners of the outline in order, either way round, in metres: [x,z] of a plan, [x,y] of a front view. It must not cross itself."`
	Holes   [][][2]float64 `json:"holes,omitempty" validate:"max=40,dive,min=3,max=200,dive,dive,gte=-10000,lte=10000" jsonschema_description:"Outlines of what is cut out right through, inside of the outline; one that ends at a straight side of that, or reaches over it, such as a doorway, is cut out of the side. They must not touch each other; 400 corners in all."`
	Plane   sculpt.Plane   `json:"plane" validate:"oneof=xz xy" jsonschema:"default=xz" jsonschema_description:"xz: the outline is a plan, seen from above, and rises by depth from y 0. xy: it is a front view, and is depth thick along z, half of it to each side of 0."`
	Depth   float64        `json:"depth" validate:"gt=0,lte=1000" jsonschema:"default=1" jsonschema_description:"How far it is drawn out, in metres: the height over a plan, the thickness of a front view."`
	Taper   float64        `json:"taper" validate:"gte=0,lte=10" jsonschema:"default=1" jsonschema_description:"How large the far end is, of the near one: 1 goes straight, 0.6 gets narrower, 0 ends in a point over the middle, as a pyramid or a spire does."`

	Finish
}

// Extrude is scene.extrude.
func Extrude(m *maker) registry.Skill {
	return spec("scene.extrude", "Draw an outline out",
		"Make a solid of any outline, with holes: a tower with six sides, an L-shaped slab, a star, an arch, a wall with a doorway and round windows, a gear, a letter, a pyramid. It is static unless you say otherwise. "+
			`Example, a gateway of stone: {"outline":[[-3,0],[-3,4],[3,4],[3,0],[1.2,0],[1.2,2.2],[0.7,2.9],[0,3.2],[-0.7,2.9],[-1.2,2.2],[-1.2,0]],"plane":"xy","depth":1,"material":"stone"}; a tower: {"outline":[[3,0],[1.5,2.6],[-1.5,2.6],[-3,0],[-1.5,-2.6],[1.5,-2.6]],"depth":9}`,
		"extrusion polygon prism hexagon octagon star arch archway gate gateway vault letter gear logo curved hole cutout pyramid obelisk silhouette",
		func(c *registry.Call, in ExtrudeIn) (Made, error) {
			f, err := sculpt.Extrude(in.Outline, in.Holes, in.Plane, in.Depth, in.Taper)
			return m.make(c, f, err, &in.Finish)
		})
}
