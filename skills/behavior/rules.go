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

// Emits yields the names of the events that entities emit of their own accord: of the routines and goals of all profiles, and of goals of their own.
func (m *Minds) Emits(v *world.View) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range m.profiles.All(v) {
			for i := range p.Routines {
				if !emits(p.Routines[i].Slots, (*slot).event, yield) {
					return
				}
			}
			if !emits(p.Goals, (*goal).event, yield) {
				return
			}
		}
		for _, mi := range m.minds.All(v) {
			if !emits(mi.Goals, (*goal).event, yield) {
				return
			}
		}
	}
}

// emits yields the events of a list that has some, and reports whether more are wanted.
func emits[T any](list []T, event func(*T) string, yield func(string) bool) bool {
	for i := range list {
		if name := event(&list[i]); name != "" && !yield(name) {
			return false
		}
	}
	return true
}

// event returns the event that a slot emits, "" if it emits none.
func (s *slot) event() string {
	if s.Do == nil || s.Do.Type != "emit" {
		return ""
	}
	return s.Do.Target
}

// event returns the event that a goal emits, "" if it emits none.
func (g *goal) event() string { return g.Event }

// tell yields the reactions of an entity, and reports whether more are wanted.
func (m *Minds) tell(id world.ID, list []reaction, yield func(rule.Rule) bool) bool {
	for i := range list {
		r := &list[i]
		ok := yield(rule.Rule{
			Kind: "reaction", ID: id.String(), When: fmt.Sprintf("the event %q is emitted", r.On), Then: []rule.Act{rule.Does(m.Does, "behavior", id.String(), &r.Do)},
			End: rule.Ends("behavior.assign", "entity", rule.ID, "profileId", ""),
		})
		if !ok {
			return false
		}
	}
	return true
}
