package stats_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/world"
)

func TestCreate(t *testing.T) {
	skilltest.Run(t, all, "stats.create", []skilltest.Case{
		{Name: "some", Setup: hero, Input: `{"entity":"ent_0","stats":[{"name":"hp","value":5},{"name":"armor","value":-1,"minValue":-2,"maxValue":0,"config":{"color":1}}]}`, Want: `{"ok":true}`},
		{Name: "of nobody", Setup: hero, Input: `{"entity":"ent_7","stats":[{"name":"hp","value":5}]}`, Err: "unknown entity ent_7; the nearest are ent_0"},
		{Name: "twice", Setup: hero, Input: `{"entity":"ent_0","stats":[{"name":"hp","value":5},{"name":"hp","value":6}]}`, Code: registry.CodeInvalidInput, Err: `stats[1].name: "hp" is there twice`},
		{Name: "too much", Setup: hero, Input: `{"entity":"ent_0","stats":[{"name":"hp","value":5,"maxValue":4}]}`, Code: registry.CodeInvalidInput, Err: "stats[0].value: 5 is above maxValue, 4"},
		{Name: "too little", Setup: hero, Input: `{"entity":"ent_0","stats":[{"name":"heat","value":-5}]}`, Code: registry.CodeInvalidInput, Err: "stats[0].value: -5 is below minValue, 0: give another minValue"},
		{Name: "upside down", Setup: hero, Input: `{"entity":"ent_0","stats":[{"name":"heat","value":5,"minValue":6,"maxValue":4}]}`, Code: registry.CodeInvalidInput, Err: "stats[0].minValue: 6 is above maxValue, 4"},
		{Name: "too many", Setup: hero, Input: `{"entity":"ent_0","stats":[` + many(32) + `]}`, Code: registry.CodeCapacityExceeded, Err: "ent_0 would have 35 stats, at most 32"},
		{Name: "a large config", Setup: hero, Input: `{"entity":"ent_0","stats":[{"name":"heat","value":5,"config":{"a":"` + long + `"}}]}`, Code: registry.CodeCapacityExceeded, Err: "config: the stats of an entity hold at most 4096 bytes of it together, those of ent_0 would have 4104"},
	})
	skilltest.Run(t, all, "stats.get", []skilltest.Case{
		{Name: "one", Setup: hero, Input: `{"entity":"ent_0","statName":"hp"}`, Want: `{"value":80,"maxValue":100,"minValue":0}`},
		{Name: "one without an end", Setup: hero, Input: `{"entity":"ent_0","statName":"gold"}`, Want: `{"value":3,"maxValue":3.4e+38,"minValue":0}`},
		{
			Name: "all", Setup: hero, Input: `{"entity":"ent_0"}`,
			Want: `{"stats":[{"name":"hp","value":80,"maxValue":100,"minValue":0},{"name":"mana","value":10,"maxValue":20,"minValue":-5},{"name":"gold","value":3,"maxValue":3.4e+38,"minValue":0}]}`,
		},
		{Name: "all of one without", Setup: after(hero, [2]string{"scene.createEntity", `{}`}), Input: `{"entity":"ent_1"}`, Err: "ent_1 has no stats: stats.create gives it some"},
		{Name: "another", Setup: hero, Input: `{"entity":"ent_0","statName":"manna"}`, Err: `ent_0 has no stat "manna"; did you mean "mana"? it has hp, mana, gold`},
		{Name: "of one without", Setup: after(hero, [2]string{"scene.createEntity", `{}`}), Input: `{"entity":"ent_1","statName":"hp"}`, Err: "ent_1 has no stats: stats.create gives it some"},
		{Name: "of nobody", Setup: hero, Input: `{"entity":"ent_7","statName":"hp"}`, Err: "unknown entity ent_7; the nearest are ent_0"},
	})
	skilltest.Run(t, all, "stats.modify", []skilltest.Case{
		{Name: "less", Setup: hero, Input: `{"entity":"ent_0","statName":"hp","delta":-30.5}`, Want: `{"value":49.5}`},
		{Name: "more than there is room for", Setup: hero, Input: `{"entity":"ent_0","statName":"hp","delta":30}`, Want: `{"value":100,"clamped":true}`},
		{Name: "below", Setup: hero, Input: `{"entity":"ent_0","statName":"mana","delta":-30}`, Want: `{"value":-5,"clamped":true}`},
		{Name: "below all the same", Setup: hero, Input: `{"entity":"ent_0","statName":"mana","delta":-30,"clamp":false}`, Want: `{"value":-20}`},
		{Name: "as much as there is", Setup: hero, Input: `{"entity":"ent_0","statName":"gold","delta":3.4e38}`, Want: `{"value":3.4e+38}`},
		{Name: "another", Setup: hero, Input: `{"entity":"ent_0","statName":"level","delta":1}`, Err: `ent_0 has no stat "level"; it has hp, mana, gold`},
	})
	for name, input := range map[string]string{"stats.create": `{"entity":"ent_0","stats":[{"name":"hp","value":5}]}`, "stats.onZero": `{"entity":"ent_0","statName":"hp","action":{"type":"custom"}}`} {
		skilltest.Needs(t, all, name, input, "stats.configure", "builder.readWrite", "game.author", "npc.agent")
	}
	skilltest.Needs(t, all, "stats.modify", `{"entity":"ent_0","statName":"hp","delta":5}`, "stats.write", "builder.readWrite", "combat.writer", "npc.agent")
	skilltest.Needs(t, all, "stats.get", `{"entity":"ent_0","statName":"hp"}`, "stats.read", "builder.readWrite", "combat.writer", "npc.agent", "player.full", "player.limited")
}

func many(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"name":"stat %d","value":1}`, i)
	}
	return strings.Join(list, ",")
}

// TestViewersSee looks at what clients draw bars and icons of.
func TestViewersSee(t *testing.T) {
	r := newRoom(t)
	r.give(`{"name":"hp","value":9,"config":{"color":255}},{"name":"gold","value":1}`)
	r.Steps(3)
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"buff","duration":1,"magnitude":2,"config":{"stat":"gold"}}`)
	r.Do("combat.defend", `{"entity":"ent_0"}`)
	got := r.Entity(t, "ent_0")
	_, got, _ = strings.Cut(got, `"stats":`)
	skilltest.Holds(t, "the entity", got, `[{"name":"hp","value":9,"min":0,"max":9,"config":{"color":255}},{"name":"gold","value":1,"min":0}],`+
		`"status":[{"id":"eff_0","type":"buff","magnitude":2,"since":3,"until":63,"stat":"gold","config":{"stat":"gold"},"by":"ann"}],"stance":{"until":63,"reduces":0.5}}`)
	skilltest.Holds(t, "stats.get", r.Do("stats.get", `{"entity":"ent_0","statName":"gold"}`), `{"value":3,"maxValue":3.4e+38,"minValue":0,"base":1}`)
	r.Steps(60)
	if got := r.Entity(t, "ent_0"); strings.Contains(got, "status") || strings.Contains(got, "stance") {
		t.Errorf("a second later it is %s", got)
	}
	tick := r.World.Tick()
	if r.Steps(100); r.World.Tick() != tick {
		t.Error("nothing is on anybody, and the world changes")
	}
}

// TestOnZero has things happen at zero.
func TestOnZero(t *testing.T) {
	skilltest.Run(t, all, "stats.onZero", []skilltest.Case{
		{Name: "one", Setup: hero, Input: `{"entity":"ent_0","statName":"hp","action":{"type":"destroy"}}`, Want: `{"ok":true}`},
		{Name: "nothing", Setup: hero, Input: `{"entity":"ent_0","statName":"hp","action":{"type":"setState"}}`, Want: `{"ok":true,"note":"the action changes nothing: action.data names nothing to change"}`},
		{Name: "of another", Setup: hero, Input: `{"entity":"ent_0","statName":"health","action":{"type":"destroy"}}`, Err: `ent_0 has no stat "health"; it has hp, mana, gold`},
		{Name: "without the right", Setup: asGod, As: "npc.agent", Input: `{"entity":"ent_0","statName":"hp","action":{"type":"destroy"}}`, Code: registry.CodeForbidden, Err: "missing permission: scene.write, which an action of type destroy needs"},
		{
			Name: "too many", Setup: after(hero, repeat(stats.MaxActions, [2]string{"stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"custom"}}`})...),
			Input: `{"entity":"ent_0","statName":"hp","action":{"type":"custom"}}`, Code: registry.CodeCapacityExceeded, Err: "ent_0 has 16 actions at zero, which is the most: with replace this one takes the place of those of hp",
		},
		{
			Name: "in place of many", Setup: after(hero, repeat(stats.MaxActions, [2]string{"stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"custom"}}`})...),
			Input: `{"entity":"ent_0","statName":"hp","replace":true,"action":{"type":"custom"}}`, Want: `{"ok":true}`,
		},
		{
			Name: "much to say", Setup: after(hero, [2]string{"stats.onZero", `{"entity":"ent_0","statName":"gold","action":{"type":"custom","data":{"a":"` + long + `"}}}`}),
			Input: `{"entity":"ent_0","statName":"hp","action":{"type":"custom","data":{"a":"` + long + `"}}}`, Code: registry.CodeCapacityExceeded, Err: "action.data: the actions of ent_0 at zero hold at most 8192 bytes of it together, and would have 8208",
		},
	})
	r := newRoom(t)
	r.give(`{"name":"hp","value":10},{"name":"fuel","value":5,"minValue":2}`)
	r.Do("stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"custom","target":"falls over"}}`)
	r.Do("stats.onZero", `{"entity":"ent_0","statName":"fuel","action":{"type":"emit","target":"stands","data":{"a":1}}}`)
	r.Do("stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"destroy"}}`)
	r.Do("stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"custom","target":"lies there"}}`)
	r.Do("scene.clone", `{"entity":"ent_0"}`) // ent_1
	r.Do("stats.modify", `{"entity":"ent_0","statName":"fuel","delta":-2.5}`)
	r.Steps(2)
	if got := r.Heard(); got != nil {
		t.Errorf("before it is empty viewers are told %q", got)
	}
	r.Do("stats.modify", `{"entity":"ent_0","statName":"fuel","delta":-2}`)
	r.Do("stats.modify", `{"entity":"ent_0","statName":"fuel","delta":-2}`)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":99}`)
	r.Heard()
	if got := r.Len(); got != 2 {
		t.Errorf("before the step there are %d entities", got)
	}
	r.Steps(1)
	want := []string{`stats.emit {"stat":"fuel","entity":"ent_0","event":"stands","by":"ann","data":{"a":1}}`, `stats.custom {"stat":"hp","entity":"ent_0","target":"falls over","by":"ann"}`, `stats.custom {"stat":"hp","entity":"ent_0","target":"lies there","by":"ann"}`}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`stands ent_0 {"a":1} ann`}, r.emitted); diff != "" {
		t.Errorf("those who listen are told (-want +got):\n%s", diff)
	}
	if got := r.Len(); got != 1 {
		t.Errorf("after the step there are %d entities", got)
	}
	r.Steps(3)
	if got := r.Heard(); got != nil {
		t.Errorf("it is empty already, and viewers are told %q", got)
	}
	// The copy does the same; and again, if it was healed.
	r.Do("stats.modify", `{"entity":"ent_1","statName":"fuel","delta":-9}`)
	r.Steps(1)
	r.Do("stats.modify", `{"entity":"ent_1","statName":"fuel","delta":1}`)
	r.Do("stats.modify", `{"entity":"ent_1","statName":"fuel","delta":-1}`)
	r.Steps(1)
	if got := r.Heard(); len(got) != 2 || !strings.Contains(got[1], `"ent_1"`) {
		t.Errorf("of the copy viewers are told %q", got)
	}
}

// TestOnZeroAnew has actions of one stat replaced, and those of another stay.
func TestOnZeroAnew(t *testing.T) {
	r := newRoom(t)
	r.give(`{"name":"hp","value":10},{"name":"fuel","value":5}`)
	for _, stat := range []string{"hp", "fuel", "hp"} {
		r.Do("stats.onZero", `{"entity":"ent_0","statName":%q,"action":{"type":"custom","target":"before"}}`, stat)
	}
	r.Do("stats.onZero", `{"entity":"ent_0","statName":"hp","replace":true,"action":{"type":"custom","target":"after"}}`)
	for _, stat := range []string{"hp", "fuel"} {
		r.Do("stats.modify", `{"entity":"ent_0","statName":%q,"delta":-99}`, stat)
	}
	r.Steps(1)
	want := []string{`stats.custom {"stat":"hp","entity":"ent_0","target":"after","by":"ann"}`, `stats.custom {"stat":"fuel","entity":"ent_0","target":"before","by":"ann"}`}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
}

// TestOnZeroBesideAClaim has somebody's action at zero held to the claims of others.
func TestOnZeroBesideAClaim(t *testing.T) {
	r := newRoom(t)
	r.give(`{"name":"hp","value":10}`)
	r.Do("stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"destroy"}}`)
	r.Do("damage.apply", `{"targetEntity":"ent_0","amount":99}`)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	r.Must(t, bob, "world.claim", `{"min":[-1,-1,-1],"max":[1,1,1]}`)
	r.Heard()
	r.Steps(1)
	if got := r.Heard(); len(got) != 1 || !strings.HasPrefix(got[0], "stats.failed ") || r.Len() != 1 {
		t.Errorf("there are %d entities, and viewers are told %q", r.Len(), got)
	}
}

// TestUndoOfAKill takes a death back before it had its consequences, and after.
func TestUndoOfAKill(t *testing.T) {
	for _, steps := range []int{0, 5} {
		r := newRoom(t)
		r.give(`{"name":"hp","value":10}`)
		r.Do("stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"emit","target":"dead"}}`)
		before := r.Content()
		r.Do("damage.apply", `{"targetEntity":"ent_0","amount":99}`)
		r.Steps(steps)
		r.Do("world.undo", `{}`)
		if r.Content() != before {
			t.Errorf("after %d steps and an undo the world is another one", steps)
		}
		r.emitted = nil
		if r.Steps(2); r.emitted != nil || r.stat("ent_0", "hp") != 10 {
			t.Errorf("after %d steps and an undo it has %v, and is said to be %q", steps, r.stat("ent_0", "hp"), r.emitted)
		}
	}
}

// TestCopies looks at what a clone, and what a prefab makes, has of stats and effects.
func TestCopies(t *testing.T) {
	r := newRoom(t)
	r.give(`{"name":"hp","value":10},{"name":"defense","value":1}`)
	r.Do("status.apply", `{"targetEntity":"ent_0","type":"buff","duration":9,"config":{"stat":"defense"}}`)
	r.Do("scene.clone", `{"entity":"ent_0"}`)
	r.Do("prefab.define", `{"name":"hero","from":["ent_0"]}`)
	r.Do("prefab.instantiate", `{"name":"hero"}`)
	r.World.View(func(v *world.View) {
		for id := range v.All() {
			if text := string(r.World.AppendEntity(nil, v, id)); strings.Contains(text, `"stats"`) != strings.Contains(text, `"shape"`) || strings.Contains(text, `"status"`) != (id.String() == "ent_0") {
				t.Errorf("%s", text)
			}
		}
	})
	if a, b := r.stat("ent_0", "defense"), r.stat("ent_1", "defense"); a != 2 || b != 1 {
		t.Errorf("it has a defense of %v, its copy %v; want 2 and 1", a, b)
	}
}
