package validation

import (
	"encoding/json"
	"fmt"

	"github.com/limina-mcp/limina/registry"

	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// The kinds of findings, in the order in which they are looked for.
const (
	Degenerate       = "degenerate"
	Duplicate        = "duplicate"
	OutOfBounds      = "outOfBounds"
	BelowGround      = "belowGround"
	Interpenetrating = "interpenetrating"
	Floating         = "floating"
	Unreachable      = "unreachable"
	Anchored         = "anchored"
	Unsupported      = "unsupported" // only if it is asked for
)

// Kinds are all kinds of findings.
var Kinds = []string{Degenerate, Duplicate, OutOfBounds, BelowGround, Interpenetrating, Floating, Unreachable, Anchored, Unsupported}

// Finding is one thing that is wrong.
type Finding struct {
	Kind     string       `json:"kind" jsonschema_description:"degenerate, duplicate, outOfBounds, belowGround, interpenetrating, floating, unreachable, anchored (a static body on what moves) or unsupported."`
	Entities []world.ID   `json:"entities" jsonschema_description:"The entities that it is about, the one to change first; at most 20."`
	Amount   float64      `json:"amount" jsonschema_description:"How bad it is, in metres: how deep, how high above what is below, how far outside, how far from where one gets, how far it moves if it is let go; 0 of what is anchored."`
	Message  string       `json:"message" jsonschema_description:"The same in words."`
	Alike    [][]world.ID `json:"alike,omitempty" jsonschema_description:"Others of which the same is to be said, each by its entities. fix has the operations of all of them."`
	Follows  bool         `json:"follows,omitempty" jsonschema_description:"It is not so now, but would be with the fixes before it: its fix goes with those."`
	Repair   string       `json:"repair,omitempty" jsonschema_description:"What the fix does, in words."`
	Fix      []Op         `json:"fix" jsonschema_description:"Operations that repair it, in the form that world.batch takes; none where it would take numbers beyond what a world has. They take the fixes of the findings before this one for done."`
}

// Op is a call that repairs something.
type Op struct {
	Skill string          `json:"skill" jsonschema_description:"The skill to call."`
	Input registry.Object `json:"input" jsonschema_description:"Its input."`
}

// placeAt is what puts a unit where it now is on paper: an operation for each of its tops, or none if no such place is within what a world takes.
func placeAt(u *unit) []Op {
	return u.place(func(id world.ID, t world.Transform) []Op {
		return transform(struct {
			Entity   world.ID   `json:"entity"`
			Position world.Vec3 `json:"position"`
		}{id, shown.Point(t.Position)}, t.Position)
	})
}

// place is what each of a unit's tops needs in order to be where it now is on paper, none if one of them cannot be there.
func (u *unit) place(each func(id world.ID, local world.Transform) []Op) []Op {
	all := []Op{}
	for i := range u.tops {
		t, ok := u.tops[i].local()
		if !ok {
			return []Op{}
		}
		ops := each(u.tops[i].id, t)
		if len(ops) == 0 {
			return []Op{}
		}
		all = append(all, ops...)
	}
	return all
}

func scaleTo(id world.ID, scale world.Vec3) []Op {
	return transform(struct {
		Entity world.ID   `json:"entity"`
		Scale  world.Vec3 `json:"scale"`
	}{id, scale}, scale)
}

// placeAndScale is placeAt for a unit that was resized.
func placeAndScale(u *unit) []Op {
	return u.place(func(id world.ID, t world.Transform) []Op {
		return transform(struct {
			Entity   world.ID   `json:"entity"`
			Position world.Vec3 `json:"position"`
			Scale    world.Vec3 `json:"scale"`
		}{id, shown.Point(t.Position), t.Scale}, t.Position, t.Scale)
	})
}

// transform is a call of three.setTransform with these numbers, if a world takes them.
func transform(input any, numbers ...world.Vec3) []Op {
	for _, v := range numbers {
		if v != v.Bounded() {
			return []Op{}
		}
	}
	return []Op{op("three.setTransform", input)}
}

func destroy(u *unit) (all []Op) {
	for i := range u.tops {
		all = append(all, op("scene.destroyEntity", struct {
			Entity world.ID `json:"entity"`
		}{u.tops[i].id}))
	}
	return all
}

// String names a unit in messages.
func (u *unit) String() string {
	switch {
	case u.group == 0:
		return u.root.String()
	case len(u.tops) == 1:
		return fmt.Sprintf("%v of %v", u.root, u.group)
	case len(u.tops) == 2:
		return fmt.Sprintf("%v with %v of %v", u.root, u.tops[1].id, u.group)
	}
	return fmt.Sprintf("%v with %d more of %v", u.root, len(u.tops)-1, u.group)
}

func op(skill string, input any) Op {
	text, err := json.Marshal(input)
	if err != nil {
		panic(fmt.Sprintf("validation: %s: %v", skill, err)) // only numbers that are not finite have no text
	}
	return Op{Skill: skill, Input: registry.Object(text)}
}

// metres is a length as messages give it.
func metres(m float64) string { return fmt.Sprintf("%.3g m", m) }
