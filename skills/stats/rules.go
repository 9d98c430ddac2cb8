package stats

import (
	"fmt"
	"iter"
	"slices"

	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/world"
)

// Rules tells what is done when stats come to zero, as a [rule.Source].
func (s *Stats) Rules(v *world.View) iter.Seq[rule.Rule] {
	return func(yield func(rule.Rule) bool) {
		for id, list := range s.actions.All(v) {
			for _, stat := range stats(list) {
				r := rule.Rule{Kind: "stat", ID: id.String(), When: fmt.Sprintf("%q of %s comes to its least", stat, id)}
				for i := range list {
					if list[i].Stat == stat {
						r.Then = append(r.Then, rule.Does(s.deps.Does, "stats", id.String(), &list[i].Kept))
					}
				}
				if !yield(r) {
					return
				}
			}
		}
	}
}

// stats returns the stats that actions are about, in the order of the first.
func stats(list []atZero) (names []string) {
	for i := range list {
		if !slices.Contains(names, list[i].Stat) {
			names = append(names, list[i].Stat)
		}
	}
	return names
}
