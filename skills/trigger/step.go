package trigger

import (
	"slices"

	"github.com/limina-mcp/limina/world"
)

// step looks at what was changed since the last step, and then does what is to be done: in the order of
// the entities' ids, behind what was destroyed in a zone, of one first about what it has left, then about what it has passed through, then about what it has entered; about what
// stays last.
func (t *Triggers) step(tx *world.Tx) error {
	if err := t.carry(tx); err != nil {
		return err
	}
	t.follow(tx)
	touched := t.tidy()
	t.touched = t.touched[:0]
	var due []firing
	for _, g := range t.left.Take(tx, nil) {
		due = append(due, firing{on: onExit, zone: g.Zone, gone: &g})
	}
	for _, id := range touched {
		if err := t.look(tx, id, &due); err != nil {
			return err
		}
	}
	t.followed(touched)
	if t.stays.Len(&tx.View) > 0 {
		t.staying(tx, &due)
	}
	for i := range due {
		if more, err := t.run(tx, &due[i]); err != nil || !more {
			return err
		}
	}
	return nil
}

// activity is Busy when something has been touched, or a zone has to follow its entity. What stays in a zone waits for somebody to see it.
func (t *Triggers) activity(v *world.View) world.Activity {
	switch {
	case len(t.touched) > 0 || t.left.Len(v) > 0 || t.behind(v):
		return world.Busy
	case t.stays.Len(v) > 0 && t.inside.Len(v) > 0:
		return world.Waiting
	}
	return world.Idle
}

// look finds what an entity has left, passed through and entered.
func (t *Triggers) look(tx *world.Tx, id world.ID, due *[]firing) error {
	before, _ := t.inside.Get(&tx.View, id)
	var room [8]Handle
	now := t.at(room[:0], &tx.View, id)
	same := len(now) == len(before)
	for i := 0; same && i < len(now); i++ {
		same = before[i].Zone == now[i]
	}
	through := t.passed(&tx.View, id)
	if same && len(through) == 0 || !tx.Exists(id) {
		return nil
	}
	seats, entered := make([]seat, 0, len(now)), []Handle(nil)
	for _, s := range before {
		if slices.Contains(now, s.Zone) {
			seats = append(seats, s)
			continue
		}
		*due = append(*due, firing{on: onExit, zone: s.Zone, entity: id})
	}
	if len(through) > 0 {
		if err := t.pass(tx, id, seats, through, due); err != nil {
			return err
		}
	}
	for _, h := range now {
		if !slices.ContainsFunc(before, func(s seat) bool { return s.Zone == h }) {
			seats, entered = append(seats, seat{h, tx.Step()}), append(entered, h)
			*due = append(*due, firing{on: onEnter, zone: h, entity: id})
		}
	}
	slices.SortFunc(seats, func(a, b seat) int { return int(int64(a.Zone) - int64(b.Zone)) })
	if err := t.sit(tx, id, seats); err != nil {
		return err
	}
	for _, h := range entered {
		if err := t.inform(tx, id, h); err != nil {
			return err
		}
	}
	return nil
}

// staying finds what is in zones that do something about it.
func (t *Triggers) staying(tx *world.Tx, due *[]firing) {
	for id, seats := range t.inside.All(&tx.View) {
		for _, s := range seats {
			if s.Since < tx.Step() && t.acts(tx, s.Zone) {
				*due = append(*due, firing{on: onStay, zone: s.Zone, entity: id, since: s.Since})
			}
		}
	}
}

func (t *Triggers) acts(tx *world.Tx, h Handle) bool {
	stays, _ := t.stays.Get(&tx.View, h)
	return stays
}
