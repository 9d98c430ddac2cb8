// Package operations runs lists of calls inside a call: those of world.batch, and those that prefabs are
// made of.
//
// An operation may use what an earlier one has answered: in its input, a string of the form
// "$name.field" stands for that field of the answer of the operation that is called name; a number
// stands for an element of a list, "*" for every one, and "$name" for all of the answer. "$$" at the beginning is a dollar
// sign. Where an input has operations and parameters of its own, as that of prefab.define, their names, and self, are left to it. In a longer text "$name.field" is written out where it stands for a text, a number or a yes or no: "flap of $self.entity". Where it is allowed, "$(width / 2 - 0.1)" stands for a number that is worked out.
package operations

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/limina-mcp/limina/registry"
)

// Operation is one call of a skill.
type Operation struct {
	Skill string          `json:"skill" validate:"min=1,max=64" jsonschema:"also=name" jsonschema_description:"The skill's name, such as scene.createEntity."`
	Input registry.Object `json:"input,omitempty" jsonschema:"also=arguments" jsonschema_description:"The skill's input. A string \"$wall.entity\" stands for the field entity of the result of the earlier operation that is named wall; in a longer text, \"door of $wall.entity\", it is written out."`
	As    string          `json:"as,omitempty" validate:"omitempty,max=64" jsonschema_description:"A name for the result, for later operations: a letter, then letters, digits or _."`
}

// What a list of operations may take. Everybody waits for the world while it runs, and its answers are in memory together.
const (
	maxHold    = 5 * time.Second        // since its first operation, or that of the list that it is in, after which none begins
	MaxResults = registry.MaxOutput / 2 // bytes of answers in JSON, after which none begins: there is room for another one
	maxInput   = 4 << 20                // bytes of an input in which names stand for answers
)

// Run is a list of operations that is being run inside a call. It is used by the goroutine of the call.
type Run struct {
	Call       *registry.Call
	IfRevision *uint64                    // see [registry.Call.InvokeIf]
	Arithmetic bool                       // whether "$(…)" is worked out
	Values     map[string]json.RawMessage // what names stand for; Do adds the answers

	budget  Budget
	lost    string          // the newest text in the input whose name stands for nothing; "" for none
	list    string          // the newest text in the input that stood for a list; "" for none
	element bool            // whether it was an element of a list itself
	whole   string          // the newest "$name" in the input that stood for an object; "" for none
	own     map[string]bool // names that the input knows itself, and which are left to it
}

// Do runs an operation, and notes its answer under its name. It fails if the call has ended, and with capacity_exceeded if
// those before it have taken all that a list may.
func (r *Run) Do(op *Operation) (registry.Object, error) {
	if err := r.budget.Next(r.Call); err != nil {
		return nil, err
	}
	r.whole, r.lost, r.list = "", "", ""
	r.own = own(op.Input)
	input, err := r.fill(op.Input)
	if err != nil {
		return nil, r.inner(op, err)
	}
	out, err := r.Call.InvokeWhole(r.IfRevision, op.Skill, input)
	if err != nil {
		return nil, r.explained(op.Input, err)
	}
	r.budget.Add(len(out))
	if op.As != "" {
		r.Values[op.As] = out
	}
	return registry.Object(out), nil
}

// Budget is how much a list of operations has taken. The zero value is that of one that begins.
type Budget struct {
	answers int // bytes
}

// Next returns why no further operation may begin: the call has ended, or those before it have taken all that a list may,
// which is capacity_exceeded.
func (b *Budget) Next(c *registry.Call) error {
	if err := c.Context().Err(); err != nil {
		return err
	}
	switch {
	case c.InRow() > maxHold:
		return registry.Errorf(registry.CodeCapacityExceeded, "those before it have taken %v, and everybody waits for the world meanwhile: do the rest in another call", maxHold)
	case b.answers > MaxResults:
		return registry.Errorf(registry.CodeCapacityExceeded, "those before it have answered more than %d bytes: ask for less, or do the rest in another call", MaxResults)
	}
	return nil
}

// Add counts the answer of an operation.
func (b *Budget) Add(bytes int) { b.answers += bytes }

// Refused returns the error whose text may be shown; nil if there is none.
func Refused(err error) *registry.Error {
	var e *registry.Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// Barred says why a skill cannot be an operation, "" if it can.
func Barred(k registry.Skill) string {
	switch k.Name() {
	case "world.batch":
		return "a batch cannot be an operation: put its operations here"
	case "skills.call":
		return "name the skill itself, not skills.call"
	case "world.undo", "world.redo":
		return "undo and redo are calls of their own"
	}
	if k.Info().Outward {
		return k.Name() + " does what cannot be taken back, so it is a call of its own"
	}
	return ""
}
