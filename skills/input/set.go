package input

import (
	"math"
	"slices"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/scalar"
	"github.com/limina-mcp/limina/world"
)

// SetIn is the input of input.set.
type SetIn struct {
	Name  string          `json:"name" validate:"min=1" jsonschema_description:"What input.bind has named."`
	Value scalar.Value    `json:"value" jsonschema_description:"Of a button whether it is pressed, a number from 0.5 on is; of an axis a number from -1 to 1. It holds until it is set again."`
	Meta  registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event input.set."`
}

func (k *Controls) set() registry.Skill {
	return registry.Define(registry.Spec[SetIn, Done]{
		Name:        "input.set",
		Title:       "Set what an input is at",
		Description: `Say what one of the buttons or axes is at that input.bind has given you, as if its device said so. event.listen hears of it, as input.pressed:jump, input.released:jump and input.moved:steer, about your body or character: so somebody drives what physics.setMotor moves. Example: {"name":"jump","value":true}`,
		Keywords:    "inject simulate key axis hold release press drive steer vehicle car gas brake",
		Permissions: mayConfigure,
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in SetIn) (Done, error) {
			return world.Do(k.w, c, func(tx *world.Tx) (Done, error) {
				on, i, err := k.find(&tx.View, c.Principal(), in.Name)
				if err != nil {
					return Done{}, err
				}
				value, err := on.controls[i].reads(in.Value)
				if err != nil {
					return Done{}, err
				}
				if on.controls[i].Value == value {
					return Done{OK: true}, nil
				}
				on.controls = slices.Clone(on.controls)
				on.controls[i].Value = value
				if err := k.keep(tx, on); err != nil {
					return Done{}, err
				}
				if err := k.tell(tx, c.Principal(), on.entity, &on.controls[i]); err != nil {
					return Done{}, err
				}
				return Done{OK: true}, c.Emit("input.set", event{in.Name, in.Meta})
			})
		},
	})
}

// reads returns what a control is at when it is set to a value.
func (c *control) reads(v scalar.Value) (float64, error) {
	number := v.Number
	if v.Bool {
		number = 1
	}
	if c.Type == button {
		if number >= pressed {
			return 1, nil
		}
		return 0, nil
	}
	if math.Abs(number) > 1 {
		return 0, registry.Invalidf("value: an axis goes from -1 to 1, got %v", number)
	}
	return number, nil
}
