package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/operations"
	"github.com/limina-mcp/limina/world"
)

// In is the input of world.batch.
type In struct {
	Operations []operations.Operation `json:"operations" validate:"min=1,max=500" jsonschema_description:"What to do, in this order."`
	Mode       string                 `json:"mode" validate:"oneof=atomic bestEffort" jsonschema:"default=atomic" jsonschema_description:"atomic: all of it or nothing. bestEffort: an operation that fails is left out, the others stay."`
	DryRun     bool                   `json:"dryRun" jsonschema:"default=false" jsonschema_description:"Only say what would happen, with the ids it would give; the world stays as it is. A scene.render among the operations shows it."`
	List       *int                   `json:"list,omitempty" validate:"omitempty,gte=0,lte=500" jsonschema_description:"How many results the answer lists at most, and entries of each list in them. Left out: 50, and in lists all of what only reads, 50 of what has a name, else 50 by the number of operations, 4 at least. 0 leaves counts and what is in noted."`
	IfRevision *uint64                `json:"ifRevision,omitempty" jsonschema_description:"A revision that you have seen: fail if something you change was changed by somebody else since."`
}

// Out is the output of world.batch.
type Out struct {
	Revision uint64          `json:"revision" jsonschema_description:"The world's revision with this in it: what ifRevision and world.changes take."`
	Applied  int             `json:"applied" jsonschema_description:"How many operations were done, those in declined included."`
	Failed   int             `json:"failed" jsonschema_description:"How many were left out, in mode bestEffort."`
	Declined []int           `json:"declined,omitempty" jsonschema_description:"Which of those that were done answered ok false, from 0 in their order: what they were to do is not so, and their result says why."`
	Results  []Result        `json:"results" jsonschema_description:"One for each operation, in their order: those of the first, as many as list says."`
	Noted    []Result        `json:"noted,omitempty" jsonschema_description:"Of those beyond these that have a name, failed, declined or have a note, what came of them."`
	More     int             `json:"more,omitempty" jsonschema_description:"How many results are left out, of operations without a name that were done with nothing to say."`
	DryRun   bool            `json:"dryRun,omitempty" jsonschema_description:"Nothing was changed: the rest says what would be."`
	Changes  registry.Object `json:"changes,omitempty" jsonschema_description:"Of a dry run: how many entities it would create, change and destroy, and the first of them with what is different."`
}

// Result is what came of one operation.
type Result struct {
	Operation *int `json:"operation,omitempty" jsonschema_description:"In noted: which it was, from 0."`

	Skill  string          `json:"skill" jsonschema_description:"The skill that was called."`
	As     string          `json:"as,omitempty" jsonschema_description:"The name that the operation was given."`
	Result registry.Object `json:"result,omitempty" jsonschema_description:"The skill's output, if it was done."`
	More   map[string]int  `json:"more,omitempty" jsonschema_description:"How many entries of which lists of the result are left out."`
	Error  *Failure        `json:"error,omitempty" jsonschema_description:"Why it was not done."`
}

// Failure is why an operation was not done.
type Failure struct {
	Code    string `json:"code" jsonschema_description:"invalid_input, forbidden, handler_error and so on."`
	Message string `json:"message" jsonschema_description:"What was wrong, and what is allowed."`
}

// batchSkill is world.batch. One runs at a time, of sessions that want several in rotation: they would wait for the world anyway,
// and everybody else behind all of them.
func batchSkill(w *world.World, turns *registry.Turns) registry.Skill {
	return registry.Define(registry.Spec[In, Out]{
		Name:  "world.batch",
		Title: "Do many things in one call",
		Description: "Run up to 500 operations in one call, all or nothing: one commit, one step for world.undo. Use it for whatever takes more than two calls. " +
			"An operation that is given a name with as can be used by later ones: \"$name.field\" in an input is that field of its result. With dryRun you see what would happen first. " +
			`Example: {"operations":[{"skill":"scene.createEntity","input":{"size":2,"position":[0,1,0]},"as":"wall"},{"skill":"three.setMaterial","input":{"entity":"$wall.entity","material":"brick"}}]}`,
		Category:    "world",
		Keywords:    "several multiple many once transaction atomic together sequence",
		Published:   true,
		Permissions: []profiles.Permission{profiles.Anyone}, // each operation needs its own
		Effect:      registry.Anything,
		Unreviewed:  true,
		Attaches:    true,
		Slow:        true,
		Handle:      func(c *registry.Call, in In) (Out, error) { return run(w, c, &in, turns) },
	})
}

// run makes the whole batch, or tries it.
func run(w *world.World, c *registry.Call, in *In, turns *registry.Turns) (out Out, err error) {
	b := &batch{call: c, in: in, run: operations.Run{Call: c, IfRevision: in.IfRevision, Values: map[string]json.RawMessage{}}}
	names, err := b.check()
	if err != nil {
		return Out{}, err
	}
	all := func() error {
		out, err = world.Do(w, c, b.apply)
		return err
	}
	if !in.DryRun {
		if err := c.Review(names); err != nil {
			return Out{}, err
		}
	}
	done, err := turns.Take(c)
	if err != nil {
		return Out{}, err
	}
	defer done()
	if !in.DryRun {
		if err = all(); err == nil {
			b.abridge(&out)
		}
		return out, err
	}
	changes, err := c.Rehearse(all)
	if err == nil {
		b.abridge(&out)
	}
	out.DryRun, out.Changes = true, registry.Object(changes)
	return out, err
}

// batch is a batch that is being run.
type batch struct {
	call *registry.Call
	in   *In
	run  operations.Run
}

// check finds what is wrong with the operations before any of them runs. It returns the names of
// their skills.
func (b *batch) check() (names []string, err error) {
	given := map[string]bool{}
	for i := range b.in.Operations {
		op := &b.in.Operations[i]
		if k, ok := b.call.Registry().Lookup(op.Skill); ok {
			if why := operations.Barred(k); why != "" {
				return nil, registry.Invalidf("operations[%d].skill: %s", i, why)
			}
		}
		if op.As != "" && !operations.IsName(op.As) {
			return nil, registry.Invalidf("operations[%d].as: want a letter, then letters, digits or _, got %q", i, op.As)
		}
		if given[op.As] {
			return nil, registry.Invalidf("operations[%d].as: %q is the name of an earlier operation", i, op.As)
		}
		given[op.As] = op.As != ""
		names = append(names, op.Skill)
	}
	return names, nil
}

// apply runs the operations inside the transaction.
func (b *batch) apply(tx *world.Tx) (Out, error) {
	out := Out{Results: make([]Result, len(b.in.Operations))}
	for i := range b.in.Operations {
		op := &b.in.Operations[i]
		r := &out.Results[i]
		r.Skill, r.As = op.Skill, op.As
		result, err := b.run.Do(op)
		if err == nil {
			r.Result = result
			out.Applied++
			if _, declined := declines(result); declined {
				out.Declined = append(out.Declined, i)
			}
			continue
		}
		e := operations.Refused(err)
		if e == nil || b.in.Mode == "atomic" || b.call.Context().Err() != nil {
			return Out{}, b.failed(i, err)
		}
		r.Error = &Failure{Code: string(e.Code), Message: e.Message}
		out.Failed++
	}
	if out.Revision = tx.Tick(); out.Revision == 0 || b.in.DryRun {
		out.Revision = tx.View.Tick()
	}
	return out, nil
}

// declines reports whether a result says ok false, and the reason that it gives.
func declines(result registry.Object) (reason string, declined bool) {
	if !bytes.Contains(result, []byte(`"ok":false`)) {
		return "", false
	}
	var said struct {
		OK     *bool `json:"ok"`
		Reason any   `json:"reason"`
	}
	if json.Unmarshal(result, &said) != nil || said.OK == nil || *said.OK {
		return "", false
	}
	reason, _ = said.Reason.(string)
	return reason, true
}

// failed is the error of an atomic batch whose i-th operation failed.
func (b *batch) failed(i int, err error) error {
	e := operations.Refused(err)
	if e == nil || errors.Is(err, context.Canceled) {
		return err
	}
	op := &b.in.Operations[i]
	var s strings.Builder
	fmt.Fprintf(&s, "operations[%d], %s", i, op.Skill)
	if op.As != "" {
		fmt.Fprintf(&s, " as %q", op.As)
	}
	fmt.Fprintf(&s, ": %s. Nothing of the batch remains", strings.TrimSuffix(e.Message, "."))
	switch {
	case i == 1:
		s.WriteString(": the one before it is undone")
	case i > 1:
		fmt.Fprintf(&s, ": the %d before it are undone", i)
	}
	if e.Code == registry.CodeInvalidInput || e.Code == registry.CodeNotFound {
		s.WriteString(b.others(i))
	}
	said := *e
	said.Message = s.String()
	return &said
}

// maxOthers is of how many kinds of mistakes in later operations it is said what is wrong.
const maxOthers = 5

// mistake is what is wrong with operations alike, and which these are.
type mistake struct {
	skill, wrong string
	at           []int
}

// others says what is wrong with the inputs of the operations after the i-th as they stand, so that all can be
// corrected at once, each mistake once with all that have it; "" if nothing is. What earlier results stand for is not looked at.
func (b *batch) others(i int) string {
	first := &b.in.Operations[i]
	list := []mistake{{skill: first.Skill, wrong: b.wrong(first)}} // its own is said already
	left := 0
	for j := i + 1; j < len(b.in.Operations); j++ {
		op := &b.in.Operations[j]
		wrong := b.wrong(op)
		if wrong == "" {
			continue
		}
		k := slices.IndexFunc(list, func(m mistake) bool { return m.skill == op.Skill && m.wrong == wrong })
		switch {
		case k >= 0:
			list[k].at = append(list[k].at, j)
		case len(list) > maxOthers:
			left++
		default:
			list = append(list, mistake{op.Skill, wrong, []int{j}})
		}
	}
	var said []string
	for k, m := range list {
		if k == 0 {
			m.wrong = "the same"
		}
		if len(m.at) > 0 {
			said = append(said, "operations"+indexes(m.at)+", "+m.skill+": "+m.wrong)
		}
	}
	if left > 0 {
		said = append(said, fmt.Sprintf("and %d more", left))
	}
	if said == nil {
		return ""
	}
	return ". Of those after it are wrong, too: " + strings.Join(said, "; ")
}

// indexes writes indexes, which rise, as short as it goes: [2], [4] to [9].
func indexes(list []int) string {
	const most = 20
	var parts []string
	for i := 0; i < len(list); {
		end := i
		for end+1 < len(list) && list[end+1] == list[end]+1 {
			end++
		}
		if len(parts) == most {
			return strings.Join(parts, ", ") + fmt.Sprintf(" and %d more", len(list)-i)
		}
		part := fmt.Sprintf("[%d]", list[i])
		if end > i {
			part += fmt.Sprintf(" to [%d]", list[end])
		}
		parts = append(parts, part)
		i = end + 1
	}
	return strings.Join(parts, ", ")
}

// wrong says what is wrong with the skill's name and the input of one operation as they stand, "" if nothing is.
func (b *batch) wrong(op *operations.Operation) string {
	grants := b.call.Principal().Grants
	k, ok := b.call.Registry().Lookup(op.Skill)
	if !ok {
		return b.call.Registry().Unknown(op.Skill, &grants).Message
	}
	if !k.Allowed(grants) {
		return ""
	}
	var list wire.Errors
	for _, p := range b.call.Faults(k, op.Input) {
		if !strings.Contains(p.Message, `"$`) {
			list = append(list, p)
		}
	}
	if list == nil {
		return ""
	}
	return list.Error()
}
