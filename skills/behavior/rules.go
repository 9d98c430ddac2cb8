package behavior

import (
	"fmt"
	"iter"

	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/world"
)

// Rules tells what entities do about events, as a [rule.Source].
func (m *Minds) Rules(v *world.View) iter.Seq[rule.Rule] {
	return func(yield func(rule.Rule) bool) {
		for id := range m.minds.All(v) {
			mi, p, _ := m.of(v, id)
			if !m.tell(id, mi.Reactions, yield) || p != nil && !m.tell(id, p.Reactions, yield) {
				return
			}
		}
	}
}

// tell yields the reactions of an entity, and reports whether more are wanted.
func (m *Minds) tell(id world.ID, list []reaction, yield func(rule.Rule) bool) bool {
	for i := range list {
		r := &list[i]
		ok := yield(rule.Rule{
			Kind: "reaction", ID: id.String(), When: fmt.Sprintf("the event %q is emitted", r.On), Then: []rule.Act{rule.Does(m.Does, "behavior", id.String(), &r.Do)},
			End: rule.Ends("behavior.assign", "entity", id.String(), "profileId", ""),
		})
		if !ok {
			return false
		}
	}
	return true
}
