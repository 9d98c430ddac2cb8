package event

import (
	"fmt"
	"iter"

	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/world"
)

// Rules tells what is done on events, as a [rule.Source].
func (e *Events) Rules(v *world.View) iter.Seq[rule.Rule] {
	return func(yield func(rule.Rule) bool) {
		for h, l := range e.listeners.All(v) {
			r := rule.Rule{
				Kind: "listener", ID: h.String(), When: fmt.Sprintf("the event %q is emitted", l.Name), Then: []rule.Act{rule.Does(e.does, "event", h.String(), &l.Kept)},
				End: rule.Ends("event.remove", "listenerId", rule.ID),
			}
			if !yield(r) {
				return
			}
		}
	}
}
