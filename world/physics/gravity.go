package physics

import (
	"encoding/json"
	"fmt"

	"github.com/limina-mcp/limina/world"
)

// Earth is how fast what falls gets faster on the earth, in m/s².
const Earth = 9.81

// Heaviest is the greatest gravity that [Physics.SetGravity] takes, in m/s²: four times that of Jupiter.
const Heaviest = 100

// Weightless is what of their own gravity characters have at least: who jumps comes down again.
const Weightless = 0.1

// gravitation is what somebody has set the gravity of the world to, in m/s² downwards, if anybody has: a number in JSON, or null.
type gravitation struct {
	set  bool
	down float64
}

// MarshalJSON writes the number, or null.
func (g gravitation) MarshalJSON() ([]byte, error) {
	if !g.set {
		return []byte("null"), nil
	}
	return json.Marshal(g.down)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (g *gravitation) UnmarshalJSON(text []byte) error {
	var down *float64
	if err := json.Unmarshal(text, &down); err != nil {
		return err
	}
	*g = gravitation{}
	if down != nil {
		*g = gravitation{true, *down}
	}
	return nil
}

// Gravity returns how fast bodies fall faster, along y, in m/s²: below zero they fall down.
func (p *Physics) Gravity(v *world.View) float64 {
	if g := p.set.Get(v); g.set {
		return 0 - g.down
	}
	return p.config.Gravity
}

// SetGravity has everything fall so much faster in each second, from the next step on, in m/s² downwards: 0 has it float, nil gives the world the gravity of its
// Config again. Dynamic bodies fall by it and float as deep as before; a character's own gravity is as many times as much as this is of [Earth],
// and [Weightless] of it at least, but that of a Config changes nothing about it. It wakes all that sleeps, and fails if the number is not from 0 to [Heaviest]. The global world.gravity tells viewers.
func (p *Physics) SetGravity(tx *world.Tx, down *float64) error {
	if down != nil && !(*down >= 0 && *down <= Heaviest) {
		return &world.Error{Code: "invalid_input", Message: fmt.Sprintf("gravity: must be from 0 to %v m/s², got %v", float64(Heaviest), *down)}
	}
	var want gravitation
	if down != nil {
		want = gravitation{true, *down}
	}
	if want == p.set.Get(&tx.View) {
		return nil
	}
	return p.set.Set(tx, want)
}

// pull has the engine have the gravity of the world, and wakes what that may have move.
func (p *Physics) pull(v *world.View) error {
	now := p.Gravity(v)
	if now == p.pulled {
		return nil
	}
	if err := p.engine.Pull(now); err != nil {
		return err
	}
	p.pulled = now
	for _, b := range p.at {
		if b != nil && b.live && b.made.Kind == Dynamic {
			if err := p.engine.Wake(b.handle); err != nil {
				return err
			}
		}
	}
	return nil
}

// heaviness is how fast what falls gets faster downward in the step that is being taken, in m/s², 0 if it falls up.
func (p *Physics) heaviness() float64 { return max(-p.pulled, 0) }

// sinks is what characters have of their own gravity.
func (p *Physics) sinks(v *world.View) float64 {
	if g := p.set.Get(v); g.set {
		return max(g.down/Earth, Weightless)
	}
	return 1
}
