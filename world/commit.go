package world

import "slices"

// ChangeKind says what a commit did to an entity. Kinds are bits and come together.
type ChangeKind uint8

// The kinds of change.
const (
	Created ChangeKind = 1 << iota
	Moved              // its position, rotation or scale in world space; by its own move or its parent's
	Changed            // its name, tags, parent or a component that is not private
	Destroyed
)

// Change is what one commit did to one entity.
type Change struct {
	ID     ID
	What   ChangeKind
	Before Vec3 // where it was, in world space, before the commit; zero if it was created
}

// Commit is what one transaction did.
type Commit struct {
	Tick    uint64   // its number: the first is 1, and each is one more than the last
	Step    uint64   // simulation steps taken so far
	Causes  []uint64 // the intents that caused it; none for a step or engine code
	Changes []Change // in id order, one per entity; an entity that was created and destroyed in one commit has none
	World   []string // names of the globals and tables that changed and are not private, sorted
	Moments []Moment // in the order they were added

	view *View
}

// View reads the world as the commit left it. Only an observer has it, while it runs; elsewhere it
// is nil.
func (c *Commit) View() *View { return c.view }

// clone returns a copy that may be kept.
func (c *Commit) clone() Commit {
	return Commit{
		Tick: c.Tick, Step: c.Step,
		Causes:  slices.Clone(c.Causes),
		Changes: slices.Clone(c.Changes),
		World:   slices.Clone(c.World),
		Moments: slices.Clone(c.Moments),
	}
}

// finish numbers the transaction and tells the observers. If nothing has changed it does nothing
// and returns nil. The commit is complete only if somebody is to see it: an observer, or the caller.
func (tx *Tx) finish(intent uint64, wanted bool) *Commit {
	if !tx.changed() {
		return nil
	}
	w := tx.w
	tick := w.ticks.Load() + 1
	w.ticks.Store(tick)
	for _, fn := range w.ending {
		fn(&tx.View, tx.changes)
	}
	w.ledger.remember(tx, tick, intent)
	if w.tracker != nil {
		w.tracker.note(tx)
	}
	c := &tx.commit
	c.Tick, c.Step, c.Causes = tick, w.Steps(), nil
	if intent != 0 {
		tx.cause[0] = intent
		c.Causes = tx.cause[:]
	}
	watched := w.observers.all()
	if !wanted && len(watched) == 0 {
		return c
	}
	tx.fill(c)
	c.view = &tx.View
	for _, fn := range watched {
		(*fn)(c)
	}
	c.view = nil
	return c
}

// fill adds to c what takes work to say.
func (tx *Tx) fill(c *Commit) {
	const fleeting = Created | Destroyed
	tx.ids = tx.ids[:0]
	for i := range tx.changes {
		if tx.changes[i].What&fleeting != fleeting {
			tx.ids = append(tx.ids, tx.changes[i].ID)
		}
	}
	sortIDs(tx.ids)
	c.Changes = slices.Grow(c.Changes[:0], len(tx.ids))
	for _, id := range tx.ids {
		c.Changes = append(c.Changes, tx.changes[tx.w.entities.spot(id).change-1])
	}
	c.World = c.World[:0]
	for _, s := range tx.dirty {
		c.World = append(c.World, s.key())
	}
	slices.Sort(c.World)
	c.Moments = tx.moments
}
