package picture

import (
	"math"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
)

// ground makes an object the tile of ground that an entity is: coloured by what grows there, if its material does not say
// otherwise.
func ground(w *world.World, g world.Ground, o *render.Object, v *world.View, id world.ID) {
	tile := w.Surface(g)
	if tile == nil {
		return
	}
	scale := &o.Transform.Scale
	*scale = world.Vec3{math.Abs(scale[0]), math.Abs(scale[1]), math.Abs(scale[2])}
	look := tile.Look()
	h := &render.Heights{Columns: tile.Side, Rows: tile.Side, Cell: tile.Cell, At: make([]float64, len(tile.Heights)), Normals: make([]world.Vec3, len(tile.Heights))}
	for i, y := range tile.Heights {
		h.At[i], h.Normals[i] = float64(y), world.Vec3(look.Normals[i])
	}
	m, _ := w.Materials.Get(v, id)
	if m.Color == nil {
		h.Colors = look.Colors()
		if tile.Edged() {
			m := tile.Mesh()
			h.Facets = &render.Facets{Points: make([]world.Vec3, len(m.Points)), Normals: make([]world.Vec3, len(m.Points)), Colors: m.Colors, Triangles: m.Triangles}
			for i := range m.Points {
				h.Facets.Points[i], h.Facets.Normals[i] = m.Points[i], m.Normals[i]
			}
		}
	}
	o.Kind, o.Heights = render.Field, h
}
