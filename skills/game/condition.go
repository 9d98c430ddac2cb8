package game

import (
	"encoding/json"
	"slices"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/derived"
	"github.com/limina-mcp/limina/skills/internal/expression"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// condition is a row of the table of conditions.
type condition struct {
	Expression string `json:"expression"`
	OnTrue     string `json:"onTrue,omitempty"`
	By         string `json:"by"` // who defined it
}

// ConditionIn is the input of game.condition.
type ConditionIn struct {
	Name       string          `json:"name" validate:"min=1,max=128" jsonschema_description:"The name of the condition."`
	Action     string          `json:"action" validate:"oneof=define evaluate remove" jsonschema:"default=define" jsonschema_description:"define makes it, in place of one of that name; evaluate says whether it is true; remove ends it."`
	Expression string          `json:"expression,omitempty" validate:"omitempty,min=1" jsonschema_description:"When it is true, of flag(\"name\"), counter(\"name\"), variable(\"name\"), numbers, texts in quotes, true, false, + - * /, floor( ), ceil( ), round( ), == != < <= > >=, and, or, not, ( ). define needs it."`
	OnTrue     string          `json:"onTrue,omitempty" validate:"omitempty,min=1,max=128" jsonschema_description:"The name of the event that the server emits when it becomes true, for event.listen."`
	Meta       registry.Object `json:"meta,omitempty" jsonschema_description:"Anything you want on record with the event of this call."`
}

// ConditionOut is the output of game.condition.
type ConditionOut struct {
	OK    bool `json:"ok" jsonschema_description:"Always true: what cannot be done is an error."`
	Value bool `json:"value" jsonschema_description:"Whether it is true now."`
	Fired bool `json:"fired" jsonschema_description:"Whether it became true by this call, as one that is true when it is defined does: its event is emitted."`
}

// Condition is game.condition.
func Condition(g *Game) registry.Skill {
	return registry.Define(registry.Spec[ConditionIn, ConditionOut]{
		Name:  "game.condition",
		Title: "Have the server watch a condition",
		Description: "Define a condition over flags, counters and variables of the game. The server watches it: when it becomes true, whoever brings that about, the event onTrue is emitted, and event.listen says what is done then. Nobody needs to evaluate it. Needs event.write for onTrue. " +
			`Example: {"name":"rich","expression":"counter(\"coins\") >= 10 and not flag(\"over\")","onTrue":"allCoins"}`,
		Keywords:    "rule when if expression objective goal victory check watch becomes true all coin collected",
		Permissions: []profiles.Permission{"game.configure"},
		Effect:      registry.Writes,
		Handle: func(c *registry.Call, in ConditionIn) (ConditionOut, error) {
			if in.Action != "define" {
				return g.named(c, &in)
			}
			if in.Expression == "" {
				return ConditionOut{}, registry.Invalidf(`expression: is required to define a condition: "counter(\"coins\") >= 10"`)
			}
			if err := checkEvent(c, "onTrue", in.OnTrue); err != nil {
				return ConditionOut{}, err
			}
			if _, err := expression.Parse(in.Expression, false); err != nil {
				return ConditionOut{}, err
			}
			return world.Do(g.w, c, func(tx *world.Tx) (ConditionOut, error) {
				return g.define(tx, in.Name, condition{in.Expression, in.OnTrue, c.Principal().ID})
			})
		},
	})
}

// named evaluates or removes a condition.
func (g *Game) named(c *registry.Call, in *ConditionIn) (ConditionOut, error) {
	if in.Expression != "" || in.OnTrue != "" {
		return ConditionOut{}, registry.Invalidf(`action: is %q, which takes a name alone; "define" takes expression and onTrue`, in.Action)
	}
	evaluate := func(v *world.View) (ConditionOut, error) {
		if _, ok := g.conditions.Get(v, in.Name); !ok {
			return ConditionOut{}, missing(v, g.conditions, "condition", in.Name, "game.condition")
		}
		holds, _ := g.holds.Get(v, in.Name)
		return ConditionOut{OK: true, Value: holds}, nil
	}
	if in.Action == "evaluate" {
		return world.Read(g.w, c, evaluate)
	}
	return world.Do(g.w, c, func(tx *world.Tx) (ConditionOut, error) {
		out, err := evaluate(&tx.View)
		if err == nil {
			g.conditions.Delete(tx, in.Name)
			g.holds.Delete(tx, in.Name)
		}
		return out, err
	})
}

// define adds a condition, or puts it in the place of one. What is as it was stays so, and announces nothing.
func (g *Game) define(tx *world.Tx, name string, c condition) (ConditionOut, error) {
	old, there := g.conditions.Get(&tx.View, name)
	if there && old.Expression == c.Expression && old.OnTrue == c.OnTrue {
		holds, _ := g.holds.Get(&tx.View, name)
		return ConditionOut{OK: true, Value: holds}, nil
	}
	if !there {
		of := share.Kept{Most: MaxConditions, What: "conditions", Free: `"action":"remove" takes one away`}
		if err := share.RoomIn(&tx.View, &of, g.conditions.All(&tx.View), c.By, func(c *condition) string { return c.By }); err != nil {
			return ConditionOut{}, err
		}
	}
	if err := g.conditions.Set(tx, name, c); err != nil {
		return ConditionOut{}, err
	}
	g.holds.Delete(tx, name)
	fired, err := g.look(tx, name, &c)
	holds, _ := g.holds.Get(&tx.View, name)
	return ConditionOut{OK: true, Value: holds, Fired: fired}, err
}

// meant returns what a condition means.
func (g *Game) meant(c *condition) (*expression.Expression, error) {
	if e, ok := g.read[c.Expression]; ok {
		return e, nil
	}
	e, err := expression.Parse(c.Expression, false)
	if err != nil {
		return nil, err
	}
	if len(g.read) >= 4*MaxConditions {
		clear(g.read)
	}
	g.read[c.Expression] = e
	return e, nil
}

// settle looks at the conditions that read something which actions have changed that belong together.
func (g *Game) settle(tx *world.Tx) error {
	changed := g.changed
	if len(changed) == 0 {
		return nil
	}
	g.changed = g.changed[:0]
	_, err := g.watch(tx, changed...)
	return err
}

// watch looks at the conditions that read something which has changed, in the order of their names, and returns those that became true. Amid actions that belong
// together it looks when they are done.
func (g *Game) watch(tx *world.Tx, changed ...expression.Ref) (became []string, err error) {
	if g.does.Amid() {
		g.changed = append(g.changed, changed...)
		return nil, nil
	}
	for _, name := range g.readers(tx, changed) {
		c, _ := g.conditions.Get(&tx.View, name)
		fired, err := g.look(tx, name, &c)
		if err != nil {
			return nil, err
		}
		if fired {
			became = append(became, name)
		}
	}
	return became, nil
}

// readers returns the conditions that read something of what has changed; all, if it is not said what has.
func (g *Game) readers(tx *world.Tx, changed []expression.Ref) (names []string) {
	for name, c := range g.conditions.All(&tx.View) {
		e, err := g.meant(&c)
		if err == nil && (len(changed) == 0 || slices.ContainsFunc(e.Refs(), func(r expression.Ref) bool { return slices.Contains(changed, r) })) {
			names = append(names, name)
		}
	}
	return names
}

// look sees whether a condition is true, and announces it if it has become so.
func (g *Game) look(tx *world.Tx, name string, c *condition) (fired bool, err error) {
	before, _ := g.holds.Get(&tx.View, name)
	now, err := g.holdsNow(&tx.View, c)
	if err != nil || now == before {
		return false, err
	}
	if !now {
		g.holds.Delete(tx, name)
		return false, nil
	}
	if err := g.holds.Set(tx, name, true); err != nil {
		return false, err
	}
	// That there is no room for its author's event is nothing to whoever has set what it reads: it is told, as of an action, and no more.
	of := map[string]string{"condition": name}
	return true, g.does.Try(tx, "game", c.By, of, func() error { return g.announce(tx, c.OnTrue, c.By, of) })
}

func (g *Game) holdsNow(v *world.View, c *condition) (bool, error) {
	e, err := g.meant(c)
	if err != nil {
		return false, err
	}
	return e.Holds(func(r expression.Ref) expression.Value { return g.value(v, r) }), nil
}

// lookAgain makes what holds follow from the rest, and announces nothing.
func (g *Game) lookAgain(tx *world.Tx) error {
	want := map[string]bool{}
	for name, c := range g.conditions.All(&tx.View) {
		if now, err := g.holdsNow(&tx.View, &c); err == nil && now {
			want[name] = true
		}
	}
	return derived.Remake(tx, g.holds, want, derived.Equal)
}

// value is what an expression reads.
func (g *Game) value(v *world.View, r expression.Ref) expression.Value {
	switch r.Kind {
	case "flag":
		is, _ := g.flags.Get(v, r.Name)
		return expression.Bool(is)
	case "counter":
		n, _ := g.counters.Get(v, r.Name)
		return expression.Number(float64(n))
	}
	raw, _ := g.variables.Get(v, r.Name)
	return plain(raw)
}

// plain is the value of a variable; an object is none.
func plain(raw action.Value) expression.Value {
	if len(raw) == 0 || raw[0] == '{' {
		return expression.Value{}
	}
	var x any
	if err := json.Unmarshal(raw, &x); err != nil {
		return expression.Value{}
	}
	switch x := x.(type) {
	case bool:
		return expression.Bool(x)
	case float64:
		return expression.Number(x)
	case string:
		return expression.Text(x)
	}
	return expression.Value{}
}
