package game

import (
	"bytes"
	"encoding/json"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/config"
	"github.com/limina-mcp/limina/skills/internal/expression"
	"github.com/limina-mcp/limina/world"
)

// StateIn is the input of game.state.
type StateIn struct {
	Action string          `json:"action" validate:"oneof=get set remove" jsonschema:"default=get" jsonschema_description:"Whether to read it or to change it. remove has it be as if it was never set."`
	Name   string          `json:"name" validate:"min=1,max=128" jsonschema_description:"The name of the variable."`
	Value  action.Value    `json:"value,omitempty" jsonschema_description:"What it becomes; set needs it."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// StateOut is the output of game.state.
type StateOut struct {
	Value  *action.Value `json:"value" jsonschema:"nullable" jsonschema_description:"What it is now; null if it was never set."`
	Game   string        `json:"game,omitempty" jsonschema_description:"How the game has ended, if it has: won or lost."`
	Became []string      `json:"became,omitempty" jsonschema_description:"The conditions of game.condition that this made true."`
	Note   string        `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// State is game.state.
func State(g *Game) registry.Skill {
	return registry.Define(registry.Spec[StateIn, StateOut]{
		Name:  "game.state",
		Title: "Read or set a variable of the game",
		Description: `Read or set a variable of the game: a text, a number, true or false, or an object, such as the wave that comes; the answer says whether the game is won or lost, too. Conditions read it as variable("name"). ` +
			"For yes and no use game.flag, for what is counted game.counter: viewers see those, and not the variables. " +
			`Example: {"action":"set","name":"wave","value":2}`,
		Keywords:    "variable store remember global value phase level round inventory combination digits random draw card",
		Permissions: []profiles.Permission{"game.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in StateIn) (StateOut, error) {
			if in.Action == "set" && in.Value == nil {
				return StateOut{}, registry.Invalidf("value: is required to set a variable")
			}
			if in.Action == "get" && in.Value != nil {
				return StateOut{}, registry.Invalidf(`value: is for "action":"set"; get reads it`)
			}
			if in.Action == "remove" && in.Value != nil {
				return StateOut{}, registry.Invalidf(`value: is for "action":"set"; remove takes a name alone`)
			}
			return world.Do(g.w, c, func(tx *world.Tx) (out StateOut, err error) {
				switch in.Action {
				case "set":
					out.Became, err = g.setVariable(tx, c.Principal().Owner(), in.Name, in.Value)
				case "remove":
					out.Became, err = forget(g, tx, g.variables, "variable", in.Name)
				}
				if err != nil {
					return out, err
				}
				if how := g.status.Get(&tx.View).State; how != running {
					out.Game = how
				}
				if v, ok := g.variables.Get(&tx.View, in.Name); ok {
					out.Value = &v
				} else {
					out.Note = unset(&tx.View, g.variables, "variable", in.Name)
				}
				return out, nil
			})
		},
	})
}

// setVariable sets a variable on somebody's behalf and returns the conditions that this makes true.
func (g *Game) setVariable(tx *world.Tx, by, key string, v action.Value) ([]string, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, v); err != nil {
		return nil, err
	}
	if err := config.Fits("value", b.Len(), MaxValue); err != nil {
		return nil, err
	}
	old, known := g.variables.Get(&tx.View, key)
	if known && bytes.Equal(old, b.Bytes()) {
		return nil, nil
	}
	if !known {
		if err := introduce(g, tx, g.variables, "variables", MaxVariables, key, by); err != nil {
			return nil, err
		}
	}
	if err := g.variables.Set(tx, key, b.Bytes()); err != nil {
		return nil, err
	}
	return g.watch(tx, expression.Ref{Kind: "variable", Name: key})
}
