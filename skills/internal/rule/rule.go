// Package rule says what the server does by itself in words that agents read, whatever domain it belongs to.
package rule

import (
	"iter"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/world"
)

// Source gives the rules of a domain in an order that the world's state alone decides.
type Source func(v *world.View) iter.Seq[Rule]

// Rule is something that the server does by itself when something happens.
type Rule struct {
	Kind string `json:"kind" jsonschema_description:"zone, listener, condition, timer, stat, cutscene, usable, reaction, director, quest or dialogue."`
	ID   string `json:"id" jsonschema_description:"What names it: a handle, a name, or the entity that it belongs to."`
	When string `json:"when" jsonschema_description:"What has to happen."`
	Then []Act  `json:"then" jsonschema_description:"What is done then, in this order; of a long cutscene the first 16."`
	More int    `json:"more,omitempty" jsonschema_description:"How many actions there are beside these."`

	// End is the call that ends it, in which [ID] stands for its id. Without one it ends with its entity.
	End registry.Object `json:"-"`
}

// Act is one thing that is done.
type Act struct {
	Type   string          `json:"type" jsonschema_description:"emit, setState, spawn and so on, as trigger.onEnter has them."`
	Target string          `json:"target,omitempty" jsonschema_description:"The entity or the event; left out, the entity that it is about."`
	Data   registry.Object `json:"data,omitempty" jsonschema_description:"As it was attached."`
	If     string          `json:"if,omitempty" jsonschema_description:"Only if this is so then."`
	After  float64         `json:"after,omitempty" jsonschema_description:"So many simulated seconds later."`
	Each   float64         `json:"each,omitempty" jsonschema_description:"After so many simulated seconds, and again each time as many have passed."`
	By     string          `json:"by,omitempty" jsonschema_description:"Who has said so, with whose rights it is done; left out of what you have said."`

	Failed    int    `json:"failed,omitempty" jsonschema_description:"How often it could not be done, since the server has run."`
	LastError string `json:"lastError,omitempty" jsonschema_description:"Why, the last time."`
}

// MostActs is how many actions a rule tells.
const MostActs = 16

// Does returns what an action is, and how it has failed: one of does, of a kind and a rule as [action.Cause] has them.
func Does(does *action.Actions, kind, rule string, k *action.Kept) Act {
	f := does.Failures(kind, rule, k)
	return Act{Type: k.Type, Target: k.Target, Data: k.Data, If: k.If, By: k.By, Failed: f.Count, LastError: f.Last}
}

// Emits returns that an event is emitted; an empty list if it has no name.
func Emits(event, by string) []Act {
	if event == "" {
		return []Act{}
	}
	return []Act{{Type: emit, Target: event, By: by}}
}

// Emitted yields the names of the events that rules emit, as they stand.
func Emitted(v *world.View, sources []Source) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, rules := range sources {
			for r := range rules(v) {
				for i := range r.Then {
					if a := &r.Then[i]; a.Type == emit && !yield(a.Target) {
						return
					}
				}
			}
		}
	}
}

// emit is the type of the act that emits an event.
const emit = "emit"

// ID stands for the id of a rule in what ends it, so that it is told once for all rules of a kind.
const ID = "$id"

// Ends returns the call that ends a rule: a skill, and the names and values of what is in its input.
func Ends(skill string, input ...string) registry.Object {
	text := wire.AppendString([]byte(`{"skill":`), skill)
	text = append(text, `,"input":{`...)
	for i, s := range input {
		if i > 0 {
			text = append(text, ",:"[i%2])
		}
		text = wire.AppendString(text, s)
	}
	return append(text, "}}"...)
}

// Mentions reports whether a text stands somewhere in a rule. One that ends in a digit is not found where more digits follow: ent_7 is not
// in ent_70.
func (r *Rule) Mentions(text string) bool {
	if within(r.ID, text) || within(r.When, text) {
		return true
	}
	for i := range r.Then {
		a := &r.Then[i]
		if within(a.Type, text) || within(a.Target, text) || within(string(a.Data), text) || within(a.If, text) || within(a.By, text) {
			return true
		}
	}
	return false
}

// Naming returns how many rules there are that do something with what has a name, or ask for it, beside the one of a kind that itself is called so: the name stands there as a
// text of its own, not as a part of one.
func Naming(v *world.View, sources []Source, kind, name string) (n int) {
	text := string(wire.AppendString(nil, name))
	for _, rules := range sources {
		for r := range rules(v) {
			if (r.Kind != kind || r.ID != name) && r.names(name, text) {
				n++
			}
		}
	}
	return n
}

// names reports whether a rule names what is called so; text is the name as JSON and conditions have it.
func (r *Rule) names(name, text string) bool {
	if (r.Kind == "condition" || r.Kind == "dialogue") && strings.Contains(r.When, text) {
		return true
	}
	for i := range r.Then {
		if a := &r.Then[i]; a.Target == name && a.Type != emit || strings.Contains(string(a.Data), text) || strings.Contains(a.If, text) {
			return true
		}
	}
	return false
}

func within(s, text string) bool {
	for {
		i := strings.Index(s, text)
		if i < 0 {
			return false
		}
		s = s[i+len(text):]
		if text == "" || s == "" || !digit(text[len(text)-1]) || !digit(s[0]) {
			return true
		}
	}
}

func digit(b byte) bool { return '0' <= b && b <= '9' }
