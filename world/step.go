package world

import (
	"context"
	"fmt"
	"runtime/debug"
)

type stepper struct {
	name string
	fn   func(*Tx) error
	busy []func(*View) bool
}

// OnStep has fn called in every simulation step, after those given before it. If fn fails or panics,
// what it did in that step is undone and Config.StepFailed is told; the others go on. fn belongs to
// the simulation: it reads no clock and draws from [Tx.Rand] only.
//
// busy says whether there is something that cannot wait until somebody is there to see it: a walk, a
// timer, a body that falls. It is asked only while nobody is; see Config.Attended. Without it nothing
// of this kind ever has to be done.
func (w *World) OnStep(name string, fn func(*Tx) error, busy ...func(*View) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stepping = append(w.stepping, stepper{name, fn, busy})
}

// OnGate has fn asked before every step whether the step can be taken. It answers nil if so, or else a
// channel: the step then waits until that is closed, and asks again. The world is locked while fn
// runs, and open to others while a step waits. fn must not call the world.
func (w *World) OnGate(fn func() (wait <-chan struct{})) {
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
		tx := w.begin()
		wait := w.gated()
		if wait == nil && ctx.Err() == nil {
			return tx
		}
		tx.end()
		if ctx.Err() != nil {
			return nil
		}
		select {
		case <-wait:
		case <-ctx.Done():
		}
	}
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
	return fn(tx)
}
