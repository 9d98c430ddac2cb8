// Package lapse tells how long something was away that counts simulation steps: a timer that a checkpoint or an undo has
// brought back goes on with what it had, and does not take the steps for its own that were taken meanwhile.
package lapse

import "github.com/limina-mcp/limina/world"

// glance is how many steps go by, at most, before it is noted again that steps are counted. So a lapse is known to about as many.
const glance = 60

// Lapse notes, in the world, which steps were counted.
type Lapse struct {
	seen *world.Global[uint64]
}

// New adds a lapse to a world, as a global of that name, once, where it is put together.
func New(w *world.World, name string) *Lapse {
	return &Lapse{world.NewGlobal[uint64](w, name, 0, world.Private, world.Derived)}
}

// Begin has steps counted from now on: nothing was counting.
func (l *Lapse) Begin(tx *world.Tx) error { return l.seen.Set(tx, tx.Step()) }

// Count is called in every step in which something counts. It returns how many steps that was away: 0, or more than two
// seconds' worth.
func (l *Lapse) Count(tx *world.Tx) (away uint64, err error) {
	now, seen := tx.Step(), l.seen.Get(&tx.View)
	if now-seen < glance {
		return 0, nil
	}
	if now-seen > 2*glance {
		away = now - seen
	}
	return away, l.seen.Set(tx, now)
}
