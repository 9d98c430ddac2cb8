package exchange

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// How large a mesh is, in metres, of which it matters that all but pictures takes it for the box around it.
const (
	wideMesh = 8.0 // along x and z
	highMesh = 0.5
)

// boxed says of the largest mesh among what was brought in that it is drawn as it is, and a box for all else: ground, or a hall; "" if none is large.
func (d *Deps) boxed(tx *world.Tx, made []world.ID) string {
	var of world.ID
	var size world.Vec3
	for _, id := range made {
		if !solid.Boxed(d.World, &tx.View, id) {
			continue
		}
		s, ok := solid.Of(d.World, &tx.View, id)
		if !ok {
			continue
		}
		if room := s.Bounds().Size(); math.Min(room[0], room[2]) >= wideMesh && room[1] >= highMesh && room[0]*room[2] > size[0]*size[2] {
			of, size = id, room
		}
	}
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%v is a mesh of %v m by %v m: it is drawn as it is, but for bodies, rays, scene.place and scene.validate it is the box around it, %v m high, and terrain.shape does not change it. Ground to build and walk on makes world.generateRegion, of whose form its hints and terrain.shape decide; meshes are for what is looked at",
		of, shown.Number(size[0]), shown.Number(size[2]), shown.Number(size[1]))
}
