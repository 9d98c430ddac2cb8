package quest

import (
	"slices"

	"github.com/limina-mcp/limina/world"
)

// note remembers what a commit has changed that has a log, or that somebody has to come near.
func (q *Quests) note(v *world.View, changes []world.Change) {
	if q.logs.Len(v) == 0 {
		q.moved = q.moved[:0]
		return
	}
	for i := range changes {
		id := changes[i].ID
		if changes[i].What&world.Destroyed != 0 {
			continue
		}
		if _, sought := q.sought.Get(v, id); sought || q.logs.Has(v, id) {
			q.moved = append(q.moved, id)
		}
	}
	if len(q.moved) > 1024+4*v.Len() { // time stands still
		q.moved = q.tidy()
	}
}

// tidy returns what has moved in id order, nothing twice.
func (q *Quests) tidy() []world.ID {
	slices.Sort(q.moved)
	return slices.Compact(q.moved)
}

// step looks at what has happened since the last step, in its order, and then at where those are that have moved.
func (q *Quests) step(tx *world.Tx) error {
	moved := q.tidy()
	q.moved, q.seen = q.seen[:0], moved // what is to be looked at in the next step is noted meanwhile
	if err := q.learn(tx); err != nil {
		return err
	}
	for _, id := range moved {
		if err := q.settle(tx, id); err != nil {
			return err
		}
		if err := q.see(tx, id, reach); err != nil {
			return err
		}
		seekers, _ := q.sought.Get(&tx.View, id)
		for _, seeker := range seekers {
			if err := q.see(tx, seeker, reach); err != nil {
				return err
			}
		}
	}
	return nil
}

// due takes what has happened, as much of it as a step looks at: what concerns no more than MaxStep, each as often as it does. The rest waits.
func (q *Quests) due(tx *world.Tx) ([]news, error) {
	concerned := 0
	happened := q.news.Take(tx, func(n news) bool {
		if concerned >= MaxStep {
			return false
		}
		to, _ := q.hears.Get(&tx.View, n.Event)
		concerned += max(1, len(to))
		return true
	})
	if q.news.Len(&tx.View) == 0 {
		q.shares.Clear(tx)
		return happened, nil
	}
	for i := range happened {
		if err := q.shares.Give(tx, happened[i].whose(&tx.View)); err != nil {
			return nil, err
		}
	}
	return happened, nil
}

// learn has those whom something concerns that has happened come on by it.
func (q *Quests) learn(tx *world.Tx) error {
	happened, err := q.due(tx)
	if err != nil {
		return err
	}
	for i := range happened {
		n := &happened[i]
		who := []world.ID{n.Who}
		if n.Event != "" {
			who, _ = q.hears.Get(&tx.View, n.Event)
		}
		for _, id := range who {
			// What cannot be done for one is told, and not tried again: it would keep all others from coming on, in every step.
			if err := q.deps.Does.Try(tx, "quest", "", map[string]string{"entity": id.String()}, func() error {
				return q.deps.Does.After(n.Depth, func() error { return q.hit(tx, id, n) })
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// hit has somebody come on by what has happened.
func (q *Quests) hit(tx *world.Tx, id world.ID, n *news) error {
	if !n.Kill && n.Event == "" && n.Zone == nil {
		return q.see(tx, id, reach, collect)
	}
	return q.pursue(tx, id, func(o *objective, s *stride) int64 {
		switch {
		case !n.counts(id, o):
			return 0
		case n.Zone != nil: // to be there is all of it
			return s.Required
		}
		return s.Progress + 1
	})
}

// see looks at how it is with somebody, as objectives of some types ask.
func (q *Quests) see(tx *world.Tx, id world.ID, types ...string) error {
	return q.pursue(tx, id, func(o *objective, s *stride) int64 {
		switch {
		case !slices.Contains(types, o.Type):
		case o.Type == collect:
			has, _ := q.deps.Owned.Own(&tx.View, id, o.Target)
			return int64(has)
		case q.reached(&tx.View, id, o):
			return s.Required
		}
		return 0
	})
}

// reached reports whether somebody is where an objective has him come.
func (q *Quests) reached(v *world.View, id world.ID, o *objective) bool {
	if o.Zone != nil {
		return q.deps.Zones.Inside(v, id, *o.Zone)
	}
	place, there := v.Position(o.Entity)
	if o.Place != nil {
		place, there = *o.Place, true
	}
	at, is := v.Position(id)
	return is && there && at.Dist(place) <= o.Radius
}

// pursue has somebody come on in each objective of his active quests that is not done, if progress says that he is farther than he was. It looks at each
// once: at those of [MaxOpen] quests at most. What comes of one, such as a reward, may change the others, and those that are looked at after it are as they are by then.
func (q *Quests) pursue(tx *world.Tx, id world.ID, progress func(o *objective, s *stride) int64) error {
	log, _ := q.logs.Get(&tx.View, id)
	changed := false
	for i := range log {
		if log[i].Status != active {
			continue
		}
		row, _ := q.quests.Get(&tx.View, log[i].Quest)
		e := log[i]
		for n := range row.Objectives {
			if changed {
				e, _ = q.entry(&tx.View, id, log[i].Quest)
			}
			at := n // as a rule
			if o := row.Objectives[n].ID; n >= len(e.Objectives) || e.Objectives[n].ID != o {
				at = e.at(o)
			}
			if e.Status != active || e.Times != log[i].Times || at < 0 || e.Objectives[at].done() {
				continue
			}
			s := &e.Objectives[at]
			to := progress(&row.Objectives[n], s)
			if to <= s.Progress {
				continue
			}
			if _, err := q.advance(tx, id, e, at, to, &row, row.By); err != nil {
				return err
			}
			changed = true
		}
	}
	return nil
}
