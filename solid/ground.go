package solid

import "github.com/limina-mcp/limina/world"

// Foundation is the tag of what may be in the ground: whether something has sunk, and where it stands, goes by the rest of it.
const Foundation = "foundation"

// Scattered is the tag of plants and the like that terrain skills have scattered: they may grow into each other.
const Scattered = "scattered"

// Ground returns how high the ground is on the vertical line through x, z, and false where there is none but
// the level one at y 0 that every world has.
func (x *Index) Ground(v *world.View, px, pz float64) (y float64, ok bool) {
	const far = world.MaxNumber
	x.open(v)
	none := x.fields == 0 // as in most worlds
	x.mu.RUnlock()
	if none {
		return 0, false
	}
	x.Each(v, Bounds{Lo: world.Vec3{px, -far, pz}, Hi: world.Vec3{px, far, pz}}, func(f *Found) bool {
		if f.Solid.Kind != Field {
			return true
		}
		if _, high, over := f.Solid.Column(px, pz); over && (!ok || high > y) {
			y, ok = high, true
		}
		return true
	})
	return y, ok
}

// Joined is the tag of what is built into what has it, too, as a rib into its wall or a beam into its posts: such may be in each other, and is one thing for who
// lets them go.
const Joined = "joined"
