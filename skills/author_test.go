package skills_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/world"
)

// author writes calls that mean something in a world that is lived in: ids and handles that there
// may be, numbers of a size that people use, and now and then nonsense. From the same seed it writes
// the same calls on every platform, because it makes its numbers of integers: what package schemagen
// draws is rounded in ways that differ with GOAMD64.
type author struct {
	*rand.Rand
	skills  []registry.Skill // that change something
	readers []registry.Skill
	schemas map[string]schema
	calls   int // written so far
	wild    int // one number in so many is of any size, if it is above 0
}

type schema = map[string]any

func newAuthor(t testing.TB, seed uint64, r *registry.Registry) *author {
	t.Helper()
	a := &author{Rand: rand.New(rand.NewPCG(seed, seed)), schemas: map[string]schema{}}
	for _, k := range r.List(registry.Filter{}) {
		var s schema
		if err := json.Unmarshal(k.InputSchema(), &s); err != nil {
			t.Fatal(err)
		}
		a.schemas[k.Name()] = s
		switch {
		case k.Name() == "trace.export", k.Name() == "scene.export", k.Name() == "scene.import", k.Name() == "asset.place", k.Name() == "three.loadGLTF", k.Name() == "asset.scatter", k.Name() == "world.populateBiome",
			k.Name() == "dev.reload", k.Name() == "save.import": // write and read files, or what is sealed
		case k.Info().Slow && k.Info().Effect == registry.Reads: // may take its time, and changes nothing
		case k.Info().Effect == registry.Reads:
			a.readers = append(a.readers, k)
		default:
			a.skills = append(a.skills, k)
		}
	}
	return a
}

// jointHas are the optional fields that a kind of joint has.
var jointHas = map[any][]string{
	"hinge": {"axis", "min", "max"}, "slider": {"axis", "min", "max"}, "rope": {"toAt", "length"}, "spring": {"toAt", "length", "stiffness", "damping"},
}

// call writes a call: mostly one that changes something.
func (a *author) call() (skill string, input []byte) {
	a.calls++
	from := a.skills
	if a.IntN(20) == 0 {
		from = a.readers
	}
	k := from[a.IntN(len(from))]
	for heavy[k.Name()] && a.IntN(50) > 0 || undoes[k.Name()] && a.IntN(6) > 0 {
		k = from[a.IntN(len(from))]
	}
	v := a.object(a.schemas[k.Name()])
	switch k.Name() {
	case "save.slot":
		delete(v, "data")
	case "skills.call":
		v["name"], v["input"] = a.inner()
	case "world.batch":
		v["operations"] = a.operations()
	case "scene.createEntity":
		if v["density"] != nil && a.IntN(8) > 0 { // it is said of what moves, in place of a mass
			v["dynamic"] = true
			delete(v, "static")
			delete(v, "mass")
		}
	case "physics.addJoint":
		if a.IntN(4) > 0 { // what the kind of joint has
			has := jointHas[v["kind"]]
			for _, name := range []string{"axis", "min", "max", "toAt", "length", "stiffness", "damping"} {
				if !slices.Contains(has, name) {
					delete(v, name)
				}
			}
		}
	case "physics.setMotor":
		if a.IntN(4) > 0 {
			delete(v, []string{"target", "speed"}[a.IntN(2)])
		}
	case "player.spawn":
		if a.IntN(4) > 0 { // of the usual measures, which anybody may have
			for _, name := range []string{"halfHeight", "radius", "walkSpeed", "runSpeed", "gravity", "jumpSpeed"} {
				delete(v, name)
			}
		}
	case "prefab.define":
		if a.IntN(4) > 0 {
			v["operations"] = a.operations()
			delete(v, "from")
			delete(v, "origin")
		}
		delete(v, "parameters")
	}
	if list, ok := v["stats"].([]any); ok {
		for _, stat := range list {
			stat.(map[string]any)["name"] = statNames[a.IntN(len(statNames))]
		}
	}
	if do, ok := v["action"].(map[string]any); ok {
		switch do["type"] {
		case "call":
			do["target"], do["data"] = "game.counter", map[string]any{"name": "é1", "action": "increment"}
		case "audio":
			do["data"] = map[string]any{"name": "é1"}
		}
	}
	switch k.Name() {
	case "game.timer", "game.condition":
		v["name"] = "é" + strconv.Itoa(a.IntN(8))
		if k.Name() == "game.timer" && (v["action"] == nil || v["action"] == "start") {
			v["duration"] = 1 + a.IntN(9)
		}
		if k.Name() == "game.condition" && v["action"] != "remove" {
			v["expression"] = a.text("expression", nil)
		}
	}
	a.play(k.Name(), v)
	if tracks, ok := v["tracks"].([]any); ok {
		for _, track := range tracks {
			a.track(track.(map[string]any), v["duration"].(float64))
		}
	}
	if k.Name() == "camera.thirdPerson" && a.IntN(8) > 0 {
		for _, limit := range []string{"minPitch", "maxPitch", "minDistance", "maxDistance"} {
			delete(v, limit)
		}
	}
	if strings.HasPrefix(k.Name(), "ability.") {
		v["id"] = "spell" + strconv.Itoa(a.IntN(8))
	}
	if strings.HasPrefix(k.Name(), "prefab.") {
		v["name"] = "thing" + strconv.Itoa(a.IntN(8))
		delete(v, "parameters")
	}
	if a.IntN(32) == 0 {
		a.spoil(v)
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return k.Name(), text
}

// statNames are what entities may have.
var statNames = []string{"hp", "hp", "health", "mana", "defense", "fireResistance"}

// heavy are skills that go through the whole world or all that happened in it.
var heavy = map[string]bool{"checkpoint.create": true, "checkpoint.load": true, "save.export": true, "save.slot": true, "world.changes": true, "world.diff": true}

// undoes are skills that take away what others need.
var undoes = map[string]bool{
	"ability.remove": true, "animation.remove": true, "behavior.remove": true, "dialogue.remove": true, "item.remove": true, "progression.remove": true, "quest.remove": true,
	"input.unbind": true,
}

// operations writes those of a batch.
func (a *author) operations() []any {
	list := make([]any, 1+a.IntN(5))
	for i := range list {
		skill, input := a.inner()
		list[i] = map[string]any{"skill": skill, "input": input}
	}
	return list
}

// inner writes the call for skills.call to make.
func (a *author) inner() (string, any) {
	k := a.skills[a.IntN(len(a.skills))]
	v := a.object(a.schemas[k.Name()])
	if k.Name() == "prefab.instantiate" {
		v["name"] = "thing" + strconv.Itoa(a.IntN(8))
		delete(v, "parameters")
	}
	a.play(k.Name(), v)
	return k.WireName(), v
}

// players are the domains whose skills need somebody who has something: a block of stats, a bag, a clip, a way to behave.
var players = regexp.MustCompile(`^(stats|damage|status|combat|ability|inventory|item|interaction|animation|quest|progression|dialogue|behavior|npc)\.`)

// play has the skills of games meet, mostly: the same few entities have and do what they are about.
func (a *author) play(skill string, v map[string]any) {
	if !players.MatchString(skill) || a.IntN(8) == 0 {
		return
	}
	const first, many = 300, 24
	for _, name := range sorted(v) {
		if id, ok := v[name].(string); ok && strings.HasPrefix(id, "ent_") {
			v[name] = "ent_" + strconv.Itoa(first+a.IntN(many))
		}
	}
	switch skill {
	case "stats.create":
		for _, stat := range v["stats"].([]any) {
			delete(stat.(map[string]any), "minValue")
			delete(stat.(map[string]any), "maxValue")
		}
	case "animation.createStateMachine":
		v["defaultState"], v["transitions"] = "a", []any{map[string]any{"from": "a", "to": "b", "conditions": []any{map[string]any{"param": "go", "op": "true"}}}}
		v["states"] = []any{map[string]any{"name": "a", "clipId": a.text("clipId", nil)}, map[string]any{"name": "b", "clipId": a.text("clipId", nil)}}
		v["parameters"] = []any{map[string]any{"name": "go", "type": "trigger", "defaultValue": false}}
	case "dialogue.define":
		v["id"] = "é" + strconv.Itoa(a.IntN(4))
		v["startNode"], v["nodes"] = "a", []any{a.line("a", "b"), a.line("b", "")}
	case "dialogue.start", "dialogue.choose", "dialogue.end", "dialogue.get":
		of := first + 2*a.IntN(many/8)
		v["speaker"], v["listener"] = "ent_"+strconv.Itoa(of), "ent_"+strconv.Itoa(of+1)
		if v["treeId"] != nil {
			v["treeId"] = "é" + strconv.Itoa(a.IntN(4))
		}
		if skill == "dialogue.choose" {
			v["choiceIndex"] = a.IntN(2)
		}
	case "behavior.define":
		a.behave(v)
	case "behavior.setGoal":
		if v["type"] = []string{"follow", "flee", "interact"}[a.IntN(3)]; v["target"] == nil || v["target"] == v["entity"] {
			v["target"] = "ent_" + strconv.Itoa(first+many+a.IntN(many))
		}
		delete(v, "position")
	case "behavior.onEvent":
		v["action"] = a.response()
	case "npc.setRoutine":
		v["routineId"] = "day"
	case "animation.setParam":
		v["name"], v["value"] = "go", true
	case "animation.transition":
		v["state"] = []string{"a", "b"}[a.IntN(2)]
	case "quest.define":
		a.quest(v)
	case "progression.skillTree":
		v["id"] = a.text("treeId", nil)
		for i, node := range v["nodes"].([]any) {
			n := node.(map[string]any)
			n["id"], n["cost"], n["effects"] = "node"+strconv.Itoa(i), 1, map[string]any{statNames[a.IntN(len(statNames))]: a.IntN(9)}
			delete(n, "prerequisites")
			if i > 0 {
				n["prerequisites"] = []any{"node0"}
			}
		}
	}
}

// quest makes of a quest one that somebody can be given, and that something comes of.
func (a *author) quest(v map[string]any) {
	v["id"], v["followUpQuests"] = a.text("questId", nil), []any{a.text("questId", nil)}
	v["config"] = map[string]any{"autoAccept": a.IntN(2) == 0, "repeatable": a.IntN(4) > 0, "turnIn": a.IntN(4) == 0}
	v["rewards"] = map[string]any{"xp": 1 + a.IntN(200), "stats": map[string]any{statNames[a.IntN(len(statNames))]: a.IntN(20)}, "event": a.text("eventName", nil)}
	if a.IntN(4) > 0 {
		delete(v, "prerequisites")
	} else {
		v["prerequisites"] = []any{a.text("questId", nil)}
	}
	for i, objective := range v["objectives"].([]any) {
		o := objective.(map[string]any)
		o["id"], o["required"] = "objective"+strconv.Itoa(i), 1+a.IntN(3)
		delete(o, "target")
		delete(o, "config")
		switch o["type"] {
		case "collect":
			o["target"] = a.text("itemId", nil)
		case "reach":
			o["config"] = map[string]any{"position": []any{a.IntN(20), 0, a.IntN(20)}, "radius": 9}
			if a.IntN(2) == 0 {
				o["target"] = "ent_" + strconv.Itoa(300+a.IntN(24))
				delete(o["config"].(map[string]any), "position")
			}
		case "custom":
			o["config"] = map[string]any{"event": a.text("eventName", nil)}
		}
	}
}

// line writes a node of a dialogue, with a way to another and one to the end.
func (a *author) line(id, next string) map[string]any {
	n := map[string]any{"id": id, "text": "Hm.", "speaker": "", "choices": []any{
		map[string]any{"text": "Hm?", "nextNodeId": next, "effects": map[string]any{"game": map[string]any{"counter": map[string]any{"name": "é1"}}}},
		map[string]any{"text": "Bye.", "nextNodeId": ""},
	}}
	if a.IntN(4) == 0 {
		n["effects"] = map[string]any{"event": a.text("eventName", nil), "give": map[string]any{"itemId": a.text("itemId", nil)}}
	}
	return n
}

// behave writes what a profile has entities do.
func (a *author) behave(v map[string]any) {
	place := func() []any { return []any{a.number(nil), 0, a.number(nil)} }
	v["routines"] = []any{map[string]any{"id": "day", "name": "", "schedule": []any{
		map[string]any{"hour": a.IntN(8), "action": "say", "target": "Hm."},
		map[string]any{"hour": 8 + a.IntN(8), "action": "goTo", "position": place()},
		map[string]any{"hour": 16 + a.IntN(8), "action": "free"},
	}}}
	v["goals"] = []any{
		map[string]any{"id": "a", "type": "patrol", "config": map[string]any{"waypoints": []any{place(), place()}, "wait": a.IntN(3)}},
		map[string]any{"id": "b", "type": "guard", "priority": a.IntN(2), "config": map[string]any{"damage": 1 + a.IntN(5)}},
	}
	v["reactions"] = []any{map[string]any{"trigger": a.text("eventName", nil), "action": a.response(), "cooldown": 1 + a.IntN(3)}}
}

// response writes what an entity does about an event.
func (a *author) response() map[string]any {
	return []map[string]any{
		{"type": "say", "data": map[string]any{"text": "Oh."}},
		{"type": "goTo"},
		{"type": "attitude", "data": map[string]any{"attitude": "hostile"}},
		{"type": "emit", "target": a.text("eventName", nil)},
	}[a.IntN(4)]
}

// track makes of a clip's track, mostly, one whose keys are all in the clip and all numbers.
func (a *author) track(v map[string]any, duration float64) {
	if a.IntN(8) == 0 {
		return
	}
	v["property"] = []string{"position.y", "rotation.y", "scale", "intensity"}[a.IntN(4)]
	for _, key := range v["keys"].([]any) {
		k := key.(map[string]any)
		k["t"], k["value"] = a.Float64()*duration, a.Float64()*4
	}
}

// spoil makes an input bad in one place.
func (a *author) spoil(v map[string]any) {
	switch names := sorted(v); {
	case len(names) == 0 || a.IntN(2) == 0:
		v["colour"] = 1
	case a.IntN(2) == 0:
		delete(v, names[0])
	default:
		v[names[a.IntN(len(names))]] = nil
	}
}

func sorted(m map[string]any) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (a *author) object(s schema) map[string]any {
	v := map[string]any{}
	properties, _ := s["properties"].(schema)
	required, _ := s["required"].([]any)
	for _, name := range sorted(properties) {
		if slices.Contains(required, any(name)) || a.IntN(3) == 0 {
			v[name] = a.value(name, properties[name].(schema))
		}
	}
	if properties == nil {
		v["k"] = a.IntN(3)
	}
	return v
}

func (a *author) value(name string, s schema) any {
	if union, ok := s["anyOf"].([]any); ok {
		return a.value(name, union[a.IntN(len(union))].(schema))
	}
	if enum, ok := s["enum"].([]any); ok {
		return enum[a.IntN(len(enum))]
	}
	if c, ok := s["const"]; ok {
		return c
	}
	switch s["type"] {
	case "boolean":
		return a.IntN(2) == 0
	case "integer":
		lo, hi := bounds(s)
		return lo + a.Int64N(min(hi-lo, 300)+1)
	case "number":
		return a.number(s)
	case "string":
		return a.text(name, s)
	case "array":
		lo, hi := count(s, "minItems", 0), count(s, "maxItems", 3)
		list := []any{}
		for range lo + a.IntN(min(hi-lo, 3)+1) {
			list = append(list, a.value(name, s["items"].(schema)))
		}
		return list
	case "object":
		return a.object(s)
	}
	return nil
}

// bounds are those of an integer, not too far from zero.
func bounds(s schema) (lo, hi int64) {
	lo, hi = -50, 1<<24
	if x, ok := s["minimum"].(float64); ok {
		lo = max(lo, int64(x))
	}
	if x, ok := s["maximum"].(float64); ok {
		hi = min(hi, int64(x))
	}
	return lo, max(lo, hi)
}

// number is not too far from zero, and within the bounds. It has as many digits as a number can
// have, so that what is computed with it has to be rounded.
func (a *author) number(s schema) float64 {
	if a.wild > 0 && a.IntN(a.wild) == 0 {
		return a.extreme(s)
	}
	const parts = 10_000
	lo, hi := -20.0*parts, 20.0*parts
	if x, ok := s["minimum"].(float64); ok {
		lo = max(lo, math.Ceil(x*parts))
	}
	if x, ok := s["exclusiveMinimum"].(float64); ok {
		lo = max(lo, math.Floor(x*parts)+1)
	}
	if x, ok := s["maximum"].(float64); ok {
		hi = min(hi, math.Floor(x*parts))
	}
	return (lo + float64(a.IntN(max(int(hi-lo), 0)+1))) / parts
}

// extreme is a number at the end of what the schema allows, or of another order than what people use.
func (a *author) extreme(s schema) float64 {
	limit := func(inclusive, exclusive string, otherwise float64) float64 {
		if x, ok := s[inclusive].(float64); ok {
			return x
		}
		if x, ok := s[exclusive].(float64); ok {
			return math.Nextafter(x, -otherwise)
		}
		return otherwise
	}
	lo, hi := limit("minimum", "exclusiveMinimum", -world.MaxNumber), limit("maximum", "exclusiveMaximum", world.MaxNumber)
	list := slices.DeleteFunc([]float64{
		lo, hi, 0, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1e-300, 1e-40, 1e-6, -1e-3, 1e4, 1e6, 1e9, 1e17, -1e19, 1e30,
	}, func(x float64) bool { return x < lo || x > hi })
	return list[a.IntN(len(list))]
}

func (a *author) text(name string, s schema) string {
	n := strconv.Itoa(a.IntN(40))
	pattern, _ := s["pattern"].(string)
	switch {
	case strings.HasPrefix(pattern, "^ent_"), name == "target", name == "entity", name == "speaker", name == "listener":
		return "ent_" + strconv.Itoa(a.IntN(a.calls/18+2)) // about as many as there are by now
	case strings.HasPrefix(pattern, "^evt_"):
		return "evt_" + n
	case name == "handle":
		return []string{"ui_", "snd_"}[a.IntN(2)] + strconv.Itoa(a.IntN(3000))
	case name == "statName", name == "resourceStat":
		return statNames[a.IntN(len(statNames))]
	case name == "effectId":
		return "eff_" + strconv.Itoa(a.IntN(300))
	case name == "triggerId":
		return "trg_" + strconv.Itoa(a.IntN(24))
	case name == "vfxId":
		return "vfx_" + strconv.Itoa(a.IntN(a.calls/75+2)) // about as many as there were by now
	case name == "listenerId":
		return "lst_" + strconv.Itoa(a.IntN(60))
	case name == "eventName", name == "onTrue", name == "onComplete", name == "trigger":
		return "event " + strconv.Itoa(a.IntN(12))
	case name == "questId":
		return "quest" + strconv.Itoa(a.IntN(6))
	case name == "objectiveId":
		return "objective" + strconv.Itoa(a.IntN(3))
	case name == "treeId":
		return "tree" + strconv.Itoa(a.IntN(3))
	case name == "nodeId":
		return "node" + strconv.Itoa(a.IntN(3))
	case name == "clipId":
		return "é" + n // as animation.authorClip has called some
	case name == "property":
		return []string{"position", "rotation.y", "scale", "color", "intensity", "mood"}[a.IntN(6)]
	case name == "expression":
		return []string{`flag("é1")`, `counter("é2") > 3 and not flag("é1")`, `variable("é3") == 3 or`}[a.IntN(3)]
	case name == "approvalId":
		return "apr_" + strconv.Itoa(a.IntN(300))
	case name == "itemId", name == "profileId":
		return "é" + n // as item.define and its like get them
	case name == "material":
		return []string{"wood", "stone", "adamant"}[a.IntN(3)]
	case name == "component", name == "tag":
		return "tag " + strconv.Itoa(a.IntN(12))
	case name == "actorId":
		return []string{"ann", "bob", "carl"}[a.IntN(3)]
	}
	return strings.Repeat("é", count(s, "minLength", 0)) + n[:min(len(n), max(0, count(s, "maxLength", 9)-count(s, "minLength", 0)))]
}

func count(s schema, key string, other int) int {
	if x, ok := s[key].(float64); ok {
		return int(x)
	}
	return other
}
