package picture

import (
	"slices"
	"strings"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// covers are what the names of parts begin with that are over the rooms of a house.
var covers = []string{"roof", "gable", "ceiling"}

// open puts what is above the lowest rooms of a house into a set: its roof, and what of it is above a floor over them. A house is a group, parts of which
// are named as parts of a roof are; architecture.building makes such.
func (s Source) open(v *world.View, house world.ID, set map[world.ID]bool) {
	parts := map[world.ID]bool{}
	collect(v, house, parts)
	delete(parts, house)
	named := func(id world.ID, begins ...string) bool {
		name := strings.ToLower(v.Name(id))
		return slices.ContainsFunc(begins, func(b string) bool { return strings.HasPrefix(name, b) })
	}
	is, floors, base := false, []float64{}, 0.0 // how high floors are, from below, and where the house begins
	some := false
	for id := range parts {
		is = is || named(id, covers...)
		room := solid.Tree(s.World, v, id)
		if !some || room.Lo[1] < base {
			base, some = room.Lo[1], true
		}
		if named(id, "floor") {
			floors = append(floors, room.Lo[1])
		}
	}
	if !is {
		return
	}
	upper := func(y float64) bool {
		return slices.ContainsFunc(floors, func(floor float64) bool { return floor > base+walkable && y >= floor })
	}
	for id := range parts {
		room := solid.Tree(s.World, v, id)
		if named(id, covers...) || upper((room.Lo[1]+room.Hi[1])/2) {
			set[id] = true
		}
	}
}

// walkable is how high a room is at least, in metres: a floor that is lower is the one of the lowest rooms.
const walkable = 1.5
