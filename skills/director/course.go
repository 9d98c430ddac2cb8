package director

import (
	"math"

	"github.com/limina-mcp/limina/skills/internal/lapse"
	"github.com/limina-mcp/limina/world"
)

// The phases, in their order.
const (
	buildUp = "build_up"
	sustain = "sustain"
	fade    = "fade"
	rest    = "rest"
)

// course is how far it is. The zero course is none.
type course struct {
	Phase    string     `json:"phase,omitempty"`
	Tension  float64    `json:"tension,omitempty"`  // as it was at the step At
	At       uint64     `json:"at,omitempty"`       // in sustain and rest: when that began
	Pressure float64    `json:"pressure,omitempty"` // that has not become tension yet
	Config   Config     `json:"config,omitzero"`    // by which it goes since At
	Seen     lapse.Seen `json:"seen,omitempty"`     // when it was last seen to run
	By       string     `json:"by,omitempty"`       // whose that was
}

// runs reports whether there is one.
func (c *course) runs() bool { return c.Phase != "" }

// begins returns a course that begins at a step.
func begins(cfg *Config, now uint64, by string) course {
	return course{Phase: buildUp, Tension: cfg.RestLevel, At: now, Config: *cfg, Seen: lapse.Now(now), By: by}
}

// tension is what it is at a step.
func (c *course) tension(w *world.World, now uint64) float64 { return c.raised(w, now, 0) }

// raised is what it is at a step, were it to rise by some more than it does then, if it moves.
func (c *course) raised(w *world.World, now uint64, by float64) float64 {
	seconds := w.Seconds(now - c.At)
	switch c.Phase {
	case buildUp:
		return min(c.Config.PeakLevel, c.Tension+float64(c.Config.BuildRate*seconds)+by)
	case fade:
		return min(c.Config.PeakLevel, max(c.Config.RestLevel, c.Tension-float64(c.Config.FadeRate*seconds)+by))
	case sustain:
		return c.Config.PeakLevel
	}
	return c.Config.RestLevel
}

// left is how many steps the phase has left at a step, if there is no pressure.
func (c *course) left(w *world.World, now uint64) uint64 {
	var all uint64
	switch c.Phase {
	case buildUp:
		all = w.StepsIn((c.Config.PeakLevel - c.Tension) / c.Config.BuildRate)
	case fade:
		all = w.StepsIn((c.Tension - c.Config.RestLevel) / c.Config.FadeRate)
	case sustain:
		all = c.Config.SustainTicks
	case rest:
		all = c.Config.RestTicks
	}
	return all - min(all, now-c.At)
}

// adopt has it go by another config from a step on, from what is nearest to the tension that there is.
func (c *course) adopt(w *world.World, now uint64, cfg *Config) {
	if c.moves() {
		c.Tension, c.At = min(cfg.PeakLevel, max(cfg.RestLevel, c.tension(w, now))), now
	}
	c.Config = *cfg
}

// moves reports whether tension does.
func (c *course) moves() bool { return c.Phase == buildUp || c.Phase == fade }

// press has pressure pass, as much of it as does in a step.
func (c *course) press(w *world.World, now uint64) {
	if c.Pressure == 0 {
		return
	}
	passes := c.Pressure
	if c.Pressure > least {
		passes = float64(c.Pressure * (1 - c.Config.PressureDamping))
	}
	c.Pressure -= passes
	if !c.moves() {
		return
	}
	c.Tension, c.At = c.raised(w, now, passes), now
	if end := c.end(); math.Abs(c.Tension-end) < hair {
		c.Tension = end
	}
}

// hair is a difference in tension that is none: sums are not exact.
const hair = 1e-9

// end is the tension at which a phase ends in which it moves.
func (c *course) end() float64 {
	if c.Phase == buildUp {
		return c.Config.PeakLevel
	}
	return c.Config.RestLevel
}

// next has the phase begin that follows, in a step.
func (c *course) next(now uint64) {
	c.At = now
	switch c.Phase {
	case buildUp:
		c.Phase, c.Tension = sustain, c.Config.PeakLevel
	case sustain:
		c.Phase, c.Tension = fade, c.Config.PeakLevel
	case fade:
		c.Phase, c.Tension = rest, c.Config.RestLevel
	case rest:
		c.Phase, c.Tension = buildUp, c.Config.RestLevel
	}
}
