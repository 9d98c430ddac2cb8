package trigger

import (
	"fmt"
	"iter"

	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/skills/internal/shown"
	"github.com/limina-mcp/limina/world"
)

// Rules tells what zones do, as a [rule.Source].
func (t *Triggers) Rules(v *world.View) iter.Seq[rule.Rule] {
	return func(yield func(rule.Rule) bool) {
		for h, z := range t.zones.All(v) {
			for _, on := range [...]occasion{onEnter, onExit, onStay} {
				if list := *z.of(on); len(list) > 0 && !yield(t.rule(h, &z, on, list)) {
					return
				}
			}
			if len(z.Enter)+len(z.Exit)+len(z.Stay) == 0 && !yield(t.rule(h, &z, onEnter, nil)) {
				return
			}
		}
	}
}

// rule tells what a zone does on an occasion.
func (t *Triggers) rule(h Handle, z *zone, on occasion, list []kept) rule.Rule {
	what := "something"
	if z.Players {
		what = "a body or character of somebody"
	}
	if z.Tag != "" {
		what += fmt.Sprintf(" tagged %q", z.Tag)
	}
	middle := fmt.Sprint(z.Center)
	if z.Entity != 0 {
		middle = z.Entity.String()
		if z.Offset != (world.Vec3{}) {
			middle = fmt.Sprintf("%v from %v on", z.Offset, z.Entity)
		}
	}
	where := fmt.Sprintf("a sphere of radius %v m around %s", shown.Number(z.size()[0]), middle)
	if z.Shape != "sphere" {
		where = fmt.Sprintf("a box around %s, of half edges %v m", middle, shown.Point(z.size()))
	}
	does := map[occasion]string{onEnter: "enters", onExit: "leaves", onStay: "stays in"}[on]
	r := rule.Rule{
		Kind: "zone", ID: h.String(), When: fmt.Sprintf("%s %s %s, %s", what, does, h, where), Then: []rule.Act{},
		End: rule.Ends("trigger.remove", "triggerId", rule.ID),
	}
	for i := range list {
		act := rule.Does(t.does, "trigger", h.String(), &list[i].Kept)
		if on == onStay {
			act.Each = t.w.Seconds(list[i].Every)
		}
		r.Then = append(r.Then, act)
	}
	return r
}

// Places yields where the zones are that go with nothing, as [behind.Places].
func (t *Triggers) Places(v *world.View) iter.Seq2[string, world.Vec3] {
	return func(yield func(string, world.Vec3) bool) {
		for h, z := range t.zones.All(v) {
			if z.Entity == 0 && !yield("zone "+h.String(), z.Center) {
				return
			}
		}
	}
}
