package world

import (
	"fmt"
	"maps"
	"slices"
)

// Step is one commit of an agent's, as a step that can be undone or redone.
type Step struct {
	Revision uint64 // the tick of the commit
	Intent   uint64
	Skill    string // that made it; of an undo or redo, what that took back or made again
	Touched  int    // how many things it touched

	// Skills are all whose calls have changed something in it, as those of a batch; of an undo or redo, also those of all that it took back or made again.
	// Who may take it back is for the caller to know: he may have made it when he could do more than he can now.
	Skills []string
}

// Undone says what an undo or a redo did.
type Undone struct {
	Steps     []Step // newest first
	Changed   []ID   // entities that it changed, made or destroyed, in id order
	Simulated []ID   // those among them that simulation steps had moved or changed in between
}

// errTaken is what Do answers in a transaction that has undone something.
var errTaken = &Error{Code: codeInvalid, Message: "undo and redo must be all that a call does: call them by themselves"}

// errMixed is what undo and redo answer in a transaction that has done something else.
var errMixed = &Error{Code: codeInvalid, Message: "undo and redo must be all that a call does; here something was changed before: call them by themselves"}

// taking is an undo or a redo that is part of a transaction.
type taking struct {
	of   []uint64 // the numbers of the commits that it takes back, newest first
	redo bool
	by   string // whose transaction it is, who may be another than whose commits they are
}

func (tx *Tx) taking() bool { return tx.take != nil }

// Undo takes back the newest n commits that the transaction's agent has made and not undone: what
// they touched is as it was before, ids included, whatever others have done elsewhere. Simulation
// steps are no commits of anybody's: what they have moved is put where it was before the agent's
// commits. Nothing else may be in the transaction.
//
// It is refused, and changes nothing, if there are not that many, or if it would overwrite what
// somebody else has done since; the text then says who, what and in which call. Taking back an undo
// is [Tx.Redo].
func (tx *Tx) Undo(n int) (Undone, error) { return tx.takeBack(tx.agent, n, false) }

// UndoOf is Undo of what another agent has made, in his place: it is as if he had undone it himself, so that it is no change of anybody's, and he, or
// RedoOf, can redo it. Who may do that is for the caller to know.
func (tx *Tx) UndoOf(agent string, n int) (Undone, error) { return tx.takeBack(agent, n, false) }

// Redo takes back the newest n undos that the transaction's agent has made since his last other
// commit, under the terms of Undo.
func (tx *Tx) Redo(n int) (Undone, error) { return tx.takeBack(tx.agent, n, true) }

// RedoOf is to Redo what UndoOf is to Undo.
func (tx *Tx) RedoOf(agent string, n int) (Undone, error) { return tx.takeBack(agent, n, true) }

func (tx *Tx) takeBack(agent string, n int, redo bool) (done Undone, err error) {
	l := &tx.w.ledger
	switch {
	case tx.take != nil:
		return Undone{}, errTaken
	case tx.changed():
		return Undone{}, errMixed
	}
	by := tx.agent
	tx.agent = agent
	defer func() {
		if err != nil {
			tx.agent = by
		}
	}()
	steps := l.steps(agent, redo)
	if n < 1 || n > len(steps) {
		return Undone{}, tooFew(whose{by, agent}, n, len(steps), redo, l.lost)
	}
	of := make([]uint64, n)
	for i := range of {
		of[i] = steps[len(steps)-1-i].number
	}
	p := l.plan(tx, of)
	if err := p.conflicts(tx, verb(redo)); err != nil {
		return Undone{}, err
	}
	if err := p.apply(tx); err != nil {
		tx.RollbackTo(0)
		return Undone{}, err
	}
	done = p.undone(tx)
	err = tx.follow()
	for _, fn := range tx.w.undoing {
		if err == nil {
			err = fn(tx)
		}
	}
	if err != nil {
		tx.RollbackTo(0)
		return Undone{}, err
	}
	for _, s := range done.Steps {
		for _, skill := range s.Skills {
			tx.by(skill)
		}
	}
	tx.write(opTake)
	tx.take = &taking{of, redo, by}
	return done, nil
}

// whose says in an error whose steps are meant.
type whose struct{ by, agent string }

// theirs is what belongs to them.
func (w whose) theirs() string {
	if w.by == w.agent {
		return "yours"
	}
	return clip(w.agent) + "'s"
}

// they is who can undo them.
func (w whose) they() string {
	if w.by == w.agent {
		return "you"
	}
	return clip(w.agent)
}

// follow has [Derived] state be made what follows from the rest.
func (tx *Tx) follow() error {
	for _, fn := range tx.w.following {
		if err := fn(tx); err != nil {
			return err
		}
	}
	return nil
}

// OnFollow has fn called in the transaction of every undo and redo, and of what makes the world another one ([World.Load], [Tx.Restore],
// [Tx.Adopt]), once all else is as it was: it makes [Derived] state what follows from the rest, and changes nothing where it is that. What an earlier
// program has kept may have less of it.
func (w *World) OnFollow(fn func(tx *Tx) error) {
	needs("OnFollow", fn != nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.following = append(w.following, fn)
}

// OnUndo has fn called in the transaction of every undo and redo, once what was taken back is as it was and what follows from it too.
func (w *World) OnUndo(fn func(tx *Tx) error) {
	needs("OnUndo", fn != nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.undoing = append(w.undoing, fn)
}

func verb(redo bool) string {
	if redo {
		return "redo"
	}
	return "undo"
}

// tooFew says why so many cannot be taken back. lost is the newest tick that the ledger has forgotten, 0 if it has all.
func tooFew(of whose, n, have int, redo bool, lost uint64) error {
	switch {
	case have == 0 && redo && of.by != of.agent:
		return &Error{codeUnknown, fmt.Sprintf("there is nothing of %s to redo: a redo takes back an undo, and only as long as %s has changed nothing else since", of.theirs(), of.they())}
	case have == 0 && redo:
		return &Error{codeUnknown, "there is nothing to redo: a redo takes back an undo, and only as long as you have changed nothing else since"}
	case have == 0:
		why := fmt.Sprintf("there is nothing of %s to undo: only the newest changes are, since the server was started", of.theirs())
		if of.by == of.agent {
			why = "there is nothing of yours to undo: only your own changes are, and the newest of them"
		}
		if lost > 0 {
			why += fmt.Sprintf("; what is not among the newest of all, from revision %d on, is forgotten", lost+1)
		}
		return &Error{codeUnknown, why}
	}
	return invalid("steps: must be 1 to %d, which is how many %s can %s, got %d", have, of.they(), verb(redo), n)
}

// steps returns what an agent can undo or redo, oldest first.
func (l *ledger) steps(agent string, redo bool) []step {
	if agent == "" {
		return nil
	}
	a := &l.authors[l.byName[agent]] // nobody, who has none, if the agent has no commits
	if redo {
		return l.within(a.redo)
	}
	return l.within(a.undo)
}

// taken files a commit that takes others back: they are no steps any more, and it is one of the
// opposite kind.
func (l *ledger) taken(t *taking, by uint32, s step) {
	a := &l.authors[by]
	from, to := &a.undo, &a.redo
	if t.redo {
		from, to = to, from
	}
	known := (*from)[max(0, len(*from)-maxSteps):] // what is older could not be taken back before, nor can it now
	*from = known[:len(known)-len(t.of)]
	*to = append(*to, s)
	oldest := t.of[len(t.of)-1]
	l.takes[s.number] = oldest
	if c := l.aside.commits[oldest]; c != nil {
		l.folded[s.number] = c.fold.and(oldest)
	}
	for _, n := range t.of {
		l.takenBy[n] = s.number
	}
	l.dropTaken(by)
}

// changes reports whether a commit, with what took it back or what it takes back, has changed
// anything among the commits from a number on: an undo and what it has undone have not, if both are
// among them.
func (l *ledger) changes(number, from uint64) bool {
	odd, by := true, number
	for n, ok := l.takes[by]; ok && n >= from && n >= l.past.start; n, ok = l.takes[by] {
		odd, by = !odd, n
	}
	switch f, ok := l.folded[by]; {
	case !ok || f.newest < from:
	case f.oldest < from:
		return true // some of them are: it is not known how many
	case f.many%2 == 1:
		odd = !odd
	}
	for n, ok := l.takenBy[number]; ok; n, ok = l.takenBy[n] {
		odd = !odd
	}
	return odd
}

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

// inversesOf returns where the inverses of a commit begin and end.
func (l *ledger) inversesOf(number uint64) (first, end uint64) {
	if end = l.inverses.end; number+1 < l.past.end {
		end = l.past.at(number + 1).first
	}
	return l.past.at(number).first, end
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
		if a.state != b.state {
			return int(a.state) - int(b.state)
		}
		if a.id < b.id {
			return -1
		}
		return 1
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

// step describes a commit; what an undo is about is what it has undone.
func (l *ledger) step(number uint64) Step {
	p := l.commit(number)
	s := Step{Revision: p.tick, Intent: p.intent, Touched: int(l.touched(number))}
	for n, ok := l.takes[number]; ok && n >= l.past.start; n, ok = l.takes[n] {
		p = l.past.at(n)
	}
	s.Skill, s.Skills = l.labels[p.label], l.skills(number)
	return s
}

// skills returns those that have changed something in a commit that is in the ledger or aside.
func (l *ledger) skills(number uint64) []string {
	if number < l.past.start {
		return l.aside.commits[number].skills
	}
	p, end := l.past.at(number), l.helpers.end
	if number+1 < l.past.end {
		end = l.past.at(number + 1).helper
	}
	names := []string{l.labels[p.label]}
	for n := p.helper; n < end; n++ {
		names = append(names, l.labels[*l.helpers.at(n)])
	}
	return names
}

// History returns what an agent can undo and redo, newest first.
func (v *View) History(agent string) (undo, redo []Step) {
	l := &v.w.ledger
	for _, s := range slices.Backward(l.steps(agent, false)) {
		undo = append(undo, l.step(s.number))
	}
	for _, s := range slices.Backward(l.steps(agent, true)) {
		redo = append(redo, l.step(s.number))
	}
	return undo, redo
}
