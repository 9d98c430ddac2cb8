package world

import (
	"cmp"
	"maps"
	"slices"
)

// plan is how things are to be once some commits are taken back.
type plan struct {
	of       []uint64
	entities map[ID]*fate
	order    []ID             // of entities
	values   map[spot]inverse // what components, rows and globals are to be
}

// fate is what is to become of an entity.
type fate struct {
	since   uint64 // the oldest of the commits that touched it
	gone    bool   // it was created, and is to go
	born    uint64 // the commit that created it
	back    bool   // it was destroyed, and is to come back
	placed  bool   // local is where it is to be
	local   Transform
	adopted bool // parent is what it is to be under
	parent  ID
}

// spot is a component of an entity, a row of a table, or a global.
type spot struct {
	state uint32
	id    ID
}

// plan reads the inverses of commits, newest first, from the end to the beginning: what a later one says
// is overruled by an earlier one.
func (l *ledger) plan(tx *Tx, of []uint64) *plan {
	p := &plan{of: of, entities: map[ID]*fate{}, values: map[spot]inverse{}}
	for _, number := range of {
		for i := l.touched(number); i > 0; i-- {
			p.read(tx, l, *l.inverse(number, i-1), number)
		}
	}
	p.order = slices.Sorted(maps.Keys(p.entities))
	return p
}

func (p *plan) read(tx *Tx, l *ledger, c inverse, number uint64) {
	if c.op == opState {
		p.values[spot{c.state, c.id}] = c
		if _, isColumn := tx.w.states[c.state].(column); !isColumn {
			return
		}
	}
	f := p.entities[c.id]
	if f == nil {
		f = new(fate)
		f.local, _ = tx.Transform(c.id)
		p.entities[c.id] = f
	}
	f.since = number
	switch c.op {
	case opCreate, opRevive:
		f.gone, f.back, f.born = true, false, number
	case opDestroy:
		f.gone, f.back, f.placed, f.local = false, true, true, *l.transforms.was(c.n) // placed: it may be back already, elsewhere
	case opPosition:
		f.placed, f.local.Position = true, *l.places.was(c.n)
	case opTransform:
		f.placed, f.local = true, *l.transforms.was(c.n)
	case opParent:
		f.adopted, f.parent = true, ID(c.n)
	}
}

// apply makes things as they are planned.
func (p *plan) apply(tx *Tx) error {
	if err := p.raise(tx); err != nil {
		return err
	}
	if err := p.restore(tx, true); err != nil {
		return err
	}
	p.bury(tx)
	return p.restore(tx, false)
}

// raise brings back the entities that are to be there, and puts everything in its place.
func (p *plan) raise(tx *Tx) error {
	for _, id := range p.order {
		if f := p.entities[id]; f.back && !tx.Exists(id) {
			if err := tx.revive(id, f.local); err != nil {
				return err
			}
		}
	}
	if err := p.adopt(tx); err != nil {
		return err
	}
	for _, id := range p.order {
		f := p.entities[id]
		if s := tx.w.entities.get(id); s != nil && f.placed && !f.gone && s.local != f.local {
			if err := tx.putTransform(id, s, f.local); err != nil {
				return err
			}
		}
	}
	return nil
}

// bury destroys the entities that are to go.
func (p *plan) bury(tx *Tx) {
	for _, id := range slices.Backward(p.order) {
		if p.entities[id].gone {
			tx.Destroy(id)
		}
	}
}

// adopt puts entities under their parents: first under none, so that none is for a moment under
// itself.
func (p *plan) adopt(tx *Tx) error {
	for _, pass := range []bool{false, true} {
		for _, id := range p.order {
			f := p.entities[id]
			if !f.adopted || f.gone || !tx.Exists(id) || tx.Parent(id) == f.parent {
				continue
			}
			parent := f.parent
			if !pass {
				parent = 0
			}
			if err := tx.SetParent(id, parent); err != nil {
				return err
			}
		}
	}
	return nil
}

// restore puts back the components of entities that are there, or everything else.
func (p *plan) restore(tx *Tx, columns bool) error {
	spots := slices.SortedFunc(maps.Keys(p.values), func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.state, b.state), cmp.Compare(a.id, b.id))
	})
	for _, at := range spots {
		s := tx.w.states[at.state]
		if _, isColumn := s.(column); isColumn != columns {
			continue
		}
		if f := p.entities[at.id]; columns && (f == nil || f.gone || !tx.Exists(at.id)) {
			continue
		}
		c := p.values[at]
		var err error
		if tags := tx.w.tags; s == &tags.state {
			var want []string
			if c.kind != inserted {
				want = *tags.bank.at(tags.state.past.was(c.n).at)
			}
			err = tx.setTags(c.id, want)
		} else {
			err = s.restore(tx, &c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setTags makes an entity's tags those that are wanted, which were a value of its component once.
func (tx *Tx) setTags(id ID, want []string) error {
	now := tx.Tags(id)
	if slices.Equal(now, want) {
		return nil
	}
	return tx.putTags(id, tx.w.entities.get(id), now, want)
}

// revive makes an entity that was there once, under its own id.
func (tx *Tx) revive(id ID, t Transform) error {
	w := tx.w
	if err := w.room(); err != nil {
		return err
	}
	tx.live()
	s := w.entities.put(id)
	*s = slot{local: t, change: s.change} // it may have been destroyed in this very transaction
	s.cell, s.at = w.grid.add(id, t.Position)
	tx.note(opRevive, id, s, Created, 0)
	return nil
}

// undone says what was done, before the transaction is marked as an undo.
func (p *plan) undone(tx *Tx) (u Undone) {
	l := &tx.w.ledger
	for _, n := range p.of {
		u.Steps = append(u.Steps, l.step(n))
	}
	for i := range tx.changes {
		u.Changed = append(u.Changed, tx.changes[i].ID)
	}
	sortIDs(u.Changed)
	for _, id := range u.Changed {
		if f := p.entities[id]; f != nil && l.stepped.get(id) > l.commit(f.since).tick {
			u.Simulated = append(u.Simulated, id)
		}
	}
	return u
}
