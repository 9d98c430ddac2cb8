package game_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

const rich = `{"name":"rich","expression":"counter(\"coins\") >= 10","onTrue":"allCoins"}`

func TestState(t *testing.T) {
	skilltest.Run(t, all, "game.state", []skilltest.Case{
		{Name: "never set", Input: `{"name":"wave"}`, Want: `{"value":null,"note":"this variable was never set"}`},
		{Name: "misspelt", Setup: skilltest.Calls("game.state", `{"action":"set","name":"wave","value":2}`), Input: `{"name":"Waves"}`, Want: `{"value":null,"note":"this variable was never set; did you mean \"wave\"?"}`},
		{Name: "a number", Input: `{"action":"set","name":"wave","value":2.5}`, Want: `{"value":2.5}`},
		{Name: "a text", Input: `{"action":"set","name":"wave","value":"last","meta":{"a":1}}`, Want: `{"value":"last"}`},
		{Name: "a boolean", Input: `{"action":"set","name":"wave","value":false}`, Want: `{"value":false}`},
		{Name: "an object", Input: `{"action":"set","name":"wave","value":{"a": [1, {}]}}`, Want: `{"value":{"a":[1,{}]}}`},
		{Name: "a list", Input: `{"action":"set","name":"wave","value":[1]}`, Code: registry.CodeInvalidInput, Err: "value: must be a string, a number, a boolean or an object"},
		{Name: "too large a number", Input: `{"action":"set","name":"wave","value":1e39}`, Code: registry.CodeInvalidInput, Err: "value: must be from -3.4e+38 to 3.4e+38, got 1e39"},
		{Name: "nothing", Input: `{"action":"set","name":"wave"}`, Code: registry.CodeInvalidInput, Err: "value: is required to set a variable"},
		{Name: "get with a value", Input: `{"name":"wave","value":1}`, Code: registry.CodeInvalidInput, Err: `value: is for "action":"set"; get reads it`},
		{Name: "too long", Input: `{"action":"set","name":"wave","value":"` + strings.Repeat("x", game.MaxValue) + `"}`, Code: registry.CodeCapacityExceeded, Err: "value: holds at most 4096 bytes, this one has 4098"},
		{Name: "that makes something true", Setup: skilltest.Calls("game.condition", `{"name":"end","expression":"variable('wave') == 3"}`), Input: `{"action":"set","name":"wave","value":3}`, Want: `{"value":3,"became":["end"]}`},
	})
	skilltest.Run(t, all, "game.flag", []skilltest.Case{
		{Name: "never set", Input: `{"name":"open"}`, Want: `{"value":false,"note":"this flag was never set"}`},
		{Name: "set", Input: `{"name":"open","value":true}`, Want: `{"value":true}`},
		{Name: "set to false", Input: `{"name":"open","value":false}`, Want: `{"value":false}`},
		{Name: "read", Setup: skilltest.Calls("game.flag", `{"name":"open","value":true}`), Input: `{"name":"open"}`, Want: `{"value":true}`},
	})
	skilltest.Run(t, all, "game.counter", []skilltest.Case{
		{Name: "never set", Input: `{"name":"coins"}`, Want: `{"value":0,"note":"this counter was never set"}`},
		{Name: "up", Input: `{"name":"coins","action":"increment"}`, Want: `{"value":1}`},
		{Name: "down", Input: `{"name":"coins","action":"decrement","value":3}`, Want: `{"value":-3}`},
		{Name: "set", Input: `{"name":"coins","action":"set","value":0}`, Want: `{"value":0}`},
		{Name: "set to nothing", Input: `{"name":"coins","action":"set"}`, Code: registry.CodeInvalidInput, Err: "value: is required to set a counter"},
		{Name: "get with a value", Input: `{"name":"coins","value":3}`, Code: registry.CodeInvalidInput, Err: `value: is for "action":"set", increment and decrement; get reads it`},
		{Name: "too far", Setup: skilltest.Calls("game.counter", `{"name":"coins","action":"set","value":9007199254740991}`), Input: `{"name":"coins","action":"increment"}`, Code: registry.CodeCapacityExceeded, Err: "value: a counter goes from -9007199254740991 to 9007199254740991; this one would be 9007199254740992"},
		{Name: "that makes something true", Setup: skilltest.Calls("game.condition", rich), Input: `{"name":"coins","action":"increment","value":12}`, Want: `{"value":12,"became":["rich"]}`},
	})
}

func TestCalls(t *testing.T) {
	const bomb = `{"name":"bomb","duration":30,"onComplete":"boom"}`
	skilltest.Run(t, all, "game.timer", []skilltest.Case{
		{Name: "start", Input: bomb, Want: `{"ok":true,"remaining":30,"completed":[],"elapsed":0,"state":"running"}`},
		{Name: "a stopwatch", Input: `{"name":"watch","direction":"countup"}`, Want: `{"ok":true,"remaining":0,"completed":[],"elapsed":0,"state":"running"}`},
		{Name: "get", Setup: skilltest.Calls("game.timer", bomb), Input: `{"name":"bomb","action":"get"}`, Want: `{"ok":true,"remaining":30,"completed":[],"elapsed":0,"state":"running"}`},
		{Name: "pause", Setup: skilltest.Calls("game.timer", bomb), Input: `{"name":"bomb","action":"pause"}`, Want: `{"ok":true,"remaining":30,"completed":[],"elapsed":0,"state":"paused"}`},
		{Name: "resume what runs", Setup: skilltest.Calls("game.timer", bomb), Input: `{"name":"bomb","action":"resume"}`, Want: `{"ok":false,"remaining":30,"completed":[],"elapsed":0,"state":"running","note":"it is running: there is nothing to resume"}`},
		{Name: "tick", Setup: skilltest.Calls("game.timer", bomb), Input: `{"action":"tick","dt":99}`, Want: `{"ok":true,"remaining":0,"completed":[],"elapsed":0,"note":"the server counts the time: tick advances nothing"}`},
		{Name: "remove", Setup: skilltest.Calls("game.timer", bomb), Input: `{"name":"bomb","action":"remove"}`, Want: `{"ok":true,"remaining":30,"completed":[],"elapsed":0,"state":"running"}`, Check: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
			t.Helper()
			if _, err := s.Call(p, "game.timer", `{"name":"bomb","action":"get"}`); err == nil {
				t.Error("it runs still")
			}
		}},
		{Name: "remove with an end", Setup: skilltest.Calls("game.timer", bomb), Input: `{"name":"bomb","action":"remove","duration":1}`, Code: registry.CodeInvalidInput, Err: `duration: is for "action":"start"`},
		{Name: "no such timer", Setup: skilltest.Calls("game.timer", bomb), Input: `{"name":"bombs","action":"get"}`, Err: `unknown timer "bombs"; the nearest is "bomb"`},
		{Name: "nothing like it", Setup: skilltest.Calls("game.timer", bomb), Input: `{"name":"x","action":"tick"}`, Err: `unknown timer "x"; there are 1, such as "bomb"`},
		{Name: "none at all", Input: `{"name":"x","action":"get"}`, Err: `unknown timer "x"; there is none: game.timer makes one`},
		{Name: "without a name", Input: `{"duration":1}`, Code: registry.CodeInvalidInput, Err: "name: is required to start a timer"},
		{Name: "without a duration", Input: `{"name":"x"}`, Code: registry.CodeInvalidInput, Err: `duration: is required for a countdown, in seconds; "direction":"countup" can do without`},
		{Name: "with one that nobody lives to see", Input: `{"name":"x","duration":1e10}`, Code: registry.CodeCapacityExceeded, Err: "duration: a timer runs for at most 1e+09 seconds"},
		{Name: "what is the server's to say", Input: `{"name":"x","duration":1,"onComplete":"game.won"}`, Code: registry.CodeInvalidInput, Err: "onComplete: game.won is emitted by the server alone, when it is so: choose another name"},
		{Name: "an event without the right", As: "player.limited", Input: bomb, Code: registry.CodeForbidden, Err: "missing permission: event.write, which onComplete needs"},
		{Name: "no event", As: "player.limited", Input: `{"name":"x","duration":1}`, Want: `{"ok":true,"remaining":1,"completed":[],"elapsed":0,"state":"running"}`},
	})
	skilltest.Run(t, all, "game.condition", []skilltest.Case{
		{Name: "define", Input: rich, Want: `{"ok":true,"value":false,"fired":false}`},
		{Name: "define what is true", Setup: skilltest.Calls("game.counter", `{"name":"coins","action":"set","value":10}`), Input: rich, Want: `{"ok":true,"value":true,"fired":true}`},
		{Name: "define it again", Setup: skilltest.Calls("game.counter", `{"name":"coins","action":"set","value":10}`, "game.condition", rich), Input: rich, Want: `{"ok":true,"value":true,"fired":false}`},
		{Name: "evaluate", Setup: skilltest.Calls("game.condition", rich, "game.counter", `{"name":"coins","action":"set","value":10}`), Input: `{"name":"rich","action":"evaluate"}`, Want: `{"ok":true,"value":true,"fired":false}`},
		{Name: "evaluate another", Setup: skilltest.Calls("game.condition", rich), Input: `{"name":"ritch","action":"evaluate"}`, Err: `unknown condition "ritch"; the nearest is "rich"`},
		{Name: "evaluate and define", Setup: skilltest.Calls("game.condition", rich), Input: `{"name":"rich","action":"evaluate","expression":"true"}`, Code: registry.CodeInvalidInput, Err: `action: is "evaluate", which takes a name alone; "define" takes expression and onTrue`},
		{Name: "remove", Setup: skilltest.Calls("game.condition", rich), Input: `{"name":"rich","action":"remove"}`, Want: `{"ok":true,"value":false,"fired":false}`, Check: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
			t.Helper()
			s.Must(t, p, "game.counter", `{"name":"coins","action":"set","value":10}`)
			if _, err := s.Call(p, "game.condition", `{"name":"rich","action":"evaluate"}`); err == nil {
				t.Error("it is watched still")
			}
		}},
		{Name: "remove another", Setup: skilltest.Calls("game.condition", rich), Input: `{"name":"ritch","action":"remove"}`, Err: `unknown condition "ritch"; the nearest is "rich"`},
		{Name: "without an expression", Input: `{"name":"rich"}`, Code: registry.CodeInvalidInput, Err: `expression: is required to define a condition: "counter(\"coins\") >= 10"`},
		{Name: "with a wrong one", Input: `{"name":"rich","expression":"coins >= 10"}`, Code: registry.CodeInvalidInput, Err: `expression: at character 1, "coins >= 10": coins means nothing: write flag("coins"), counter("coins") or variable("coins"), and texts in quotes`},
		{Name: "what is the server's to say", Input: `{"name":"rich","expression":"true","onTrue":"game.lost"}`, Code: registry.CodeInvalidInput, Err: "onTrue: game.lost is emitted by the server alone, when it is so: choose another name"},
	})
	for name, other := range map[string]string{"game.win": "game.lose", "game.lose": "game.win"} {
		state := map[string]string{"game.win": "won", "game.lose": "lost"}
		skilltest.Run(t, all, name, []skilltest.Case{
			{Name: "first", Input: `{"meta":{"a":1}}`, Want: `{"ok":true,"state":"` + state[name] + `"}`},
			{Name: "again", Setup: skilltest.Calls(name, `{}`), Input: `{}`, Want: `{"ok":true,"state":"` + state[name] + `"}`},
			{Name: "too late", Setup: skilltest.Calls(other, `{}`), Input: `{}`, Want: `{"ok":false,"state":"` + state[other] + `","reason":"the game is ` + state[other] + ` already; game.restart begins it anew"}`},
			{Name: "anew", Setup: skilltest.Calls(other, `{}`, "game.restart", `{}`), Input: `{}`, Want: `{"ok":true,"state":"` + state[name] + `"}`},
		})
	}
	skilltest.Run(t, all, "game.restart", []skilltest.Case{{Name: "what runs", Input: `{}`, Want: `{"ok":true,"state":"running"}`}})
	for name, input := range map[string]string{
		"game.state": `{"name":"a"}`, "game.flag": `{"name":"a"}`, "game.counter": `{"name":"a"}`, "game.timer": `{"action":"tick"}`,
		"game.win": `{}`, "game.lose": `{}`, "game.restart": `{}`,
	} {
		skilltest.Needs(t, all, name, input, "game.write", "builder.readWrite", "game.author", "player.full", "player.limited")
	}
	skilltest.Needs(t, all, "game.condition", `{"name":"a","expression":"true"}`, "game.configure", "builder.readWrite", "game.author")
}

// TestTimer has timers run out, pause, and begin anew. Time is counted in steps, whoever asks.
func TestTimer(t *testing.T) {
	r := newRoom(t)
	r.Do("event.listen", `{"eventName":"boom","action":{"type":"custom","target":"fire"}}`)
	r.Do("game.timer", `{"name":"bomb","duration":1,"onComplete":"boom"}`)
	r.Do("game.timer", `{"name":"tea","duration":0.5,"direction":"countup"}`)
	r.Do("game.timer", `{"name":"watch","direction":"countup"}`)
	for range 10 {
		r.Do("game.timer", `{"action":"tick","name":"bomb","dt":0.5}`)
	}
	r.Steps(45)
	if got, want := r.Do("game.timer", `{"action":"get","name":"bomb"}`), `{"ok":true,"remaining":0.25,"completed":["tea"],"elapsed":0.75,"state":"running"}`; got != want {
		t.Errorf("after 45 steps: %s, want %s", got, want)
	}
	r.Do("game.timer", `{"action":"pause","name":"bomb"}`)
	r.Steps(100)
	if got, want := r.Do("game.timer", `{"action":"get","name":"bomb"}`), `{"ok":true,"remaining":0.25,"completed":["tea"],"elapsed":0.75,"state":"paused"}`; got != want {
		t.Errorf("paused: %s, want %s", got, want)
	}
	r.Do("game.timer", `{"action":"resume","name":"bomb"}`)
	r.Steps(14)
	if got := r.Heard(); got != nil {
		t.Errorf("a step before: %q", got)
	}
	r.Steps(1) // the timer ends, and who listens hears it in the same step
	if diff := cmp.Diff([]string{`event.emit boom {"timer":"bomb"}`, "event.custom fire"}, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	tick := r.World.Tick()
	if r.Steps(200); r.World.Tick() != tick {
		t.Error("a stopwatch alone has the world change")
	}
	if got, want := r.Do("game.timer", `{"action":"get","name":"watch"}`), `{"ok":true,"remaining":0,"completed":["bomb","tea"],"elapsed":6,"state":"running"}`; got != want {
		t.Errorf("the stopwatch: %s, want %s", got, want)
	}
	if got, want := r.Do("game.timer", `{"name":"bomb","duration":2}`), `{"ok":true,"remaining":2,"completed":["tea"],"elapsed":0,"state":"running"}`; got != want {
		t.Errorf("anew: %s, want %s", got, want)
	}
	if got, want := r.Shared("game.timers"), `{"bomb":{"state":"running","direction":"countdown","steps":120,"start":360,"since":360,"by":"ann"},"tea":{"state":"done","direction":"countup","steps":30,"start":0,"elapsed":30,"since":0,"by":"ann"},"watch":{"state":"running","direction":"countup","start":0,"since":0,"by":"ann"}}`; got != want {
		t.Errorf("viewers see\n%s, want\n%s", got, want)
	}
}

// TestTimersAreBounded starts more timers than there may be.
func TestTimersAreBounded(t *testing.T) {
	r := newRoom(t)
	for i := range game.MaxTimers * 3 / 4 {
		r.Do("game.timer", `{"name":"t%d","duration":9}`, i)
	}
	if _, err := r.Call(r.Ann, "game.timer", `{"name":"one more","duration":9}`); err == nil || err.Code != registry.CodeCapacityExceeded {
		t.Errorf("one more: %v", err)
	}
	r.Do("game.timer", `{"name":"t3","duration":9}`)
	r.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "game.timer", `{"name":"one more","duration":9}`)
}

// TestEndedTimersMakeRoom has many come once, start a timer each, and never come again: whoever comes later starts one nevertheless, in the place of those that have run out, the oldest
// first. What runs and what waits stays.
func TestEndedTimersMakeRoom(t *testing.T) {
	r := newRoom(t)
	r.Do("game.timer", `{"name":"watch","direction":"countup"}`)
	r.Do("game.timer", `{"name":"held","duration":1}`)
	r.Do("game.timer", `{"name":"held","action":"pause"}`)
	for i := range 3 * game.MaxTimers {
		r.Must(t, skilltest.Caller(t, fmt.Sprintf("guest-%d", i), "player.limited"), "game.timer", fmt.Sprintf(`{"name":"t%d","duration":0.05}`, i))
		r.Steps(1)
	}
	names := func() []string {
		var all map[string]struct{ State string }
		if err := json.Unmarshal([]byte(r.Shared("game.timers")), &all); err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(maps.Keys(all))
	}
	var want []string
	for i := 2*game.MaxTimers + 2; i < 3*game.MaxTimers; i++ {
		want = append(want, fmt.Sprintf("t%d", i))
	}
	want = append(want, "watch", "held")
	slices.Sort(want)
	if diff := cmp.Diff(want, names()); diff != "" {
		t.Errorf("there are (-want +got):\n%s", diff)
	}
	r.Steps(10)
	for i := range game.MaxTimers*3/4 - 2 { // one alone has three quarters, whoever's there were before
		r.Do("game.timer", `{"name":"mine%d","duration":60}`, i)
	}
	if _, err := r.Call(r.Ann, "game.timer", `{"name":"one more","duration":9}`); err == nil || err.Code != registry.CodeCapacityExceeded {
		t.Errorf("one more: %v", err)
	}
	if n, want := len(names()), game.MaxTimers*3/4+1; n != want { // no more are let go than have to be
		t.Errorf("there are %d timers, want %d", n, want)
	}
}

// TestForget has what was set be as if it never was: what reads it sees so, and there is room for another.
func TestForget(t *testing.T) {
	for _, k := range []struct{ skill, set, remove, read, never, of string }{
		{"game.flag", `{"name":"%s","value":true}`, `{"name":"%s","remove":true}`, `{"name":"%s"}`, `{"value":false,"note":"this flag was never set%s"}`, `flag(\"a0\")`},
		{"game.counter", `{"name":"%s","action":"set","value":1}`, `{"name":"%s","action":"remove"}`, `{"name":"%s"}`, `{"value":0,"note":"this counter was never set%s"}`, `counter(\"a0\") == 1`},
		{"game.state", `{"name":"%s","action":"set","value":1}`, `{"name":"%s","action":"remove"}`, `{"name":"%s"}`, `{"value":null,"note":"this variable was never set%s"}`, `variable(\"a0\") == 1`},
	} {
		r := newRoom(t)
		r.Do("event.listen", `{"eventName":"not","action":{"type":"custom","target":"heard"}}`)
		r.Do("game.condition", `{"name":"not","expression":"not (%s)","onTrue":"not"}`, k.of)
		r.Steps(2)
		if got, want := r.Do(k.skill, k.remove, "a0"), fmt.Sprintf(k.never, ""); got != want {
			t.Errorf("%s: what never was is removed: %s, want %s", k.skill, got, want)
		}
		most := map[string]int{"game.flag": game.MaxFlags, "game.counter": game.MaxCounters, "game.state": game.MaxVariables}[k.skill]
		for i := range most { // each of another one, who never comes again
			r.Must(t, skilltest.Caller(t, fmt.Sprintf("guest-%d", i), "player.limited"), k.skill, fmt.Sprintf(k.set, fmt.Sprintf("a%d", i)))
		}
		r.Steps(2)
		r.Heard()
		if _, err := r.Call(r.Ann, k.skill, fmt.Sprintf(k.set, "mine")); err == nil || err.Code != registry.CodeCapacityExceeded {
			t.Errorf("%s: one too many: %v", k.skill, err)
		}
		if got := r.Do(k.skill, k.remove, "a0"); !strings.Contains(got, `"became":["not"]`) {
			t.Errorf("%s: removed: %s, which makes a condition true", k.skill, got)
		}
		r.Steps(2)
		if got := r.Heard(); !slices.Contains(got, "event.custom heard") {
			t.Errorf("%s: viewers are told %q", k.skill, got)
		}
		r.Do(k.skill, k.set, "mine")
		r.Do(k.skill, k.remove, "a1")
		if got := r.Do(k.skill, k.read, "a1"); !strings.Contains(got, "was never set") {
			t.Errorf("%s: what was removed is read: %s", k.skill, got)
		}
		both := map[string]string{"game.flag": `{"name":"a2","remove":true,"value":true}`, "game.counter": `{"name":"a2","action":"remove","value":1}`, "game.state": `{"name":"a2","action":"remove","value":1}`}[k.skill]
		if _, err := r.Call(r.Ann, k.skill, both); err == nil || err.Code != registry.CodeInvalidInput {
			t.Errorf("%s: removed and set: %v", k.skill, err)
		}
	}
}

// TestConditionsAreShared: one alone does not define all conditions that there may be.
func TestConditionsAreShared(t *testing.T) {
	r := newRoom(t)
	for i := range game.MaxConditions * 3 / 4 {
		r.Do("game.condition", `{"name":"c%d","expression":"flag(\"x\")"}`, i)
	}
	_, err := r.Call(r.Ann, "game.condition", `{"name":"one more","expression":"true"}`)
	if want := `192 of 256 conditions are yours, and the 64 that are left are for others: "action":"remove" takes one away`; err == nil || err.Message != want {
		t.Errorf("one more: %v, want %s", err, want)
	}
	r.Do("game.condition", `{"name":"c3","expression":"true"}`)
	r.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "game.condition", `{"name":"one more","expression":"true"}`)
}

// TestRisingEdge hears a condition each time it becomes true, and only then.
func TestRisingEdge(t *testing.T) {
	r := newRoom(t)
	r.Do("game.condition", "%s", rich)
	r.Do("event.listen", `{"eventName":"allCoins","action":{"type":"custom","target":"gate"}}`)
	heard := func(want ...string) {
		t.Helper()
		r.Steps(1)
		if got := r.Heard(); !slices.Equal(got, want) {
			t.Errorf("viewers are told %q, want %q", got, want)
		}
	}
	once := []string{`event.emit allCoins {"condition":"rich"}`, "event.custom gate"}
	r.Do("game.counter", `{"name":"coins","action":"set","value":9}`)
	heard()
	r.Do("game.counter", `{"name":"coins","action":"increment"}`)
	heard(once...)
	r.Do("game.counter", `{"name":"coins","action":"increment"}`)
	heard()
	r.Do("game.counter", `{"name":"coins","action":"decrement","value":2}`)
	heard()
	r.Do("world.undo", `{}`)
	heard()
	r.Do("world.undo", `{"steps":3}`) // 0 coins
	heard()
	r.Do("world.redo", `{}`)
	heard()
	r.Do("game.counter", `{"name":"coins","action":"set","value":0}`)
	heard()
	r.Do("game.counter", `{"name":"coins","action":"set","value":50}`)
	heard(once...)
	r.Do("game.restart", `{}`)
	heard("event.emit game.restarted")
	r.Do("game.counter", `{"name":"coins","action":"increment","value":10}`)
	heard(once...)
}

// TestRestart begins a game anew in which what loses it is so from the beginning.
func TestRestart(t *testing.T) {
	r := newRoom(t)
	for _, call := range [][2]string{
		{"game.counter", `{"name":"lives","action":"set","value":1}`},
		{"game.condition", `{"name":"dead","expression":"counter(\"lives\") <= 0","onTrue":"dead"}`},
		{"event.listen", `{"eventName":"dead","action":{"type":"setState","data":{"game":{"outcome":"lost"}}}}`},
		{"event.listen", `{"eventName":"game.restarted","action":{"type":"setState","data":{"game":{"counter":{"name":"lives","action":"set","value":1}}}}}`},
	} {
		r.Do(call[0], "%s", call[1])
	}
	for range 2 {
		r.Do("game.counter", `{"name":"lives","action":"decrement"}`)
		r.Steps(2)
		if got := r.status(); !strings.Contains(got, `"lost"`) {
			t.Errorf("without lives the game is %s", got)
		}
		r.Do("game.restart", `{}`)
		r.Steps(2)
		if got := r.status(); !strings.Contains(got, `"running"`) {
			t.Errorf("anew the game is %s", got)
		}
	}
}

// TestWinning plays a game that the server runs: coins are picked up in zones, all of them win it, time loses it. Nobody calls a skill meanwhile
// but to walk.
func TestWinning(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"position":[0,0,0]}`)
	for i := range 2 {
		r.Do("trigger.create", `{"center":[%d,0,0],"size":[1,1,1]}`, 10*(i+1))
		r.Do("trigger.onEnter", `{"triggerId":"trg_%d","action":{"type":"setState","data":{"game":{"counter":{"name":"coins"}}}}}`, i)
	}
	for _, call := range [][2]string{
		{"game.condition", `{"name":"all","expression":"counter(\"coins\") >= 2","onTrue":"allCoins"}`},
		{"event.listen", `{"eventName":"allCoins","action":{"type":"setState","data":{"game":{"outcome":"won"}}}}`},
		{"event.listen", `{"eventName":"game.won","action":{"type":"custom","target":"fireworks"}}`},
		{"event.listen", `{"eventName":"tooLate","action":{"type":"setState","data":{"game":{"outcome":"lost"}}}}`},
		{"game.timer", `{"name":"limit","duration":1,"onComplete":"tooLate"}`},
	} {
		r.Do(call[0], "%s", call[1])
	}
	for _, x := range []int{10, 20} {
		r.Do("three.setTransform", `{"entity":"ent_0","position":[%d,0,0]}`, x)
		r.Steps(1)
	}
	r.Steps(2)
	want := []string{`event.emit allCoins {"condition":"all"}`, "event.emit game.won", "event.custom fireworks"}
	if diff := cmp.Diff(want, r.Heard()); diff != "" || r.status() != `{"state":"won","since":2,"by":"ann"}` {
		t.Errorf("the game is %s, viewers are told (-want +got):\n%s", r.status(), diff)
	}
	r.Steps(100)
	want = []string{`event.emit tooLate {"timer":"limit"}`, "event.failed the game is won already; game.restart begins it anew"}
	if diff := cmp.Diff(want, r.Heard()); diff != "" || !strings.Contains(r.status(), `"won"`) {
		t.Errorf("later the game is %s, viewers are told (-want +got):\n%s", r.status(), diff)
	}
	if got := r.Shared("game.counters"); got != `{"coins":2}` {
		t.Errorf("viewers see the counters %s", got)
	}
}

// TestActionsThatPlay attaches what changes the game.
func TestActionsThatPlay(t *testing.T) {
	r := newRoom(t)
	for data, want := range map[string]string{
		`{"game":{"flag":{"name":"x"}}}`:                             "",
		`{"game":{"flag":{"name":"x"}},"color":1}`:                   "missing permission: scene.write, which an action of type setState needs",
		`{"game":{"counter":{"name":"x","action":"double"}}}`:        `action.data.game.counter.action: must be one of "set", "increment", "decrement", got "double"`,
		`{"game":{"outcome":"draw"}}`:                                `action.data.game.outcome: must be one of "won", "lost", got "draw"`,
		`{"game":{"counter":{"name":"x","action":"set","value":5}}}`: "",
		`{"game":{"state":{"name":"x","value":{"a":1}}}}`:            "",
	} {
		_, err := r.Call(skilltest.Caller(t, "bob", "game.author"), "event.listen", `{"eventName":"go","action":{"type":"setState","data":`+data+`}}`)
		if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
			t.Errorf("%s: %s, want %q", data, got, want)
		}
	}
	r.Do("event.emit", `{"eventName":"go"}`)
	r.Steps(1)
	if f, c, s := r.Do("game.flag", `{"name":"x"}`), r.Do("game.counter", `{"name":"x"}`), r.Do("game.state", `{"name":"x"}`); f+c+s != `{"value":true}{"value":5}{"value":{"a":1}}` {
		t.Errorf("the flag is %s, the counter %s, the variable %s", f, c, s)
	}
}

// TestLoops has conditions set each other off, in a circle: it goes on from step to step, and ends.
func TestLoops(t *testing.T) {
	r := newRoom(t)
	for _, call := range [][2]string{
		{"game.condition", `{"name":"on","expression":"flag(\"a\")","onTrue":"isOn"}`},
		{"event.listen", `{"eventName":"isOn","action":{"type":"setState","data":{"game":{"flag":{"name":"a","value":false}}}}}`},
		{"event.listen", `{"eventName":"isOff","action":{"type":"setState","data":{"game":{"flag":{"name":"a","value":true}}}}}`},
		{"game.condition", `{"name":"off","expression":"not flag(\"a\")","onTrue":"isOff"}`},
	} {
		r.Do(call[0], "%s", call[1])
	}
	r.Heard()
	r.Steps(3)
	if got := r.Heard(); len(got) != 3 {
		t.Errorf("in three steps: %q", got)
	}
	r.Steps(300)
	got := r.Heard()
	if last := got[len(got)-1]; len(got) > 70 || !strings.HasPrefix(last, "game.failed 64 events have led to one another") {
		t.Errorf("%d moments, the last %s", len(got), last)
	}
}

// TestCheckpoint goes back to a game that was kept: timers go on with what they had.
func TestCheckpoint(t *testing.T) {
	const bomb = `{"name":"bomb","action":"get"}`
	r := newRoom(t)
	r.Do("game.timer", `{"name":"bomb","duration":30,"onComplete":"boom"}`)
	r.Do("game.condition", "%s", rich)
	r.Do("game.counter", `{"name":"coins","action":"set","value":10}`)
	r.Steps(600)
	kept := r.Do("game.timer", bomb) + r.Do("game.counter", `{"name":"coins"}`)
	r.Do("checkpoint.create", `{"name":"here"}`)
	r.Do("game.win", `{}`)
	r.Do("game.restart", `{}`)
	r.Do("game.flag", `{"name":"x","value":true}`)
	r.Steps(3000)
	r.Do("checkpoint.load", `{"name":"here"}`)
	skilltest.Holds(t, "the timer and the counter", r.Do("game.timer", bomb)+r.Do("game.counter", `{"name":"coins"}`), kept)
	r.Heard()
	r.Steps(1199)
	if got := r.Heard(); got != nil {
		t.Errorf("viewers are told %q", got)
	}
	r.Steps(1)
	if diff := cmp.Diff([]string{`event.emit boom {"timer":"bomb"}`}, r.Heard()); diff != "" {
		t.Errorf("later viewers are told (-want +got):\n%s", diff)
	}
}

// TestUndo takes back what two have done to one condition.
func TestUndo(t *testing.T) {
	r := newRoom(t)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	r.Do("game.condition", `{"name":"both","expression":"flag('a') and flag('b')","onTrue":"open"}`)
	before := r.Content()
	r.Do("game.flag", `{"name":"a","value":true}`)
	r.Must(t, bob, "game.flag", `{"name":"b","value":true}`)
	after := r.Content()
	r.Do("world.undo", `{}`)
	if got := r.Do("game.condition", `{"name":"both","action":"evaluate"}`); !strings.Contains(got, `"value":false`) {
		t.Errorf("without a: %s", got)
	}
	r.Do("world.redo", `{}`)
	if r.Content() != after {
		t.Error("redo does not bring it back")
	}
	r.Must(t, bob, "world.undo", `{}`)
	r.Do("world.undo", `{}`)
	if r.Content() != before {
		t.Error("undo leaves something")
	}
}

// TestDocs plays the example of docs/games.md, once in time and once too late.
func TestDocs(t *testing.T) {
	for _, want := range []string{"won", "lost"} {
		r := newRoom(t)
		r.Example(t, r.Ann, "../../docs/games.md", "## The state of the game")
		r.Do("scene.createEntity", `{"position":[10,0,0]}`)
		r.Steps(1)
		if want == "lost" {
			r.Steps(1800)
		}
		r.Do("three.setTransform", `{"entity":"ent_0","position":[20,0,0]}`)
		r.Steps(2)
		if got := r.status(); !strings.HasPrefix(got, `{"state":"`+want+`"`) {
			t.Errorf("the game is %s, want it %s", got, want)
		}
	}
}

// TestUndoTimers has two agents start timers one after the other, long after the world began: each takes back his own, and nothing else stays.
func TestUndoTimers(t *testing.T) {
	r := newRoom(t)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	r.Steps(1000)
	before := r.Content()
	r.Do("game.timer", `{"name":"bomb","duration":1}`)
	r.Do("world.undo", `{}`)
	if r.Content() != before {
		t.Error("undo leaves something of a timer")
	}
	r.Do("game.timer", `{"name":"ann's","duration":1}`)
	r.Steps(300)
	r.Must(t, bob, "game.timer", `{"name":"bob's","duration":1}`)
	r.Steps(30)
	r.Do("world.undo", `{}`)
	if got, want := r.Must(t, bob, "game.timer", `{"name":"bob's","action":"get"}`), `{"ok":true,"remaining":0.5,"completed":[],"elapsed":0.5,"state":"running"}`; got != want {
		t.Errorf("bob's is %s, want %s", got, want)
	}
}

// TestUndoBesideOthers brings a timer back that was cleared while another one runs on: it goes on with what it had.
func TestUndoBesideOthers(t *testing.T) {
	r := newRoom(t)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	r.Do("game.timer", `{"name":"bomb","duration":30}`)
	r.Steps(600)
	r.Do("game.timer", `{"name":"bomb","action":"pause"}`)
	r.Must(t, bob, "game.timer", `{"name":"tea","duration":100}`)
	r.Steps(3000)
	r.Do("world.undo", `{}`)
	r.Steps(60)
	for name, want := range map[string]float64{"bomb": 19, "tea": 49} {
		var out struct{ Remaining float64 }
		if err := json.Unmarshal([]byte(r.Do("game.timer", `{"name":%q,"action":"get"}`, name)), &out); err != nil || out.Remaining < want-0.1 || out.Remaining > want+1.1 {
			t.Errorf("%s has %v seconds, want %v", name, out.Remaining, want)
		}
	}
}

// TestUndoRestart brings timers back that were cleared a while ago: they go on, beside one that was started since.
func TestUndoRestart(t *testing.T) {
	r := newRoom(t)
	r.Do("game.timer", `{"name":"bomb","duration":30}`)
	r.Steps(600)
	r.Do("game.restart", `{}`)
	r.Steps(3000)
	r.Do("world.undo", `{}`)
	r.Do("game.timer", `{"name":"tea","duration":10}`)
	r.Steps(60)
	for name, want := range map[string]float64{"bomb": 19, "tea": 9} {
		var out struct{ Remaining float64 }
		if err := json.Unmarshal([]byte(r.Do("game.timer", `{"name":%q,"action":"get"}`, name)), &out); err != nil || out.Remaining < want || out.Remaining > want+1.1 {
			t.Errorf("%s has %v seconds, want %v", name, out.Remaining, want)
		}
	}
}
