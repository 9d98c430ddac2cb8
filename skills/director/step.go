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
	if err := d.awake(tx, &c); err != nil {
		return err
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
	return d.course.Set(tx, c)
}

// awake has it go on where it was, if an undo has brought it back.
func (d *Director) awake(tx *world.Tx, c *course) error {
	away, err := d.lapse.Count(tx)
	if err != nil || away == 0 || lapse.Fresh(tx, c.Began) {
		return err
	}
	c.At = min(c.At+away, tx.Step()-1)
	return nil
}

// begun is what is told of a phase that begins.
type begun struct {
	Phase   string  `json:"phase"`
	Tension float64 `json:"tension"`
}

// tell announces the phase that has begun.
func (d *Director) tell(tx *world.Tx, c *course) error {
	return d.deps.Does.Tell(tx, "director", "phase", c.Phase, 0, c.By, begun{c.Phase, c.Tension})
}
