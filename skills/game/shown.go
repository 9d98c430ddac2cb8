package game

import (
	"fmt"
	"strconv"

	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// CounterText is what a counter is now, and why it is 0 if it was never set, for texts of panels.
func (g *Game) CounterText(v *world.View, _ world.ID, name string) (text, missing string) {
	n, known := g.counters.Get(v, name)
	if !known {
		missing = absent(v, g.counters, "counter", name) + "; 0 is shown until there is"
	}
	return strconv.FormatInt(n, 10), missing
}

// TimerText is the time that a timer shows, "1:05", and why it is "-:--" if there is none, for texts of panels.
func (g *Game) TimerText(v *world.View, _ world.ID, name string) (text, missing string) {
	t, known := g.timers.Get(v, name)
	if !known {
		return "-:--", absent(v, g.timers, "timer", name) + "; -:-- is shown until there is"
	}
	return clock(t.face(v.Step(), g.w.StepsIn(1))), ""
}

// absent says that there is nothing of a name.
func absent[T any](v *world.View, t *world.Table[string, T], kind, name string) string {
	text := fmt.Sprintf("there is no %s %q yet", kind, quote.Clip(name))
	if near := near(v, t, name); near != "" {
		text += fmt.Sprintf(" (did you mean %q?)", quote.Clip(near))
	}
	return text
}

// shown is how many steps have gone by, or of a countdown are left.
func (t *timer) shown(now uint64) uint64 {
	ran := t.elapsed(now)
	if t.Direction != "countdown" {
		return ran
	}
	return t.Steps - min(ran, t.Steps)
}

// face is how many seconds a timer shows, of so many steps each: those that have gone by, or those of a countdown that are left, the one that is
// going on among them. A countdown of a minute begins with 1:00, and comes to 0:00 when it is over.
func (t *timer) face(now, perSecond uint64) uint64 {
	ran := t.elapsed(now)
	switch {
	case t.Direction != "countdown":
		return ran / perSecond
	case ran >= t.Steps:
		return 0
	}
	return (t.Steps - ran + perSecond - 1) / perSecond
}

// clock writes seconds as minutes and seconds, with hours if there are any.
func clock(s uint64) string {
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}
