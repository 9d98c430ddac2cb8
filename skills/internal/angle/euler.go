package angle

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// Euler returns the angles about x, y, z, in the order XYZ, that make a rotation of length 1: those of
// its matrix, as three.js takes them from it.
func Euler(q world.Quat) world.Vec3 {
	x, y, z := q.Rotate(world.Vec3{1, 0, 0}), q.Rotate(world.Vec3{0, 1, 0}), q.Rotate(world.Vec3{0, 0, 1})
	sin := min(1, max(-1, z[0]))
	if math.Abs(sin) < 0.9999999 {
		return world.Vec3{math.Atan2(-z[1], z[2]), math.Asin(sin), math.Atan2(-y[0], x[0])}
	}
	return world.Vec3{math.Atan2(y[2], y[1]), math.Asin(sin), 0}
}
