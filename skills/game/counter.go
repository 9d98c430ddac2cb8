package game

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/expression"
	"github.com/limina-mcp/limina/world"
)

// CounterIn is the input of game.counter.
type CounterIn struct {
	Name   string          `json:"name" validate:"min=1,max=128" jsonschema_description:"The name of the counter."`
	Action string          `json:"action" validate:"oneof=get set increment decrement remove" jsonschema:"default=get" jsonschema_description:"get reads it, set makes it value, increment adds value, decrement takes value away, remove has it be as if it was never set."`
	Value  *int64          `json:"value,omitempty" jsonschema_description:"What to set it to, or by how much to change it; 1 if left out. set needs it."`
	Meta   registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// CounterOut is the output of game.counter.
type CounterOut struct {
	Value  int64    `json:"value" jsonschema_description:"What it is now; 0 if it was never set."`
	Became []string `json:"became,omitempty" jsonschema_description:"The conditions of game.condition that this made true."`
	Note   string   `json:"note,omitempty" jsonschema_description:"What may not be as you meant it, if anything."`
}

// Counter is game.counter.
func Counter(g *Game) registry.Skill {
	return registry.Define(registry.Spec[CounterIn, CounterOut]{
		Name:  "game.counter",
		Title: "Read or change a counter of the game",
		Description: `Read, set or change a whole number of the game: coins, points, lives. It begins at 0. Conditions read it as counter("name"); viewers see it. ` +
			`To have the server count when something happens, attach {"type":"setState","data":{"game":{"counter":{"name":"coins"}}}} to a zone (trigger.onEnter) or an event (event.listen). Example: {"name":"coins","action":"increment","value":5}`,
		Keywords:    "score points coins lives kills number count add increment scoreboard lap often vote dice random roll chance",
		Permissions: []profiles.Permission{"game.write"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in CounterIn) (CounterOut, error) {
			switch {
			case in.Action == "set" && in.Value == nil:
				return CounterOut{}, registry.Invalidf("value: is required to set a counter")
			case in.Action == "get" && in.Value != nil:
				return CounterOut{}, registry.Invalidf(`value: is for "action":"set", increment and decrement; get reads it`)
			case in.Action == "remove" && in.Value != nil:
				return CounterOut{}, registry.Invalidf(`value: is for "action":"set", increment and decrement; remove takes a name alone`)
			}
			return world.Do(g.w, c, func(tx *world.Tx) (out CounterOut, err error) {
				switch in.Action {
				case "get":
				case "remove":
					if out.Became, err = forget(g, tx, g.counters, "counter", in.Name); err != nil {
						return out, err
					}
				default:
					if out.Became, err = g.count(tx, c.Principal().Owner(), in.Name, in.Action, in.Value); err != nil {
						return out, err
					}
				}
				var known bool
				if out.Value, known = g.counters.Get(&tx.View, in.Name); !known {
					out.Note = unset(&tx.View, g.counters, "counter", in.Name)
				}
				return out, nil
			})
		},
	})
}

// count changes a counter on somebody's behalf and returns the conditions that this makes true.
func (g *Game) count(tx *world.Tx, who, key, how string, by *int64) ([]string, error) {
	n := int64(1)
	if by != nil {
		n = *by
	}
	old, known := g.counters.Get(&tx.View, key)
	switch how {
	case "increment":
		n = old + n
	case "decrement":
		n = old - n
	}
	if n > MaxCount || n < -MaxCount {
		return nil, registry.Errorf(registry.CodeCapacityExceeded, "value: a counter goes from %d to %d; this one would be %d", -MaxCount, MaxCount, n)
	}
	if known && n == old {
		return nil, nil
	}
	if !known {
		if err := introduce(g, tx, g.counters, "counters", MaxCounters, key, who); err != nil {
			return nil, err
		}
	}
	if err := g.counters.Set(tx, key, n); err != nil {
		return nil, err
	}
	return g.watch(tx, expression.Ref{Kind: "counter", Name: key})
}
