package event_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

func bell(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "event.listen", `{"eventName":"ring","action":{"type":"emit","target":"rung"}}`)
}

func TestCalls(t *testing.T) {
	skilltest.Run(t, all, "event.listen", []skilltest.Case{
		{Name: "a sound", Input: `{"eventName":"ring","action":{"type":"audio","data":{"name":"gong"}},"meta":{"a":1}}`, Want: `{"listenerId":"lst_0"}`},
		{Name: "a second one", Setup: bell, Input: `{"eventName":"ring","action":{"type":"custom"}}`, Want: `{"listenerId":"lst_1"}`},
		{Name: "what changes nothing", Input: `{"eventName":"ring","action":{"type":"setState"}}`, Want: `{"listenerId":"lst_0","note":"the action changes nothing: action.data names nothing to change"}`},
		{Name: "a sound without a name", Input: `{"eventName":"ring","action":{"type":"audio"}}`, Code: registry.CodeInvalidInput, Err: "action.data.name: is required: a string of at least 1 character"},
		{Name: "without the right", As: "game.author", Input: `{"eventName":"ring","action":{"type":"spawn"}}`, Code: registry.CodeForbidden, Err: "missing permission: scene.write, which an action of type spawn needs"},
		{Name: "what is the server's to say", Input: `{"eventName":"ring","action":{"type":"emit","target":"game.won"}}`, Code: registry.CodeInvalidInput, Err: "action.target: game.won is emitted by the server alone, when it is so: choose another name"},
		{
			Name: "too many", Input: `{"eventName":"ring","action":{"type":"custom"}}`, Code: registry.CodeCapacityExceeded, Err: `48 of 64 listeners to "ring" are yours, and the 16 that are left are for others: event.remove takes one away`,
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				for range event.MaxOf * 3 / 4 {
					bell(t, s, p)
				}
			},
		},
	})
	skilltest.Run(t, all, "event.emit", []skilltest.Case{
		{Name: "to nobody", Input: `{"eventName":"ring"}`, Want: `{"ok":true,"fired":0,"dispatched":[]}`},
		{Name: "to somebody", Setup: bell, Input: `{"eventName":"ring","payload":{"a":[1]},"meta":{"b":2}}`, Want: `{"ok":true,"fired":1,"dispatched":[{"listenerId":"lst_0","eventName":"ring","action":{"type":"emit","target":"rung","data":{}}}]}`},
		{Name: "misspelt", Setup: bell, Input: `{"eventName":"Ring"}`, Want: `{"ok":true,"fired":0,"dispatched":[],"note":"nobody listens to this name; did you mean \"ring\"?"}`},
		{Name: "about nobody there is", Input: `{"eventName":"ring","entity":"ent_5"}`, Err: "unknown entity ent_5; the world has none"},
		{Name: "too much", Input: `{"eventName":"ring","payload":{"a":"` + strings.Repeat("x", event.MaxData) + `"}}`, Code: registry.CodeCapacityExceeded, Err: "payload: holds at most 8192 bytes, this one has 8200"},
		{Name: "what is the server's to say", Input: `{"eventName":"game.won"}`, Code: registry.CodeInvalidInput, Err: "eventName: game.won is emitted by the server alone, when it is so: choose another name"},
	})
	skilltest.Run(t, all, "event.remove", []skilltest.Case{
		{Name: "a listener", Setup: bell, Input: `{"listenerId":"lst_0"}`, Want: `{"ok":true}`},
		{Name: "another", Setup: bell, Input: `{"listenerId":"lst_7"}`, Err: "unknown listener lst_7; the nearest are lst_0"},
		{Name: "none", Input: `{"listenerId":"ring"}`, Err: "unknown listener ring; there is none: event.listen makes one"},
	})
	skilltest.Needs(t, all, "event.listen", `{"eventName":"a","action":{"type":"custom"}}`, "event.read", "builder.readWrite", "game.author")
	skilltest.Needs(t, all, "event.remove", `{"listenerId":"lst_0"}`, "event.read", "builder.readWrite", "game.author")
	skilltest.Needs(t, all, "event.emit", `{"eventName":"a"}`, "event.write", "builder.readWrite", "game.author")
}

// TestChain has an event lead to others, each a step later, in the order in which listeners were added.
func TestChain(t *testing.T) {
	r := newRoom(t)
	r.listen("one", `{"type":"emit","target":"two"}`)
	r.listen("two", `{"type":"custom","target":"second"}`)
	r.listen("two", `{"type":"emit","target":"three"}`)
	r.listen("one", `{"type":"custom","target":"first"}`)
	r.emit("one")
	for i, want := range [][]string{
		{"event.emit one"},
		{"event.emit one two", "event.custom one first"},
		{"event.custom two second", "event.emit two three"},
		nil,
	} {
		if diff := cmp.Diff(want, r.Heard()); diff != "" {
			t.Errorf("after %d steps viewers are told (-want +got):\n%s", i, diff)
		}
		r.Steps(1)
	}
	tick := r.World.Tick()
	if r.Steps(50); r.World.Tick() != tick {
		t.Error("no event waits, and the world changes")
	}
}

// TestCircle has events go round in a circle, and double each time: neither goes on for ever, nor in one step.
func TestCircle(t *testing.T) {
	r := newRoom(t)
	r.listen("round", `{"type":"emit","target":"round"}`)
	r.emit("round")
	r.Heard()
	r.Steps(3)
	if got := r.Heard(); len(got) != 3 {
		t.Errorf("in three steps: %q", got)
	}
	r.Steps(200)
	got := r.Heard()
	if n := len(got); n != action.MaxChain-3+1 || !strings.HasPrefix(got[n-1], "event.failed round 64 events have led to one another") {
		t.Errorf("viewers are told %d times more, the last %q", n, got[n-1])
	}
	r.listen("round", `{"type":"emit","target":"round"}`)
	r.emit("round")
	most, failed := 0, 0
	for range 200 {
		r.Steps(1)
		told := r.Heard()
		most = max(most, len(told))
		for _, m := range told {
			if strings.HasPrefix(m, "event.failed") {
				failed++
			}
		}
	}
	if most > action.MaxStep || failed == 0 {
		t.Errorf("a step told %d things, and %d of all failed", most, failed)
	}
	if tick := r.World.Tick(); true {
		if r.Steps(10); r.World.Tick() != tick {
			t.Error("it goes on for ever")
		}
	}
}

// TestZone opens a door when somebody enters a zone: zone, event, door, in the step that notices him.
func TestZone(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"position":[9,0,0]}`)
	r.Do("scene.createEntity", `{"position":[0,1,5]}`)
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit","target":"plate"}}`)
	r.listen("plate", `{"type":"setState","target":"ent_1","data":{"position":[0,4,5]}}`)
	r.listen("plate", `{"type":"setState","data":{"name":"guest"}}`) // of who has entered
	r.Do("three.setTransform", `{"entity":"ent_0","position":[0,0,0]}`)
	r.Steps(1)
	if diff := cmp.Diff([]string{"trigger.emit enter ent_0 plate"}, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	if door, guest := r.Entity(t, "ent_1"), r.Entity(t, "ent_0"); !strings.Contains(door, `"pos":[0,4,5]`) || !strings.Contains(guest, `"name":"guest"`) {
		t.Errorf("the door is %s, who entered %s", door, guest)
	}
}

// TestGone is about somebody who is destroyed before all have heard of it: where he was is where it happens.
func TestGone(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"position":[3,0,0]}`)
	r.listen("hit", `{"type":"destroy"}`)
	r.listen("hit", `{"type":"destroy"}`)
	r.listen("hit", `{"type":"audio","data":{"name":"bang"}}`)
	r.listen("hit", `{"type":"spawn"}`)
	r.Do("event.emit", `{"eventName":"hit","entity":"ent_0"}`)
	r.Steps(1)
	want := []string{"event.emit ent_0 hit", "event.failed hit ent_0 unknown entity ent_0, which was destroyed; the world has none", "audio.playSFX bang"}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	if got := r.Entity(t, "ent_1"); !strings.Contains(got, `"pos":[3,0,0]`) {
		t.Errorf("what was spawned is %s", got)
	}
}

// TestRemoved removes a listener before its turn, and adds one after the event.
func TestRemoved(t *testing.T) {
	r := newRoom(t)
	r.listen("ring", `{"type":"custom","target":"first"}`)
	r.listen("ring", `{"type":"custom","target":"second"}`)
	r.emit("ring")
	r.Do("event.remove", `{"listenerId":"lst_0"}`)
	r.listen("ring", `{"type":"custom","target":"late"}`)
	r.Steps(1)
	if diff := cmp.Diff([]string{"event.emit ring", "event.custom ring second"}, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	if out := r.emit("ring"); !strings.Contains(out, `"fired":2`) || !strings.Contains(out, `"late"`) {
		t.Errorf("the next one: %s", out)
	}
}

// TestWaiting emits more than can wait.
func TestWaiting(t *testing.T) {
	r := newRoom(t)
	r.listen("ring", `{"type":"custom"}`)
	for range event.MaxWaiting {
		r.emit("ring")
	}
	_, err := r.Call(r.Ann, "event.emit", `{"eventName":"ring"}`)
	if err == nil || err.Code != registry.CodeCapacityExceeded || err.Message != "2048 events of yours wait to be heard, which is the most" {
		t.Errorf("one more: %v", err)
	}
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	if _, err := r.Call(bob, "event.emit", `{"eventName":"ring"}`); err != nil {
		t.Errorf("somebody else: %v", err)
	}
	r.Do("world.undo", `{}`) // one is taken back, and there is room for one
	r.emit("ring")
	r.Heard()
	r.Steps(1)
	if n := len(r.Heard()); n != event.MaxWaiting+1 {
		t.Errorf("%d were heard, want %d", n, event.MaxWaiting+1)
	}
	r.emit("ring")
}

// TestCascade has somebody's listeners emit without end, more than a step does. What others emit is heard all the same.
func TestCascade(t *testing.T) {
	r := newRoom(t)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	for i := range 2 * event.MaxOf * 3 / 4 {
		name := []string{"to", "fro"}[i%2]
		if _, err := r.Call(bob, "event.listen", fmt.Sprintf(`{"eventName":%q,"action":{"type":"emit","target":%q}}`, name, []string{"fro", "to"}[i%2])); err != nil {
			t.Fatal(err)
		}
	}
	r.listen("ring", `{"type":"custom","target":"heard"}`)
	if _, err := r.Call(bob, "event.emit", `{"eventName":"to"}`); err != nil {
		t.Fatal(err)
	}
	for step := range 3 {
		if step == 2 { // there are as many by now as there may be
			r.Heard()
			r.emit("ring")
		}
		r.Steps(1)
		if got := r.Heard(); step == 2 && !slices.Contains(got, "event.custom ring heard") {
			t.Errorf("step %d: what was emitted beside %d others was not heard", step, len(got))
		}
	}
}

// TestClaims has an action be held to the claims of others, as whoever attached it and not as who emits.
func TestClaims(t *testing.T) {
	r := newRoom(t)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	r.Do("scene.createEntity", `{"position":[50,0,0]}`)
	r.Must(t, bob, "world.claim", `{"min":[40,-10,-10],"max":[60,10,10],"seconds":3600}`)
	r.listen("paint", `{"type":"setState","target":"ent_0","data":{"color":1}}`)
	r.Must(t, bob, "event.listen", `{"eventName":"paint","action":{"type":"setState","target":"ent_0","data":{"color":7}}}`)
	r.Must(t, bob, "event.emit", `{"eventName":"paint"}`)
	r.Steps(1)
	got := r.Heard()
	if len(got) != 2 || !strings.Contains(got[1], "is in a region that bob holds") || !strings.Contains(r.Entity(t, "ent_0"), `"material":{"color":7}`) {
		t.Errorf("viewers are told %q, and it is %s", got, r.Entity(t, "ent_0"))
	}
}

// TestState undoes listeners and events, beside others', and goes on from a checkpoint.
func TestState(t *testing.T) {
	r := newRoom(t)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	empty := r.Content()
	r.listen("ring", `{"type":"custom","target":"ann's"}`)
	r.Must(t, bob, "event.listen", `{"eventName":"ring","action":{"type":"custom","target":"bob's"}}`)
	r.Do("event.emit", `{"eventName":"ring"}`)
	r.Do("world.undo", `{"steps":2}`)
	r.Steps(1)
	if diff := cmp.Diff([]string{"event.emit ring"}, r.Heard()); diff != "" {
		t.Errorf("an event that was undone (-want +got):\n%s", diff)
	}
	r.Do("world.redo", `{}`)
	if out := r.emit("ring"); !strings.Contains(out, `"fired":2`) {
		t.Errorf("after redo: %s", out)
	}
	r.Steps(1)
	r.Heard()
	r.Do("checkpoint.create", `{"name":"both"}`)
	r.Do("event.remove", `{"listenerId":"lst_1"}`)
	r.Do("checkpoint.load", `{"name":"both"}`)
	r.emit("ring")
	r.Steps(1)
	got := r.Heard()
	if want := []string{"event.emit ring", "event.custom ring ann's", "event.custom ring bob's"}; !slices.Equal(got, want) {
		t.Errorf("after the checkpoint: %q, want %q", got, want)
	}
	for _, h := range []string{"lst_0", "lst_1"} {
		r.Do("event.remove", `{"listenerId":%q}`, h)
	}
	r.Do("checkpoint.delete", `{"name":"both"}`)
	if r.Content() != empty {
		t.Error("something stays of listeners that are removed")
	}
}

// TestDryRun shows who would hear an event, and nobody does.
func TestDryRun(t *testing.T) {
	r := newRoom(t)
	r.listen("ring", `{"type":"custom"}`)
	out := r.Do("world.batch", `{"operations":[{"skill":"event.emit","input":{"eventName":"ring"}}],"dryRun":true}`)
	r.Steps(1)
	if got := r.Heard(); len(got) != 0 || !strings.Contains(out, `"listenerId":"lst_0"`) {
		t.Errorf("%s, and viewers are told %q", out, got)
	}
}

// TestBudget has listeners do more than a step does.
func TestBudget(t *testing.T) {
	r := newRoom(t)
	for range event.MaxOf * 3 / 4 {
		r.listen("ring", `{"type":"custom"}`)
	}
	n := action.MaxStep/(event.MaxOf*3/4) + 5
	for range n {
		r.emit("ring")
	}
	r.Heard()
	r.Steps(1)
	got := r.Heard()
	want := fmt.Sprintf("event.failed ring triggers do %d actions in a step", action.MaxStep)
	if len(got) != action.MaxStep+1 || !strings.HasPrefix(got[len(got)-1], want) {
		t.Errorf("%d moments, the last %q", len(got), got[len(got)-1])
	}
	if r.Steps(1); len(r.Heard()) != 0 {
		t.Error("what was not done is done later")
	}
}

// TestSaidTwice has somebody be told who listens twice with the same action; another event, or action, is another one.
func TestSaidTwice(t *testing.T) {
	r := newRoom(t)
	for _, c := range []struct{ event, action, want string }{
		{"ring", `{"type":"emit","target":"a","data":{"x":1}}`, ""},
		{"ring", `{"type":"emit","target":"b","data":{"x":1}}`, ""},
		{"ring", `{"type":"emit","target":"a","data":{"x":2}}`, ""},
		{"knock", `{"type":"emit","target":"a","data":{"x":1}}`, ""},
		{"ring", `{"type":"emit","target":"a","data":{"x":1}}`, `"note":"lst_0 does the same already, so that it is done twice each time: event.remove takes one away"`},
	} {
		if got := r.Do("event.listen", `{"eventName":%q,"action":%s}`, c.event, c.action); (c.want != "") != strings.Contains(got, `"note"`) || !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s, want %s", c.event, c.action, got, c.want)
		}
	}
}
