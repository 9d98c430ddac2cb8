package world

import "math/rand/v2"

// Tx is the one open transaction of a world. It reads as a [View] does and changes what it reads;
// every change is in its journal, so that it can be undone. Between Begin and the end the world is
// locked: a Tx belongs to one goroutine, and nobody else sees what it does before it commits.
//
// A world has one Tx and uses it again and again. It must not be kept.
type Tx struct {
	View
	open    bool
	within  int // how many functions that were handed it are running, one in the other
	journal []record
	mark    int // the newest savepoint handed out

	agent, skill string     // who makes it, by what; "" for engine code
	skills       []string   // others that have changed something in it
	stepping     bool       // it is a simulation step
	take         *taking    // it is an undo or a redo
	following    bool       // what is done now follows from what was done before, see Follow
	rooms        map[ID]box // that entities took up before, where there are claims
	under        ID         // what is created without a parent is put under it; 0: nothing

	// Inverses whose size the journal's records have no room for; each op pops what it pushed.
	places     []Vec3
	transforms []Transform
	tagged     [][]string // what an index was told
	sources    []rand.PCG

	changes []Change   // one per entity, in order of the first change
	taken   []restored // by RollbackTo, for who follows
	ended   uint64     // transactions that have: with the open one none has the same
	ids     []ID       // of fill
	dirty   []state    // tables and globals that changed, in order of the first change
	used    []state    // those that hold inverses
	moments []Moment

	rand   *rand.Rand
	cause  [1]uint64
	commit Commit // what observers are shown, used again and again

	fetched uint64 // of Prefetch: nobody asks for it, but without it there would be nothing to look for
}

// begin locks the world and opens its Tx. It fails where the goroutine has the world locked already.
func (w *World) begin() (*Tx, error) {
	if err := w.mu.take(); err != nil {
		return nil, err
	}
	w.rest.begun++
	if w.rest.on.Load() {
		w.suspend()
	}
	w.tx.open = true
	return &w.tx, nil
}

// mustBegin is begin for who can return no error.
func (w *World) mustBegin() *Tx {
	tx, err := w.begin()
	if err != nil {
		panic(err)
	}
	return tx
}

// changed reports whether there is anything to commit.
func (tx *Tx) changed() bool { return len(tx.journal) > 0 }

// Savepoint returns a mark for RollbackTo.
func (tx *Tx) Savepoint() int {
	tx.mark = len(tx.journal)
	return tx.mark
}

// RollbackTo undoes everything since the mark. The Tx stays open.
func (tx *Tx) RollbackTo(mark int) {
	for i := len(tx.journal) - 1; i >= mark; i-- {
		if id := tx.journal[i].id; id != 0 {
			tx.taken = append(tx.taken, restored{id, i})
		}
	}
	tx.unwind(mark)
}

func (tx *Tx) unwind(mark int) {
	for i := len(tx.journal) - 1; i >= mark; i-- {
		r := tx.journal[i]
		tx.journal = tx.journal[:i]
		tx.undo(&r)
	}
}

// Tick returns the number that the commit will get, 0 while nothing has changed.
func (tx *Tx) Tick() uint64 {
	if !tx.changed() {
		return 0
	}
	return tx.w.Tick() + 1
}

// enter is called before a function that is handed the Tx, leave after it: meanwhile nobody ends the transaction.
func (tx *Tx) enter() { tx.within++ }

func (tx *Tx) leave() { tx.within-- }

// Rollback undoes everything and unlocks the world. It is for who runs a call: it panics inside a function that was handed the
// Tx, as by [Do] or [World.Update], which is undone by its failure, and where the transaction has ended.
func (tx *Tx) Rollback() {
	tx.mine("Rollback")
	tx.rollback()
}

func (tx *Tx) rollback() {
	defer tx.end()
	tx.unwind(0)
}

// Commit makes what was done the world's state, tells the observers and unlocks the world. intent is
// the number of the call that is the cause, 0 if there is none. If nothing was changed nothing is
// committed. It cannot fail. Like Rollback it panics where the transaction is not the caller's to end.
func (tx *Tx) Commit(intent uint64) {
	tx.mine("Commit")
	defer tx.end()
	tx.finish(intent, false)
}

// mine panics if who calls may not end the transaction. To unlock the world once too often would end the process.
func (tx *Tx) mine(what string) {
	switch {
	case !tx.open:
		panic("world: Tx." + what + ": the transaction has ended; a Tx must not be kept")
	case tx.within > 0:
		panic("world: Tx." + what + ": it is for who runs the call; a function that is handed the Tx returns nil, or an error to have all undone")
	}
}

// end forgets everything about the transaction and unlocks the world.
func (tx *Tx) end() {
	defer tx.w.mu.Unlock() // also if who is asked whether time may rest panics
	tx.forget()
	tx.open = false
	if tx.w.rest.suspended {
		tx.w.resume()
	}
}

// forget makes what was done final: there is nothing left to undo.
func (tx *Tx) forget() {
	e := &tx.w.entities
	for i := range tx.changes {
		e.spot(tx.changes[i].ID).change = 0
	}
	for i := range tx.changes {
		if tx.changes[i].What&Destroyed != 0 {
			if e.sweep(tx.changes[i].ID) {
				tx.w.ledger.stepped.sweep(tx.changes[i].ID)
			}
		}
	}
	for _, s := range tx.used {
		b := s.base()
		b.used, b.dirty, b.cursor = false, false, 0
		s.settle()
	}
	tx.journal = recycle(tx.journal)
	tx.places, tx.transforms = recycle(tx.places), recycle(tx.transforms)
	tx.tagged, tx.sources = recycle(tx.tagged), recycle(tx.sources)
	tx.changes, tx.moments, tx.ids = recycle(tx.changes), recycle(tx.moments), recycle(tx.ids)
	tx.taken = recycle(tx.taken)
	tx.ended++
	tx.dirty, tx.used = recycle(tx.dirty), recycle(tx.used)
	tx.commit.Changes, tx.commit.World = recycle(tx.commit.Changes), recycle(tx.commit.World)
	tx.commit.Causes, tx.commit.Moments = nil, nil
	clear(tx.rooms)
	tx.mark, tx.stepping, tx.take, tx.under = 0, false, nil, 0
	tx.agent, tx.skill, tx.skills = "", "", recycle(tx.skills)
}

// recycle empties a slice for the next transaction; what a huge one needed is given back.
func recycle[T any](s []T) []T {
	const keep = 1 << 14
	switch {
	case cap(s) > keep:
		return nil
	case len(s) == 0: // most are
		return s
	}
	clear(s)
	return s[:0]
}
