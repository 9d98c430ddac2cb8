package input

import (
	"math"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// ReadIn is the input of the skills that read a control.
type ReadIn struct {
	Name string          `json:"name" validate:"min=1" jsonschema_description:"What input.bind has named."`
	Meta registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// ActionOut is the output of input.action.
type ActionOut struct {
	Active bool `json:"active" jsonschema_description:"Whether it is pressed; of an axis whether it is half of its way from the middle, or more."`
}

func (k *Controls) action() registry.Skill {
	return registry.Define(registry.Spec[ReadIn, ActionOut]{
		Name:        "input.action",
		Title:       "Is a button pressed?",
		Description: `Read whether one of your buttons of input.bind is pressed. Example: {"name":"jump"}`,
		Keywords:    "pressed down key read",
		Permissions: mayRead,
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in ReadIn) (ActionOut, error) {
			value, err := k.value(c, in.Name)
			return ActionOut{math.Abs(value) >= pressed}, err
		},
	})
}

// AxisOut is the output of input.axis.
type AxisOut struct {
	Value float64 `json:"value" jsonschema_description:"From -1 to 1; of a button 1 if it is pressed, else 0."`
}

func (k *Controls) axis() registry.Skill {
	return registry.Define(registry.Spec[ReadIn, AxisOut]{
		Name:        "input.axis",
		Title:       "Where is an axis?",
		Description: `Read where one of your axes of input.bind is, from -1 to 1. Example: {"name":"steer"}`,
		Keywords:    "joystick stick steering read",
		Permissions: mayRead,
		Effect:      registry.Reads,
		Idempotent:  true,
		Handle: func(c *registry.Call, in ReadIn) (AxisOut, error) {
			value, err := k.value(c, in.Name)
			return AxisOut{value}, err
		},
	})
}

// value reads a control of a caller.
func (k *Controls) value(c *registry.Call, name string) (float64, error) {
	return world.Read(k.w, c, func(v *world.View) (float64, error) {
		on, i, err := k.find(v, c.Principal(), name)
		if err != nil {
			return 0, err
		}
		return on.controls[i].Value, nil
	})
}
