// Package layout holds the skills that put things in relation to each other, so that nobody has to
// compute positions: scene.place, scene.array, scene.clone, scene.group and scene.ungroup.
//
// They work on what entities take up (package solid): the box around an entity and everything below
// it, along the world's axes. +x is right, +y up and +z towards the viewer, so that front is +z.
package layout

import (
	"fmt"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/places"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

// Lacks says what copies of an entity, with everything below it, do not have or do that it does, "" if there is nothing.
type Lacks func(v *world.View, id world.ID) string

// All returns the skills of this package on w; things is [solid.NewLooks] of it. Who makes copies is told what they lack.
func All(w *world.World, things *solid.Index, lacks ...Lacks) []registry.Skill {
	return []registry.Skill{Place(w, things), Array(w, things, lacks...), Clone(w, lacks...), Group(w), Ungroup(w)}
}

// lack says what copies of an entity lack, "" if nothing.
func lack(v *world.View, id world.ID, lacks []Lacks) string {
	var notes []string
	for _, lacks := range lacks {
		notes = append(notes, lacks(v, id))
	}
	return shown.Notes(notes...)
}

// Lifeless says of copies of what lives by itself that they do not.
func Lifeless(lives func(v *world.View, id world.ID) bool) Lacks {
	return func(v *world.View, id world.ID) string {
		if lives(v, id) {
			return fmt.Sprintf("copies have no behavior, as %v has: behavior.assign gives them one", id)
		}
		for part := range v.Below(id) {
			if lives(v, part) {
				return fmt.Sprintf("copies have no behavior, as %v has, which is part of %v: behavior.assign gives theirs one, and prefab.instantiate makes more with all that the prefab says", part, id)
			}
		}
		return ""
	}
}

var mayWrite = []profiles.Permission{"scene.write"}

// Box is the room that something takes up.
type Box struct {
	Min world.Vec3 `json:"min" jsonschema_description:"Lower corner x, y, z in metres."`
	Max world.Vec3 `json:"max" jsonschema_description:"Upper corner x, y, z in metres."`
}

// Area is room that is asked for, in any of the forms in which skills answer and take it.
type Area = places.Box

// boxOf makes a box that may go out: what is at the edge of the numbers that the world takes reaches beyond it.
func boxOf(b solid.Bounds) Box {
	return Box{Min: shown.Point(b.Lo.Bounded()), Max: shown.Point(b.Hi.Bounded())}
}

// shift moves an entity in world space, with everything below it.
func shift(tx *world.Tx, id world.ID, by world.Vec3) error {
	t, _ := tx.WorldTransform(id)
	t.Position = t.Position.Add(by)
	return set(tx, id, t)
}

// set gives an entity a transform in world space.
func set(tx *world.Tx, id world.ID, t world.Transform) error {
	return tx.SetTransform(id, tx.InSpaceOf(tx.Parent(id), t))
}
