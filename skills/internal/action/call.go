package action

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/limina-mcp/limina/internal/wire"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/expression"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/skills/internal/share"
	"github.com/limina-mcp/limina/world"
)

// Limits on actions of type call.
const (
	MaxCalls   = 64             // that are made in one step
	MaxWaiting = 512            // that wait for one, of one agent, where he is alone
	maxWaiting = 2 * MaxWaiting // … and of all: one has as many as are left
)

// What stands in the data of a call or a setState, or as the target of an action, for the entity that the action is about, and for who has brought it
// about; and, with its name behind it, for what a variable of the game is then.
const (
	entityWord   = "$entity"
	ActorWord    = "$actor"
	variableWord = "$variable:"
)

// never are skills that make no sense in a step, and why.
var never = map[string]string{
	"skills.call": "name the skill itself",
	"world.undo":  "a step has nothing of yours to take back",
	"world.redo":  "a step has nothing of yours to take back",
}

// instead is what to do about skills that take long.
var instead = map[string]string{
	"world.batch": "attach an action for each of its calls, or scene.forEach, if it is the same for several entities",
}

// forEach calls another skill for each of several entities, each of which counts as a call.
const forEach = "scene.forEach"

// Caller is in whose name an action of type call calls: who attached it, with what he was allowed to then, as far as [Limits] leave it.
type Caller struct {
	Kind    profiles.Kind         `json:"kind"`
	Profile string                `json:"profile,omitempty"`
	Grants  []profiles.Permission `json:"grants"`
}

// calls makes the calls of actions, at the end of the step in which they are to be done: then nobody is in the middle of anything that a
// call may change, such as [world.Tx.Restore] does.
type calls struct {
	skills  *registry.Registry
	waiting *world.Table[uint64, due]
	shares  *share.Shares // of waiting
	paces   map[string]func(v *world.View, by string) uint64
}

// due is a call that waits.
type due struct {
	Kind    string          `json:"kind"` // of its cause, like what follows
	Head    json.RawMessage `json:"head,omitempty"`
	Failing string          `json:"failing,omitempty"` // see Kept.failing
	Entity  world.ID        `json:"entity,omitempty"`
	Actor   world.ID        `json:"actor,omitempty"`
	At      *world.Vec3     `json:"at,omitempty"`
	Depth   int             `json:"depth,omitempty"`
	For     string          `json:"for,omitempty"`
	Call    Kept            `json:"call"`
}

// key is by whom it is counted.
func (d *due) key(v *world.View) string { return share.Key(v, d.Call.By, d.For) }

// Calls has actions of type call make calls of r's skills. It is called once, where the world is put together, after all that does
// actions in steps. Without it they fail.
func (a *Actions) Calls(r *registry.Registry) {
	a.calls = calls{skills: r, waiting: world.NewTable[uint64, due](a.w, "action.calls", maxWaiting, world.Private), shares: share.New(a.w, "action.shares", maxWaiting)}
	a.w.OnFollow(a.recount)
	a.w.OnHolder(a.recount)
	a.w.OnStep("calls", a.makeCalls, world.BusyWhile(a.Waits))
}

// Pace has calls of a skill wait until a step that depends on whose they are: one that has passed is now. In one step one call of it is made for each agent, since after that the others may have to wait.
// It is called where the world is put together, after Calls; again goes by the world alone.
func (a *Actions) Pace(skill string, again func(v *world.View, by string) uint64) {
	if a.calls.paces == nil {
		a.calls.paces = map[string]func(*world.View, string) uint64{}
	}
	a.calls.paces[skill] = again
}

// readiness decides which of the calls that wait need not wait any more.
type readiness struct {
	calls *calls
	taken map[[2]string]bool // whose, of which skill: in this step
}

func (r *readiness) of(v *world.View, d *due) bool {
	again := r.calls.paces[d.Call.Target]
	if again == nil {
		return true
	}
	is := [2]string{d.Call.By, d.Call.Target}
	if r.taken[is] || again(v, d.Call.By) > v.Step() {
		return false
	}
	if r.taken == nil {
		r.taken = map[[2]string]bool{}
	}
	r.taken[is] = true
	return true
}

// Waits reports whether calls are yet to be made.
func (a *Actions) Waits(v *world.View) bool {
	return a.calls.waiting != nil && a.calls.waiting.Len(v) > 0
}

// checkCall reports why the caller of c may not have a call made later. Its input is checked as if it were about some entity.
func (a *Action) checkCall(c *registry.Call) error {
	if a.Target == "" {
		return registry.Invalidf(`action.target: is the name of the skill to call, such as "damage.apply"; data is its input`)
	}
	grants := c.Principal().Grants
	k, ok := c.Registry().Lookup(a.Target)
	if !ok {
		return registry.Under("action.target", c.Registry().Unknown(a.Target, &grants))
	}
	info := k.Info()
	for _, p := range info.Permissions {
		if !grants.Has(p) {
			return registry.Errorf(registry.CodeForbidden, "missing permission: %s, which an action that calls %s needs", p, k.Name())
		}
	}
	switch why := never[k.Name()]; {
	case why != "":
		return registry.Invalidf("action.target: no action calls %s: %s", k.Name(), why)
	case info.Effect == registry.Reads:
		return registry.Invalidf("action.target: %s only reads, and nobody would get its answer", k.Name())
	case info.Slow && !info.Short || info.Outward:
		return registry.Invalidf("action.target: %s takes long, and a simulation step waits for nobody; %s", k.Name(), cmp.Or(instead[k.Name()], "call it yourself"))
	case c.Registry().Judges(k, c.Principal()):
		return registry.Errorf(registry.CodeForbidden, "action.target: your calls of %s are reviewed, and nobody could do that later", k.Name())
	}
	if k.Name() == forEach {
		if err := a.checkEach(c); err != nil {
			return err
		}
	}
	var wrong []string
	for i, form := range sampled(a.Data) {
		problems := c.Faults(k, variableLike().ReplaceAll(fill(fill(form, entityWord, 1), ActorWord, 1), []byte(`"ent_1"`)))
		if problems == nil {
			return nil
		}
		for _, p := range problems {
			if i == 0 {
				wrong = append(wrong, strings.TrimSuffix("action.data."+p.Path, ".")+": "+p.Message)
			}
		}
	}
	return registry.Invalidf("%s", strings.Join(wrong, "; "))
}

// checkEach reports why the caller of c may not have a skill called later for each of several entities.
func (a *Action) checkEach(c *registry.Call) error {
	var each struct {
		Skill string          `json:"skill"`
		Input json.RawMessage `json:"input"`
	}
	if err := json.Unmarshal(a.Data, &each); err != nil || each.Skill == "" || each.Skill == forEach {
		return nil //nolint:nilerr // what is wrong with its form the rules of the input tell
	}
	rest := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(each.Input), []byte("{")))
	of := Action{Type: "call", Target: each.Skill, Data: registry.Object(`{"entity":"$entity"}`)}
	if len(rest) > 0 && rest[0] != '}' {
		of.Data = append(registry.Object(`{"entity":"$entity",`), rest...)
	}
	err := of.checkCall(c)
	var e *registry.Error
	if !errors.As(err, &e) {
		return err
	}
	return registry.Errorf(e.Code, "%s", strings.NewReplacer("action.target", "action.data.skill", "action.data.", "action.data.input.").Replace(e.Message))
}

// call has a call made at the end of the step.
func (a *Actions) call(tx *world.Tx, c *Cause, k *Kept) error {
	if a.calls.skills == nil {
		return registry.Failf("actions call no skills in this world")
	}
	d := due{Kind: c.Kind, Failing: k.failing(c.Kind, c.rule()), Entity: c.Entity, Actor: c.Actor, At: c.At, Depth: c.Depth, For: c.For, Call: *k}
	var err error
	if d.Call.Data, err = a.filled(tx, c, k.Data); err != nil {
		return err
	}
	if c.Head != nil {
		if d.Head, err = json.Marshal(c.Head); err != nil {
			return err
		}
	}
	if err := a.calls.shares.Take(tx, d.key(&tx.View), a.calls.waiting.Len(&tx.View), fmt.Sprintf("calls of your actions wait to be made, %d in a step", MaxCalls)); err != nil {
		return err
	}
	return a.calls.waiting.Set(tx, a.calls.waiting.Next(tx), d)
}

// filled returns the data of an action with what its words stand for.
func (a *Actions) filled(tx *world.Tx, c *Cause, data registry.Object) (registry.Object, error) {
	if bytes.IndexByte(data, '$') < 0 {
		return data, nil
	}
	for _, word := range [...]string{entityWord, ActorWord} {
		if !bytes.Contains(data, fmt.Appendf(nil, "%q", word)) {
			continue
		}
		id, err := a.target(tx, c, &Kept{Target: word})
		if err != nil {
			return nil, err
		}
		data = fill(data, word, id)
	}
	var wrong error
	data = expressionLike().ReplaceAllFunc(data, func(token []byte) []byte {
		value, err := a.worked(tx, c, token)
		wrong = cmp.Or(wrong, err)
		return value
	})
	if wrong != nil {
		return nil, wrong
	}
	data = variableLike().ReplaceAllFunc(data, func(token []byte) []byte {
		var word, said string
		err := json.Unmarshal(token, &word)
		if err == nil {
			said, err = a.variable(tx, word)
		}
		text, _ := json.Marshal(said) // of a text there is always one
		wrong = cmp.Or(wrong, err)
		return text
	})
	return data, wrong
}

// worked returns the JSON of what an expression in the data of an action comes to.
func (a *Actions) worked(tx *world.Tx, c *Cause, token []byte) ([]byte, error) {
	src := source(token)
	if a.reckon != nil {
		if value, ok := a.reckon(tx, src, cmp.Or(c.Actor, c.Entity)); ok {
			return json.Marshal(value)
		}
	}
	return nil, registry.Failf("$(%s) comes to nothing: something in it was never set, or is no number", quote.Clip(src))
}

// source returns the expression that a string of JSON such as "$(counter(\"wave\") * 5)" holds, without what is around it.
func source(token []byte) string {
	var text string
	if json.Unmarshal(token, &text) != nil {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(text, "$("), ")")
}

// checkExpressions reports what is wrong with what is to be worked out in the data of an action.
func checkExpressions(data registry.Object) error {
	for _, token := range expressionLike().FindAll(data, -1) {
		if _, err := expression.ParseValue(source(token)); err != nil {
			return registry.Under("action.data: $( )", err)
		}
	}
	return nil
}

// sampled are the forms that the data of an action may have when it is done: with numbers where something is worked out, and with texts.
func sampled(data registry.Object) []registry.Object {
	if !expressionLike().Match(data) {
		return []registry.Object{data}
	}
	return []registry.Object{expressionLike().ReplaceAll(data, []byte("1")), data}
}

// variable returns the text of the variable of the game that a word names.
func (a *Actions) variable(tx *world.Tx, word string) (string, error) {
	name := strings.TrimPrefix(word, variableWord)
	var value Value
	if a.recall != nil {
		value, _ = a.recall(&tx.View, name)
	}
	switch {
	case len(value) == 0:
		return "", registry.Failf("the variable %q of the game, for which %q stands, was never set", quote.Clip(name), quote.Clip(word))
	case value[0] != '"':
		return string(value), nil
	}
	var said string
	err := json.Unmarshal(value, &said)
	return said, err
}

// fill puts an entity where a word stands for it.
func fill(data registry.Object, word string, id world.ID) registry.Object {
	return bytes.ReplaceAll(data, fmt.Appendf(nil, "%q", word), fmt.Appendf(nil, "%q", id))
}

// strange returns a text of the data of an action that looks like a word for an entity and is none, "" if there is none.
func strange(data registry.Object) string {
	for _, word := range wordLike().FindAllSubmatch(data, -1) {
		if w := string(word[1]); w != entityWord && w != ActorWord {
			return w
		}
	}
	return ""
}

// variableLike are the texts that stand for a variable. In JSON as it is kept nothing else looks like them: a quotation mark within a text has a backslash before it.
var variableLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"\$variable:(?:[^"\\]|\\.)+"`) })

// expressionLike are the texts that stand for what is worked out.
var expressionLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"\$\((?:[^"\\]|\\.)*\)"`) })

// wordLike are texts that stand for something in other programs, and in batches.
var wordLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(\$[A-Za-z]\w*)"`) })

// recount makes the shares of calls what follows from those that wait.
func (a *Actions) recount(tx *world.Tx) error {
	var agents []string
	for _, d := range a.calls.waiting.All(&tx.View) {
		agents = append(agents, d.key(&tx.View))
	}
	return a.calls.shares.Remake(tx, agents)
}

// makeCalls makes the calls that are due.
func (a *Actions) makeCalls(tx *world.Tx) error {
	a.begin(tx)
	enough, made := a.spent+maxAll*perAction, 0
	calls := a.dueCalls(tx) // before any is made: one of them may bring back a world in which none waits
	for i := range calls {
		d := &calls[i]
		if a.spent >= enough || made >= MaxCalls { // the others wait
			if err := a.calls.waiting.Set(tx, a.calls.waiting.Next(tx), *d); err != nil {
				return err
			}
			continue
		}
		if err := a.calls.shares.Give(tx, d.key(&tx.View)); err != nil {
			return err
		}
		c := Cause{Kind: d.Kind, Entity: d.Entity, Actor: d.Actor, At: d.At, Depth: d.Depth, For: d.For}
		if d.Head != nil {
			c.Head = d.Head
		}
		if err := a.After(c.Depth, func() error {
			return a.counted(tx, d.Call.By, func() error {
				n, err := a.make(tx, &d.Call)
				made += n
				return err
			})
		}); err != nil {
			a.failures.note(d.Failing, err)
			if err := c.tell(tx, "failed", &told{Type: "call", Target: d.Call.Target, By: d.Call.By, Error: registry.Said(err)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// dueCalls takes the calls that a step makes, in the order in which they came to wait: of each agent, and for each who has brought them about, as many as of every other, as far as he has some, and of one agent
// those that have waited for longest.
func (a *Actions) dueCalls(tx *world.Tx) (calls []due) {
	type turn struct {
		key uint64
		by  string
	}
	var turns []turn
	ready := readiness{calls: &a.calls}
	for key, d := range a.calls.waiting.All(&tx.View) {
		if !ready.of(&tx.View, &d) {
			continue
		}
		turns = append(turns, turn{key, d.key(&tx.View)})
	}
	share.Turns(turns, func(t *turn) string { return t.by })
	turns = turns[:min(len(turns), MaxCalls)]
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Compare(a.key, b.key) })
	for _, t := range turns {
		d, _ := a.calls.waiting.Get(&tx.View, t.key)
		calls = append(calls, d)
		a.calls.waiting.Delete(tx, t.key)
	}
	return calls
}

// make makes a call in the name of whoever attached it, and returns as how many it counts.
func (a *Actions) make(tx *world.Tx, k *Kept) (n int, err error) {
	by := &profiles.Principal{ID: k.By}
	if holder := tx.Holder(k.By); holder != k.By {
		by.Holder = holder
	}
	if k.Caller != nil {
		by.Kind, by.Profile, by.Grants = k.Caller.Kind, k.Caller.Profile, a.granted(&tx.View, k.Caller)
	}
	n = 1
	err = tx.As(k.By, func() error {
		res := a.calls.skills.InvokeIn(context.Background(), tx, &registry.Request{Name: k.Target, Input: k.Data, Principal: by})
		if k.Target == forEach {
			n = each(&res)
		}
		if res.Err != nil {
			return res.Err
		}
		return declined(res.Output)
	})
	return n, err
}

// each is as how many calls one of scene.forEach counts: for so many entities it was done, or declined. One that has failed may have been at its last.
func each(res *registry.Result) int {
	var did struct {
		Count    int               `json:"count"`
		Declined []json.RawMessage `json:"declined"`
	}
	if res.Err != nil || json.Unmarshal(res.Output, &did) != nil {
		return MaxCalls
	}
	return max(1, did.Count+len(did.Declined))
}

// declined returns why a skill did not do what it was asked, if it says so: "ok":false, for a reason.
func declined(output []byte) error {
	if string(wire.Member(output, "ok")) != "false" {
		return nil
	}
	var reason string
	if raw := wire.Member(output, "reason"); raw != nil {
		if err := json.Unmarshal(raw, &reason); err != nil {
			return err
		}
	}
	return registry.Failf("%s", cmp.Or(reason, "it was not done"))
}
