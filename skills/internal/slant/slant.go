// Package slant finds what an uneven scale would slant, if anything in a world were slanted: what is turned below it is stretched along
// its own axes instead (see [world.Transform.Apply]).
package slant

import (
	"fmt"
	"math"

	"github.com/limina-mcp/limina/world"
)

// Keeps reports whether something that is turned so is stretched by a scale around it as it would be by one of its own, so that there is nothing to
// slant: the scale is even, or the axes that are turned into one another have the same.
func Keeps(q world.Quat, scale world.Vec3) bool {
	largest := max(math.Abs(scale[0]), math.Abs(scale[1]), math.Abs(scale[2]))
	for from := range scale {
		var axis world.Vec3
		axis[from] = 1
		for to, part := range q.Rotate(axis) {
			if math.Abs(part) > near && math.Abs(scale[from]-scale[to]) > near*largest {
				return false
			}
		}
	}
	return true
}

// near is how much less than 1 counts for nothing.
const near = 1e-6

// Note is what to say of a scale that an entity gets: that some of what is below it is not slanted. It is "" for all others.
func Note(v *world.View, id world.ID, scale world.Vec3) string {
	if scale[0] == scale[1] && scale[1] == scale[2] {
		return ""
	}
	at, _ := v.WorldTransform(id)
	back := at.Rotation.Conj()
	first, more := world.ID(0), 0
	for part := range v.Below(id) {
		t, _ := v.WorldTransform(part)
		switch {
		case !v.World().Shapes.Has(v, part) || Keeps(back.Mul(t.Rotation), scale):
		case first == 0:
			first = part
		default:
			more++
		}
	}
	if first == 0 {
		return ""
	}
	others := ""
	if more > 0 {
		others = fmt.Sprintf(", and %d more,", more)
	}
	return fmt.Sprintf("%v below it%s is turned, and an uneven scale stretches that along its own axes and slants nothing: it may not fit the rest any more, as a roof its walls. Look with scene.render, and set such parts one by one, or scale evenly", first, others)
}
