package world

// op says what a record of the journal undoes.
type op uint8

const (
	opTouch     op = iota // only the entity's change
	opCreate              // an entity was created
	opDestroy             // … destroyed; its transform is on transforms
	opPosition            // … moved; its local position is on places
	opTransform           // … turned or scaled or moved; its transform is on transforms
	opParent              // its parent was n
	opTags                // the index knows those tags of it that are on tagged
	opState               // something in states[state] changed
	opRandom              // the random source was what is on sources
	opMoment              // a moment was added
	opRevive              // an entity that was destroyed once is there again
	opTake                // the transaction became an undo or a redo
	opGiven               // n ids had been given
	opSteps               // n steps had been taken
)

// record is one entry of the journal: what was done, and as much of what was before as fits.
// The rest is on the stack of its op.
type record struct {
	op   op
	what ChangeKind // of the entity, before; for a table or global: 1 if it was dirty before
	kind uint8      // for opState: what was done, in the terms of the state
	// follows says that it was done by Follow: that it is neither held to claims nor kept for undo.
	follows bool
	state   uint32
	id      ID
	n       uint64
}

// note appends an entity's record, and remembers that the entity changes.
func (tx *Tx) note(o op, id ID, s *slot, what ChangeKind, n uint64) {
	r := tx.write(o)
	r.id, r.n = id, n
	r.what = tx.touch(id, s, what)
}

// write appends a record, for its caller to fill in where it lies: to copy what was just written in parts,
// a processor waits until it is in memory. Everything that changes the world comes by here, before it changes
// anything: so who has kept a Tx beyond its end leaves no mark.
func (tx *Tx) write(o op) *record {
	tx.live()
	tx.journal = append(tx.journal, record{})
	r := &tx.journal[len(tx.journal)-1]
	r.op, r.follows = o, tx.following
	return r
}

// own panics if a state is not the transaction's to change: if that has ended, or is of another world, in whose journal the change would not be.
func (tx *Tx) own(b *stateBase) {
	tx.live()
	if b.w != tx.w {
		panic("world: " + b.name + " is declared in another world than that of the transaction")
	}
}

// live panics if the transaction has ended.
func (tx *Tx) live() {
	if !tx.open {
		panic("world: a Tx was used after its transaction")
	}
}

// touch adds what to the changes of an entity and returns what they were before. It is called
// before the entity is changed, because a change says where the entity was.
func (tx *Tx) touch(id ID, s *slot, what ChangeKind) (before ChangeKind) {
	if s.change == 0 {
		tx.changes = append(tx.changes, Change{})
		c := &tx.changes[len(tx.changes)-1]
		c.ID, c.What = id, what
		if what&Created == 0 {
			c.Before = tx.w.position(s)
			if tx.w.holding.Room != nil && tx.w.claims.Len(&tx.View) > 0 {
				tx.remember(id, c.Before)
			}
		}
		s.change = uint32(len(tx.changes))
		return 0
	}
	c := &tx.changes[s.change-1]
	before = c.What
	switch {
	case what != Created:
		c.What |= what
	case before&Created != 0:
		c.What &^= Destroyed
	default: // it was there before the transaction, and is again: perhaps elsewhere, perhaps otherwise
		c.What = before&^Destroyed | Moved | Changed
	}
	return before
}

// what returns what has changed of an entity so far.
func (tx *Tx) what(s *slot) ChangeKind {
	if s.change == 0 {
		return 0
	}
	return tx.changes[s.change-1].What
}

// untouch takes back a touch.
func (tx *Tx) untouch(id ID, before ChangeKind) {
	s := tx.w.entities.spot(id)
	if s.change == 0 {
		return
	}
	if before != 0 {
		tx.changes[s.change-1].What = before
		return
	}
	tx.changes = tx.changes[:s.change-1] // it was the last: touches are undone in reverse
	s.change = 0
}

// noteState appends the record of a change in a component, a table or a global.
// Its what is for the caller to fill in.
func (tx *Tx) noteState(s state, kind uint8, id ID) *record {
	b := s.base()
	tx.own(b)
	r := tx.write(opState)
	if !b.used {
		b.used = true
		tx.used = append(tx.used, s)
	}
	r.kind, r.state, r.id = kind, b.number, id
	return r
}

// noteShared is noteState for what belongs to no entity; its what is filled in.
func (tx *Tx) noteShared(s state, kind uint8) *record {
	r := tx.noteState(s, kind, 0)
	b := s.base()
	switch {
	case b.dirty:
		r.what = 1
	case !b.private:
		b.dirty = true
		tx.dirty = append(tx.dirty, s)
	}
	return r
}

// undo takes back what one record stands for. The record is off the journal already.
func (tx *Tx) undo(r *record) {
	w := tx.w
	switch r.op {
	case opCreate:
		w.unplace(w.entities.spot(r.id))
		w.entities.drop(r.id)
		w.entities.next--
	case opRevive:
		w.unplace(w.entities.spot(r.id))
		w.entities.drop(r.id)
	case opTake:
		tx.agent, tx.take = tx.take.by, nil
	case opDestroy:
		s := w.entities.put(r.id)
		s.local = pop(&tx.transforms)
		s.cell, s.at = w.grid.add(r.id, s.local.Position)
	case opPosition:
		s := w.entities.spot(r.id)
		s.local.Position = pop(&tx.places)
		w.resettle(r.id, s)
	case opTransform:
		s := w.entities.spot(r.id)
		s.local = pop(&tx.transforms)
		w.resettle(r.id, s)
	case opParent:
		s := w.entities.spot(r.id)
		w.link(r.id, s, ID(r.n))
		w.resettle(r.id, s)
	case opTags: // the component has those from before again
		w.retag(r.id, pop(&tx.tagged), tx.Tags(r.id))
	case opState:
		tx.undoState(r)
	case opRandom:
		w.random = pop(&tx.sources)
	case opMoment:
		pop(&tx.moments)
	case opGiven:
		w.entities.next = r.n
	case opSteps:
		w.steps.Store(r.n)
	}
	if r.id != 0 {
		tx.untouch(r.id, r.what)
	}
}

func (tx *Tx) undoState(r *record) {
	s := tx.w.states[r.state]
	s.undo(tx, r)
	if b := s.base(); r.id == 0 && b.dirty && r.what == 0 {
		b.dirty = false
		tx.dirty = tx.dirty[:len(tx.dirty)-1]
	}
}

// pop takes the last element off a stack.
func pop[T any](stack *[]T) T {
	last := len(*stack) - 1
	v := (*stack)[last]
	var zero T
	(*stack)[last] = zero
	*stack = (*stack)[:last]
	return v
}
