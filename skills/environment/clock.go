package environment

import (
	"math"

	"github.com/limina-mcp/limina/world"
)

// Clock moves the time of day of a world. All it knows is in the world, so it is hashed, rolled back
// and replayed with the rest. A world has one Clock.
type Clock struct {
	w    *world.World
	to   *world.Global[transition]
	flow *world.Global[flow]
}

// flow is time that goes on. The zero flow is none.
type flow struct {
	From  float64 `json:"from"`  // hour at the start
	Start uint64  `json:"start"` // simulation step at the start
	Rate  float64 `json:"rate"`  // hours of the day in a minute of simulation
}

// How often time that goes on is shown, in simulation steps: when it has gone on by a minute of the day, but no more and no less often.
const (
	soonest = 6
	latest  = 600
)

// transition is a change of the time that takes a while. The zero transition is none.
type transition struct {
	From  float64 `json:"from"`  // hour at the start
	Delta float64 `json:"delta"` // hours to go from there, the shorter way around the clock
	To    float64 `json:"to"`    // hour at the end
	Start uint64  `json:"start"` // simulation step at the start
	Steps uint64  `json:"steps"` // how many it takes
}

// New adds a clock to a world.
func New(w *world.World) *Clock {
	c := &Clock{w: w, to: world.NewGlobal(w, "time.transition", transition{}, world.Private)}
	c.to.Resume(func(t transition, past uint64) transition {
		if t.Steps > 0 {
			t.Start += past
		}
		return t
	})
	c.flow = world.NewGlobal(w, "time.flow", flow{}, world.Private)
	c.flow.Resume(func(f flow, past uint64) flow {
		if f.Rate > 0 {
			f.Start += past
		}
		return f
	})
	w.OnStep("time.transition", c.step, world.BusyWhile(func(v *world.View) bool { return c.to.Get(v).Steps > 0 }), func(v *world.View) world.Activity {
		if c.flow.Get(v).Rate > 0 {
			return world.Waiting
		}
		return world.Idle
	})
	return c
}

// set has the time be hour after so many milliseconds of simulation, at once if they are 0, and go on from there by rate hours a minute.
func (c *Clock) set(tx *world.Tx, hour, ms, rate float64) error {
	from := c.w.Environment.Time.Get(&tx.View).Hour
	t := transition{
		From: from, Delta: shorter(hour - from), To: hour,
		Start: tx.Step(), Steps: c.w.StepsIn(ms / 1000),
	}
	if t.Steps == 0 {
		t = transition{}
		if err := c.show(tx, hour); err != nil {
			return err
		}
	}
	f := flow{}
	if rate > 0 {
		f = flow{From: hour, Start: tx.Step() + t.Steps, Rate: rate}
	}
	if err := set(tx, c.flow, f); err != nil {
		return err
	}
	return set(tx, c.to, t)
}

// shorter returns the difference of two hours by the shorter way around the clock.
func shorter(delta float64) float64 {
	switch {
	case delta > 12:
		return delta - 24
	case delta <= -12:
		return delta + 24
	}
	return delta
}

func (c *Clock) show(tx *world.Tx, hour float64) error {
	return set(tx, c.w.Environment.Time, world.Time{Hour: hour})
}

// step takes a transition on by one simulation step, or time that goes on, if it is time to show it.
func (c *Clock) step(tx *world.Tx) error {
	t := c.to.Get(&tx.View)
	if t.Steps == 0 {
		if hour, due := c.flow.Get(&tx.View).at(tx.Step(), c.w.StepsIn(60)); due {
			return c.show(tx, hour)
		}
		return nil
	}
	if err := c.show(tx, t.at(tx.Step())); err != nil {
		return err
	}
	if tx.Step()-t.Start >= t.Steps {
		return c.to.Set(tx, transition{})
	}
	return nil
}

// at returns the hour at a step, and whether it is to be shown. A minute of simulation has so many steps.
func (f flow) at(step, minute uint64) (hour float64, due bool) {
	if f.Rate <= 0 || step <= f.Start {
		return 0, false
	}
	perStep := f.Rate / float64(minute)
	every := uint64(min(max(math.Ceil(1/60.0/perStep-1e-6), soonest), latest))
	n := step - f.Start
	if n%every != 0 {
		return 0, false
	}
	return math.Mod(f.From+float64(perStep*float64(n)), 24), true
}

// at returns the hour at a step.
func (t transition) at(step uint64) float64 {
	n := step - t.Start
	if n >= t.Steps {
		return t.To
	}
	hour := t.From + float64(t.Delta*(float64(n)/float64(t.Steps)))
	switch {
	case hour < 0:
		return hour + 24
	case hour > 24:
		return hour - 24
	}
	return hour
}
