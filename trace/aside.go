package trace

import (
	"bytes"
	"cmp"
	"slices"
)

// The chain is without gaps, and so what is oldest leaves it first, whoever's it is. Whoever says much would so have the log forget what others have done. What leaves the
// chain and is among the newest few events of its actor is laid aside, and found by all who read; only what is exported or followed is the chain alone. Who has more than
// these few in the chain, such as whoever says much, has nothing aside, so that an append costs him no more.

// maxOwners is how many actors have events aside.
const maxOwners = 256

// aside is what has left the chain and is kept for its actor.
type aside struct {
	each   int // events of an actor, with those in the chain; 0: none
	room   int // bytes of all
	bytes  int
	owners []*owner // in no order
	spare  []byte   // the body of one that was dropped
}

// owner is an actor who has events aside.
type owner struct {
	actor  uint32     // his number
	events []setAside // oldest first
	bytes  int
}

// setAside is an event that has left the chain.
type setAside struct {
	facts
	id    ID
	label uint32
	at    link
	body  []byte // without its line feed
}

// setAsideLocked lays the oldest event aside, which is about to leave the chain and must be sealed, if it is among the newest of its actor.
func (l *Log) setAsideLocked() {
	x := &l.index
	id := x.first
	e := x.at(id)
	actor := x.labels.actor(e.label)
	if actor.count > l.aside.each {
		return
	}
	o := actor.owner
	if o == nil {
		o = &owner{actor: x.labels.known.rows[e.label].value}
		actor.owner = o
		l.aside.owners = append(l.aside.owners, o)
	}
	body := l.aside.spare
	l.aside.spare = nil
	body = append(body[:0], l.bodyLocked(id)...)
	x.labels.known.rows[e.label].uses++
	o.events = append(o.events, setAside{e.facts, id, e.label, x.link(id), body})
	o.bytes += len(body)
	l.aside.bytes += len(body)
	for l.aside.bytes > l.aside.room || len(l.aside.owners) > maxOwners {
		l.dropAsideLocked(l.aside.largest())
	}
}

// dropAsideLocked drops the oldest event that an actor has aside.
func (l *Log) dropAsideLocked(o *owner) {
	e := &o.events[0]
	o.bytes -= len(e.body)
	l.aside.bytes -= len(e.body)
	label := e.label
	if cap(e.body) <= maxKeptDraft/16 {
		l.aside.spare = e.body
	}
	if o.events = slices.Delete(o.events, 0, 1); len(o.events) == 0 {
		l.index.labels.actor(label).owner = nil
		i := slices.Index(l.aside.owners, o)
		last := len(l.aside.owners) - 1
		l.aside.owners[i] = l.aside.owners[last]
		l.aside.owners[last] = nil
		l.aside.owners = l.aside.owners[:last]
	}
	l.index.labels.release(label)
}

// largest returns whose events take most, of several who has been silent for longest.
func (a *aside) largest() *owner {
	if len(a.owners) > maxOwners {
		return slices.MinFunc(a.owners, func(a, b *owner) int { return cmp.Compare(a.newest(), b.newest()) })
	}
	return slices.MaxFunc(a.owners, func(a, b *owner) int {
		return cmp.Or(cmp.Compare(a.bytes, b.bytes), cmp.Compare(b.newest(), a.newest()))
	})
}

// newest returns the newest event that an actor has aside.
func (o *owner) newest() ID { return o.events[len(o.events)-1].id }

// asideLocked returns what an actor has aside, oldest first; all that there is without a name. It is valid while mu is held.
func (l *Log) asideLocked(actor string) []setAside {
	if len(l.aside.owners) == 0 {
		return nil
	}
	if actor != "" {
		if n, ok := l.index.labels.actors.numbers[actor]; ok && l.index.labels.actors.rows[n].value.owner != nil {
			return l.index.labels.actors.rows[n].value.owner.events
		}
		return nil
	}
	var all []setAside
	for _, o := range l.aside.owners {
		all = append(all, o.events...)
	}
	slices.SortFunc(all, func(a, b setAside) int { return cmp.Compare(a.id, b.id) })
	return all
}

// copyAsideLocked returns copies of all that is aside, oldest first.
func (l *Log) copyAsideLocked() []setAside {
	all := l.asideLocked("")
	for i := range all {
		all[i].body = bytes.Clone(all[i].body)
	}
	return all
}

// clearAsideLocked drops all that is aside.
func (l *Log) clearAsideLocked() {
	for len(l.aside.owners) > 0 {
		l.dropAsideLocked(l.aside.owners[0])
	}
}
