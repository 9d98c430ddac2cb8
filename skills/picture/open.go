package picture

import (
	"math"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// covers are what the names of parts begin with that are over the rooms of a house.
var covers = []string{"roof", "gable", "ceiling", "dormer", "chimney"}

// open says from which height on the parts of a house are above its lowest rooms: those of its roof all, the others where a floor is over these. A house is a group, parts of which
// are named as parts of a roof are; architecture.building makes such.
func (s Source) open(v *world.View, house world.ID, set map[world.ID]float64) {
	parts := map[world.ID]bool{}
	collect(v, house, parts)
	delete(parts, house)
	named := func(id world.ID, begins ...string) bool {
		name := strings.ToLower(v.Name(id))
		return slices.ContainsFunc(begins, func(b string) bool { return strings.HasPrefix(name, b) })
	}
	is, base := false, math.Inf(1) // where the house begins
	var floors []float64           // how high floors are, from below
	for id := range parts {
		is = is || named(id, covers...)
		room := solid.Tree(s.World, v, id)
		base = min(base, room.Lo[1])
		if named(id, "floor") {
			floors = append(floors, room.Lo[1])
		}
	}
	if !is {
		return
	}
	top := math.Inf(1) // of the lowest rooms
	for _, floor := range floors {
		if floor > base+walkable {
			top = min(top, floor)
		}
	}
	for id := range parts {
		if set[id] = top; named(id, covers...) {
			set[id] = math.Inf(-1)
		}
	}
}

// walkable is how high a room is at least, in metres: a floor that is lower is the one of the lowest rooms.
const walkable = 1.5
