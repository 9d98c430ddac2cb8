package trigger

import (
	"errors"
	"reflect"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/angle"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

// action is an action as a zone keeps it.
type action struct {
	Type   string          `json:"type"`
	Target string          `json:"target,omitempty"`
	Data   registry.Object `json:"data,omitempty"`
	By     string          `json:"by"`              // who attached it
	Every  uint64          `json:"every,omitempty"` // steps between two runs, of those for what stays
}

// change is the data of setState.
type change struct {
	Position      *world.Vec3 `json:"position,omitempty"`
	RotationEuler *world.Vec3 `json:"rotationEuler,omitempty"`
	Scale         *world.Vec3 `json:"scale,omitempty"`
	Name          *string     `json:"name,omitempty" validate:"omitempty,max=256"`
	Color         *uint32     `json:"color,omitempty" validate:"omitempty,lte=16777215"`
	Light         *three.Lamp `json:"light,omitempty"`
	AddTags       []string    `json:"addTags,omitempty" validate:"omitempty,max=16"`
	RemoveTags    []string    `json:"removeTags,omitempty" validate:"omitempty,max=16"`
}

// effect is the data of audio.
type effect struct {
	Name   string          `json:"name" validate:"min=1"`
	Volume float64         `json:"volume" validate:"gte=0,lte=1" jsonschema:"default=0.8"`
	Config registry.Object `json:"config,omitempty"`
}

// needs are the permissions that somebody must have who attaches an action: those of the skills that do
// the same.
func (a *Action) needs() []profiles.Permission {
	switch a.Type {
	case "emit":
		return []profiles.Permission{"event.write"}
	case "setState":
		return []profiles.Permission{"scene.write", "ecs.modify"}
	case "spawn", "destroy":
		return []profiles.Permission{"scene.write"}
	case "audio":
		return []profiles.Permission{"audio.play"}
	case "animation":
		return []profiles.Permission{"animation.write"}
	}
	return nil
}

// check reports what is wrong with an action before it is attached: later nobody is there to be told.
func (a *Action) check(g profiles.Grants) error {
	for _, p := range a.needs() {
		if !g.Has(p) {
			return registry.Errorf(registry.CodeForbidden, "missing permission: %s, which an action of type %s needs", p, a.Type)
		}
	}
	if len(a.Data) > MaxData {
		return registry.Errorf(registry.CodeCapacityExceeded, "action.data: holds at most %d bytes, this one has %d", MaxData, len(a.Data))
	}
	if a.Target != "" && (a.Type == "setState" || a.Type == "destroy" || a.Type == "audio") {
		if _, err := world.ParseID(a.Target); err != nil {
			return registry.Invalidf("action.target: %v", err)
		}
	}
	switch a.Type {
	case "setState":
		return read(a.Data, new(change))
	case "spawn":
		_, err := spawn(a.Data, world.Vec3{})
		return err
	case "audio":
		return read(a.Data, new(effect))
	}
	return nil
}

// note says what of an action that is good may be a mistake.
func (a *Action) note() string {
	if a.Type != "setState" {
		return ""
	}
	var c change
	if err := read(a.Data, &c); err != nil {
		return ""
	}
	switch {
	case reflect.ValueOf(c).IsZero():
		return "the action changes nothing: action.data names nothing to change"
	case c.RotationEuler != nil:
		return angle.Note("action.data.rotationEuler", c.RotationEuler[:]...)
	}
	return ""
}

// read reads the data of an action. What is wrong is named from action.data on.
func read[T any](data registry.Object, v *T) error {
	if len(data) == 0 {
		data = registry.Object("{}")
	}
	err := wire.Unmarshal(data, v)
	var problems wire.Errors
	if errors.As(err, &problems) {
		for i, p := range problems {
			problems[i].Path = "action.data." + p.Path
		}
		return registry.Invalidf("%s", problems.Error())
	}
	return err
}

// spawn reads the data of spawn: what scene.createEntity is to make, at a place if the data has none.
func spawn(data registry.Object, at world.Vec3) (scene.CreateEntityIn, error) {
	var in scene.CreateEntityIn
	if err := read(data, &in); err != nil {
		return in, err
	}
	if wire.Member(data, "position") == nil {
		in.Position = at
	}
	return in, in.Feasible()
}
