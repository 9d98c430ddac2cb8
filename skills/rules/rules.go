// Package rules holds game.rules, the skill that tells what the server of a world does by itself: so that whoever
// comes to a game that others have made sees how it is played, and whoever made it finds the mistake in it.
package rules

import (
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/rule"
	"github.com/limina-mcp/limina/world"
)

// All returns the skills of the package on w, whose rules are those of all sources, in their order.
func All(w *world.World, sources ...rule.Source) []registry.Skill {
	return []registry.Skill{list(w, sources)}
}

// RulesIn is the input of game.rules.
type RulesIn struct {
	Kind     string `json:"kind" validate:"oneof=any zone listener condition timer stat cutscene usable reaction director quest dialogue" jsonschema:"default=any" jsonschema_description:"Only rules of this kind."`
	Mentions string `json:"mentions,omitempty" validate:"max=128" jsonschema_description:"Only rules in which this text stands: an entity, an event, a name, who has made it."`
	Offset   int    `json:"offset" validate:"gte=0" jsonschema:"default=0" jsonschema_description:"How many to pass over: next of the answer before."`
	Limit    int    `json:"limit" validate:"gte=1,lte=200" jsonschema:"default=50" jsonschema_description:"How many to tell at most."`
}

// RulesOut is the output of game.rules.
type RulesOut struct {
	Rules []rule.Rule                `json:"rules" jsonschema_description:"What the server does by itself."`
	Ends  map[string]registry.Object `json:"ends,omitempty" jsonschema_description:"By their kind, the call that ends one of them: {\"skill\":…,\"input\":…}, in which $id stands for its id. Rules of other kinds end with their entity."`
	Total int                        `json:"total" jsonschema_description:"How many there are of those that were asked for."`
	Next  int                        `json:"next,omitempty" jsonschema_description:"The offset to go on with, if there are more."`
}

func list(w *world.World, sources []rule.Source) registry.Skill {
	return registry.Define(registry.Spec[RulesIn, RulesOut]{
		Name:  "game.rules",
		Title: "What the server does by itself",
		Description: "See how the game in this world works: what is done when something enters a zone, when an event is emitted, a condition becomes true, a timer runs out, a stat comes to zero, something is used, a phase of the director begins, a quest is done, something is said in a dialogue, and by which call each of it ends. " +
			`For what is so now use game.state, game.flag and game.counter. Example: {"mentions":"ent_7"}`,
		Keywords:    "list listeners triggers conditions handlers debug inspect logic script explain why",
		Permissions: []profiles.Permission{"game.configure"},
		Effect:      registry.Reads,
		Handle: func(c *registry.Call, in RulesIn) (RulesOut, error) {
			return world.Read(w, c, func(v *world.View) (RulesOut, error) { return in.tell(v, c.Principal().ID, sources) })
		},
	})
}

// tell returns the rules that somebody asks for.
func (in *RulesIn) tell(v *world.View, caller string, sources []rule.Source) (RulesOut, error) {
	out := RulesOut{Rules: []rule.Rule{}}
	for _, rules := range sources {
		for r := range rules(v) {
			if in.Kind != "any" && in.Kind != r.Kind || !r.Mentions(in.Mentions) {
				continue
			}
			if out.Total++; out.Total > in.Offset && len(out.Rules) < in.Limit {
				if r.End != nil {
					if out.Ends == nil {
						out.Ends = map[string]registry.Object{}
					}
					out.Ends[r.Kind] = r.End
				}
				for i := range r.Then {
					if a := &r.Then[i]; a.By == caller {
						a.By = ""
					}
				}
				out.Rules = append(out.Rules, r)
			}
		}
	}
	if told := in.Offset + len(out.Rules); told < out.Total && len(out.Rules) > 0 {
		out.Next = told
	}
	return out, nil
}
