package director

import (
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

// least is the pressure that passes at once.
const least = 0.001

// feel hears of a blow.
func (d *Director) feel(tx *world.Tx, b *stats.Blow, w *stats.Wound) error {
	if c := d.course.Get(&tx.View); !c.runs() || d.felt.Len(&tx.View) >= MaxWaiting {
		return nil
	}
	p := d.pressure(&tx.View, b, w)
	if p == 0 {
		return nil
	}
	return d.felt.Set(tx, d.felt.Next(tx), p)
}

// pressure is what a blow means to who plays.
func (d *Director) pressure(v *world.View, b *stats.Blow, w *stats.Wound) float64 {
	switch {
	case d.deps.Plays(v, b.Target) && w.Killed:
		return float64(OfHealth*w.Part) + OfDeath
	case d.deps.Plays(v, b.Target):
		return OfHealth * w.Part
	case w.Killed && b.Attacker != 0 && d.deps.Plays(v, b.Attacker):
		return OfKill
	}
	return 0
}
