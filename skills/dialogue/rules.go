package dialogue

import (
	"fmt"
	"iter"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/world"
)

// Rules tells what nodes and choices of conversations bring about, as a [rule.Source].
func (t *Talks) Rules(v *world.View) iter.Seq[rule.Rule] {
	return func(yield func(rule.Rule) bool) {
		for id, tr := range t.trees.All(v) {
			for i := range tr.Nodes {
				n := &tr.Nodes[i]
				if !tr.tell(id, fmt.Sprintf("in the dialogue %q, the node %q is said: %q", id, n.ID, quote.Clip(n.Text)), n.Effects, yield) {
					return
				}
				for k := range n.Choices {
					c := &n.Choices[k]
					when := fmt.Sprintf("in the dialogue %q, at the node %q, choice %d is chosen: %q", id, n.ID, k, quote.Clip(c.Text))
					if c.If != "" {
						when += ", which needs " + c.If
					}
					if !tr.tell(id, when, c.Effects, yield) {
						return
					}
				}
			}
		}
	}
}

// tell yields effects, if there are any, and reports whether more are wanted.
func (t *tree) tell(id, when string, o registry.Object, yield func(rule.Rule) bool) bool {
	if len(o) == 0 {
		return true
	}
	r := rule.Rule{Kind: "dialogue", ID: id, When: when, Then: []rule.Act{{Type: "effects", Data: o, By: t.By}}}
	if e, err := readEffects("effects", o); err == nil {
		r.Then = append(r.Then, rule.Emits(e.event, t.By)...)
	}
	return yield(r)
}
