package quest

import (
	"cmp"
	"fmt"
	"iter"
	"strings"

	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/world"
)

// Rules tells what there is to do and what for, as a [rule.Source].
func (q *Quests) Rules(v *world.View) iter.Seq[rule.Rule] {
	return func(yield func(rule.Rule) bool) {
		for id, row := range q.quests.All(v) {
			var when strings.Builder
			fmt.Fprintf(&when, "who has accepted the quest %q", row.Name)
			if len(row.Needs) > 0 {
				fmt.Fprintf(&when, ", after %s,", strings.Join(row.Needs, ", "))
			}
			when.WriteString(" has ")
			for i := range row.Objectives {
				if i > 0 {
					when.WriteString(", ")
				}
				when.WriteString(row.Objectives[i].words())
			}
			if row.TurnIn {
				when.WriteString(", and quest.complete is called")
			}
			r := rule.Rule{Kind: "quest", ID: id, When: when.String(), Then: []rule.Act{}}
			if len(row.Rewards) > 0 {
				r.Then = append(r.Then, rule.Act{Type: "rewards", Data: row.Rewards, By: row.By})
				if given, err := readRewards(row.Rewards); err == nil {
					r.Then = append(r.Then, rule.Emits(given.Event, row.By)...)
				}
			}
			for _, next := range row.FollowUps {
				r.Then = append(r.Then, rule.Act{Type: "offer", Target: next, By: row.By})
			}
			if !yield(r) {
				return
			}
		}
	}
}

// words say what an objective asks for.
func (o *objective) words() (s string) {
	target := cmp.Or(o.Target, "anybody")
	many := ""
	if o.Required > 1 {
		many = fmt.Sprintf(" %d times", o.Required)
	}
	switch {
	case o.Type == kill:
		s = "killed " + target
	case o.Type == collect:
		s, many = fmt.Sprintf("held %d of %s", o.Required, target), ""
	case o.Type == talk:
		s = "talked to " + target
	case o.Type == custom && o.Event != "":
		s = fmt.Sprintf("had the event %q", o.Event)
	case o.Type == reach && o.Place != nil:
		s = fmt.Sprintf("come within %v m of %v", o.Radius, *o.Place)
	case o.Type == reach:
		s = "reached " + target
	default:
		s = "done what quest.update says"
	}
	return s + many + " (" + o.ID + ")"
}
