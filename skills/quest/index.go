package quest

import (
	"iter"
	"slices"

	"github.com/limina-mcp/limina/skills/internal/derived"
	"github.com/limina-mcp/limina/world"
)

// Whom an event concerns, and who has to come near an entity, is found by two tables, which follow from the logs and the quests.

// pending yields the objectives of an entry that are still to be done, as the quest has them now. There are none if it is not active.
func (q *Quests) pending(v *world.View, e *entry) iter.Seq[*objective] {
	return func(yield func(*objective) bool) {
		if e.Status != active {
			return
		}
		row, _ := q.quests.Get(v, e.Quest)
		for i := range row.Objectives {
			o := &row.Objectives[i]
			if at := e.at(o.ID); at >= 0 && !e.Objectives[at].done() && !yield(o) {
				return
			}
		}
	}
}

// concerns returns the events that a log waits for, and the entities that it has somebody come near.
func (q *Quests) concerns(v *world.View, log []entry) (events []string, near []world.ID) {
	for i := range log {
		for o := range q.pending(v, &log[i]) {
			if o.Event != "" && !slices.Contains(events, o.Event) {
				events = append(events, o.Event)
			}
			if o.Entity != 0 && !slices.Contains(near, o.Entity) {
				near = append(near, o.Entity)
			}
		}
	}
	return events, near
}

// index has the tables follow a log that has become another one.
func (q *Quests) index(tx *world.Tx, id world.ID, before, now []entry) error {
	wereEvents, wereNear := q.concerns(&tx.View, before)
	events, near := q.concerns(&tx.View, now)
	if err := derived.Move(tx, q.hears, id, wereEvents, events); err != nil {
		return err
	}
	return derived.Move(tx, q.sought, id, wereNear, near)
}

// forget has the tables forget somebody who is about to be destroyed.
func (q *Quests) forget(tx *world.Tx, id world.ID) {
	if log, has := q.logs.Get(&tx.View, id); has {
		_ = q.index(tx, id, log, nil) // rows only become shorter, which cannot fail
	}
}

// recount makes the shares of what waits what follows from that.
func (q *Quests) recount(tx *world.Tx) error {
	var whose []string
	for _, n := range q.news.All(&tx.View) {
		whose = append(whose, n.whose(&tx.View))
	}
	return q.shares.Remake(tx, whose)
}

// reindex makes the tables what follows from the logs and quests that there are, and has everybody looked at: an undo may have brought anything about.
func (q *Quests) reindex(tx *world.Tx) error {
	hears, sought := map[string][]world.ID{}, map[world.ID][]world.ID{}
	for id, log := range q.logs.All(&tx.View) {
		events, near := q.concerns(&tx.View, log)
		for _, name := range events {
			hears[name] = append(hears[name], id)
		}
		for _, other := range near {
			sought[other] = append(sought[other], id)
		}
		q.moved = append(q.moved, id)
	}
	if err := q.recount(tx); err != nil {
		return err
	}
	if err := derived.Remake(tx, q.hears, hears, slices.Equal); err != nil {
		return err
	}
	return derived.Remake(tx, q.sought, sought, slices.Equal)
}
