package world

import (
	"context"
	"time"
)

// Run takes simulation steps at Config.StepRate until ctx ends, and returns why it ended. Steps that
// come late are caught up with, a quarter of a second of them at most; what is behind by more is left
// out and counted by [World.Missed]. Only one Run may be going on.
func (w *World) Run(ctx context.Context) error {
	pace := newPace(time.Now(), w.config.StepRate)
	timer := time.NewTimer(time.Until(pace.due()))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
		}
		for now := time.Now(); ctx.Err() == nil && !pace.due().After(now); now = time.Now() {
			w.missed.Add(pace.skip(now))
			w.step(ctx, func(tx *Tx) { tx.finish(0, false) })
			pace.taken()
		}
		timer.Reset(time.Until(pace.due()))
	}
}

// pace says when steps are due. It counts whole seconds apart from the steps in them, so that
// rounding never adds up.
type pace struct {
	second time.Time // the start of the second
	n      int       // steps taken in it
	rate   int
}

func newPace(now time.Time, rate int) pace { return pace{second: now, rate: rate} }

// due returns when the next step is.
func (p *pace) due() time.Time {
	return p.second.Add(time.Duration(p.n+1) * time.Second / time.Duration(p.rate))
}

func (p *pace) taken() {
	if p.n++; p.n == p.rate {
		p.second, p.n = p.second.Add(time.Second), 0
	}
}

// skip leaves out the steps that are more than a quarter of a second late and returns their number.
func (p *pace) skip(now time.Time) (n uint64) {
	for oldest := now.Add(-time.Second / 4); p.due().Before(oldest); n++ {
		p.taken()
	}
	return n
}
