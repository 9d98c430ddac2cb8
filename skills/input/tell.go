package input

import (
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// Deps are what controls need to be heard of.
type Deps struct {
	Does *action.Actions
	Own  func(v *world.View, caller *profiles.Principal) []world.ID // what a caller is in the world: his body, or his characters
	Of   func(v *world.View, id world.ID) (agent string, ok bool)   // whose body, or character, an entity is
}

// Tell has it said when a button is pressed or let go, and an axis moved, once, where the world is put together: the events "input.pressed", "input.released"
// and "input.moved", and those with the name behind a colon, "input.pressed:gas". They are about the body of whose control it is, or his character if he has
// one only, else about nobody. Viewers are not told, and nobody else can emit them.
func (k *Controls) Tell(d Deps) { k.deps = d }

// told is what the events carry.
type told struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// released tells of a control that is no more, if it was not at rest.
func (k *Controls) released(tx *world.Tx, caller *profiles.Principal, entity world.ID, was *control) error {
	if was.Value == 0 {
		return nil
	}
	rest := *was
	rest.Value = 0
	return k.tell(tx, caller, entity, &rest)
}

// tell tells of a control of a caller's, or of an entity's, that is at something else than before.
func (k *Controls) tell(tx *world.Tx, caller *profiles.Principal, entity world.ID, c *control) error {
	if k.deps.Does == nil {
		return nil
	}
	what := "input.moved"
	if c.Type == button {
		what = "input.released"
		if c.Value >= pressed {
			what = "input.pressed"
		}
	}
	data, err := json.Marshal(told{c.Name, c.Value})
	if err != nil {
		return err
	}
	e := action.Event{Data: data, By: caller.ID, Entity: entity}
	if entity == 0 {
		if own := k.deps.Own(&tx.View, caller); len(own) == 1 {
			e.Entity = own[0]
		}
	}
	for _, e.Name = range [...]string{what, what + ":" + c.Name} {
		if err := k.deps.Does.Emit(tx, e); err != nil {
			return err
		}
	}
	return nil
}

// Value returns what a button (0 or 1) or an axis of somebody is at, a float64, 0 of one that he has not got, and false where he is nobody's body or character.
func (k *Controls) Value(v *world.View, who world.ID, name string) (any, bool) {
	if k.deps.Of == nil {
		return nil, false
	}
	agent, ok := k.deps.Of(v, who)
	if !ok {
		return nil, false
	}
	for _, s := range [...]pad{k.of(v, who), k.own(v, agent)} {
		if i, ok := s.index(name); ok {
			return s.controls[i].Value, true
		}
	}
	return 0.0, true
}
