// Package lapse tells how long something was away that counts simulation steps: a timer that an undo has
// brought back goes on with what it had, and does not take the steps for its own that were taken meanwhile.
package lapse

// glance is how many steps go by, at most, before it is noted again that steps are counted. So a lapse is known to about as many.
const glance = 60

// Seen is the step in which something was last seen to count; 0 if that is not known, as in a world of an earlier program. It is kept with the thing
// itself, so that what brings that back brings it back. It begins as [Now], and is moved by what a checkpoint moves the thing by.
type Seen uint64

// Now is what Seen is of a thing that begins at a step.
func Now(step uint64) Seen { return Seen(max(step, 1)) } // a call may come before the first step

// Later is s, moved by some steps.
func (s Seen) Later(past uint64) Seen {
	if s == 0 {
		return 0
	}
	return s + Seen(past)
}

// Count is called in every step in which the thing counts. It returns for how many steps that was away: 0, or more than two seconds' worth. It changes s
// about once in a second.
func (s *Seen) Count(now uint64) (away uint64) {
	since := now - uint64(*s)
	switch {
	case *s == 0:
		*s = Seen(now)
		return 0
	case since < glance:
		return 0
	}
	if *s = Seen(now); since > 2*glance {
		away = since
	}
	return away
}
