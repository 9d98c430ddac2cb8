package cutscene

import (
	"fmt"
	"iter"

	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/world"
)

// Rules tells what cutscenes do, as a [rule.Source].
func (s *Stage) Rules(v *world.View) iter.Seq[rule.Rule] {
	return func(yield func(rule.Rule) bool) {
		for id, sc := range s.scenes.All(v) {
			r := rule.Rule{
				Kind: "cutscene", ID: id, When: fmt.Sprintf("cutscene.play begins %q, which takes %v s", id, s.w.Seconds(sc.ticks())),
				End: rule.Ends("cutscene.remove", "id", rule.ID),
			}
			for _, k := range sc.Keyframes[:min(len(sc.Keyframes), rule.MostActs)] {
				act := rule.Does(s.does, "cutscene", id, sc.kept(&k))
				act.After = s.w.Seconds(k.At)
				r.Then = append(r.Then, act)
			}
			r.More = len(sc.Keyframes) - len(r.Then)
			if !yield(r) {
				return
			}
		}
	}
}
