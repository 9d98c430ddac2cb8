package behavior_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/rules"
	"github.com/limina-mcp/limina/world"
)

// TestRoutine lives through a day.
func TestRoutine(t *testing.T) {
	r := town(t)
	r.Do("world.setTime", `{"time":3}`)
	r.Do("interaction.register", `{"entity":"ent_1","prompt":"Light the forge","type":"toggle"}`)
	live(r, `"config":{"speed":10},"routines":[
		{"id":"work","name":"","schedule":[{"hour":6,"action":"say","target":"Good morning"},{"hour":8,"action":"use","target":"ent_1"},{"hour":18,"action":"free"},{"hour":22,"action":"goTo","position":[0,0,-6]},{"hour":12,"action":"emit","target":"noon"}]},
		{"id":"rest","name":"","schedule":[{"hour":0,"action":"goTo","position":[-5,0,-5]}]}],
		"goals":[{"id":"stroll","type":"patrol","config":{"waypoints":[[5,0,5]]}}]`)
	r.Heard()
	at := func(hour, x, z float64, goal string, want ...string) {
		t.Helper()
		r.Do("world.setTime", `{"time":%v}`, hour)
		r.Steps(seconds * 2)
		stands(t, r, "ent_0", x, z)
		does(t, r, `{"profileId":"p"`+goal+`}`)
		if diff := cmp.Diff(want, r.Heard()); diff != "" {
			t.Errorf("at %v viewers are told (-want +got):\n%s", hour, diff)
		}
	}
	const stroll = `,"goalId":"stroll","type":"patrol"`
	at(3, 0, -6, `,"goalId":"work","type":"goTo"`)                                   // since yesterday
	at(6, 0, -6, `,"goalId":"work","type":"goTo"`, "social.said Good morning ent_0") // who says something stays where he is to be
	at(6.5, 0, -6, `,"goalId":"work","type":"goTo"`)
	r.Do("world.setTime", `{"time":8}`)
	r.Steps(seconds)
	if told := r.Heard(); !slices.Contains(told, "interaction.toggled ent_1") {
		t.Errorf("at 8 viewers are told %q", told)
	}
	at(12.2, 5, 5, stroll, "behavior.emit noon ent_0")
	at(18, 5, 5, stroll)
	at(23, 0, -6, `,"goalId":"work","type":"goTo"`)
	r.Do("npc.setRoutine", `{"entity":"ent_0","routineId":"rest"}`)
	at(12, -5, -5, `,"goalId":"rest","type":"goTo"`)
	r.Do("behavior.setGoal", `{"entity":"ent_0","type":"patrol","position":[0,0,0],"priority":1}`)
	r.Steps(seconds * 2)
	does(t, r, `{"profileId":"p","goalId":"goal_0","type":"patrol"}`)
}

// TestReacting has event.emit say how many react: those whose reaction is about such an event, and does not rest.
func TestReacting(t *testing.T) {
	r := town(t)
	live(r, `"reactions":[{"trigger":"noise","action":{"type":"say","data":{"text":"What?"}},"cooldown":2},{"trigger":"hit","action":{"type":"say","data":{"text":"Ouch"}},"config":{"about":"self"}}]`)
	r.Do("behavior.onEvent", `{"entity":"ent_1","trigger":"noise","action":{"type":"say","data":{"text":"Oh"}}}`)
	for i, c := range [][2]string{
		{`{"eventName":"noise"}`, `{"ok":true,"fired":0,"reacting":2,"dispatched":[]}`},
		{`{"eventName":"noise"}`, `{"ok":true,"fired":0,"reacting":1,"dispatched":[]}`}, // the other one rests
		{`{"eventName":"hit","entity":"ent_1"}`, `{"ok":true,"fired":0,"dispatched":[]}`},
		{`{"eventName":"hit","entity":"ent_0"}`, `{"ok":true,"fired":0,"reacting":1,"dispatched":[]}`},
		{`{"eventName":"nose"}`, `{"ok":true,"fired":0,"dispatched":[]}`},
	} {
		if got := r.Do("event.emit", "%s", c[0]); got != c[1] {
			t.Errorf("%d: event.emit %s: %s, want %s", i, c[0], got, c[1])
		}
		r.Steps(1)
	}
}

// TestHourOfSeveral has what is done at once go in the order of the list, beside what lasts, also in the last hour of the day.
func TestHourOfSeveral(t *testing.T) {
	r := town(t)
	r.Do("world.setTime", `{"time":3}`)
	live(r, `"config":{"speed":10},"routines":[{"id":"r","name":"","schedule":[
		{"hour":23.5,"action":"emit","target":"late"},
		{"hour":6,"action":"say","target":"One"},{"hour":6,"action":"goTo","position":[0,0,6]},{"hour":6,"action":"emit","target":"two"},{"hour":6,"action":"say","target":"Three"},
		{"hour":23.5,"action":"goTo","position":[0,0,-6]},{"hour":7,"action":"free"}]}]`)
	r.Steps(seconds)
	for _, at := range []struct {
		hour, z float64
		told    []string
	}{
		{6, 6, []string{"social.said One ent_0", "behavior.emit two ent_0", "social.said Three ent_0"}},
		{7, 6, nil},
		{23.4, 6, nil},
		{23.6, -6, []string{"behavior.emit late ent_0"}},
		{5, -6, nil}, // since yesterday
	} {
		r.Heard()
		r.Do("world.setTime", `{"time":%v}`, at.hour)
		r.Steps(seconds * 2)
		stands(t, r, "ent_0", 0, at.z)
		if diff := cmp.Diff(at.told, r.Heard()); diff != "" {
			t.Errorf("at %v viewers are told (-want +got):\n%s", at.hour, diff)
		}
	}
}

// TestEveryDay lets days of 24 seconds pass: what a routine has done at its only hour is done on each of them, as what it has done at several is, and at that hour.
func TestEveryDay(t *testing.T) {
	for _, hour := range []float64{0, 0.5, 11.9, 12, 20, 23.75} {
		r := town(t)
		r.Do("interaction.register", `{"entity":"ent_1","prompt":"Pull","type":"toggle","maxRange":20}`)
		r.Do("world.setTime", `{"time":12,"hoursPerMinute":60}`)
		r.Do("behavior.define", "%s", profile(fmt.Sprintf(`"routines":[{"id":"r","name":"","schedule":[{"hour":%[1]v,"action":"emit","target":"bell"},{"hour":%[1]v,"action":"use","target":"ent_1"}]}]`, hour)))
		r.Do("behavior.assign", `{"entity":"ent_0","profileId":"p"}`)
		r.Steps(seconds)
		r.Heard() // what has begun yesterday, or today at 12
		const days = 3
		for day := range days {
			for sixth := range 6 {
				r.Steps(seconds * 4)
				told := r.Heard()
				from := float64((13 + 4*sixth) % 24) // four hours, an hour in each second
				in := math.Mod(hour+24-from, 24)
				var want []string
				if in < 4 {
					want = []string{"behavior.emit bell ent_0", "interaction.toggled ent_1"}
				}
				if diff := cmp.Diff(want, told); diff != "" {
					t.Errorf("at %v, from %v on, on day %d (-want +got):\n%s", hour, from, day, diff)
				}
			}
		}
	}
}

// TestReactions reacts by priority, rests, and looks at whom and where the event is about.
func TestReactions(t *testing.T) {
	r := town(t)
	live(r, `"reactions":[
		{"trigger":"noise","action":{"type":"say","data":{"text":"Low"}}},
		{"trigger":"noise","action":{"type":"say","data":{"text":"High"}},"priority":2,"cooldown":2},
		{"trigger":"hit","action":{"type":"say","data":{"text":"Ouch"}},"config":{"about":"self"}},
		{"trigger":"crash","action":{"type":"say","data":{"text":"Near"}},"config":{"radius":4}}]`)
	emit := func(input string) []string {
		r.Do("event.emit", "%s", input)
		r.Steps(1)
		return said(r)
	}
	noise := `{"eventName":"noise"}`
	got := [][]string{emit(noise), emit(noise)}
	r.Steps(seconds*2 - 2)
	got = append(got, emit(noise), emit(`{"eventName":"hit"}`), emit(`{"eventName":"hit","entity":"ent_1"}`), emit(`{"eventName":"hit","entity":"ent_0"}`),
		emit(`{"eventName":"crash"}`), emit(`{"eventName":"crash","entity":"ent_1"}`))
	put(r, "ent_1", 3, 0)
	got = append(got, emit(`{"eventName":"crash","entity":"ent_1"}`))
	r.Do("behavior.onEvent", `{"entity":"ent_0","trigger":"hit","action":{"type":"say","data":{"text":"Own"}}}`)
	got = append(got, emit(`{"eventName":"hit","entity":"ent_0"}`))
	want := [][]string{{"High ent_0"}, {"Low ent_0"}, {"High ent_0"}, nil, nil, {"Ouch ent_0"}, nil, nil, {"Near ent_0"}, {"Own ent_0"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("it says (-want +got):\n%s", diff)
	}
}

// TestActions does what zones and listeners can do, about itself, and goes where it happened.
func TestActions(t *testing.T) {
	r := town(t)
	live(r, `"reactions":[
		{"trigger":"a","action":{"type":"setState","data":{"name":"angry"}}},
		{"trigger":"b","action":{"type":"emit","target":"a"}},
		{"trigger":"c","action":{"type":"goTo","data":{"speed":20}},"priority":3},
		{"trigger":"d","action":{"type":"goTo","target":"ent_1"}},
		{"trigger":"e","action":{"type":"setState","target":"ent_9","data":{"name":"x"}}}]`)
	r.Heard()
	r.Do("event.emit", `{"eventName":"b"}`)
	r.Steps(2)
	if got := r.Entity(t, "ent_0"); !strings.Contains(got, `"name":"angry"`) {
		t.Errorf("it is %s", got)
	}
	r.Do("event.emit", `{"eventName":"e"}`)
	r.Do("event.emit", `{"eventName":"c"}`) // nowhere
	r.Do("event.emit", `{"eventName":"c","entity":"ent_1"}`)
	r.Heard()
	r.Steps(1)
	want := []string{
		"behavior.failed ent_0 unknown entity ent_9; the nearest are ent_0, ent_1",
		`behavior.failed ent_0 the event "c" happens nowhere: name a target or a position to go to`,
	}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	r.Steps(seconds)
	stands(t, r, "ent_0", 10, 0)
	does(t, r, `{"profileId":"p"}`)
	put(r, "ent_0", 0, 0)
	r.Do("navmesh.build", `{"bounds":{"minX":-9,"minZ":-9,"maxX":9,"maxZ":9},"cellSize":1,"obstacles":[{"minX":4.1,"minZ":-9,"maxX":4.9,"maxZ":9}]}`)
	put(r, "ent_1", 8, 0)
	r.Heard()
	r.Do("event.emit", `{"eventName":"d"}`)
	r.Steps(seconds / 2)
	if told := r.Heard(); !slices.Contains(told, "behavior.failed ent_0 no way leads from the one to the other: what is between them is blocked or too steep") {
		t.Errorf("viewers are told %q", told)
	}
	put(r, "ent_1", 10, 0)
	r.Do("navmesh.build", `{"bounds":{"minX":-20,"minZ":-9,"maxX":20,"maxZ":9},"cellSize":1,"obstacles":[]}`)
	r.Do("event.emit", `{"eventName":"d"}`)
	r.Steps(seconds * 4)
	stands(t, r, "ent_0", 8.5, 0)
}

// TestAlarm turns a whole watch against a thief: event, attitude, chase.
func TestAlarm(t *testing.T) {
	r := town(t)
	r.Do("behavior.define", "%s", profile(`"reactions":[{"trigger":"alarm","action":{"type":"attitude","data":{"attitude":"hostile"}}}],"goals":[{"id":"g","type":"guard","config":{"radius":30,"speed":9}}]`))
	for i := range 3 {
		r.Do("scene.createEntity", `{"position":[0,0,%d]}`, 2*i)
		r.Do("behavior.assign", `{"entity":"ent_%d","profileId":"p"}`, i+2)
	}
	r.Do("event.emit", `{"eventName":"alarm","entity":"ent_1"}`)
	r.Heard()
	r.Steps(seconds * 2)
	if told := r.Heard(); strings.Count(fmt.Sprint(told), "event.emit behavior.attacked ent_1") < 3 {
		t.Errorf("viewers are told %q", told)
	}
	if got := r.Entity(t, "ent_2"); !strings.Contains(got, `"attitudes":[{"toward":"ent_1","attitude":"hostile"}]`) {
		t.Errorf("a guard is %s", got)
	}
}

// TestActor has a guard go for who has thrown a lever, not for the lever, and tells why not where nobody has.
func TestActor(t *testing.T) {
	r := town(t)
	r.Do("interaction.register", `{"entity":"ent_1","prompt":"Throw the lever","type":"toggle","action":"lever"}`)
	r.Do("scene.createEntity", `{"position":[10,0,1]}`)
	live(r, `"reactions":[{"trigger":"lever","action":{"type":"attitude","target":"$actor","data":{"attitude":"hostile"}}}]`)
	r.Do("behavior.setGoal", `{"entity":"ent_2","type":"interact","target":"ent_1","config":{"speed":6}}`)
	r.Steps(seconds * 2)
	if got := r.Entity(t, "ent_0"); !strings.Contains(got, `"attitudes":[{"toward":"ent_2","attitude":"hostile"}]`) {
		t.Errorf("the guard is %s", got)
	}
	r.Do("behavior.define", "%s", profile(`"reactions":[{"trigger":"lever","action":{"type":"goTo","target":"$actor","data":{"speed":9}}}]`))
	r.Do("behavior.setGoal", `{"entity":"ent_2","type":"interact","target":"ent_1"}`)
	r.Steps(2)
	r.Do("three.setTransform", `{"entity":"ent_2","position":[10,0,9]}`)
	r.Steps(seconds * 3)
	if at, to := r.At(t, "ent_0"), r.At(t, "ent_2"); to[2] < 3 || math.Hypot(at[0]-to[0], at[2]-to[2]) > 2 {
		t.Errorf("the guard has gone to %v, and who has thrown the lever to %v", at, to)
	}
	r.Heard()
	r.Do("event.emit", `{"eventName":"lever"}`)
	r.Steps(2)
	if told := r.Heard(); !slices.ContainsFunc(told, func(s string) bool { return strings.Contains(s, `nobody has brought the event "lever" about`) }) {
		t.Errorf("viewers are told %q", told)
	}
}

// TestAnew writes a profile anew: who has it reacts to what it says now.
func TestAnew(t *testing.T) {
	r := town(t)
	live(r, `"reactions":[{"trigger":"a","action":{"type":"say","data":{"text":"A"}}}]`)
	r.Do("behavior.define", "%s", profile(`"reactions":[{"trigger":"b","action":{"type":"say","data":{"text":"B"}}}],"goals":[{"id":"f","type":"follow","target":"ent_1"}]`))
	r.Do("event.emit", `{"eventName":"a"}`)
	r.Do("event.emit", `{"eventName":"b"}`)
	r.Steps(seconds)
	if diff := cmp.Diff([]string{"B ent_0"}, said(r)); diff != "" {
		t.Errorf("it says (-want +got):\n%s", diff)
	}
	does(t, r, `{"profileId":"p","goalId":"f","type":"follow"}`)
}

// TestAnewMeanwhile defines a profile anew while an entity walks, and rests: it stops, and reacts as it is to now.
func TestAnewMeanwhile(t *testing.T) {
	r := town(t)
	reaction := `"reactions":[{"trigger":"noise","action":{"type":"say","data":{"text":%q}},"cooldown":100}]`
	live(r, fmt.Sprintf(reaction, "Old")+`,"goals":[{"id":"g","type":"patrol","config":{"waypoints":[[30,0,0]]}}]`)
	r.Do("behavior.onEvent", `{"entity":"ent_0","trigger":"crash","cooldown":100,"action":{"type":"say","data":{"text":"Own"}}}`)
	hear := func(name string, want ...string) {
		t.Helper()
		r.Do("event.emit", `{"eventName":%q}`, name)
		r.Steps(1)
		if diff := cmp.Diff(want, said(r)); diff != "" {
			t.Errorf("about %s it says (-want +got):\n%s", name, diff)
		}
	}
	hear("noise", "Old ent_0")
	hear("crash", "Own ent_0")
	hear("noise")
	r.Steps(seconds)
	at := r.At(t, "ent_0")
	if at[0] < 1 {
		t.Errorf("it has not set out: %v", at)
	}
	r.Do("behavior.define", "%s", profile(fmt.Sprintf(reaction, "New")))
	hear("noise", "New ent_0")
	hear("noise")
	hear("crash")
	r.Steps(seconds)
	stands(t, r, "ent_0", at[0], at[2])
	r.Do("behavior.define", "%s", profile(`"reactions":[]`))
	hear("noise")
}

// TestClaims holds what an entity does to the claims of others, as whoever wrote its profile.
func TestClaims(t *testing.T) {
	r := town(t)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	r.Must(t, bob, "world.claim", `{"min":[9,-1,-1],"max":[11,1,1],"seconds":600}`)
	live(r, `"reactions":[{"trigger":"e","action":{"type":"setState","target":"ent_1","data":{"name":"mine"}}}]`)
	r.Do("event.emit", `{"eventName":"e"}`)
	r.Steps(1)
	if got := r.Entity(t, "ent_1"); strings.Contains(got, "mine") {
		t.Errorf("ent_1 is %s", got)
	}
}

// TestRules tells what an entity reacts to, its own before its profile's.
func TestRules(t *testing.T) {
	r := skilltest.NewRoom(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		list, minds := parts(w, a)
		return append(list, rules.All(w, minds.Rules)...)
	})
	two(t, r.Server, r.Ann)
	live(r, `"reactions":[{"trigger":"a","action":{"type":"goTo"}}]`)
	r.Do("behavior.onEvent", `{"entity":"ent_0","trigger":"b","action":{"type":"say","data":{"text":"Oh"}}}`)
	skilltest.Holds(t, "the rules", r.Do("game.rules", `{"kind":"reaction"}`), `{"rules":[`+
		`{"kind":"reaction","id":"ent_0","when":"the event \"b\" is emitted","then":[{"type":"say","data":{"text":"Oh"}}]},`+
		`{"kind":"reaction","id":"ent_0","when":"the event \"a\" is emitted","then":[{"type":"goTo"}]}],"ends":{"reaction":{"skill":"behavior.assign","input":{"entity":"$id","profileId":""}}},"total":2}`)
}
