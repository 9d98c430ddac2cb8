package world

import (
	"context"
	"fmt"
	"runtime/debug"
)

type stepper struct {
	name string
	fn   func(*Tx) error
}

// OnStep has fn called in every simulation step, after those given before it. If fn fails or panics,
// what it did in that step is undone and Config.StepFailed is told; the others go on. fn belongs to
// the simulation: it reads no clock and draws from [Tx.Rand] only.
func (w *World) OnStep(name string, fn func(*Tx) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stepping = append(w.stepping, stepper{name, fn})
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
	tx := w.begin()
	defer tx.end()
	if ctx.Err() != nil {
		return
	}
	w.steps.Add(1)
	for _, s := range w.stepping {
		tx.run(s)
	}
	commit(tx)
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
