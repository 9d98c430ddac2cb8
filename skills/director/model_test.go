package director_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// counter is a director that counts: each step it adds what a step adds.
type counter struct {
	phase                         string
	tension, pressure             float64
	build, fade, peak, low, damps float64
	sustain, rest, in             int
}

// step takes a step, in which somebody has felt something before.
func (c *counter) step(felt float64) {
	c.pressure = min(1, c.pressure+felt)
	passes := c.pressure
	if c.pressure > 0.001 {
		passes *= 1 - c.damps
	}
	c.pressure -= passes
	c.in++
	switch c.phase {
	case "build_up":
		c.tension += c.build/60 + passes
	case "fade":
		c.tension = min(c.peak, max(c.low, c.tension-c.fade/60+passes))
	}
	for c.over() {
		if c.phase, c.in = then[c.phase], 0; c.phase == "sustain" {
			c.tension = c.peak
		} else if c.phase == "rest" {
			c.tension = c.low
		}
	}
}

var then = map[string]string{"build_up": "sustain", "sustain": "fade", "fade": "rest", "rest": "build_up"}

func (c *counter) over() bool {
	const hair = 1e-6 / 60 // of a second: sums are not exact
	switch c.phase {
	case "build_up":
		return c.tension >= c.peak-c.build*hair
	case "fade":
		return c.tension <= c.low+c.fade*hair
	case "sustain":
		return c.in >= c.sustain
	}
	return c.in >= c.rest
}

// TestAgainstCounting runs with random settings, hurts, kills and configures at random, goes back to a checkpoint now and then, and compares each step with one
// that counts.
func TestAgainstCounting(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRoom(t)
		r.hero()
		var c counter
		configure := func() {
			rates := rapid.SampledFrom([]float64{0.07, 0.3, 0.6, 1})
			c.build, c.fade = rates.Draw(rt, "build"), rates.Draw(rt, "fade")
			c.peak, c.low = rapid.SampledFrom([]float64{0.35, 0.5, 1}).Draw(rt, "peak"), rapid.SampledFrom([]float64{0, 0.1, 0.3}).Draw(rt, "rest")
			c.damps = rapid.SampledFrom([]float64{0, 0.5, 0.9, 0.99}).Draw(rt, "damping")
			c.sustain, c.rest = rapid.IntRange(0, 20).Draw(rt, "sustain"), rapid.IntRange(0, 20).Draw(rt, "rest")
			r.Do("director.configure", `{"buildRate":%v,"fadeRate":%v,"peakLevel":%v,"restLevel":%v,"pressureDamping":%v,"sustainTicks":%d,"restTicks":%d}`,
				c.build, c.fade, c.peak, c.low, c.damps, c.sustain, c.rest)
		}
		configure()
		r.Do("director.start", `{}`)
		c.phase, c.tension = "build_up", c.low
		var kept *counter
		for turn := range rapid.IntRange(1, 12).Draw(rt, "turns") {
			felt := 0.0
			switch rapid.SampledFrom([]string{"nothing", "nothing", "hurt", "hurt", "kill", "configure", "keep", "load"}).Draw(rt, "turn") {
			case "hurt":
				amount := rapid.IntRange(1, 999).Draw(rt, "amount")
				felt = 0.5 * float64(amount) / 1000
				r.Do("damage.apply", `{"targetEntity":"ent_0","amount":%d}`, amount)
				r.Do("damage.heal", `{"targetEntity":"ent_0","amount":%d}`, amount)
			case "kill":
				felt = 0.05
				r.Do("damage.apply", `{"targetEntity":"ent_1","amount":5,"attackerEntity":"ent_0"}`)
				r.Do("damage.heal", `{"targetEntity":"ent_1","amount":5}`)
			case "configure":
				configure()
				switch c.phase {
				case "sustain":
					c.tension = c.peak
				case "rest":
					c.tension = c.low
				default:
					c.tension = min(c.peak, max(c.low, c.tension))
				}
			case "keep":
				now := c
				if kept != nil {
					r.Do("checkpoint.delete", `{"name":"k"}`)
				}
				kept = &now
				r.Do("checkpoint.create", `{"name":"k"}`)
			case "load":
				if kept != nil {
					c = *kept
					r.Do("checkpoint.load", `{"name":"k"}`)
				}
			}
			for i := range rapid.IntRange(1, 40).Draw(rt, "steps") {
				r.Steps(1)
				c.step(felt)
				felt = 0
				if now := r.status(); now.Phase != c.phase || !near(*now.Tension, c.tension) {
					rt.Fatalf("step %d of turn %d: %s at %v, want %s", i, turn, now.Phase, *now.Tension, fmt.Sprintf("%+v", c))
				}
			}
		}
	})
}
