// Package behind tells who moves a group, such as a house, what stays where it was: what is at places of its own and not at an entity.
package behind

import (
	"fmt"
	"iter"
	"strings"

	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// Places yields what is at places of the world that go with no entity, and where: under the name by which it is found.
type Places func(v *world.View) iter.Seq2[string, world.Vec3]

// mostNamed is how many a note names.
const mostNamed = 6

// Note says what has a place within bounds and does not go along, "" if nothing has.
func Note(v *world.View, bounds solid.Bounds, all []Places) string {
	var names []string
	more, last := 0, ""
	for _, places := range all {
		for name, at := range places(v) {
			if name == last || at.Max(bounds.Lo) != at || at.Min(bounds.Hi) != at {
				continue
			}
			last = name // what has several places has them one after the other
			if len(names) == mostNamed {
				more++
				continue
			}
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	text := strings.Join(names, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return "what is at a place and not at an entity stays where it was: " + text
}
