package director

import (
	"github.com/limina-mcp/limina/skills/internal/lapse"
	"github.com/limina-mcp/limina/world"
)

// step has pressure become tension, and the phases begin whose step this is.
func (d *Director) step(tx *world.Tx) error {
	c := d.course.Get(&tx.View)
	pressure := 0.0
	for _, p := range d.felt.Take(tx, nil) {
		pressure += p
	}
	if !c.runs() {
		return nil
	}
	before, now := c, tx.Step()
	if away := c.Seen.Count(now); away > 0 { // an undo has brought it back: it goes on where it was
		c.At = min(c.At+away, now-1)
	}
	if cfg := d.config.Get(&tx.View); cfg != c.Config {
		c.adopt(d.w, now-1, &cfg)
	}
	if c.Config.PressureDamping < 1 {
		c.Pressure = min(1, c.Pressure+pressure)
	} else {
		c.Pressure = 0
	}
	c.press(d.w, now)
	for c.left(d.w, now) == 0 { // two at most: tension takes a step at least to rise, and to fall
		c.next(now)
		if err := d.tell(tx, &c); err != nil {
			return err
		}
	}
	if c == before {
		return nil
	}
	c.Seen = lapse.Now(now)
	return d.course.Set(tx, c)
}

// begun is what is told of a phase that begins.
type begun struct {
	Phase   string  `json:"phase"`
	Tension float64 `json:"tension"`
}

// tell announces the phase that has begun. That of who is banned goes on for nothing, as his timers do.
func (d *Director) tell(tx *world.Tx, c *course) error {
	if d.deps.Does.Rests(&tx.View, c.By) {
		return nil
	}
	return d.deps.Does.Tell(tx, "director", "phase", c.Phase, 0, c.By, begun{c.Phase, c.Tension})
}
