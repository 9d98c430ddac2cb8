package world

import (
	"context"
	"errors"
	"math"
	"time"
)

// Run takes simulation steps until ctx ends, and returns why it ended: Config.StepRate in a second of
// the world's time, of which Environment.TimeScale pass in a second. Steps that come late are caught
// up with, a quarter of a second of them at most; what is behind by more is left out and counted by
// [World.Missed]. There are a million steps in a second at most. Only one Run may be going on: another one fails at once.
//
// Time stands still while the TimeScale is 0, and while nobody attends and nothing is Busy; see
// Config.Attended and [World.OnStep]. It then goes on from there: nothing is caught up with.
//
// While all that steps do is [Idle], Run sleeps; time passes nevertheless, and the steps count.
func (w *World) Run(ctx context.Context) error {
	if w.running.Swap(true) {
		return errRunning
	}
	defer w.running.Store(false)
	defer context.AfterFunc(ctx, w.config.Alarm.Ring)()
	for ctx.Err() == nil {
		if !w.going() {
			w.sleep(ctx)
			continue
		}
		w.walk(ctx)
	}
	return ctx.Err()
}

var errRunning = errors.New("world: Run is going on already: a second one would take every step twice")

// walk takes steps for as long as time goes on as it does now.
func (w *World) walk(ctx context.Context) {
	scale := w.timeScale()
	pace := newPace(time.Now(), w.config.StepRate, scale)
	for ctx.Err() == nil {
		w.await(ctx, max(0, time.Until(pace.due())))
		for now := time.Now(); ctx.Err() == nil && !pace.due().After(now); now = time.Now() {
			w.missed.Add(pace.skip(now))
			w.step(ctx, func(tx *Tx) {
				w.hold()
				tx.finish(0, false)
			})
			pace.taken()
			w.release(pace.due().After(time.Now()))
			if w.timeScale() != scale {
				return
			}
		}
		if w.timeScale() != scale || !w.going() {
			return
		}
		pace = w.restFrom(ctx, pace)
		if w.timeScale() != scale || !w.going() {
			return
		}
	}
}

// going reports whether time goes on.
func (w *World) going() bool {
	if w.timeScale() <= 0 {
		return false
	}
	return w.config.Attended == nil || w.config.Attended() || w.busy()
}

// busy reports whether something cannot wait.
func (w *World) busy() bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.activity() == Busy
}

// sleep waits until something happens after which time may go on.
func (w *World) sleep(ctx context.Context) {
	w.still.Store(true)
	defer w.still.Store(false)
	if w.going() { // it happened in between
		return
	}
	w.await(ctx, -1)
}

// await waits for a time, or for ever if d is below 0, unless somebody rings or ctx ends. It may return earlier.
func (w *World) await(ctx context.Context, d time.Duration) {
	if ctx.Err() == nil {
		w.config.Alarm.Wait(d)
	}
}

// Wake has [World.Run] look again whether somebody attends and whether there is something to do. It
// never blocks.
func (w *World) Wake() { w.config.Alarm.Ring() }

// Standing reports whether Run is going on and waits for somebody to come, something to do, or a
// TimeScale above 0.
func (w *World) Standing() bool { return w.still.Load() }

// keepTime tells Run of commits that may matter to it.
func (w *World) keepTime(*View, []Change) {
	bits := math.Float64bits(w.Environment.TimeScale.Get(&w.view))
	if w.scale.Load() != bits {
		w.scale.Store(bits)
		w.rest.left = 0 // a rest is over: its pace was another one
		w.Wake()
		return
	}
	if w.still.Load() {
		w.Wake()
	}
}

func (w *World) timeScale() float64 { return math.Float64frombits(w.scale.Load()) }

// pace says when steps are due. It counts seconds of the world's time apart from the steps in them,
// so that rounding never adds up.
type pace struct {
	second time.Time     // the start of the second
	long   time.Duration // how long it lasts
	n      int           // steps taken in it
	rate   int
}

func newPace(now time.Time, rate int, scale float64) pace {
	const longest = 1e17 // three years: slower is not to be told from standing still
	shortest := float64(rate) * float64(time.Microsecond)
	return pace{second: now, long: time.Duration(min(max(float64(time.Second)/scale, shortest), longest)), rate: rate}
}

// due returns when the next step is.
func (p *pace) due() time.Time {
	n, rate := int64(p.n+1), int64(p.rate)
	whole, rest := int64(p.long)/rate, int64(p.long)%rate // apart, so that nothing overflows
	return p.second.Add(time.Duration(n*whole + n*rest/rate))
}

// passed takes all steps that are due and returns their number.
func (p *pace) passed(now time.Time) (n uint64) {
	if seconds := int64(now.Sub(p.second) / p.long); seconds > 0 {
		n = uint64(seconds)*uint64(p.rate) - uint64(p.n)
		p.second, p.n = p.second.Add(time.Duration(seconds)*p.long), 0
	}
	for ; !p.due().After(now); n++ {
		p.taken()
	}
	return n
}

func (p *pace) taken() {
	if p.n++; p.n == p.rate {
		p.second, p.n = p.second.Add(p.long), 0
	}
}

// skip leaves out the steps that are more than a quarter of a second late and returns their number.
func (p *pace) skip(now time.Time) (n uint64) { return p.passed(now.Add(-time.Second/4 - 1)) }
