package world

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
)

type stepper struct {
	name     string
	fn       func(*Tx) error
	activity func(*View) Activity
}

// OnStep has fn called in every simulation step, after those given before it. If fn fails or panics,
// what it did in that step is undone and Config.StepFailed is told; the others go on. fn belongs to
// the simulation: it reads no clock and draws from [Tx.Rand] only.
//
// activity says what fn has to do; without it that is always [Waiting]. Steps for which nothing has
// anything to do are counted and not taken, and while nobody attends (Config.Attended) steps are taken
// only if something is [Busy]. It is asked under the world's lock, at the end of transactions and steps;
// if it goes by anything but the world, [World.Wake] has to be told of changes. It must not call the world.
func (w *World) OnStep(name string, fn func(*Tx) error, activity ...func(*View) Activity) {
	needs("OnStep "+name, fn != nil && !slices.ContainsFunc(activity, func(fn func(*View) Activity) bool { return fn == nil }))
	ask := func(v *View) (most Activity) {
		for _, fn := range activity {
			most = max(most, fn(v))
		}
		return most
	}
	if len(activity) == 0 {
		ask = func(*View) Activity { return Waiting }
	}
	defer w.Wake()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stepping = append(w.stepping, stepper{name, fn, ask})
}

// OnGate has fn asked before every step whether the step can be taken. It answers nil if so, or else a
// channel: the step then waits until that is closed, and asks again. The world is locked while fn
// runs, and open to others while a step waits. fn must not call the world.
//
// Before steps are left out that have nothing to do, fn is asked once, and again at the end of
// transactions; if it goes by anything but the world, [World.Wake] has to be told when it shuts.
func (w *World) OnGate(fn func() (wait <-chan struct{})) {
	needs("OnGate", fn != nil)
	defer w.Wake()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gates = append(w.gates, fn)
}

// Step takes one simulation step: all OnStep functions, in one transaction. It returns what that
// committed, and false if it changed nothing, which is no commit; the step counts nevertheless. If
// ctx has ended it does nothing.
func (w *World) Step(ctx context.Context) (Commit, bool) {
	var done Commit
	w.step(ctx, func(tx *Tx) { done = tx.publish() })
	return done, done.Tick != 0
}

// Stepping reports whether the view is that of a simulation step.
func (v *View) Stepping() bool { return v.w.tx.stepping }

// step takes a step and has commit end it.
func (w *World) step(ctx context.Context, commit func(*Tx)) {
	tx := w.beginStep(ctx)
	if tx == nil {
		return
	}
	defer tx.end()
	tx.stepping = true
	w.steps.Add(1)
	for _, s := range w.stepping {
		tx.run(s)
	}
	commit(tx)
}

// beginStep opens the transaction of a step, once it can be taken. It returns nil if ctx ends before.
func (w *World) beginStep(ctx context.Context) *Tx {
	for {
		tx, wait := w.tryStep(ctx)
		if tx != nil || ctx.Err() != nil {
			return tx
		}
		select {
		case <-wait:
		case <-ctx.Done():
		}
	}
}

// tryStep opens the transaction of a step, or returns what it has to wait for. It opens none if ctx has ended.
func (w *World) tryStep(ctx context.Context) (tx *Tx, wait <-chan struct{}) {
	begun := w.mustBegin()
	defer func() {
		if tx == nil { // also if a gate panics
			begun.end()
		}
	}()
	if wait = w.gated(); wait == nil && ctx.Err() == nil {
		tx = begun
	}
	return tx, wait
}

// gated returns what a step has to wait for, nil if for nothing.
func (w *World) gated() <-chan struct{} {
	for _, fn := range w.gates {
		if wait := fn(); wait != nil {
			return wait
		}
	}
	return nil
}

// run runs one OnStep function, all or nothing.
func (tx *Tx) run(s stepper) {
	mark := tx.Savepoint()
	if err := tx.attempt(s.fn); err != nil {
		tx.RollbackTo(mark)
		tx.w.config.StepFailed(s.name, err)
	}
}

func (tx *Tx) attempt(fn func(*Tx) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return tx.hand(fn)
}
