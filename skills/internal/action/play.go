package action

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// Play is a change of the state of the game, in the data of setState under "game": what the skills game.flag, game.counter, game.state, game.timer, game.win,
// game.lose and cutscene.play do. What is left out stays as it is.
type Play struct {
	Flag    *Flag    `json:"flag,omitempty"`
	Counter *Counter `json:"counter,omitempty"`
	State   *State   `json:"state,omitempty"`
	Timer   *Timer   `json:"timer,omitempty"`
	Outcome string   `json:"outcome,omitempty" validate:"omitempty,oneof=won lost"`

	Cutscene string `json:"cutscene,omitempty" validate:"omitempty,min=1,max=128"` // which to play
}

// Flag sets a flag.
type Flag struct {
	Name  string `json:"name" validate:"min=1,max=128"`
	Value bool   `json:"value" jsonschema:"default=true"`
}

// Counter changes a counter.
type Counter struct {
	Name   string `json:"name" validate:"min=1,max=128"`
	Action string `json:"action" validate:"oneof=set increment decrement" jsonschema:"default=increment"`
	Value  *int64 `json:"value,omitempty"`
}

// State sets a variable.
type State struct {
	Name  string `json:"name" validate:"min=1,max=128"`
	Value Value  `json:"value"`
}

// Timer starts a timer, or has it pause or go on.
type Timer struct {
	Name       string   `json:"name" validate:"min=1,max=128"`
	Action     string   `json:"action" validate:"oneof=start pause resume" jsonschema:"default=start"`
	Duration   *float64 `json:"duration,omitempty" validate:"omitempty,gt=0,lte=1e9"` // seconds; nil: it has no end
	OnComplete string   `json:"onComplete,omitempty" validate:"omitempty,min=1,max=128"`
}

// OnPlay has fn change the state of the game on behalf of somebody, where the world is put together: as much of it as it knows. Those that are given are called in that
// order.
func (a *Actions) OnPlay(fn func(tx *world.Tx, by string, p *Play) error) {
	a.plays = append(a.plays, fn)
}

// Check reports, from field on, why a caller with g may not have the game changed so: it is done later, when nobody is there to be told.
func (p *Play) Check(g profiles.Grants, field string) error {
	for _, need := range p.needs() {
		if !g.Has(need) {
			return registry.Errorf(registry.CodeForbidden, "missing permission: %s, which %s needs", need, field)
		}
	}
	return p.check(field)
}

// needs are the permissions of the skills that do the same.
func (p *Play) needs() []profiles.Permission {
	if p == nil {
		return nil
	}
	all := []profiles.Permission{"game.write"}
	if p.Timer != nil && p.Timer.OnComplete != "" {
		all = append(all, "event.write")
	}
	return all
}

// check holds together what belongs together, of what is under field.
func (p *Play) check(field string) error {
	if p == nil || p.Timer == nil {
		return nil
	}
	switch t := p.Timer; {
	case t.Action != "start" && (t.Duration != nil || t.OnComplete != ""):
		return registry.Invalidf(`%s.timer: duration and onComplete are for "action":"start"`, field)
	case t.Duration == nil && t.OnComplete != "":
		return registry.Invalidf("%s.timer.onComplete: a timer without duration has no end", field)
	}
	return CheckName(field+".timer.onComplete", p.Timer.OnComplete)
}
