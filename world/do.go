package world

import (
	"context"
	"errors"
	"reflect"
	"slices"
)

// Caller is a running call, on which a transaction can be open. *registry.Call is one.
type Caller interface {
	Context() context.Context
	Transaction() any // the open one, or nil
	Begin(tx any)     // makes tx the open one; whoever runs the call ends it

	// Author returns the agent whose call it is and the skill that is called: the commit is a step
	// that he may undo. Nobody, "", is engine code.
	Author() (agent, skill string)
	// Holder returns the token that the agent's name is one of many of, "fleet-*"; "" is none.
	Holder() string
	// Seen returns the revision that the caller has seen, if he wants to change only what nobody else
	// has changed since.
	Seen() (revision uint64, ok bool)
}

// errForeign is what Do and Read answer when the call has a transaction that is not of this world.
var errForeign = errors.New("world: another transaction is open on this call")

// Do runs fn with the transaction of the call: the one that is open on it, or else one that Do
// begins there, which locks the world until whoever runs the call ends it, by Commit or Rollback. If
// fn fails or panics, everything it did is undone, and nothing of what the call did before. So it is
// if fn changed something in a region that somebody else has claimed, or that somebody else has
// changed since the revision that the caller has seen. Do does not look at the call's context: fn
// does if it takes long.
func Do[Out any](w *World, c Caller, fn func(*Tx) (Out, error)) (Out, error) {
	d, err := w.do(c)
	if err != nil {
		var none Out
		return none, err
	}
	defer d.end()
	out, err := fn(d.tx)
	return out, d.done(c, err)
}

// doing is one Do, without what depends on its Out: there are a hundred kinds of those.
type doing struct {
	tx     *Tx
	mark   int
	joined bool // another one has begun the transaction
	good   bool // it did not fail
}

func (w *World) do(c Caller) (doing, error) {
	tx, err := w.join(c)
	if err != nil {
		return doing{}, err
	}
	joined := tx != nil
	if !joined {
		if tx, err = w.beginOn(c); err != nil {
			return doing{}, err
		}
	}
	if tx.take != nil {
		return doing{}, errTaken
	}
	d := doing{tx: tx, mark: tx.Savepoint(), joined: joined}
	tx.enter()
	if holder := c.Holder(); holder != "" || w.holders.Len(&tx.View) > 0 {
		agent, _ := c.Author()
		if err := tx.noteHolder(agent, holder); err != nil {
			d.end()
			return doing{}, err
		}
	}
	return d, nil
}

// done says how fn ended, and returns how Do does.
func (d *doing) done(c Caller, err error) error {
	if err == nil && d.tx.take == nil {
		for _, fn := range d.tx.w.dones {
			if err = fn(d.tx); err != nil {
				break
			}
		}
	}
	if err == nil {
		err = d.tx.vet(c, d.mark)
	}
	d.good = err == nil
	if d.joined && d.good && len(d.tx.journal) > d.mark {
		_, skill := c.Author()
		d.tx.by(skill)
	}
	return err
}

// by notes that a skill has changed something, which need not be the one whose call has begun the transaction.
func (tx *Tx) by(skill string) {
	if skill != tx.skill && !slices.Contains(tx.skills, skill) {
		tx.skills = append(tx.skills, skill)
	}
}

// OnDone has fn called at the end of every [Do] that has not failed, before it is held to claims: for what has to follow in the same step, also that of an undo,
// from what a call has changed, whichever skill it was. It is on the way of every call, so it looks first whether there is anything to do ([View.Follow]). If it
// fails the Do does. What undo and redo change is for [World.OnFollow].
func (w *World) OnDone(fn func(tx *Tx) error) {
	needs("OnDone", fn != nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dones = append(w.dones, fn)
}

func (d *doing) end() {
	d.tx.leave()
	if !d.good {
		d.tx.RollbackTo(d.mark)
	}
}

// Read runs fn with a view: that of the transaction open on the call, or else of a world that is
// locked for reading while fn runs, beside other readers. fn must not call Read, Do, Update or View
// itself, nor another skill: a writer that waits in between would stop both for ever. So they refuse, in the same goroutine.
func Read[Out any](w *World, c Caller, fn func(*View) (Out, error)) (Out, error) {
	tx, err := w.join(c)
	if err != nil {
		var none Out
		return none, err
	}
	if tx != nil {
		return fn(&tx.View)
	}
	if err := w.mu.share(); err != nil {
		var none Out
		return none, err
	}
	defer w.mu.RUnlock()
	return fn(w.reading())
}

// beginOn opens the Tx on a call. Where the call panics, because it is over, nothing stays locked.
func (w *World) beginOn(c Caller) (*Tx, error) {
	agent, skill := c.Author()
	tx, err := w.begin()
	if err != nil {
		return nil, err
	}
	begun := false
	defer func() {
		if !begun {
			tx.end()
		}
	}()
	tx.agent, tx.skill = agent, skill
	c.Begin(tx)
	begun = true
	return tx, nil
}

// join returns the transaction that is open on the call, nil if there is none.
func (w *World) join(c Caller) (*Tx, error) {
	open := c.Transaction()
	if open == nil {
		return nil, nil
	}
	tx, ok := open.(*Tx)
	if !ok || tx.w != w || !tx.open {
		return nil, errForeign
	}
	return tx, nil
}

// Update runs fn in a transaction of its own and commits it: for engine code. If fn fails or panics,
// or ctx has ended before or after it, nothing that it did remains. A transaction that changed
// nothing makes no commit; its Tick is then 0.
func (w *World) Update(ctx context.Context, fn func(*Tx) error) (Commit, error) {
	tx, err := w.begin()
	if err != nil {
		return Commit{}, err
	}
	defer tx.rollback() // of nothing, after a commit
	if err := ctx.Err(); err != nil {
		return Commit{}, err
	}
	if err := tx.hand(fn); err != nil {
		return Commit{}, err
	}
	if err := ctx.Err(); err != nil {
		return Commit{}, err
	}
	return tx.publish(), nil
}

// hand runs fn with the Tx. An error that is a nil pointer, as `return res.Err` makes of a *registry.Error that is nil, is none: otherwise what
// succeeded would be undone, and nothing would say why.
func (tx *Tx) hand(fn func(*Tx) error) error {
	tx.enter()
	defer tx.leave()
	err := fn(tx)
	if v := reflect.ValueOf(err); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	return err
}

// publish commits and returns a copy of the commit that may be kept.
func (tx *Tx) publish() Commit {
	defer tx.forget()
	if c := tx.finish(0, true); c != nil {
		return c.clone()
	}
	return Commit{}
}

// View runs fn with a view of the world, beside other readers; see [Read] for what fn must not do.
func (w *World) View(fn func(*View)) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	fn(w.reading())
}

// reading returns the view of those who read now. The lock is held for reading, so that no rest begins.
func (w *World) reading() *View {
	if !w.rest.on.Load() {
		return &w.view
	}
	return &View{w: w, still: true}
}
