// Package behind tells who moves a group, such as a house, what stays where it was: what is at places of its own and not at an entity, and what
// stands in it and belongs to nothing.
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

// mostIDs is how many entities a note names.
const mostIDs = 50

// Things says which entities stand in or on a group that takes up bounds, as furniture in a house, and do not go along since they are not below it; "" if
// there are none. What reaches out of it to a side, as the ground does, what shows nothing, and characters, who go where they like, are none of them.
func Things(w *world.World, v *world.View, group world.ID, bounds solid.Bounds) string {
	const touch = 0.05 // metres
	lo, hi := bounds.Lo.Sub(world.Vec3{touch, touch, touch}), bounds.Hi.Add(world.Vec3{touch, touch, touch})
	over := hi
	over[1] += bounds.Size()[1] // the middle of what stands on it
	own := v.Top(group)
	seen := map[world.ID]bool{own: true}
	var list []string
	more := 0
	for _, id := range v.InBox(lo, over) {
		root := v.Top(id)
		if seen[root] {
			continue
		}
		seen[root] = true
		if shape, shows := w.Shapes.Get(v, root); !shows && len(v.Children(root)) == 0 || shape.Kind == "capsule" { // which nothing but bodies of agents and characters has
			continue
		}
		b := solid.Tree(w, v, root)
		if b.Lo[0] < lo[0] || b.Hi[0] > hi[0] || b.Lo[2] < lo[2] || b.Hi[2] > hi[2] || b.Lo[1] < lo[1] || b.Lo[1] > hi[1] {
			continue
		}
		if len(list) == mostIDs {
			more++
			continue
		}
		list = append(list, `"`+root.String()+`"`)
	}
	if list == nil {
		return ""
	}
	rest := ""
	if more > 0 {
		rest = fmt.Sprintf(" (and %d more)", more)
	}
	return fmt.Sprintf(`what stands in or on it stays where it was, for it is not below it: to take it along world.undo this, then scene.group {"entities":[%s],"into":"%v"}%s, then move it again`,
		strings.Join(list, ","), group, rest)
}
