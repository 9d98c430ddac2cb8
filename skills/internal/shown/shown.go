// Package shown rounds the places, lengths and times that answers tell: 0.3 is what a model should read, and not 0.30000000000000004. What the world
// holds, what viewers get and what is exported or kept is as it is. It also puts the notes of an answer together.
package shown

import (
	"math"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/world"
)

// Lengths are told in hundredths of a millimetre; those of a million kilometres and more as they are, because they have no such places.
const (
	places = 1e5
	far    = 1e9
)

// Number returns a coordinate, a length in metres or a time in seconds as answers tell it: five places behind the point, and no -0.
func Number(x float64) float64 {
	if !(math.Abs(x) < far) {
		return x
	}
	return math.Round(x*places)/places + 0
}

// Point returns a place, or a size, as answers tell it.
func Point(p world.Vec3) world.Vec3 {
	for i := range p {
		p[i] = Number(p[i])
	}
	return p
}

// Notes makes one text of those that are not empty.
func Notes(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), "; ")
}
