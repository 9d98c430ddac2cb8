package world

import "github.com/limina-mcp/limina/world/terrain"

// Ground says that an entity is a tile of generated ground. The tile's middle is where the entity is, its
// heights count from there, and it is turned and scaled as the entity is. At the position [Ground.Place] it
// is where the land has it. What its heights are nobody keeps: they follow from what is here.
type Ground struct {
	Land terrain.Land `json:"land"`
	Tile [2]int       `json:"tile"` // its numbers along x and z
	LOD  int          `json:"lod"`
}

// Place returns where the middle of the tile is in the land.
func (g *Ground) Place() Vec3 {
	return Vec3{
		float64(terrain.Size * (float64(g.Tile[0]) + 0.5)), 0,
		float64(terrain.Size * (float64(g.Tile[1]) + 0.5)),
	}
}

// Surface returns the heights of a tile of ground, nil if there is no such land. They are remembered for a
// while. It may be called by anybody at any time.
func (w *World) Surface(g Ground) *terrain.Tile {
	if !g.Land.Valid() {
		return nil
	}
	return w.tiles.Tile(g.Land, g.Tile[0], g.Tile[1], g.LOD)
}
