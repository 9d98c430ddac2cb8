package action

import (
	"github.com/limina-mcp/limina/world"
)

// Play is a change of the state of the game, in the data of setState under "game": what the skills game.flag, game.counter, game.state, game.win and
// game.lose do. What is left out stays as it is.
type Play struct {
	Flag    *Flag    `json:"flag,omitempty"`
	Counter *Counter `json:"counter,omitempty"`
	State   *State   `json:"state,omitempty"`
	Outcome string   `json:"outcome,omitempty" validate:"omitempty,oneof=won lost"`
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

// OnPlay has fn change the state of the game on behalf of somebody, once, where the world is put together. Without it there is no game.
func (a *Actions) OnPlay(fn func(tx *world.Tx, by string, p *Play) error) { a.play = fn }
