package game

import (
	"fmt"
	"iter"

	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/world"
)

// Rules tells which conditions are watched and what timers end in, as a [rule.Source].
func (g *Game) Rules(v *world.View) iter.Seq[rule.Rule] {
	return func(yield func(rule.Rule) bool) {
		for name, c := range g.conditions.All(v) {
			r := rule.Rule{
				Kind: "condition", ID: name, When: c.Expression + " becomes true", Then: rule.Emits(c.OnTrue, c.By),
				End: rule.Ends("game.condition", "name", rule.ID, "action", "remove"),
			}
			if !yield(r) {
				return
			}
		}
		for name, t := range g.timers.All(v) {
			if t.State == "done" || t.Steps == 0 {
				continue
			}
			left := g.w.Seconds(t.Steps - min(t.Steps, t.elapsed(v.Step())))
			r := rule.Rule{
				Kind: "timer", ID: name, When: fmt.Sprintf("the timer %q, which is %s and has %v s left, runs out", name, t.State, left),
				Then: rule.Emits(t.OnDone, t.By), End: rule.Ends("game.timer", "name", rule.ID, "action", "pause"),
			}
			if !yield(r) {
				return
			}
		}
	}
}
