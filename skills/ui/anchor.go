package ui

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/invopop/jsonschema"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/world"
)

// Anchor is where a panel is: exactly one of its fields is set. As JSON it is an object whose kind
// says which; fields of the other kind are refused.
type Anchor struct {
	World  *WorldAnchor
	Screen *ScreenAnchor
}

// WorldAnchor is a place in the world: of an entity, with which the panel moves and goes; else a
// point; else the origin.
type WorldAnchor struct {
	Kind        string      `json:"kind" validate:"oneof=world" jsonschema_description:"A place in the world."`
	Entity      world.ID    `json:"entity,omitempty" jsonschema_description:"Entity to stay at: the panel moves with it and goes when it is destroyed. Wins over point."`
	Point       *world.Vec3 `json:"point,omitempty" jsonschema_description:"Place [x, y, z] in metres, where no entity is given. Default: the origin."`
	Offset      *world.Vec3 `json:"offset,omitempty" jsonschema_description:"Added to the place, [x, y, z] in metres; y is up, x and z turn with the entity: [0, 1, 0.6] is before its front. Left out, labels and bubbles are above the entity as it is then, all else is in its middle."`
	Axes        string      `json:"axes,omitempty" validate:"omitempty,oneof=entity world" jsonschema_description:"Whose those of offset are; default entity."`
	Billboard   *bool       `json:"billboard,omitempty" jsonschema_description:"Turn to face whoever looks."`
	RenderOrder *float64    `json:"renderOrder,omitempty" jsonschema_description:"Panels with a higher number are drawn later, over those with a lower one."`
	DepthTest   *bool       `json:"depthTest,omitempty" jsonschema_description:"Let solid things that are nearer hide the panel."`
}

// ScreenAnchor is a place on a screen: on everybody's, or, with an entity, on the screens of those who play that, whose body or
// character it is. Viewers decide by that: it is no secret.
type ScreenAnchor struct {
	Kind        string      `json:"kind" validate:"oneof=screen" jsonschema_description:"A place on the screen."`
	Corner      string      `json:"corner,omitempty" validate:"oneof=top-left top-right bottom-left bottom-right top-center bottom-center center" jsonschema_description:"Which part of the screen."`
	Entity      world.ID    `json:"entity,omitempty" jsonschema_description:"Only on the screen of who plays this body or character."`
	MarginPx    *[2]float64 `json:"marginPx,omitempty" jsonschema_description:"Distance from the edges of the screen, [horizontal, vertical] in screen pixels."`
	Distance    float64     `json:"distance,omitempty" validate:"gt=0" jsonschema_description:"Metres in front of the camera at which the panel is drawn."`
	RenderOrder *float64    `json:"renderOrder,omitempty" jsonschema_description:"Panels with a higher number are drawn later, over those with a lower one."`
}

const (
	kindWorld  = "world"
	kindScreen = "screen"

	axesEntity = "entity"
)

// AtEntity anchors to an entity, offset metres away from it: y upwards, x and z turned with it about the vertical.
func AtEntity(id world.ID, offset world.Vec3) Anchor {
	return Anchor{World: &WorldAnchor{Kind: kindWorld, Entity: id, Offset: &offset}}
}

// OnScreen anchors to a part of the screen, by its name in the catalogue: "top-left", "center", …
func OnScreen(corner string) Anchor {
	return Anchor{Screen: &ScreenAnchor{Kind: kindScreen, Corner: corner}}
}

// entity returns the entity that the anchor is at, or whose player's screen it is on, 0 for none.
func (a Anchor) entity() world.ID {
	switch {
	case a.World != nil:
		return a.World.Entity
	case a.Screen != nil:
		return a.Screen.Entity
	}
	return 0
}

// At returns where in the world the anchor is, within the numbers that the world has. It needs v for an anchor at an entity only; the place of one
// that is gone is the origin.
func (a *WorldAnchor) At(v *world.View) (at world.Vec3) {
	switch {
	case a.Entity != 0:
		at, _ = v.Position(a.Entity)
	case a.Point != nil:
		at = *a.Point
	}
	if a.Offset == nil {
		return at
	}
	by := *a.Offset
	if a.Axes == axesEntity && a.Entity != 0 {
		if t, ok := v.WorldTransform(a.Entity); ok {
			turn, _ := t.Rotation.Heading()
			by = turn.Rotate(by)
		}
	}
	return at.Add(by).Bounded()
}

// orient has the offset of a new panel turn with its entity, unless its anchor says otherwise. Panels of older worlds, whose rows say nothing, stay along the axes of the world.
func (a *WorldAnchor) orient() *WorldAnchor {
	if a == nil || a.Axes != "" || a.Entity == 0 || a.Offset == nil || a.Offset[0] == 0 && a.Offset[2] == 0 {
		return a
	}
	turned := *a
	turned.Axes = axesEntity
	return &turned
}

// place returns where it is, for viewers of an area: one on everybody's screen is everywhere.
func (a Anchor) place() world.Place {
	if id := a.entity(); a.World == nil || id != 0 {
		return world.Place{Entity: id}
	}
	at := a.World.At(nil)
	return world.Place{Point: &at}
}

// UnmarshalJSON reads the branch that kind names.
func (a *Anchor) UnmarshalJSON(data []byte) error {
	if data[0] != '{' {
		return mismatch(data, a.JSONWords())
	}
	*a = Anchor{}
	switch kindOf(data) {
	case kindWorld:
		a.World = new(WorldAnchor)
		return wire.PlanOf[WorldAnchor]().Decode(data, a.World)
	case kindScreen:
		a.Screen = new(ScreenAnchor)
		return wire.PlanOf[ScreenAnchor]().Decode(data, a.Screen)
	}
	return noKind(data)
}

// noKind is what is wrong with an anchor whose kind is none: by its other fields it is told what that has to be, and what of those is wrong then.
func noKind(data []byte) error {
	message := `must be one of "world", "screen"; it decides which other fields there are`
	for _, sign := range [...]struct {
		kind   string
		fields []string
		read   func([]byte) error
	}{
		{kindScreen, []string{"corner", "marginPx"}, func(data []byte) error { return wire.PlanOf[ScreenAnchor]().Decode(data, new(ScreenAnchor)) }},
		{kindWorld, []string{"entity", "point", "position", "offset"}, func(data []byte) error { return wire.PlanOf[WorldAnchor]().Decode(data, new(WorldAnchor)) }},
	} {
		for _, field := range sign.fields {
			if wire.Member(data, field) == nil || wire.Member(data, "kind") != nil {
				continue
			}
			all := wire.Errors{{Path: "kind", Message: message + ": with " + field + ` it is "` + sign.kind + `"`}}
			var more wire.Errors
			if errors.As(sign.read(data), &more) {
				more = slices.DeleteFunc(more, func(p wire.Problem) bool { return p.Path == "kind" })
			}
			return append(all, more...)
		}
	}
	return wire.Errors{{Path: "kind", Message: message}}
}

// JSONWords says what an anchor is.
func (Anchor) JSONWords() string {
	return `an object with kind "world" or "screen", such as {"kind":"world","point":[0,2,0]}, {"kind":"world","entity":"ent_3"} or {"kind":"screen","corner":"top-left"}`
}

// kindOf returns the kind of an anchor whose JSON is valid, "" if there is none.
func kindOf(data []byte) string {
	var kind string
	if raw := wire.Member(data, "kind"); raw == nil || json.Unmarshal(raw, &kind) != nil {
		return ""
	}
	return kind
}

// Check says what is wrong with an anchor that Go code made.
func (a Anchor) Check() error {
	switch {
	case a.World != nil && a.Screen == nil:
		return wire.PlanOf[WorldAnchor]().Check(a.World)
	case a.Screen != nil && a.World == nil:
		return wire.PlanOf[ScreenAnchor]().Check(a.Screen)
	}
	return problem("must have exactly one of World and Screen")
}

// MarshalJSON writes the one that is set.
func (a Anchor) MarshalJSON() ([]byte, error) {
	if a.Screen != nil {
		return json.Marshal(a.Screen)
	}
	return json.Marshal(a.World)
}

// JSONSchema describes both kinds.
func (Anchor) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		branch[WorldAnchor]("In the world: at an entity, else at a point, else at the origin."),
		branch[ScreenAnchor]("On the screen of whoever looks."),
	}}
}
