package input

import (
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// BindIn is the input of input.bind.
type BindIn struct {
	Name    string          `json:"name" validate:"min=1" jsonschema_description:"What you call it: \"jump\", \"steer\"."`
	Sources []string        `json:"sources" validate:"min=1" jsonschema_description:"What it is played with, of any device: keys as browsers call them, such as Space or KeyW, or GamepadButton0, GamepadAxis0. Of an axis the first key is its negative end and the second its positive one."`
	Type    string          `json:"type" validate:"oneof=action axis" jsonschema:"default=action" jsonschema_description:"action is a button, pressed or not; axis goes from -1 to 1."`
	Meta    registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event input.bound."`
}

// Done is the output of the skills that change something.
type Done struct {
	OK bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
}

// event is the payload of the events of this package.
type event struct {
	Name string          `json:"name"`
	Meta registry.Object `json:"meta,omitempty"`
}

func (k *Controls) bind() registry.Skill {
	return registry.Define(registry.Spec[BindIn, Done]{
		Name:  "input.bind",
		Title: "Name a button or an axis",
		Description: "Give a name to a button or an axis that you are played with, and say which keys it stands for. Bound again it has other sources, and nothing is pressed. Names are your own. " +
			`Example: {"name":"jump","sources":["Space","GamepadButton0"]}`,
		Keywords:    "key keyboard gamepad controller joystick mapping control binding",
		Permissions: mayConfigure,
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in BindIn) (Done, error) {
			if err := in.check(); err != nil {
				return Done{}, err
			}
			return world.Do(k.w, c, func(tx *world.Tx) (Done, error) {
				p, _ := k.rows.Get(&tx.View, c.Principal().ID)
				made := control{Name: in.Name, Type: in.Type, Sources: in.Sources}
				i, there := p.index(in.Name)
				if there && reflect.DeepEqual(p.Controls[i], made) {
					return Done{OK: true}, nil
				}
				p.Controls = slices.Clone(p.Controls)
				var was control
				if there {
					was = p.Controls[i]
					p.Controls[i] = made
				} else {
					p.Controls = slices.Insert(p.Controls, i, made)
				}
				if len(p.Controls) > MaxNames {
					return Done{}, registry.Errorf(registry.CodeCapacityExceeded, "name: you have bound %d names, which is the most: input.remove takes one away", MaxNames)
				}
				if err := k.keep(tx, c.Principal().ID, p); err != nil {
					return Done{}, err
				}
				if was.Value != 0 { // nothing is pressed any more
					was.Value = 0
					if err := k.tell(tx, c.Principal(), &was); err != nil {
						return Done{}, err
					}
				}
				return Done{OK: true}, c.Emit("input.bound", event{in.Name, in.Meta})
			})
		},
	})
}

// check holds what is bound to its limits.
func (in *BindIn) check() error {
	if err := fits("name", in.Name); err != nil {
		return err
	}
	if len(in.Sources) > MaxSources {
		return registry.Errorf(registry.CodeCapacityExceeded, "sources: a name has at most %d, these are %d", MaxSources, len(in.Sources))
	}
	for i, s := range in.Sources {
		if err := fits(sourceField(i), s); err != nil {
			return err
		}
		if slices.Contains(in.Sources[:i], s) {
			return registry.Invalidf("%s: %q is there twice", sourceField(i), s)
		}
	}
	return nil
}

// sourceField names a source in messages.
func sourceField(i int) string { return fmt.Sprintf("sources[%d]", i) }

// fits holds a text to its limits.
func fits(field, text string) error {
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return registry.Invalidf("%s: must not be empty", field)
	case n > MaxText:
		return registry.Errorf(registry.CodeCapacityExceeded, "%s: has at most %d characters, this one has %d", field, MaxText, n)
	}
	return nil
}
