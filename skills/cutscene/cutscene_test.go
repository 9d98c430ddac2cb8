package cutscene_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

const intro = `{"id":"intro","keyframes":[
	{"atTick":3,"action":{"type":"emit","target":"third"}},
	{"atTick":0,"action":{"type":"custom","target":"first"}},
	{"atTick":3,"action":{"type":"camera","data":{"zoom":2}}},
	{"atTick":0,"action":{"type":"destroy","target":"ent_5"}}]}`

func TestCalls(t *testing.T) {
	one := func(action string) string { return `{"id":"x","keyframes":[{"atTick":7,"action":` + action + `}]}` }
	large := strings.Repeat(`{"atTick":1,"action":{"type":"custom","data":{"a":"`+strings.Repeat("x", 8000)+`"}}},`, 40)
	skilltest.Run(t, all, "cutscene.define", []skilltest.Case{
		{Name: "four", Input: intro, Want: `{"ok":true,"keyframes":4,"durationTicks":3,"note":"keyframes[2]: the server does nothing of type \"camera\", viewers are told (cutscene.custom); it does emit, setState, spawn, destroy, audio, animation, call, custom"}`},
		{Name: "a slip", Input: one(`{"type":"setstate"}`), Want: `{"ok":true,"keyframes":1,"durationTicks":7,"note":"keyframes[0]: the server does nothing of type \"setstate\", viewers are told; did you mean \"setState\"?"}`},
		{Name: "about nobody", Input: one(`{"type":"setState","data":{"color":1}}`), Want: `{"ok":true,"keyframes":1,"durationTicks":7,"note":"keyframes[0]: a cutscene is about no entity: name one as action.target, or this fails"}`},
		{Name: "about the game", Input: one(`{"type":"setState","data":{"game":{"flag":{"name":"x"}}}}`), Want: `{"ok":true,"keyframes":1,"durationTicks":7}`},
		{Name: "in seconds", Input: `{"id":"x","keyframes":[{"at":0,"action":{"type":"emit","target":"a"}},{"at":1.5,"action":{"type":"emit","target":"b"}},{"atTick":30,"action":{"type":"emit","target":"c"}}]}`, Want: `{"ok":true,"keyframes":3,"durationTicks":90}`},
		{Name: "never", Input: `{"id":"x","keyframes":[{"action":{"type":"emit","target":"a"}}]}`, Code: registry.CodeInvalidInput, Err: "keyframes[0]: at: give it, in seconds from the start, or atTick, in simulation steps, and not both"},
		{Name: "twice", Input: `{"id":"x","keyframes":[{"at":1,"atTick":60,"action":{"type":"emit","target":"a"}}]}`, Code: registry.CodeInvalidInput, Err: "keyframes[0]: at: give it, in seconds from the start, or atTick, in simulation steps, and not both"},
		{Name: "wrong data", Input: one(`{"type":"audio","data":{}}`), Code: registry.CodeInvalidInput, Err: "keyframes[0]: action.data.name: is required: a string of at least 1 character"},
		{Name: "without the right", As: "game.author", Input: one(`{"type":"spawn"}`), Code: registry.CodeForbidden, Err: "keyframes[0]: missing permission: scene.write, which an action of type spawn needs"},
		{Name: "too large", Input: `{"id":"x","keyframes":[` + large[:len(large)-1] + `]}`, Code: registry.CodeCapacityExceeded, Err: "keyframes: hold at most 262144 bytes of data together, these have 320320"},
		{Name: "while it plays", Setup: skilltest.Calls("cutscene.define", intro, "cutscene.play", `{"id":"intro"}`), Input: intro, Err: `the cutscene "intro" is playing: cutscene.stop ends it`},
	})
	skilltest.Run(t, all, "cutscene.play", []skilltest.Case{
		{Name: "at once", Setup: skilltest.Calls("cutscene.define", intro), Input: `{"id":"intro","meta":{}}`, Want: `{"ok":true}`},
		{Name: "later", Setup: skilltest.Calls("cutscene.define", intro), Input: `{"id":"intro","startTick":1}`, Want: `{"ok":true}`},
		{Name: "in the past", Setup: skilltest.Calls("cutscene.define", intro), Input: `{"id":"intro","startTick":0}`, Want: `{"ok":false,"reason":"step 0 is past, this is step 0: leave startTick out to begin at once"}`},
		{Name: "one at a time", Setup: skilltest.Calls("cutscene.define", intro, "cutscene.play", `{"id":"intro"}`), Input: `{"id":"intro"}`, Want: `{"ok":false,"reason":"the cutscene \"intro\" is playing: cutscene.stop ends it"}`},
		{Name: "misspelt", Setup: skilltest.Calls("cutscene.define", intro), Input: `{"id":"Into"}`, Err: `unknown cutscene "Into"; the nearest is "intro"`},
		{Name: "unlike any", Setup: skilltest.Calls("cutscene.define", intro), Input: `{"id":"x","startTick":0}`, Err: `unknown cutscene "x"; there is "intro"`},
		{Name: "of none", Input: `{"id":"x"}`, Err: `unknown cutscene "x"; there is none: cutscene.define makes one`},
	})
	skilltest.Run(t, all, "cutscene.stop", []skilltest.Case{
		{Name: "nothing", Input: `{}`, Want: `{"ok":true,"wasPlaying":false}`},
		{Name: "what is to begin", Setup: skilltest.Calls("cutscene.define", intro, "cutscene.play", `{"id":"intro"}`), Input: `{"meta":{"a":1}}`, Want: `{"ok":true,"wasPlaying":true}`},
	})
	skilltest.Run(t, all, "cutscene.remove", []skilltest.Case{
		{Name: "one", Setup: skilltest.Calls("cutscene.define", intro), Input: `{"id":"intro"}`, Want: `{"ok":true}`, Check: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
			t.Helper()
			if _, err := s.Call(p, "cutscene.play", `{"id":"intro"}`); err == nil {
				t.Error("it is there still")
			}
		}},
		{Name: "what plays", Setup: skilltest.Calls("cutscene.define", intro, "cutscene.play", `{"id":"intro"}`), Input: `{"id":"intro"}`, Err: `the cutscene "intro" is playing: cutscene.stop ends it`},
		{Name: "what is not there", Setup: skilltest.Calls("cutscene.define", intro), Input: `{"id":"intros"}`, Err: `unknown cutscene "intros"; the nearest is "intro"`},
	})
	skilltest.Run(t, all, "cutscene.status", []skilltest.Case{
		{Name: "nothing", Input: `{}`, Want: `{"playing":false,"step":0}`},
		{Name: "what is to begin", Setup: skilltest.Calls("cutscene.define", intro, "cutscene.play", `{"id":"intro"}`), Input: `{}`, Want: `{"playing":true,"id":"intro","startTick":1,"firedThrough":0,"total":4,"loop":false,"step":0}`},
	})
	skilltest.Needs(t, all, "cutscene.define", one(`{"type":"custom"}`), "game.configure", "builder.readWrite", "game.author")
	skilltest.Needs(t, all, "cutscene.play", `{"id":"intro"}`, "game.write", "builder.readWrite", "game.author", "player.full", "player.limited")
	skilltest.Needs(t, all, "cutscene.stop", `{}`, "game.write", "builder.readWrite", "game.author", "player.full", "player.limited")
}

// TestPlay has a cutscene play: each keyframe in its step, those of one step in the order given.
func TestPlay(t *testing.T) {
	r := newRoom(t)
	r.Do("cutscene.define", "%s", intro)
	r.Do("event.listen", `{"eventName":"cutscene.ended","action":{"type":"setState","data":{"game":{"outcome":"won"}}}}`)
	r.Do("cutscene.play", `{"id":"intro","startTick":3}`)
	for step, want := range [][]string{
		nil, nil,
		{"cutscene.custom 0 first", "cutscene.failed 1 unknown entity ent_5; the world has none"},
		nil, nil,
		{"cutscene.emit 2 third", `cutscene.custom 3 camera {"zoom":2}`, `event.emit cutscene.ended {"id":"intro"}`, "event.emit game.won"},
		nil,
	} {
		r.Steps(1)
		if diff := cmp.Diff(want, r.Heard()); diff != "" {
			t.Errorf("in step %d viewers are told (-want +got):\n%s", step+1, diff)
		}
		if step == 3 {
			if got, want := r.Do("cutscene.status", `{}`), `{"playing":true,"id":"intro","startTick":3,"firedThrough":2,"total":4,"loop":false,"step":4}`; got != want {
				t.Errorf("status: %s, want %s", got, want)
			}
			if got, want := r.Shared("cutscene"), `{"playing":true,"id":"intro","startTick":3,"durationTicks":3,"by":"ann"}`; got != want {
				t.Errorf("viewers see %s, want %s", got, want)
			}
		}
	}
	tick := r.World.Tick()
	if r.Steps(100); r.World.Tick() != tick || r.Shared("cutscene") != `{"playing":false}` {
		t.Errorf("it goes on: %s", r.Shared("cutscene"))
	}
	// A zone begins it too, once it is over.
	r.Do("scene.createEntity", `{"position":[9,0,0]}`)
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"setState","data":{"game":{"cutscene":"intro"}}}}`)
	r.Do("three.setTransform", `{"entity":"ent_0","position":[0,0,0]}`)
	r.Steps(2)
	if got := r.Heard(); len(got) != 2 || got[0] != "cutscene.custom 0 first" {
		t.Errorf("when somebody enters: %q", got)
	}
	r.Do("cutscene.stop", `{}`)
	r.Steps(10)
	if diff := cmp.Diff([]string{`event.emit cutscene.ended {"id":"intro","stopped":true}`}, r.Heard()); diff != "" {
		t.Errorf("when it is stopped, in a game that is won already (-want +got):\n%s", diff)
	}
}

// TestBegunTwice has a zone begin what plays already.
func TestBegunTwice(t *testing.T) {
	r := newRoom(t)
	r.Do("cutscene.define", "%s", intro)
	r.Do("event.listen", `{"eventName":"go","action":{"type":"setState","data":{"game":{"cutscene":"intro"}}}}`)
	r.Do("event.emit", `{"eventName":"go"}`)
	r.Do("event.emit", `{"eventName":"go"}`)
	r.Steps(1)
	if got := r.Heard(); len(got) != 3 || got[2] != `event.failed the cutscene "intro" is playing: cutscene.stop ends it` {
		t.Errorf("viewers are told %q", got)
	}
}

// TestLoop has one begin anew, until it is stopped; what nobody sees waits.
func TestLoop(t *testing.T) {
	r := newRoom(t)
	r.Do("cutscene.define", `{"id":"lamp","loop":true,"keyframes":[{"atTick":0,"action":{"type":"custom","target":"on"}},{"atTick":2,"action":{"type":"custom","target":"off"}}]}`)
	r.Do("cutscene.play", `{"id":"lamp"}`)
	r.Steps(7)
	want := []string{"cutscene.custom 0 on", "cutscene.custom 1 off", "cutscene.custom 0 on", "cutscene.custom 1 off", "cutscene.custom 0 on"}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("in seven steps viewers are told (-want +got):\n%s", diff)
	}
	r.Do("cutscene.stop", `{}`)
	r.Heard()
	if r.Steps(10); len(r.Heard()) > 0 {
		t.Error("it goes on after its end")
	}
}

// TestState undoes what plays, and goes on from a checkpoint where it was.
func TestState(t *testing.T) {
	r := newRoom(t)
	empty := r.Content()
	r.Do("cutscene.define", `{"id":"long","keyframes":[{"atTick":0,"action":{"type":"custom","target":"begin"}},{"atTick":300,"action":{"type":"custom","target":"end"}}]}`)
	r.Do("cutscene.play", `{"id":"long"}`)
	r.Steps(100)
	r.Do("checkpoint.create", `{"name":"here"}`)
	r.Do("cutscene.stop", `{}`)
	r.Steps(1000)
	r.Do("checkpoint.load", `{"name":"here"}`)
	r.Heard()
	r.Steps(150)
	if got := r.Heard(); got != nil {
		t.Errorf("too early viewers are told %q", got)
	}
	r.Steps(120)
	if got := r.Heard(); len(got) != 2 || got[0] != "cutscene.custom 1 end" {
		t.Errorf("at the end viewers are told %q", got)
	}
	r = newRoom(t)
	r.Do("cutscene.define", "%s", intro)
	r.Do("cutscene.play", `{"id":"intro"}`)
	r.Steps(2)
	r.Do("world.undo", `{"steps":2}`)
	if r.Content() != empty {
		t.Error("undo leaves something")
	}
	r.Heard()
	if r.Steps(10); len(r.Heard()) > 0 {
		t.Error("what was undone goes on")
	}
}

// TestAnotherInItsPlace undoes that one was stopped and another begun: it goes on where it was, however long the other one has played.
func TestAnotherInItsPlace(t *testing.T) {
	r := newRoom(t)
	for _, id := range []string{"one", "other"} {
		r.Do("cutscene.define", `{"id":%q,"keyframes":[{"atTick":0,"action":{"type":"custom","target":"begin"}},{"atTick":600,"action":{"type":"custom","target":"end"}}]}`, id)
	}
	r.Do("cutscene.play", `{"id":"one"}`)
	r.Steps(300)
	r.Do("cutscene.stop", `{}`)
	r.Do("cutscene.play", `{"id":"other"}`)
	r.Steps(500)
	r.Do("world.undo", `{"steps":2}`)
	r.Heard()
	r.Steps(299)
	if got := r.Heard(); got != nil {
		t.Errorf("too early viewers are told %q", got)
	}
	r.Steps(121)
	if got := r.Heard(); len(got) == 0 || got[0] != "cutscene.custom 1 end" {
		t.Errorf("at the end viewers are told %q", got)
	}
}

// TestAgainstLists plays random cutscenes and compares what is told, step by step, with what a list would say.
func TestAgainstLists(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRoom(t)
		n := rapid.IntRange(1, 8).Draw(rt, "keyframes")
		at := make([]int, n)
		var frames []string
		for i := range at {
			at[i] = rapid.IntRange(0, 6).Draw(rt, "at")
			frames = append(frames, fmt.Sprintf(`{"atTick":%d,"action":{"type":"custom","target":"%d"}}`, at[i], i))
		}
		loop := rapid.Bool().Draw(rt, "loop")
		start := rapid.IntRange(1, 4).Draw(rt, "start")
		r.Do("cutscene.define", `{"id":"x","loop":%v,"keyframes":[%s]}`, loop, strings.Join(frames, ","))
		r.Do("cutscene.play", `{"id":"x","startTick":%d}`, start)
		length := slices.Max(at) + 1
		for step := 1; step <= 25; step++ {
			r.Steps(1)
			var want []string
			since := step - start
			if since >= 0 && (loop || since < length) {
				for i, a := range at {
					if a == since%length {
						want = append(want, fmt.Sprint(i))
					}
				}
			}
			var got []string
			for _, m := range r.Heard() {
				if words := strings.Fields(m); words[0] == "cutscene.custom" {
					got = append(got, words[2])
				}
			}
			if !slices.Equal(got, want) {
				rt.Fatalf("in step %d: %q, want %q", step, got, want)
			}
		}
	})
}

// TestGate has an event begin a cutscene, in which a gate opens in two moves; at its end the round begins.
func TestGate(t *testing.T) {
	r := newRoom(t)
	for _, call := range [][2]string{
		{"scene.createEntity", `{"position":[0,1,5],"size":2}`},
		{"cutscene.define", `{"id":"intro","keyframes":[{"atTick":0,"action":{"type":"audio","data":{"name":"drums"}}},
			{"atTick":60,"action":{"type":"setState","target":"ent_0","data":{"position":[0,2,5]}}},
			{"atTick":120,"action":{"type":"setState","target":"ent_0","data":{"position":[0,3,5]}}}]}`},
		{"event.listen", `{"eventName":"begin","action":{"type":"setState","data":{"game":{"cutscene":"intro"}}}}`},
		{"event.listen", `{"eventName":"cutscene.ended","action":{"type":"setState","data":{"game":{"timer":{"name":"round","duration":60,"onComplete":"timeIsUp"}}}}}`},
	} {
		r.Do(call[0], "%s", call[1])
	}
	r.Do("event.emit", `{"eventName":"begin"}`)
	r.Steps(200)
	if got := r.Entity(t, "ent_0"); !strings.Contains(got, `"pos":[0,3,5]`) {
		t.Errorf("the gate is %s", got)
	}
	if got := r.Shared("game.timers"); !strings.Contains(got, `"round":{"state":"running"`) {
		t.Errorf("the timers are %s", got)
	}
}
