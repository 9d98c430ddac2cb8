// Package lapse tells how long something was away that counts simulation steps: a timer that an undo has
// brought back goes on with what it had, and does not take the steps for its own that were taken meanwhile.
package lapse

import "github.com/limina-mcp/limina/world"

// glance is how many steps go by, at most, before it is noted again that steps are counted. So a lapse is known to about as many.
const glance = 60

// Lapse notes, in the world, which steps were counted. Only steps note it, so that no two agents are in the way of each
// other's undo.
type Lapse struct {
	seen *world.Global[uint64]
}

// New adds a lapse to a world, as a global of that name, once, where it is put together.
func New(w *world.World, name string) *Lapse {
	l := &Lapse{world.NewGlobal[uint64](w, name, 0, world.Private, world.Lasting)}
	w.OnRestore(func(tx *world.Tx, _ uint64) error { return l.seen.Set(tx, tx.Step()) }) // a checkpoint leaves no lapse
	return l
}

// Count is called in every step in which something counts, and only in those. It returns for how many steps all that counts was away, but for what is
// [Fresh]: 0, or more than two seconds' worth.
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

// Fresh reports whether what began to count at a step, as a call saw it, has done so since the step before this one.
func Fresh(tx *world.Tx, since uint64) bool { return since+1 >= tx.Step() }
