package dialogue_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/dialogue"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// tree is a dialogue of nodes.
func tree(nodes string) string {
	return `{"id":"a","name":"A","startNode":"x","nodes":[` + nodes + `]}`
}

func TestDefine(t *testing.T) {
	const ok = `{"ok":true}`
	bad := registry.CodeInvalidInput
	skilltest.Run(t, all, "dialogue.define", []skilltest.Case{
		{Name: "the smith", Input: smith, Want: `{"ok":true,"notes":["nodes[0].choices[0].effects.wink is only told to who has chosen"]}`},
		{Name: "effects that the server does not know", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"gold":-1,"gives":{}}}`), Want: `{"ok":true,"notes":["nodes[0].effects.gives is only told to who has chosen; did you mean \"give\"?","nodes[0].effects.gold is only told to who has chosen; stats {\"gold\":-1} takes it"]}`},
		{Name: "no stats", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"stats":{"gold":"much"}}}`), Code: bad, Err: `nodes[0].effects.stats: must be numbers by the names of stats, {"gold":-5}`},
		{Name: "too much", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"stats":{"gold":1e39}}}`), Code: bad, Err: `nodes[0].effects.stats.gold: must be from -3.4e+38 to 3.4e+38, got 1e+39`},
		{Name: "no experience", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"xp":0}}`), Code: bad, Err: `nodes[0].effects.xp: must be a whole number from 1 on: how much experience`},
		{Name: "without the right to experience", As: "npc.agent", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"xp":1}}`), Code: registry.CodeForbidden, Err: `nodes[0].effects.xp: missing permission: progression.write, which it needs`},
		{Name: "one line", Input: tree(`{"id":"x","text":"Hm.","speaker":""}`), Want: ok},
		{Name: "without a name of who speaks", Input: tree(`{"id":"x","text":"Hm."}`), Want: ok},
		{Name: "in a circle", Input: tree(`{"id":"x","text":"Hm.","speaker":"","choices":[{"text":"Hm?","nextNodeId":"y"}]},{"id":"y","text":"Hm!","speaker":"","choices":[{"text":"Hm?","nextNodeId":"x"}]}`), Want: ok},
		{Name: "no start", Input: `{"id":"a","name":"A","startNode":"X1","nodes":[{"id":"x1","text":"Hm.","speaker":""}]}`, Code: bad, Err: `startNode: there is no node "X1"; the nearest is "x1"`},
		{Name: "a choice to nowhere", Input: tree(`{"id":"x","text":"Hm.","speaker":"","choices":[{"text":"Hm?","nextNodeId":"next"}]}`), Code: bad, Err: `nodes[0].choices[0].nextNodeId: there is no node "next"; there is "x"`},
		{Name: "two of a name", Input: tree(`{"id":"x","text":"Hm.","speaker":""},{"id":"x","text":"Hm.","speaker":""}`), Code: bad, Err: `nodes[1].id: "x" is the id of nodes[0] too`},
		{Name: "an island", Input: tree(`{"id":"x","text":"Hm.","speaker":""},{"id":"y","text":"Hm.","speaker":"","choices":[{"text":"?","nextNodeId":"x"}]}`), Code: bad, Err: `nodes[1]: no choice leads from "x" to "y": have one lead there, or leave the node out`},
		{
			Name: "a condition", Input: tree(`{"id":"x","text":"Hm.","speaker":"","choices":[{"text":"?","nextNodeId":"","condition":"coins > 3"}]}`), Code: bad,
			Err: `nodes[0].choices[0].condition: expression: at character 1, "coins > 3": coins means nothing: write flag("coins"), counter("coins") or variable("coins"), and texts in quotes`,
		},
		{Name: "a change of the game", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"game":{"flag":{}}}}`), Code: bad, Err: `nodes[0].effects.game.flag.name: is required: a string of from 1 to 128 characters`},
		{Name: "a timer", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"game":{"timer":{"name":"t","action":"pause","duration":1}}}}`), Code: bad, Err: `nodes[0].effects.game.timer: duration and onComplete are for "action":"start"`},
		{Name: "what is the server's to say", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"event":"dialogue.ended"}}`), Code: bad, Err: `nodes[0].effects.event: dialogue.ended is emitted by the server alone, when it is so: choose another name`},
		{Name: "a gift", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"give":{"itemId":"a","quantity":0}}}`), Code: bad, Err: `nodes[0].effects.give.quantity: must be from 1 to 1000000, got 0`},
		{Name: "without the right to events", As: "npc.agent", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"event":"a"}}`), Code: registry.CodeForbidden, Err: `nodes[0].effects.event: missing permission: event.write, which it needs`},
		{Name: "without the right to the game", As: "npc.agent", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"game":{"outcome":"won"}}}`), Code: registry.CodeForbidden, Err: `missing permission: game.write, which nodes[0].effects.game needs`},
		{Name: "without the right to items", As: "npc.agent", Input: tree(`{"id":"x","text":"Hm.","speaker":"","effects":{"take":{"itemId":"a"}}}`), Code: registry.CodeForbidden, Err: `nodes[0].effects: missing permission: inventory.write, which give and take need`},
		{Name: "a range", Input: `{"id":"a","name":"A","startNode":"x","nodes":[{"id":"x","text":"Hm.","speaker":""}],"config":{"maxRange":-1}}`, Code: bad, Err: `config.maxRange: must be a number of metres above 0, got -1`},
		{Name: "too much", Input: tree(`{"id":"x","text":"Hm.","speaker":"","config":{"a":"` + strings.Repeat("x", dialogue.MaxTree) + `"}}`), Code: registry.CodeCapacityExceeded, Err: `nodes: holds at most 65536 bytes, this one has 65548`},
	})
}

func TestCalls(t *testing.T) {
	const hello = `{"id":"hello","text":"A sword?","choices":[{"index":0,"text":"What of this shield?"},{"index":1,"text":"No."}]}`
	begun := forge([2]string{"dialogue.start", start})
	skilltest.Run(t, all, "dialogue.start", []skilltest.Case{
		{Name: "good", Setup: forge(), Input: start, Want: `{"ok":true,"currentNode":` + hello + `}`},
		{Name: "again", Setup: begun, Input: start, Want: `{"ok":true,"currentNode":` + hello + `}`},
		{Name: "unknown", Setup: forge(), Input: `{"treeId":"smiht",` + two + `}`, Err: `unknown dialogue "smiht"; the nearest is "smith"`},
		{Name: "none", Input: start, Err: `unknown dialogue "smith"; there is none: dialogue.define makes one`},
		{Name: "to himself", Setup: forge(), Input: `{"treeId":"smith","speaker":"ent_0","listener":"ent_0"}`, Code: registry.CodeInvalidInput, Err: `listener: is the speaker itself`},
		{Name: "to nobody", Setup: forge(), Input: `{"treeId":"smith","speaker":"ent_0","listener":"ent_9"}`, Err: `unknown entity ent_9; the nearest are ent_0, ent_1`},
		{Name: "to a name", Setup: forge(), Input: `{"treeId":"smith","speaker":"ent_0","listener":"bob"}`, Code: registry.CodeInvalidInput, Err: `listener: "bob" is neither the id of an entity, such as ent_3, nor an agent with a body`},
		{Name: "from afar", Setup: forge([2]string{"three.setTransform", `{"entity":"ent_1","position":[3,4,0]}`}), Input: start, Want: `{"ok":false,"reason":"ent_1 is 5 m away from ent_0, and 3 m is the most: go nearer"}`},
		{Name: "with another", Setup: forge([2]string{"scene.createEntity", `{}`}, [2]string{"dialogue.start", start}), Input: `{"treeId":"smith","speaker":"ent_2","listener":"ent_1"}`, Want: `{"ok":false,"reason":"ent_1 talks with ent_0: dialogue.end {\"speaker\":\"ent_0\",\"listener\":\"ent_1\"} ends that"}`},
	})
	skilltest.Run(t, all, "dialogue.choose", []skilltest.Case{
		{Name: "the end", Setup: begun, Input: `{` + two + `,"choiceIndex":1}`, Want: `{"ok":true,"ended":true}`},
		{Name: "what he does not have", Setup: begun, Input: `{` + two + `,"choiceIndex":0}`, Want: `{"ok":false,"reason":"ent_1 has no inventory, and so no \"shield\""}`},
		{Name: "what is not offered", Setup: begun, Input: `{` + two + `,"choiceIndex":2}`, Code: registry.CodeInvalidInput, Err: `choiceIndex: must be from 0 to 1, got 2: those are offered`},
		{Name: "in the only conversation", Setup: begun, Input: `{"choiceIndex":1}`, Want: `{"ok":true,"ended":true}`},
		{Name: "in that of the listener", Setup: begun, Input: `{"listener":"ent_1","choiceIndex":1}`, Want: `{"ok":true,"ended":true}`},
		{Name: "in that of the speaker", Setup: begun, Input: `{"speaker":"ent_0","choiceIndex":1}`, Want: `{"ok":true,"ended":true}`},
		{Name: "in none", Setup: forge(), Input: `{"choiceIndex":1}`, Err: "listener: you are in no conversation: dialogue.start begins one"},
		{Name: "in none of the listener", Setup: forge(), Input: `{"listener":"ent_1","choiceIndex":1}`, Err: "ent_1 is in no conversation: dialogue.start begins one"},
		{
			Name: "in one of two", Input: `{"choiceIndex":1}`, Code: registry.CodeInvalidInput, Err: "listener: is required, as there are 2 conversations: ent_1 with ent_0, ent_2 with ent_0",
			Setup: forge([2]string{"scene.createEntity", `{"position":[0,0,1]}`}, [2]string{"dialogue.start", start}, [2]string{"dialogue.start", `{"treeId":"smith","speaker":"ent_0","listener":"ent_2"}`}),
		},
		{Name: "before it begins", Setup: forge(), Input: `{` + two + `,"choiceIndex":0}`, Want: `{"ok":false,"reason":"ent_1 is in no conversation: dialogue.start begins one"}`},
		{Name: "with another", Setup: forge([2]string{"scene.createEntity", `{}`}, [2]string{"dialogue.start", start}), Input: `{"speaker":"ent_2","listener":"ent_1","choiceIndex":0}`, Want: `{"ok":false,"reason":"ent_1 talks with ent_0, not with ent_2"}`},
		{Name: "another tree by now", Setup: forge([2]string{"dialogue.start", start}, [2]string{"dialogue.define", strings.ReplaceAll(smith, "No.", "Never.")}), Input: `{` + two + `,"choiceIndex":1}`, Want: `{"ok":false,"reason":"the dialogue \"smith\" was written anew since: dialogue.start begins again"}`},
		{
			Name: "what he could not pay any more", Input: `{` + two + `,"choiceIndex":0}`, Want: `{"ok":false,"reason":"this cannot be chosen any more: its condition does not hold"}`,
			Setup: forge([2]string{"game.counter", `{"name":"coins","action":"set","value":3}`}, [2]string{"dialogue.start", start}, [2]string{"game.counter", `{"name":"coins","action":"decrement"}`}),
		},
	})
	skilltest.Run(t, all, "dialogue.end", []skilltest.Case{
		{Name: "good", Setup: begun, Input: `{` + two + `}`, Want: `{"ok":true}`},
		{Name: "none", Setup: forge(), Input: `{` + two + `}`, Want: `{"ok":false,"reason":"ent_1 is in no conversation: dialogue.start begins one"}`},
	})
	skilltest.Run(t, all, "dialogue.get", []skilltest.Case{
		{Name: "good", Setup: begun, Input: `{` + two + `}`, Want: `{"currentNode":` + hello + `,"history":[{"nodeId":"hello"}]}`},
		{Name: "none", Setup: forge(), Input: `{` + two + `}`, Want: `{"history":[]}`},
		{Name: "over", Setup: forge([2]string{"dialogue.start", start}, [2]string{"dialogue.choose", `{` + two + `,"choiceIndex":1}`}), Input: `{` + two + `}`, Want: `{"history":[{"nodeId":"hello","choiceIndex":2}]}`},
		{Name: "of others", Setup: forge([2]string{"scene.createEntity", `{}`}, [2]string{"dialogue.start", start}), Input: `{"speaker":"ent_2","listener":"ent_1"}`, Want: `{"history":[]}`},
	})
	skilltest.Run(t, all, "dialogue.npcSay", []skilltest.Case{
		{Name: "good", As: "npc.agent", Setup: forge(), Input: `{"speaker":"ent_0","text":"Swords!","mood":"glad","dialogueContext":"market"}`, Want: `{"ok":true}`},
		{Name: "a speech", As: "npc.agent", Setup: forge(), Input: `{"speaker":"ent_0","text":"` + strings.Repeat("x", 281) + `"}`, Code: registry.CodeInvalidInput, Err: `text: must have from 1 to 280 characters, got 281`},
	})
	skilltest.Run(t, all, "dialogue.setMood", []skilltest.Case{
		{Name: "good", Setup: forge(), Input: `{"speaker":"ent_0","mood":"angry"}`, Want: `{"ok":true}`},
		{Name: "none", Setup: forge([2]string{"dialogue.setMood", `{"speaker":"ent_0","mood":"angry"}`}), Input: `{"speaker":"ent_0","mood":""}`, Want: `{"ok":true}`},
	})
	skilltest.Needs(t, all, "dialogue.define", tree(`{"id":"x","text":"Hm.","speaker":""}`), "dialogue.configure", "builder.readWrite", "npc.agent")
	skilltest.Needs(t, all, "dialogue.start", start, "dialogue.write", "builder.readWrite", "npc.agent", "player.full", "player.limited")
	skilltest.Needs(t, all, "dialogue.get", `{`+two+`}`, "dialogue.read", "builder.readWrite", "npc.agent", "player.full", "player.limited")
	skilltest.Needs(t, all, "dialogue.npcSay", `{"speaker":"ent_0","text":"x"}`, "social.act", "npc.agent", "player.full", "social.actor")
}

// TestStory buys a sword, and sees who is told what.
func TestStory(t *testing.T) {
	r := newForge(t)
	r.Do("event.listen", `{"eventName":"dialogue.ended","action":{"type":"emit","target":"quest"}}`)
	r.Do("game.counter", `{"name":"coins","action":"set","value":4}`)
	r.Do("dialogue.start", start)
	skilltest.Holds(t, "the knight", r.Entity(t, "ent_1"),
		`{"id":"ent_1","eid":1,"pos":[2,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"box","size":[1,1,1],"color":16777215},"dialogue":{"treeId":"smith","speaker":"ent_0","nodeId":"hello","name":"Old smith","text":"A sword?","mood":"curious","choices":[{"text":"Here are 3 coins.","at":0},{"text":"What of this shield?","at":1},{"text":"No.","at":2}],"maxRange":3,"since":0,"by":"ann"}}`)
	skilltest.Holds(t, "the deal", r.Do("dialogue.choose", `{%s,"choiceIndex":0}`, two),
		`{"ok":true,"node":{"id":"sold","text":"Here you are.","choices":[],"effects":{"game":{"flag":{"name":"armed"}}}},"ended":true,"effects":{"game":{"counter":{"name":"coins","action":"decrement","value":3}},"give":{"itemId":"sword"},"event":"paid","wink":true}}`)
	r.Steps(1)
	const about = `"treeId":"smith","speaker":"ent_0","listener":"ent_1"`
	want := []string{
		`event.emit dialogue.started {` + about + `} ann`,
		"social.said ent_0 Old smith A sword? curious ann",
		"event.emit paid carl",
		"social.said ent_0 Here you are. glad ann",
		`event.emit dialogue.ended {` + about + `,"nodeId":"sold","reason":"over"} ann`,
		"event.emit quest ann",
	}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	skilltest.Holds(t, "coins", r.Do("game.counter", `{"name":"coins"}`), `{"value":1}`)
	skilltest.Holds(t, "armed", r.Do("game.flag", `{"name":"armed"}`), `{"value":true}`)
	skilltest.Holds(t, "the sword", r.Do("inventory.count", `{"entity":"ent_1","itemId":"sword"}`), `{"count":1}`)
	skilltest.Holds(t, "the smith", r.Entity(t, "ent_0"), `{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"box","size":[1,1,1],"color":16777215},"mood":"glad"}`)
}

// TestSells has a knight sell and buy for gold and a score: what is not there begins at 0, and who has too little cannot.
func TestSells(t *testing.T) {
	r := newForge(t)
	r.Do("dialogue.define", "%s", tree(`{"id":"x","text":"Hm.","speaker":"","choices":[{"text":"Sell","nextNodeId":"x","effects":{"stats":{"gold":2,"score":1},"xp":5}},{"text":"Buy","nextNodeId":"x","effects":{"stats":{"gold":-3},"give":{"itemId":"sword"}}}]}`))
	r.Do("dialogue.start", `{"treeId":"a",`+two+`}`)
	choose := func(i int, want string) {
		t.Helper()
		if got := r.Do("dialogue.choose", `{`+two+`,"choiceIndex":%d}`, i); !strings.HasPrefix(got, want) {
			t.Errorf("choice %d: %s, want %s", i, got, want)
		}
	}
	choose(1, `{"ok":false,"reason":"ent_1 has no gold, of which this takes 3"`)
	choose(0, `{"ok":true`)
	choose(1, `{"ok":false,"reason":"ent_1 has 2 gold, and this takes 3"`)
	choose(0, `{"ok":true`)
	choose(1, `{"ok":true`)
	if got := r.Entity(t, "ent_1"); !strings.Contains(got, `"stats":[{"name":"gold","value":1,"min":0},{"name":"score","value":2,"min":0},{"name":"xp of ann","value":10,"min":0}]`) {
		t.Errorf("the knight has %s", got)
	}
}

// TestNo has a choice fail in the middle: nothing of it stays, also of what was done before.
func TestNo(t *testing.T) {
	r := newForge(t)
	r.Do("dialogue.define", "%s", tree(`{"id":"x","text":"Hm.","speaker":"","choices":[{"text":"?","nextNodeId":"y","effects":{"game":{"flag":{"name":"f"}},"event":"e"}}]},{"id":"y","text":"Give!","speaker":"","effects":{"take":{"itemId":"shield"}}}`))
	r.Do("dialogue.start", `{"treeId":"a",%s}`, two)
	r.Do("inventory.create", `{"entity":"ent_1"}`)
	before := r.Content()
	r.Heard()
	skilltest.Holds(t, "the choice", r.Do("dialogue.choose", `{%s,"choiceIndex":0}`, two), `{"ok":false,"reason":"ent_1 has 0 \"shield\", not 1"}`)
	if heard := r.Heard(); len(heard) > 0 || r.Content() != before {
		t.Errorf("it has changed the world, or told %q", heard)
	}
}

// TestEnds ends conversations from outside, and takes that back.
func TestEnds(t *testing.T) {
	for _, c := range []struct{ skill, input, reason string }{
		{"dialogue.end", `{` + two + `}`, "ended"},
		{"three.setTransform", `{"entity":"ent_0","position":[0,0,9]}`, "left"},
		{"scene.destroyEntity", `{"entity":"ent_0"}`, "gone"},
		{"dialogue.start", start, "anew"},
	} {
		r := newForge(t)
		r.Do("dialogue.start", start)
		r.Heard()
		r.Do(c.skill, "%s", c.input)
		r.Steps(1)
		told := strings.Join(r.Heard(), "\n")
		if want := `"nodeId":"hello","reason":"` + c.reason + `"}`; !strings.Contains(told, "dialogue.ended") || !strings.Contains(told, want) {
			t.Errorf("%s: viewers are told %s, want %s", c.skill, told, want)
		}
		if talks := strings.Contains(r.Entity(t, "ent_1"), "treeId"); talks != (c.reason == "anew") {
			t.Errorf("after %s the knight talks: %t", c.skill, talks)
		}
	}
	r := newForge(t)
	before := r.Content()
	r.Do("dialogue.start", start)
	r.Do("dialogue.choose", `{%s,"choiceIndex":1}`, two)
	r.Do("world.undo", `{"steps":2}`)
	if r.Content() != before {
		t.Error("an undo does not take a conversation back")
	}
}

// TestListenerGone destroys who listens, and takes that back: it is over, whoever waits for that hears of it, and it goes on.
func TestListenerGone(t *testing.T) {
	r := newForge(t)
	r.Do("event.listen", `{"eventName":"dialogue.ended","action":{"type":"setState","data":{"game":{"flag":{"name":"heard"}}}}}`)
	r.Do("event.listen", `{"eventName":"dialogue.ended","action":{"type":"spawn"}}`)
	r.Do("dialogue.start", start)
	before := r.Content()
	r.Heard()
	r.Do("scene.destroyEntity", `{"entity":"ent_1"}`)
	const want = `event.emit dialogue.ended {"treeId":"smith","speaker":"ent_0","listener":"ent_1","nodeId":"hello","reason":"gone"}`
	if heard := r.Heard(); len(heard) != 1 || strings.TrimSpace(heard[0]) != want {
		t.Errorf("viewers are told %q, want %s", heard, want)
	}
	r.Do("world.undo", `{}`)
	if r.Content() != before {
		t.Error("an undo does not bring the conversation back")
	}
	r.Steps(2)
	skilltest.Holds(t, "what was taken back", r.Do("game.flag", `{"name":"heard"}`), `{"value":false,"note":"this flag was never set"}`)
	r.Do("scene.destroyEntity", `{"entity":"ent_1"}`)
	r.Steps(2)
	skilltest.Holds(t, "who listens to it", r.Do("game.flag", `{"name":"heard"}`), `{"value":true}`)
	if at := r.At(t, "ent_2"); at != (world.Vec3{2, 0, 0}) {
		t.Errorf("what is spawned for it is at %v, not where he was", at)
	}
	r.Do("scene.destroyEntity", `{"entity":"ent_0"}`)
	r.Heard()
	if r.Steps(2); len(r.Heard()) > 0 {
		t.Error("it ends twice")
	}
}

// TestResume goes back to a conversation much later: it has lasted as long as then.
func TestResume(t *testing.T) {
	r := newForge(t)
	r.Steps(5)
	r.Do("dialogue.start", start)
	r.Steps(20)
	r.Do("checkpoint.create", `{"name":"here"}`)
	r.Do("dialogue.end", `{%s}`, two)
	r.Steps(100)
	r.Do("checkpoint.load", `{"name":"here"}`)
	var now uint64
	r.World.View(func(v *world.View) { now = v.Step() })
	if want := fmt.Sprintf(`"since":%d`, now-20); !strings.Contains(r.Entity(t, "ent_1"), want) {
		t.Errorf("in step %d the knight is %s, want %s", now, r.Entity(t, "ent_1"), want)
	}
}

// TestLoop talks in a circle for long: it is remembered as far as there is room.
func TestLoop(t *testing.T) {
	r := newForge(t)
	r.Do("dialogue.define", "%s", tree(`{"id":"x","text":"Hm.","speaker":"","choices":[{"text":"Hm?","nextNodeId":"x"}]}`))
	r.Do("dialogue.start", `{"treeId":"a",%s}`, two)
	for range dialogue.MaxVisits + 5 {
		r.Do("dialogue.choose", `{%s,"choiceIndex":0}`, two)
	}
	if n := strings.Count(r.Do("dialogue.get", `{%s}`, two), `"nodeId"`); n != dialogue.MaxVisits {
		t.Errorf("%d visits are remembered, want %d", n, dialogue.MaxVisits)
	}
}

// TestWhose has agents talk with bodies and characters of their own and of others.
func TestWhose(t *testing.T) {
	r := newForge(t)
	bob := skilltest.Caller(t, "bob", "player.limited")
	eve := skilltest.Caller(t, "eve", "npc.agent")
	r.Do("agent.embody", `{"position":[0,0,1]}`)           // ent_2
	r.Must(t, bob, "agent.embody", `{"position":[1,0,0]}`) // ent_3
	r.Do("player.spawn", `{"position":[0,0,-2]}`)          // ent_4
	r.Must(t, eve, "agent.embody", `{"position":[1,0,1]}`) // ent_5
	r.Must(t, eve, "dialogue.define", strings.ReplaceAll(tree(`{"id":"x","text":"I am Eve.","speaker":""}`), `"id":"a"`, `"id":"eve"`))
	r.Do("dialogue.define", "%s", tree(`{"id":"x","text":"Hm.","speaker":"","choices":[{"text":"?","nextNodeId":""}]}`))
	const others = "is the body of another agent, "
	for _, c := range []struct {
		who           *profiles.Principal
		skill, input  string
		says, forbids string
	}{
		{bob, "dialogue.start", `{"treeId":"smith","speaker":"ent_0","listener":"bob"}`, `"ok":true`, ""},
		{bob, "dialogue.end", `{"speaker":"ent_0","listener":"bob"}`, `"ok":true`, ""},
		{bob, "dialogue.start", `{"treeId":"smith","speaker":"ent_0","listener":"ann"}`, "", "listener: ent_2 " + others + "ann"},
		{bob, "dialogue.start", `{"treeId":"a","speaker":"ann","listener":"bob"}`, `"ok":true`, ""}, // ann has written it
		{bob, "dialogue.choose", `{"speaker":"ann","listener":"bob","choiceIndex":0}`, `"ended":true`, ""},
		{bob, "dialogue.start", `{"treeId":"smith","speaker":"ent_4","listener":"bob"}`, "", "speaker: ent_4 is somebody else's, and speaks by dialogues that its owner has written; this one is carl's"},
		{bob, "dialogue.start", `{"treeId":"eve","speaker":"ann","listener":"bob"}`, "", "speaker: ent_2 is somebody else's, and speaks by dialogues that its owner has written; this one is eve's"},
		{bob, "dialogue.start", `{"treeId":"eve","speaker":"eve","listener":"bob"}`, "I am Eve.", ""},
		{eve, "dialogue.npcSay", `{"speaker":"ann","text":"I am Ann"}`, "", "speaker: ent_2 " + others + "ann"},
		{eve, "dialogue.npcSay", `{"speaker":"eve","text":"I am Eve"}`, `"ok":true`, ""},
		{eve, "dialogue.setMood", `{"speaker":"ent_4","mood":"sad"}`, "", "speaker: ent_4 is somebody else's character"},
		{r.Ann, "dialogue.start", `{"treeId":"smith","speaker":"ent_0","listener":"ann"}`, `"ok":true`, ""},
		{bob, "dialogue.choose", `{"speaker":"ent_0","listener":"ann","choiceIndex":1}`, "", "listener: ent_2 " + others + "ann"},
	} {
		out, err := r.Call(c.who, c.skill, c.input)
		switch {
		case c.forbids == "" && (err != nil || !strings.Contains(out, c.says)):
			t.Errorf("%s %s of %s = %s, %v; want %s", c.skill, c.input, c.who.ID, out, err, c.says)
		case c.forbids != "" && (err == nil || err.Code != registry.CodeForbidden || !strings.HasPrefix(err.Message, c.forbids)):
			t.Errorf("%s %s of %s = %s, %v; want it forbidden: %s", c.skill, c.input, c.who.ID, out, err, c.forbids)
		}
	}
}

// TestFull holds as many conversations as one agent may.
func TestFull(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	r.Do("dialogue.define", "%s", tree(`{"id":"x","text":"Hm.","speaker":"","choices":[{"text":"?","nextNodeId":""}]}`))
	for i := range dialogue.MaxTrees*3/4 - 1 {
		r.Do("dialogue.define", `{"id":"tree %d","name":"A","startNode":"x","nodes":[{"id":"x","text":"Hm.","speaker":""}]}`, i)
	}
	if _, err := r.Call(r.Ann, "dialogue.define", `{"id":"more","name":"A","startNode":"x","nodes":[{"id":"x","text":"Hm.","speaker":""}]}`); err == nil || err.Code != registry.CodeCapacityExceeded || !strings.Contains(err.Message, "192 of 256 dialogues are yours") {
		t.Errorf("one more dialogue: %v", err)
	}
	r.Do("scene.createEntity", `{}`)
	talks := 0
	const most = dialogue.MaxTalks * 3 / 4
	for i := range most {
		r.Do("scene.createEntity", `{}`)
		r.Do("dialogue.start", `{"treeId":"a","speaker":"ent_0","listener":"ent_%d"}`, i+1)
		talks++
	}
	r.Steps(3)
	if n := strings.Count(fmt.Sprint(r.Heard()), "dialogue.ended"); n != 0 || talks != most {
		t.Errorf("%d of %d conversations have ended", n, talks)
	}
}
