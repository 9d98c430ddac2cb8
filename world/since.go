package world

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Difference is what has become of an entity, a table or a global since a revision.
type Difference struct {
	Entity   ID       // 0 for a table or global
	What     []string // "created", "destroyed", "transform", components by name; the table or global
	By       string   // who changed it last; "" for engine code
	Skill    string   // by what; "" for engine code and the simulation
	Intent   uint64   // in which call, 0 if in none
	Revision uint64   // in which commit
	Gone     bool     // it is not there any more
	Step     bool     // it was a simulation step, and What is not known
}

// ChangedSince returns what was changed after a revision, tables and globals first, then entities in id
// order, without what was undone. It fails with invalid_input if the revision is none yet, or so long
// ago that it is not known any more; the text says from which revision on it is.
func (v *View) ChangedSince(revision uint64) ([]Difference, error) {
	l := &v.w.ledger
	from, err := l.after(v, revision)
	if err != nil {
		return nil, err
	}
	found := map[spot]*Difference{}
	for n := from; n < l.past.end; n++ {
		if l.changes(n, from) {
			l.gather(found, n)
		}
	}
	for id, at := range l.stepped.after(revision) {
		key := spot{placeState, id}
		if c := found[key]; v.Exists(id) && (c == nil || c.Revision < at) {
			found[key] = &Difference{Entity: id, What: []string{}, Revision: at, Step: true}
		}
	}
	keys := slices.SortedFunc(maps.Keys(found), func(a, b spot) int {
		switch {
		case a.state != b.state:
			return int(a.state) - int(b.state)
		case a.id < b.id:
			return -1
		}
		return 1
	})
	list := make([]Difference, len(keys))
	for i, key := range keys {
		list[i] = *found[key]
		list[i].Gone = list[i].Entity != 0 && !v.Exists(list[i].Entity)
	}
	return list, nil
}

// gather adds what a commit changed.
func (l *ledger) gather(found map[spot]*Difference, number uint64) {
	p := l.past.at(number)
	first, end := l.inversesOf(number)
	for i := first; i < end; i++ {
		c := l.inverses.at(i)
		key, id := spot{placeState, c.id}, c.id
		if c.op == opState && l.shared(c) {
			key, id = spot{c.state, 0}, 0
			if l.w.states[c.state].base().private {
				continue
			}
		}
		f := found[key]
		if f == nil {
			f = &Difference{Entity: id}
			found[key] = f
		}
		if what := l.aspect(c); !slices.Contains(f.What, what) {
			f.What = append(f.What, what)
		}
		f.By, f.Skill, f.Intent, f.Revision = l.authors[p.author].name, l.labels[p.label], p.intent, p.tick
	}
}

// shared reports whether an inverse of a state is of a table or global.
func (l *ledger) shared(c *inverse) bool {
	_, isColumn := l.w.states[c.state].(column)
	return !isColumn
}

// aspect names what an inverse is about, without the entity.
func (l *ledger) aspect(c *inverse) string {
	switch c.op {
	case opCreate, opRevive:
		return "created"
	case opDestroy:
		return "destroyed"
	case opState:
		return l.w.states[c.state].key()
	default:
		return "transform"
	}
}

// after returns the number of the first commit after a revision. It fails if that is not known.
func (l *ledger) after(v *View, revision uint64) (number uint64, err error) {
	switch {
	case revision > v.Tick():
		return 0, invalid("revision %d is yet to come: the newest is %d", revision, v.Tick())
	case revision < l.lost:
		return 0, invalid("revision %d is too long ago: what changed is known from revision %d on; look at the scene anew", revision, l.lost)
	}
	lo, hi := l.past.start, l.past.end
	for lo < hi {
		if mid := lo + (hi-lo)/2; l.past.at(mid).tick <= revision {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, nil
}

// maxDiff is how many inverses Diff goes back over.
const maxDiff = 20_000

// Diff tells what has changed since a revision, as [Tx.Preview] does, from what was then to what is
// now. What simulation steps did is told only where it is the end of what others began. It fails as
// [View.ChangedSince] does, and leaves nothing changed.
func (tx *Tx) Diff(revision uint64) (json.RawMessage, error) {
	l := &tx.w.ledger
	from, err := l.after(&tx.View, revision)
	if err != nil {
		return nil, err
	}
	mark := tx.Savepoint()
	var of []uint64
	for n := l.past.end; n > from; n-- {
		if l.changes(n-1, from) {
			of = append(of, n-1)
		}
	}
	if len(of) > 0 && l.inverses.end-l.past.at(from).first > maxDiff {
		return nil, &Error{codeUnknown, fmt.Sprintf("too much has changed since revision %d to show before and after: world.changes says what, by pages", revision)}
	}
	p := l.plan(tx, of)
	if err := p.apply(tx); err != nil {
		tx.RollbackTo(mark)
		return nil, &Error{codeUnknown, fmt.Sprintf("what was there at revision %d cannot be worked out any more: %v; world.changes says what has changed", revision, err)}
	}
	ids, shared := tx.touchedSince(mark)
	before := make([][]field, len(ids))
	for i, id := range ids {
		before[i] = tx.fields(id)
	}
	tx.RollbackTo(mark)
	var d differ
	for i, id := range ids {
		d.add(id, before[i], tx.fields(id))
	}
	return d.text(shared), nil
}

// vet holds what the transaction has done since the mark to what others have claimed, and to what the
// caller has seen.
func (tx *Tx) vet(c Caller, mark int) error {
	if len(tx.journal) == mark || tx.under != 0 { // the Do around Under does it
		return nil
	}
	if tx.w.claims.Len(&tx.View) > 0 && tx.agent != "" {
		if err := tx.checkClaims(mark); err != nil {
			return err
		}
	}
	revision, ok := c.Seen()
	if !ok {
		return nil
	}
	return tx.checkSeen(revision, mark)
}

// checkSeen refuses to have changed what others have changed after a revision.
func (tx *Tx) checkSeen(revision uint64, mark int) error {
	l := &tx.w.ledger
	from, err := l.after(&tx.View, revision)
	if err != nil {
		return invalid("ifRevision: %v", err)
	}
	mine := tx.spotsSince(mark)
	me, known := l.byName[tx.agent]
	var found blame
	for n := from; n < l.past.end; n++ {
		p := l.past.at(n)
		if known && p.author == me || !l.changes(n, from) {
			continue
		}
		first, end := l.inversesOf(n)
		for i := first; i < end; i++ {
			c := l.inverses.at(i)
			key := spot{placeState, c.id}
			if c.op == opState && l.shared(c) {
				key.state = c.state
			}
			if mine[key] {
				found.add(l, p, c)
			}
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(mine), func(a, b spot) int { return cmp.Compare(a.id, b.id) }) {
		if at := l.stepped.get(key.id); key.state == placeState && at > revision {
			found.say(fmt.Sprintf("the simulation changed %s (revision %d)", key.id, at))
		}
	}
	if len(found.list) == 0 {
		return nil
	}
	return &Error{codeConflict, fmt.Sprintf("ifRevision: since revision %d %s. Nothing was changed; look again, then call with ifRevision %d", revision, found.text(), tx.View.Tick())}
}

// spotsSince returns the entities, rows and globals that the journal names from the mark on.
func (tx *Tx) spotsSince(mark int) map[spot]bool {
	spots := map[spot]bool{}
	cursors := map[uint32]int{}
	for i := range tx.journal {
		r := &tx.journal[i]
		switch {
		case r.id != 0:
			if i >= mark && !r.follows {
				spots[spot{placeState, r.id}] = true
			}
		case r.op == opState:
			s := tx.w.states[r.state]
			if !s.keeps(r.kind) {
				continue
			}
			if b := s.base(); i >= mark && !b.lasting && !b.derived {
				spots[spot{r.state, s.row(cursors[r.state])}] = true
			}
			cursors[r.state]++
		}
	}
	return spots
}
