package game

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/expression"
	"github.com/limina-mcp/limina/world"
)

// FlagIn is the input of game.flag.
type FlagIn struct {
	Name   string          `json:"name" validate:"min=1,max=128" jsonschema_description:"The name of the flag."`
	Value  *bool           `json:"value,omitempty" jsonschema_description:"What it becomes. Left out: it is only read."`
	Remove bool            `json:"remove" jsonschema:"default=false" jsonschema_description:"Whether it is to be as if it was never set."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// FlagOut is the output of game.flag.
type FlagOut struct {
	Value  bool     `json:"value" jsonschema_description:"What it is now; false if it was never set."`
	Became []string `json:"became,omitempty" jsonschema_description:"The conditions of game.condition that this made true."`
	Note   string   `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Flag is game.flag.
func Flag(g *Game) registry.Skill {
	return registry.Define(registry.Spec[FlagIn, FlagOut]{
		Name:  "game.flag",
		Title: "Read or set a flag of the game",
		Description: `Read or set something of the game that is so or not: a switch that is on, a boss that is dead. Conditions read it as flag("name"); viewers see it. For what is counted use game.counter. ` +
			`To have the server set it when something happens, attach {"type":"setState","data":{"game":{"flag":{"name":"open","value":true}}}} to a zone or an event. Example: {"name":"open","value":true}`,
		Keywords:    "switch boolean unlocked done yes no lever key found remember lever pulled",
		Permissions: []profiles.Permission{"game.write"},
		Effect:      registry.Writes,
		Idempotent:  true,
		Handle: func(c *registry.Call, in FlagIn) (FlagOut, error) {
			if in.Remove && in.Value != nil {
				return FlagOut{}, registry.Invalidf("value: a flag that is removed has none: leave it out, or remove")
			}
			return world.Do(g.w, c, func(tx *world.Tx) (out FlagOut, err error) {
				switch {
				case in.Remove:
					out.Became, err = forget(g, tx, g.flags, "flag", in.Name)
				case in.Value != nil:
					out.Became, err = g.setFlag(tx, c.Principal().Owner(), in.Name, *in.Value)
				}
				if err != nil {
					return out, err
				}
				var known bool
				if out.Value, known = g.flags.Get(&tx.View, in.Name); !known {
					out.Note = unset(&tx.View, g.flags, "flag", in.Name)
				}
				return out, nil
			})
		},
	})
}

// setFlag sets a flag on somebody's behalf and returns the conditions that this makes true.
func (g *Game) setFlag(tx *world.Tx, by, key string, is bool) ([]string, error) {
	old, known := g.flags.Get(&tx.View, key)
	if known && old == is {
		return nil, nil
	}
	if !known {
		if err := introduce(g, tx, g.flags, "flags", MaxFlags, key, by); err != nil {
			return nil, err
		}
	}
	if err := g.flags.Set(tx, key, is); err != nil {
		return nil, err
	}
	return g.watch(tx, expression.Ref{Kind: "flag", Name: key})
}
