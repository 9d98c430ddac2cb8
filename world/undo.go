package world

import (
	"fmt"
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
