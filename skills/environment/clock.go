package environment

import (
	"github.com/limina-mcp/limina/world"
)

// Clock moves the time of day of a world. All it knows is in the world, so it is hashed, rolled back
// and replayed with the rest. A world has one Clock.
type Clock struct {
	w  *world.World
	to *world.Global[transition]
}

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
	w.OnStep("time.transition", c.step, world.BusyWhile(func(v *world.View) bool { return c.to.Get(v).Steps > 0 }))
	return c
}

// set has the time be hour after so many milliseconds of simulation, at once if they are 0.
func (c *Clock) set(tx *world.Tx, hour, ms float64) error {
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

// step takes a transition on by one simulation step.
func (c *Clock) step(tx *world.Tx) error {
	t := c.to.Get(&tx.View)
	if t.Steps == 0 {
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
