package interaction

import (
	"fmt"
	"iter"

	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/world"
)

// Rules tells what can be used, as a [rule.Source].
func (t *Things) Rules(v *world.View) iter.Seq[rule.Rule] {
	return func(yield func(rule.Rule) bool) {
		for id, th := range t.things.All(v) {
			s, _ := t.setups.Get(v, id)
			r := rule.Rule{
				Kind: "usable", ID: id.String(), When: fmt.Sprintf("somebody within %v m uses %s: %s", th.Range, id, th.Prompt),
				Then: []rule.Act{{Type: th.Type, Target: id.String(), Data: s.Config}}, End: rule.Ends("interaction.unregister", "entity", rule.ID),
			}
			for _, name := range s.emits(&th) {
				r.Then = append(r.Then, rule.Emits(name, "")...)
			}
			if !yield(r) {
				return
			}
		}
	}
}
