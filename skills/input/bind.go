package input

import (
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// BindIn is the input of input.bind.
type BindIn struct {
	Name    string          `json:"name" validate:"min=1" jsonschema_description:"What you call it: \"jump\", \"steer\"."`
	Sources []string        `json:"sources" validate:"min=1" jsonschema_description:"What it is played with, of any device: keys as browsers call them, such as Space or KeyW, or GamepadButton0, GamepadAxis0. Of an axis the first key is its negative end and the second its positive one."`
	Type    string          `json:"type" validate:"oneof=action axis" jsonschema:"default=action" jsonschema_description:"action is a button, pressed or not; axis goes from -1 to 1."`
	Entity  *world.ID       `json:"entity,omitempty" jsonschema_description:"Whose body or character is to be played with it, if you make a game: the driver of a cart, \"$actor\" in an action. Needs game.configure. It goes with the entity, and the page on which people play has these keys and buttons. Left out it is your own."`
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
		Description: "Give a name to a button or an axis that you, or whoever you make a game for, are played with, and say which keys it stands for. Bound again it has other sources, and nothing is pressed. " +
			`Example: {"name":"jump","sources":["Space","GamepadButton0"]}`,
		Keywords:    "key keyboard gamepad controller joystick mapping control binding drive vehicle cart car",
		Permissions: mayConfigure,
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in BindIn) (Done, error) {
			if err := in.check(); err != nil {
				return Done{}, err
			}
			return world.Do(k.w, c, func(tx *world.Tx) (Done, error) {
				on, err := k.pad(&tx.View, c.Principal(), in.Entity)
				if err != nil {
					return Done{}, err
				}
				made := control{Given: Given{in.Name, in.Type, in.Sources}}
				i, there := on.index(in.Name)
				if there && reflect.DeepEqual(on.controls[i], made) {
					return Done{OK: true}, nil
				}
				var was control
				on.controls = slices.Clone(on.controls)
				if there {
					was = on.controls[i]
					on.controls[i] = made
				} else {
					on.controls = slices.Insert(on.controls, i, made)
				}
				if len(on.controls) > MaxNames {
					return Done{}, registry.Errorf(registry.CodeCapacityExceeded, "name: %s bound %d names, which is the most: bind one of them anew, or input.unbind one", on.whose(), MaxNames)
				}
				if err := k.keep(tx, on); err != nil {
					return Done{}, err
				}
				if err := k.released(tx, c.Principal(), on.entity, &was); err != nil {
					return Done{}, err
				}
				return Done{OK: true}, c.Emit("input.bound", event{in.Name, in.Meta})
			})
		},
	})
}

// UnbindIn is the input of input.unbind.
type UnbindIn struct {
	Name   string          `json:"name" validate:"min=1" jsonschema_description:"What input.bind has named."`
	Entity *world.ID       `json:"entity,omitempty" jsonschema_description:"For whose body or character it was bound, if not for yourself: who gets off the cart. Needs game.configure."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event input.unbound."`
}

func (k *Controls) unbind() registry.Skill {
	return registry.Define(registry.Spec[UnbindIn, Done]{
		Name:        "input.unbind",
		Title:       "Take a button or an axis away",
		Description: `Take away a name that input.bind has given to a button or an axis. What is pressed is let go. Example: {"name":"jump"}`,
		Keywords:    "key keyboard gamepad control binding remove forget",
		Permissions: mayConfigure,
		Effect:      registry.Destroys,
		Handle: func(c *registry.Call, in UnbindIn) (Done, error) {
			return world.Do(k.w, c, func(tx *world.Tx) (Done, error) {
				on, err := k.pad(&tx.View, c.Principal(), in.Entity)
				if err != nil {
					return Done{}, err
				}
				i, ok := on.index(in.Name)
				if !ok {
					return Done{}, unknown(in.Name, on.whose(), []pad{on})
				}
				was := on.controls[i]
				on.controls = slices.Delete(slices.Clone(on.controls), i, i+1)
				if err := k.keep(tx, on); err != nil {
					return Done{}, err
				}
				if err := k.released(tx, c.Principal(), on.entity, &was); err != nil {
					return Done{}, err
				}
				return Done{OK: true}, c.Emit("input.unbound", event{in.Name, in.Meta})
			})
		},
	})
}

// mayDirect is the permission of who makes a game: he gives controls to others.
const mayDirect profiles.Permission = "game.configure"

// pad returns the controls that a caller may bind: his own, or those of a body or a character that he names.
func (k *Controls) pad(v *world.View, caller *profiles.Principal, entity *world.ID) (pad, error) {
	if entity == nil {
		return k.own(v, caller.ID), nil
	}
	if !caller.Grants.Has(mayDirect) {
		return pad{}, registry.Errorf(registry.CodeForbidden, "entity: to bind what others are played with needs the permission %s; leave it out for your own", mayDirect)
	}
	if !v.Exists(*entity) {
		return pad{}, registry.Failf("entity: %v", v.Unknown(*entity))
	}
	if k.deps.Of != nil {
		if _, ok := k.deps.Of(v, *entity); !ok {
			return pad{}, registry.Failf("entity: %s is nobody's body or character, so nobody plays it: agent.embody and player.spawn make one", *entity)
		}
	}
	return k.of(v, *entity), nil
}

// whose says whose controls these are, as in "you have bound".
func (p *pad) whose() string {
	if p.entity == 0 {
		return "you have"
	}
	return p.entity.String() + " has"
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
