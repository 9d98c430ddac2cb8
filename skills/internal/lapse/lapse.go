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
	seen := Seen(l.seen.Get(&tx.View))
	before := seen
	if away = seen.Count(tx.Step()); seen == before {
		return 0, nil
	}
	return away, l.seen.Set(tx, uint64(seen))
}

// Seen is the step in which something was last seen to count. Who keeps it with the thing itself is told how long that was away, also while another took its
// place, which a [Lapse] does not notice. It begins as the step in which the thing begins, and is moved by what a checkpoint moves the thing by.
type Seen uint64

// Count is called in every step in which the thing counts. It returns for how many steps that was away: 0, or more than two seconds' worth. It changes s
// about once in a second.
func (s *Seen) Count(now uint64) (away uint64) {
	since := now - uint64(*s)
	if since < glance {
		return 0
	}
	if *s = Seen(now); since > 2*glance {
		away = since
	}
	return away
}

// Fresh reports whether what began to count at a step, as a call saw it, has done so since the step before this one.
func Fresh(tx *world.Tx, since uint64) bool { return since+1 >= tx.Step() }
