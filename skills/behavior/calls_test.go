package behavior_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/behavior"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

const ok = `{"ok":true}`

const (
	bad       = registry.CodeInvalidInput
	forbidden = registry.CodeForbidden
)

func TestDefine(t *testing.T) {
	slots := func(s string) string {
		return profile(`"routines":[{"id":"r","name":"R","schedule":[` + s + `]}]`)
	}
	reacts := func(s string) string { return profile(`"reactions":[{"trigger":"e",` + s + `}]`) }
	goals := func(s string) string { return profile(`"goals":[{"id":"g",` + s + `}]`) }
	skilltest.Run(t, all, "behavior.define", []skilltest.Case{
		{Name: "nothing", Input: `{"id":"p","name":"P"}`, Want: ok},
		{Name: "a day", Input: slots(`{"hour":8,"action":"free"},{"hour":6,"action":"say","target":"Good morning"},{"hour":7,"action":"use","target":"ent_7"},{"hour":20,"action":"goTo","position":[0,0,0]},{"hour":22,"action":"animation","target":"sleep"},{"hour":23,"action":"emit","target":"night"}`), Want: ok},
		{Name: "nowhere", Input: slots(`{"hour":8,"action":"goTo"}`), Code: bad, Err: "routines[0].schedule[0].position: goTo needs it, or target, the id of an entity, and not both"},
		{Name: "two places", Input: slots(`{"hour":8,"action":"goTo","position":[0,0,0],"target":"ent_1"}`), Code: bad, Err: "routines[0].schedule[0].position: goTo needs it, or target, the id of an entity, and not both"},
		{Name: "no id", Input: slots(`{"hour":8,"action":"use","target":"forge"}`), Code: bad, Err: `routines[0].schedule[0].target: "forge" is not an entity id; ids look like "ent_0", "ent_17"`},
		{Name: "no words", Input: slots(`{"hour":8,"action":"say"}`), Code: bad, Err: "routines[0].schedule[0].target: say needs a text"},
		{Name: "a place to speak", Input: slots(`{"hour":8,"action":"say","target":"x","position":[0,0,0]}`), Code: bad, Err: `routines[0].schedule[0].position: is for "action":"goTo"`},
		{Name: "free of what", Input: slots(`{"hour":8,"action":"free","target":"x"}`), Code: bad, Err: "routines[0].schedule[0].target: free takes none"},
		{Name: "what is the server's to say", Input: slots(`{"hour":8,"action":"emit","target":"behavior.attacked"}`), Code: bad, Err: "routines[0].schedule[0]: action.target: behavior.attacked is emitted by the server alone, when it is so: choose another name"},
		{Name: "two that last", Input: slots(`{"hour":8,"action":"free"},{"hour":8,"action":"say","target":"x"},{"hour":8,"action":"goTo","position":[0,0,0]}`), Code: bad, Err: "routines[0].schedule: two of goTo, use and free begin at the hour 8, of which one is allowed; say, emit and animation may begin with it"},
		{Name: "tomorrow", Input: slots(`{"hour":24,"action":"free"}`), Code: bad, Err: "routines[0].schedule[0].hour: must be at least 0 and less than 24, got 24"},
		{Name: "a routine twice", Input: profile(`"routines":[{"id":"r","name":"","schedule":[]},{"id":"r","name":"","schedule":[]}]`), Code: bad, Err: `routines[1].id: "r" is there twice`},
		{Name: "too fast", Input: profile(`"config":{"speed":1e4}`), Code: bad, Err: "config.speed: must be a number from 0.01 to 1000, got 1e4"},
		{Name: "reactions", Input: profile(`"reactions":[{"trigger":"a","action":{"type":"say","data":{"text":"Hey","mood":"angry"}},"cooldown":2,"config":{"about":"self","radius":4}},{"trigger":"b","action":{"type":"goTo"},"priority":3},{"trigger":"b","action":{"type":"attitude","data":{"attitude":"hostile"}}},{"trigger":"b","action":{"type":"audio","data":{"name":"horn"}}}]`), Want: ok},
		{Name: "no text", Input: reacts(`"action":{"type":"say"}`), Code: bad, Err: "reactions[0]: action.data.text: is required: a string of from 1 to 280 characters"},
		{Name: "no sound", Input: reacts(`"action":{"type":"audio"}`), Code: bad, Err: "reactions[0]: action.data.name: is required: a string of at least 1 character"},
		{Name: "an attitude", Input: reacts(`"action":{"type":"attitude","data":{"attitude":"mad"}}`), Code: bad, Err: `reactions[0]: action.data.attitude: must be one of "friendly", "neutral", "hostile", got "mad"`},
		{Name: "say whom", Input: reacts(`"action":{"type":"say","target":"ent_1","data":{"text":"x"}}`), Code: bad, Err: "reactions[0]: action.target: say takes none: the text is data.text"},
		{Name: "about whom", Input: reacts(`"action":{"type":"custom"},"config":{"about":"me"}`), Code: bad, Err: `reactions[0]: config.about: must be "self" or "any", got "me"`},
		{Name: "goals", Input: profile(`"goals":[{"id":"a","type":"patrol","config":{"waypoints":[[0,0,0]],"wait":2}},{"id":"b","type":"guard","priority":2,"config":{"damage":5}},{"id":"c","type":"flee"},{"id":"d","type":"follow","target":"ent_9"},{"id":"e","type":"interact","target":"ent_9"},{"id":"f","type":"custom","target":"think","config":{"event":"thought"}}]`), Want: ok},
		{Name: "no way", Input: goals(`"type":"patrol"`), Code: bad, Err: `goals[0].config.waypoints: patrol needs them, or position: {"waypoints":[[0,0,0],[5,0,0]]}`},
		{Name: "an empty way", Input: goals(`"type":"patrol","config":{"waypoints":[]}`), Code: bad, Err: "goals[0].config.waypoints: must have from 1 to 64 items, got 0"},
		{Name: "no waypoint", Input: goals(`"type":"patrol","config":{"waypoints":[[0,0]]}`), Code: bad, Err: "goals[0].config.waypoints[0]: must have 3 items, got 2"},
		{Name: "follow whom", Input: goals(`"type":"follow"`), Code: bad, Err: "goals[0].target: follow needs the id of an entity"},
		{Name: "wander whom", Input: goals(`"type":"wander","target":"ent_1"`), Code: bad, Err: "goals[0].target: wander goes from place to place, and takes none: follow stays near somebody"},
		{Name: "flee where", Input: goals(`"type":"flee","position":[0,0,0]`), Code: bad, Err: "goals[0].position: is for patrol, wander, guard and goTo"},
		{Name: "guard two", Input: goals(`"type":"guard","position":[0,0,0],"target":"ent_1"`), Code: bad, Err: "goals[0].position: guard has a place or a target, not both"},
		{Name: "a goal twice", Input: profile(`"goals":[{"id":"g","type":"custom"},{"id":"g","type":"custom"}]`), Code: bad, Err: `goals[1].id: "g" is there twice`},
		{Name: "a radius", Input: goals(`"type":"guard","config":{"radius":-1}`), Code: bad, Err: "goals[0].config.radius: must be a number from 0.1 to 1000, got -1"},
		{Name: "an event that is taken", Input: goals(`"type":"custom","config":{"event":"game.won"}`), Code: bad, Err: "goals[0].config.event: game.won is emitted by the server alone, when it is so: choose another name"},
		{Name: "too much", Input: goals(`"type":"custom","config":{"a":"` + strings.Repeat("x", 9000) + `"}`), Code: registry.CodeCapacityExceeded, Err: "goals[0].config: holds at most 8192 bytes, this one has 9008"},
	})
}

func TestCalls(t *testing.T) {
	var (
		watch = [2]string{"behavior.define", profile(`"routines":[{"id":"day","name":"","schedule":[]},{"id":"night","name":"","schedule":[]}]`)}
		given = [2]string{"behavior.assign", `{"entity":"ent_0","profileId":"p"}`}
	)
	skilltest.Run(t, all, "behavior.assign", []skilltest.Case{
		{Name: "good", Setup: after(watch), Input: `{"entity":"ent_0","profileId":"p","meta":{"a":1}}`, Want: ok},
		{Name: "none", Setup: after(watch, given), Input: `{"entity":"ent_0","profileId":""}`, Want: ok},
		{Name: "misspelt", Setup: after(watch), Input: `{"entity":"ent_0","profileId":"P"}`, Err: `unknown profile "P"; the nearest is "p"`},
		{Name: "unknown", Setup: after(), Input: `{"entity":"ent_0","profileId":"p"}`, Err: `unknown profile "p"; there is none: behavior.define makes one`},
		{Name: "nobody", Setup: after(watch), Input: `{"entity":"ent_9","profileId":"p"}`, Err: "unknown entity ent_9; the nearest are ent_0, ent_1"},
		{
			Name: "another agent's body", Input: `{"entity":"ent_2","profileId":"p"}`, Code: forbidden,
			Err: "entity: ent_2 is the body of another agent, bob, who alone acts with it: leave it out to act with your own, which agent.embody or player.spawn makes",
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				after(watch)(t, s, p)
				s.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "agent.embody", `{}`)
			},
		},
	})
	skilltest.Run(t, all, "behavior.setGoal", []skilltest.Case{
		{Name: "good", Setup: after(), Input: `{"entity":"ent_0","type":"follow","target":"ent_1"}`, Want: `{"ok":true,"goalId":"goal_0"}`},
		{Name: "itself", Setup: after(), Input: `{"entity":"ent_0","type":"follow","target":"ent_0"}`, Code: bad, Err: "target: is the entity itself"},
		{Name: "nobody", Setup: after(), Input: `{"entity":"ent_0","type":"follow","target":"ent_8"}`, Err: "target: unknown entity ent_8; the nearest are ent_0, ent_1"},
		{Name: "without a place", Setup: after(), Input: `{"entity":"ent_0","type":"patrol"}`, Code: bad, Err: `config.waypoints: patrol needs them, or position: {"waypoints":[[0,0,0],[5,0,0]]}`},
		{Name: "without the right to use things", As: "npc.agent", Setup: after(), Input: `{"entity":"ent_0","type":"interact","target":"ent_1"}`, Code: forbidden, Err: "type: missing permission: interaction.write, which interact needs"},
		{Name: "without the right to emit", As: "npc.agent", Setup: after(), Input: `{"entity":"ent_0","type":"custom","config":{"event":"e"}}`, Code: forbidden, Err: "config.event: missing permission: event.write, which an event needs"},
		{
			Name: "too many", Input: `{"entity":"ent_0","type":"flee","priority":99}`, Code: registry.CodeCapacityExceeded,
			Err: "ent_0 has 16 goals of its own, which is the most: one of the same type and priority takes the place of another, behavior.assign takes all away",
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				two(t, s, p)
				for i := range behavior.MaxOwn {
					s.Must(t, p, "behavior.setGoal", `{"entity":"ent_0","type":"flee","priority":`+strings.Repeat("1", i+1)+`}`)
				}
			},
		},
	})
	skilltest.Run(t, all, "behavior.onEvent", []skilltest.Case{
		{Name: "good", Setup: after(), Input: `{"entity":"ent_0","trigger":"alarm","action":{"type":"goTo"},"cooldown":3}`, Want: ok},
		{Name: "no text", Setup: after(), Input: `{"entity":"ent_0","trigger":"alarm","action":{"type":"say","data":{"text":""}}}`, Code: bad, Err: "action.data.text: must have from 1 to 280 characters, got 0"},
		{
			Name: "too many", Input: `{"entity":"ent_0","trigger":"a","action":{"type":"custom"}}`, Code: registry.CodeCapacityExceeded,
			Err: "ent_0 has 16 reactions of its own, which is the most: behavior.assign takes all away, behavior.define takes more",
			Setup: func(t testing.TB, s *server, p *profiles.Principal) {
				t.Helper()
				two(t, s, p)
				for range behavior.MaxOwn {
					s.Must(t, p, "behavior.onEvent", `{"entity":"ent_0","trigger":"a","action":{"type":"custom"}}`)
				}
			},
		},
	})
	skilltest.Run(t, all, "npc.setRoutine", []skilltest.Case{
		{Name: "good", Setup: after(watch, given), Input: `{"entity":"ent_0","routineId":"night"}`, Want: ok},
		{Name: "the first", Setup: after(watch, given), Input: `{"entity":"ent_0","routineId":""}`, Want: ok},
		{Name: "unknown", Setup: after(watch, given), Input: `{"entity":"ent_0","routineId":"Night."}`, Err: `unknown routine "Night." of the profile "p"; the nearest is "night"`},
		{Name: "without a profile", Setup: after(watch), Input: `{"entity":"ent_0","routineId":"day"}`, Err: "ent_0 has no profile with routines: behavior.define writes one, behavior.assign gives it"},
	})
	skilltest.Run(t, all, "npc.setAttitude", []skilltest.Case{
		{Name: "good", Setup: after(), Input: hostile, Want: ok},
		{Name: "none", Setup: after([2]string{"npc.setAttitude", hostile}), Input: strings.ReplaceAll(hostile, "hostile", "neutral"), Want: ok},
		{Name: "another", Setup: after([2]string{"npc.setAttitude", hostile}), Input: strings.ReplaceAll(hostile, "hostile", "friendly"), Want: ok},
		{Name: "toward itself", Setup: after(), Input: `{"entity":"ent_0","towardEntity":"ent_0","attitude":"hostile"}`, Code: bad, Err: "towardEntity: ent_0 is the entity itself"},
		{Name: "toward nobody", Setup: after(), Input: `{"entity":"ent_0","towardEntity":"ent_7","attitude":"hostile"}`, Err: "towardEntity: unknown entity ent_7; the nearest are ent_0, ent_1"},
	})
	skilltest.Needs(t, all, "behavior.define", `{"id":"p","name":"P"}`, "behavior.configure", "builder.readWrite")
	skilltest.Needs(t, all, "behavior.assign", `{"entity":"ent_0","profileId":"p"}`, "behavior.write", "builder.readWrite", "npc.agent")
	skilltest.Needs(t, all, "npc.recall", `{"entity":"ent_0"}`, "behavior.read", "builder.readWrite", "npc.agent", "player.full", "player.limited")
}

func TestMemory(t *testing.T) {
	fact := func(key, value string) [2]string {
		return [2]string{"npc.memorize", `{"entity":"ent_0","key":"` + key + `","value":` + value + `}`}
	}
	skilltest.Run(t, all, "npc.memorize", []skilltest.Case{
		{Name: "good", Setup: after(), Input: `{"entity":"ent_0","key":"k","value":{"a": [1, 2]},"source":"ent_1"}`, Want: ok},
		{Name: "a list", Setup: after(), Input: fact("k", "[1]")[1], Code: bad, Err: "value: must be a string, a number, a boolean or an object"},
		{Name: "much", Setup: after(), Input: fact("k", `"`+strings.Repeat("x", behavior.MaxMemory)+`"`)[1], Code: registry.CodeCapacityExceeded, Err: "value: holds at most 2048 bytes, this one has 2050"},
	})
	skilltest.Run(t, all, "npc.recall", []skilltest.Case{
		{Name: "nothing", Setup: after(), Input: `{"entity":"ent_0"}`, Want: `{"memories":[]}`},
		{Name: "all", Setup: after(fact("b", `"x"`), fact("a", `3`), fact("b", `{"c": true}`)), Input: `{"entity":"ent_0"}`, Want: `{"memories":[{"key":"a","value":3,"tick":0},{"key":"b","value":{"c":true},"tick":0}]}`},
		{Name: "one", Setup: after(fact("b", `"x"`), fact("a", `3`)), Input: `{"entity":"ent_0","key":"b"}`, Want: `{"memories":[{"key":"b","value":"x","tick":0}]}`},
		{Name: "misspelt", Setup: after(fact("stranger", `"x"`)), Input: `{"entity":"ent_0","key":"strangr"}`, Want: `{"memories":[],"note":"it knows nothing of that; did you mean \"stranger\"?"}`},
	})
	r := town(t)
	for i := range 100 {
		r.Do("npc.memorize", `{"entity":"ent_0","key":"k%d","value":%d}`, i, i)
	}
	if out := r.Do("npc.recall", `{"entity":"ent_0"}`); strings.Count(out, `"key"`) != behavior.MaxMemories || !strings.Contains(out, `"k99"`) || !strings.Contains(out, `"k36"`) {
		t.Errorf("of 100 facts it knows %s", out)
	}
	for i := range 9 {
		r.Do("npc.memorize", `{"entity":"ent_0","key":"long%d","value":%q}`, i, strings.Repeat("x", 2000))
	}
	if out := r.Do("npc.recall", `{"entity":"ent_0"}`); strings.Count(out, `"key"`) != 4 || !strings.Contains(out, `"long8"`) {
		t.Errorf("of 9 long facts it knows %.300s", out)
	}
	if strings.Contains(r.Entity(t, "ent_0"), "long8") {
		t.Error("viewers know what it remembers")
	}
}
