package picture

import (
	"math"

	"github.com/limina-mcp/limina/render"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
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
		h.Colors = colorsOf(look)
	}
	o.Kind, o.Heights = render.Field, h
}

// colorsOf returns the colour of each sample of ground.
func colorsOf(look *terrain.Look) []uint32 {
	colors := make([]uint32, len(look.Biomes))
	for i := range colors {
		colors[i] = colorOf(look.Biomes[i], look.Normals[i][1])
	}
	return colors
}

// colorOf returns the colour of ground. upward is that part of its normal: what is steep is rock.
func colorOf(b terrain.Biome, upward float64) uint32 {
	const rock, steep = 0x857d74, 0.72 // of 44°
	if upward < steep && b != terrain.Sand {
		return rock
	}
	switch b {
	case terrain.Sea:
		return 0x8b8668
	case terrain.Shore:
		return 0xd8c795
	case terrain.Sand:
		return 0xd9bd82
	case terrain.Grassland:
		return 0x9cb566
	case terrain.Woods:
		return 0x6f9650
	case terrain.Taiga:
		return 0x7c9070
	case terrain.Tundra:
		return 0xa69c86
	}
	return 0xf3f5f7
}
