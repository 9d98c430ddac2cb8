package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/listed"
	"github.com/limina-mcp/limina/skills/internal/operations"
	"github.com/limina-mcp/limina/skills/internal/quote"
	"github.com/limina-mcp/limina/world"
)

// building are the permissions of skills that build scenes. A skill that needs another one, or none, is passed over.
var building = [...]profiles.Permission{"scene.write", "ecs.modify", "terrain.generate", "world.write"}

// builds is what what is called by them may do: to build, and to look.
var builds = profiles.Grant(append(building[:], "scene.read", "ecs.read", "physics.read", "terrain.read")...)

// mostSkipped is how many kinds of passed over events an answer lists.
const mostSkipped = 50

// Skipped are events of one kind that were passed over.
type Skipped struct {
	What   string `json:"what" jsonschema_description:"The kind of event or the skill, and why."`
	Events int    `json:"events" jsonschema_description:"How many there are."`
	Line   int    `json:"line" jsonschema_description:"Where the first stands, counted from 1."`
}

// importEvents makes the calls that a log tells of, with the caller's own permissions for building: all of them, or none. What they bring along, such as prefabs, does no more than build either.
func (d *Deps) importEvents(c *registry.Call, in *ImportIn) (ImportOut, error) {
	done, err := d.Turns.Take(c)
	if err != nil {
		return ImportOut{}, err
	}
	defer done()
	log, err := d.eventLog(in)
	if err != nil {
		return ImportOut{}, err
	}
	events, chain, err := DecodeEvents(log)
	if err != nil {
		return ImportOut{}, err
	}
	b := builder{call: c, ids: map[string]string{}, part: map[string]bool{}, kinds: map[string]int{}}
	b.out.Chain = chain
	if err := c.Review(b.names(events)); err != nil {
		return ImportOut{}, err
	}
	return world.Do(d.World, c, func(tx *world.Tx) (ImportOut, error) {
		b.first = tx.NextID()
		build := func() error { return b.build(events) }
		if in.Parent != 0 {
			build = func() error { return tx.Under(in.Parent, func() error { return b.build(events) }) }
		}
		mark := tx.Savepoint()
		if err := c.Limited(builds, build); err != nil {
			return ImportOut{}, err
		}
		for _, id := range tx.Acted(mark) {
			if id < b.first {
				return ImportOut{}, registry.Errorf(registry.CodeForbidden, "log: it would change %s, which was there before: a log only makes what is new. Nothing of it remains", id)
			}
		}
		return b.answer(&tx.View, in.Parent), nil
	})
}

// builder makes the calls of a log.
type builder struct {
	call  *registry.Call
	first world.ID          // the first that can be made
	ids   map[string]string // what the ids in the log have become
	part  map[string]bool   // events that were done, or are part of one that was
	kinds map[string]int    // places in out.Skipped
	out   ImportOut

	budget operations.Budget
}

// skill returns the skill that an event calls, or why it is passed over.
func (b *builder) skill(e *Event) (k registry.Skill, why string) {
	if e.Type != eventExecuted {
		return k, "event " + quote.Clip(e.Type) + ": is no call that was done"
	}
	k, ok := b.call.Registry().Lookup(e.Skill)
	if !ok {
		return k, "skill " + quote.Clip(e.Skill) + ": is not known here"
	}
	info := k.Info()
	for _, p := range info.Permissions {
		if !slices.Contains(building[:], p) {
			return k, "skill " + k.Name() + ": builds no scene"
		}
	}
	if len(info.Permissions) == 0 || info.Effect == registry.Reads || operations.Barred(k) != "" {
		return k, "skill " + k.Name() + ": builds no scene"
	}
	return k, ""
}

// names returns the skills that are going to be called.
func (b *builder) names(events []Event) (names []string) {
	for i := range events {
		if k, why := b.skill(&events[i]); why == "" && !slices.Contains(names, k.Name()) {
			names = append(names, k.Name())
		}
	}
	return names
}

// build makes the calls, in their order.
func (b *builder) build(events []Event) error {
	for i := range events {
		e := &events[i]
		k, why := b.skill(e)
		if e.Type == eventExecuted && b.part[e.Parent] {
			b.part[e.ID] = true
			why = "skill " + quote.Clip(e.Skill) + ": is part of another call"
		}
		if why == "" {
			var err error
			if why, err = b.do(k, e); err != nil {
				return err
			}
		}
		if why != "" {
			b.skip(why, e.Line)
		}
	}
	if b.out.Applied > 0 || len(events) == 0 {
		return nil
	}
	var kinds []string
	for _, s := range b.out.Skipped[:min(len(b.out.Skipped), 5)] {
		kinds = append(kinds, s.What)
	}
	return registry.Invalidf("log: nothing of it can be done here: %s", strings.Join(kinds, "; "))
}

// do makes the call of an event, or says why it is passed over. Its error names the line.
func (b *builder) do(k registry.Skill, e *Event) (why string, err error) {
	event, err := object(e.text)
	if err != nil {
		return "", err
	}
	_, input, result, err := called(event)
	if err != nil {
		return "", err
	}
	switch named, known := b.rename(input); {
	case !known:
		return "skill " + k.Name() + ": names an entity that no line before has made", nil
	case named == 0 && k.Info().Effect == registry.Destroys:
		return "skill " + k.Name() + ": would destroy what the log has not made", nil
	}
	if err = b.invoke(k.Name(), input, result); err == nil {
		b.part[e.ID] = true
		b.out.Applied++
		return "", nil
	}
	refused := operations.Refused(err)
	if refused == nil {
		return "", err
	}
	said := *refused
	said.Message = fmt.Sprintf("log, line %d, %s: %s. Nothing of the log remains", e.Line, k.Name(), strings.TrimSuffix(refused.Message, "."))
	return "", &said
}

// skip counts an event that is passed over.
func (b *builder) skip(why string, line int) {
	at, ok := b.kinds[why]
	if !ok {
		if at = len(b.out.Skipped); at == mostSkipped {
			at--
			b.out.Skipped[at].What = "others"
		} else {
			b.out.Skipped = append(b.out.Skipped, Skipped{What: why, Line: line})
		}
		b.kinds[why] = at
	}
	b.out.Skipped[at].Events++
}

// invoke makes a call, and learns what it has called what it made.
func (b *builder) invoke(name string, input map[string]any, was any) error {
	switch {
	case b.out.Applied == maxApplied:
		return registry.Errorf(registry.CodeCapacityExceeded, "at most %d calls are made of one log", maxApplied)
	case input == nil:
		return registry.Invalidf("payload.input: required, what the skill was called with")
	case name == "scene.import" && (input["form"] != "log" || input["file"] != nil):
		return registry.Invalidf("payload.input.form: must be log, and the log be in the call")
	}
	if err := b.budget.Next(b.call); err != nil {
		return err
	}
	text, err := json.Marshal(input)
	if err != nil {
		return err
	}
	output, err := b.call.Invoke(name, text)
	if err != nil {
		return err
	}
	b.budget.Add(len(output))
	if name == "scene.import" {
		var out ImportOut
		if err := json.Unmarshal(output, &out); err != nil {
			return err
		}
		for _, id := range out.IDs {
			b.ids[id.Was] = id.Now.String()
		}
		return nil
	}
	now, err := object(output)
	b.learn(was, now)
	return err
}

// isEntity reports whether a text is an entity's id, here or in the original engine, where it may have zeros in front.
func isEntity(s string) bool {
	digits, ok := strings.CutPrefix(s, "ent_")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// rename puts what ids have become into a part of an input. It returns how many there are, and whether all are known.
func (b *builder) rename(value any) (named int, known bool) {
	known = true
	each := func(value any, put func(now string)) {
		s, ok := value.(string)
		if !ok {
			n, all := b.rename(value)
			named, known = named+n, known && all
			return
		}
		if isEntity(s) {
			now, ok := b.ids[s]
			put(now)
			named, known = named+1, known && ok
		}
	}
	switch v := value.(type) {
	case map[string]any:
		for name, m := range v {
			each(m, func(now string) { v[name] = now })
		}
	case []any:
		for i, e := range v {
			each(e, func(now string) { v[i] = now })
		}
	}
	return named, known
}

// learn compares what a call has answered then and now: ids at the same place are the same thing. Only what the import has
// made itself is learned, so that nothing else is ever named.
func (b *builder) learn(was, now any) {
	switch w := was.(type) {
	case string:
		n, ok := now.(string)
		if id, err := world.ParseID(n); ok && err == nil && id >= b.first && isEntity(w) {
			b.ids[w] = n
		}
	case map[string]any:
		n, _ := now.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(w)) { // in an order: an id may stand twice
			b.learn(w[name], n[name])
		}
	case []any:
		n, _ := now.([]any)
		for i := range min(len(w), len(n)) {
			b.learn(w[i], n[i])
		}
	}
}

// answer says what was made.
func (b *builder) answer(v *world.View, parent world.ID) ImportOut {
	out := b.out
	for id := range v.All() {
		if id < b.first {
			continue
		}
		out.Entities++
		if v.Parent(id) == parent && len(out.Roots) < mostListed {
			out.Roots = append(out.Roots, id)
		}
	}
	for was, text := range b.ids {
		if now, err := world.ParseID(text); err == nil && v.Exists(now) {
			out.IDs = append(out.IDs, Renamed{was, now})
		}
	}
	slices.SortFunc(out.IDs, func(a, b Renamed) int {
		return cmp.Or(cmp.Compare(a.Now, b.Now), strings.Compare(a.Was, b.Was))
	})
	out.IDs, out.More = listed.Cut(out.IDs, mostListed)
	return out
}
