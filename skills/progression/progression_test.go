package progression_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/progression"
)

const nobody = "unknown entity ent_9; the nearest are ent_0"

func TestXP(t *testing.T) {
	skilltest.Run(t, all, "progression.xp", []skilltest.Case{
		{Name: "a little", Setup: skilltest.Hero(), Input: `{"entity":"ent_0","amount":99,"meta":{"a":1}}`, Want: `{"leveledUp":false,"newLevel":1,"xp":99,"xpToNext":1,"skillPoints":0,"levelUps":[]}`},
		{Name: "a level", Setup: skilltest.Hero(), Input: `{"entity":"ent_0","amount":100}`, Want: `{"leveledUp":true,"newLevel":2,"xp":0,"xpToNext":150,"skillPoints":1,"levelUps":[{"level":2,"actions":[]}]}`},
		{
			Name: "several, and what is done", Setup: skilltest.Hero([2]string{"progression.onLevelUp", `{"entity":"ent_0","action":{"type":"audio","data":{"name":"fanfare"}}}`}), Input: `{"entity":"ent_0","amount":480}`,
			Want: `{"leveledUp":true,"newLevel":4,"xp":5,"xpToNext":332,"skillPoints":3,"levelUps":[{"level":2,"actions":[{"type":"audio","data":{"name":"fanfare"}}]},{"level":3,"actions":[{"type":"audio","data":{"name":"fanfare"}}]},{"level":4,"actions":[{"type":"audio","data":{"name":"fanfare"}}]}]}`,
		},
		{
			Name: "beyond all", Setup: skilltest.Hero([2]string{"progression.xp", `{"entity":"ent_0","amount":9007199254740991}`}), Input: `{"entity":"ent_0","amount":9007199254740991}`,
			Want: `{"leveledUp":false,"newLevel":75,"xp":9007199254740991,"xpToNext":0,"skillPoints":74,"levelUps":[]}`,
		},
		{Name: "nobody", Setup: skilltest.Hero(), Input: `{"entity":"ent_9","amount":1}`, Err: nobody},
		{Name: "nothing", Setup: skilltest.Hero(), Input: `{"entity":"ent_0","amount":0}`, Code: registry.CodeInvalidInput, Err: "amount: must be at least 1, got 0"},
	})
	skilltest.Run(t, all, "progression.level", []skilltest.Case{
		{Name: "at first", Setup: skilltest.Hero(), Input: `{"entity":"ent_0","meta":{"a":1}}`, Want: `{"level":1,"xp":0,"xpToNext":100,"skillPoints":0,"unlocked":[],"skills":[]}`},
		{
			Name: "later", Setup: skilltest.Hero([2]string{"progression.xp", `{"entity":"ent_0","amount":300}`}, [2]string{"progression.unlock", `{"entity":"ent_0","id":"swim"}`}, [2]string{"progression.skillTree", magic}, [2]string{"progression.allocate", `{"entity":"ent_0","treeId":"magic","nodeId":"focus"}`}),
			Input: `{"entity":"ent_0"}`, Want: `{"level":3,"xp":50,"xpToNext":175,"skillPoints":1,"unlocked":["swim"],"skills":[{"treeId":"magic","nodeId":"focus","level":1}]}`,
		},
		{Name: "nobody", Setup: skilltest.Hero(), Input: `{"entity":"ent_9"}`, Err: nobody},
	})
}

func TestUnlock(t *testing.T) {
	swim := [2]string{"progression.unlock", `{"entity":"ent_0","id":"swim"}`}
	skilltest.Run(t, all, "progression.unlock", []skilltest.Case{
		{Name: "first", Setup: skilltest.Hero(), Input: swim[1], Want: `{"ok":true,"newlyUnlocked":true}`},
		{Name: "again", Setup: skilltest.Hero(swim), Input: swim[1], Want: `{"ok":true,"newlyUnlocked":false}`},
		{Name: "nobody", Setup: skilltest.Hero(), Input: `{"entity":"ent_9","id":"swim"}`, Err: nobody},
		{Name: "too much", Setup: skilltest.Hero(many(progression.MaxUnlocked, "progression.unlock", `{"entity":"ent_0","id":"%d"}`)...), Input: swim[1], Code: registry.CodeCapacityExceeded, Err: "ent_0 has 256 things unlocked, which is the most"},
	})
	skilltest.Run(t, all, "progression.isUnlocked", []skilltest.Case{
		{Name: "not", Setup: skilltest.Hero(), Input: `{"entity":"ent_0","id":"swim"}`, Want: `{"unlocked":false}`},
		{Name: "it is", Setup: skilltest.Hero(swim), Input: `{"entity":"ent_0","id":"swim","meta":{"a":1}}`, Want: `{"unlocked":true}`},
		{Name: "misspelt", Setup: skilltest.Hero(swim), Input: `{"entity":"ent_0","id":"Swim"}`, Want: `{"unlocked":false,"note":"did you mean \"swim\", which is?"}`},
		{Name: "nobody", Setup: skilltest.Hero(), Input: `{"entity":"ent_9","id":"swim"}`, Err: nobody},
	})
}

// many is n calls, numbered.
func many(n int, skill, format string) (calls [][2]string) {
	for i := range n {
		input := format
		if strings.Contains(format, "%d") {
			input = fmt.Sprintf(format, i)
		}
		calls = append(calls, [2]string{skill, input})
	}
	return calls
}

func TestOnLevelUp(t *testing.T) {
	const input = `{"entity":"ent_0","action":{"type":"emit","target":"risen"}}`
	skilltest.Run(t, all, "progression.onLevelUp", []skilltest.Case{
		{Name: "attach", Setup: skilltest.Hero(), Input: input, Want: `{"ok":true}`},
		{Name: "one that does nothing", Setup: skilltest.Hero(), Input: `{"entity":"ent_0","action":{"type":"setState"}}`, Want: `{"ok":true,"note":"the action changes nothing: action.data names nothing to change"}`},
		{Name: "what is the server's to say", Setup: skilltest.Hero(), Input: `{"entity":"ent_0","action":{"type":"emit","target":"progression.levelUp:5"}}`, Code: registry.CodeInvalidInput, Err: "action.target: progression.levelUp:5 is emitted by the server alone, when it is so: choose another name"},
		{Name: "nobody", Setup: skilltest.Hero(), Input: strings.Replace(input, "ent_0", "ent_9", 1), Err: nobody},
		{Name: "too many", Setup: skilltest.Hero(many(progression.MaxActions, "progression.onLevelUp", input)...), Input: input, Code: registry.CodeCapacityExceeded, Err: "ent_0 has 16 actions at a level, which is the most; listeners of event.listen hear progression.levelUp too"},
		{
			Name: "too large together", Setup: skilltest.Hero([2]string{"progression.onLevelUp", `{"entity":"ent_0","action":{"type":"custom","data":{"a":"` + strings.Repeat("x", action.MaxData-100) + `"}}}`}),
			Input: `{"entity":"ent_0","action":{"type":"custom","data":{"a":"` + strings.Repeat("x", 200) + `"}}}`, Code: registry.CodeCapacityExceeded, Err: "action.data: the actions of ent_0 at a level hold at most 8192 bytes of it together, and would have 8308",
		},
	})
}

func TestSkillTree(t *testing.T) {
	node := func(more string) string {
		return `{"id":"t","name":"T","nodes":[{"id":"a","name":"A","effects":{}},{"id":"b","name":"B","effects":{},` + more + `}]}`
	}
	skilltest.Run(t, all, "progression.skillTree", []skilltest.Case{
		{Name: "define", Input: magic, Want: `{"ok":true}`},
		{Name: "again", Setup: skilltest.Hero([2]string{"progression.skillTree", magic}), Input: magic, Want: `{"ok":true}`},
		{Name: "with all that there is", Input: `{"id":"t","name":"T","nodes":[{"id":"a","name":"A","description":"d","effects":{},"config":{"x":1}}],"config":{"icon":"t"},"meta":{"a":1}}`, Want: `{"ok":true}`},
		{Name: "what nobody can buy", Input: node(`"cost":75`), Want: `{"ok":true,"note":"nodes[1].cost: levels bring 74 points in all, so nobody can ever buy \"b\""}`},
		{Name: "a node twice", Input: strings.Replace(node(`"cost":1`), `"b"`, `"a"`, 1), Code: registry.CodeInvalidInput, Err: `nodes[1].id: "a" is there twice`},
		{Name: "what is not there", Input: node(`"prerequisites":["c"]`), Code: registry.CodeInvalidInput, Err: `nodes[1].prerequisites[0]: there is no node "c" in this tree; there are 2, such as "a"`},
		{Name: "a circle", Input: node(`"prerequisites":["b"]`), Code: registry.CodeInvalidInput, Err: `nodes[1].prerequisites: "b" can never be bought: what it needs goes round in a circle`},
		{Name: "too large", Input: node(`"config":{"x":"` + strings.Repeat("x", progression.MaxData) + `"}`), Code: registry.CodeCapacityExceeded, Err: "nodes: holds at most 32768 bytes, this one has 32780"},
		{Name: "no effects", Input: `{"id":"t","name":"T","nodes":[{"id":"a","name":"A"}]}`, Code: registry.CodeInvalidInput, Err: "nodes[0].effects: is required"},
	})
}

func TestAllocate(t *testing.T) {
	tree, stats := [2]string{"progression.skillTree", magic}, [2]string{"stats.create", `{"entity":"ent_0","stats":[{"name":"mana","value":5,"maxValue":20}]}`}
	xp := func(n int) [2]string {
		return [2]string{"progression.xp", fmt.Sprintf(`{"entity":"ent_0","amount":%d}`, n)}
	}
	focus := [2]string{"progression.allocate", `{"entity":"ent_0","treeId":"magic","nodeId":"focus"}`}
	const fireball = `{"entity":"ent_0","treeId":"magic","nodeId":"fireball"}`
	skilltest.Run(t, all, "progression.allocate", []skilltest.Case{
		{Name: "what names a stat", Setup: skilltest.Hero(tree, stats, xp(100)), Input: focus[1], Want: `{"ok":true,"level":1,"skillPoints":0,"effects":{"mana":10,"aura":1,"note":"calm"},"raised":[{"statName":"mana","value":15}]}`},
		{Name: "twice", Setup: skilltest.Hero(tree, stats, xp(250), focus), Input: focus[1], Want: `{"ok":true,"level":2,"skillPoints":0,"effects":{"mana":10,"aura":1,"note":"calm"},"raised":[{"statName":"mana","value":25}]}`},
		{Name: "three times", Setup: skilltest.Hero(tree, xp(475), focus, focus), Input: focus[1], Want: `{"ok":false,"reason":"\"focus\" is at its highest level, 2","level":2,"skillPoints":1}`},
		{Name: "no points", Setup: skilltest.Hero(tree), Input: focus[1], Want: `{"ok":false,"reason":"it costs 1 skill points, and ent_0 has 0: each level brings one","level":0,"skillPoints":0}`},
		{Name: "half of what it needs", Setup: skilltest.Hero(tree, xp(475), focus), Input: fireball, Want: `{"ok":false,"reason":"\"fireball\" needs \"focus\" at its highest level, 2, and it is at 1","level":0,"skillPoints":2}`},
		{Name: "too dear", Setup: skilltest.Hero(tree, xp(475), focus, focus), Input: fireball, Want: `{"ok":false,"reason":"it costs 2 skill points, and ent_0 has 1: each level brings one","level":0,"skillPoints":1}`},
		{Name: "what it needs", Setup: skilltest.Hero(tree, xp(812), focus, focus), Input: fireball, Want: `{"ok":true,"level":1,"skillPoints":0,"effects":{"ability":"fireball"}}`},
		{Name: "no tree", Setup: skilltest.Hero(), Input: fireball, Err: `unknown skill tree "magic"; there is none: progression.skillTree makes one`},
		{Name: "another tree", Setup: skilltest.Hero(tree), Input: strings.Replace(fireball, "magic", "magik", 1), Err: `unknown skill tree "magik"; the nearest is "magic"`},
		{Name: "another node", Setup: skilltest.Hero(tree), Input: strings.Replace(fireball, "fireball", "ice", 1), Err: `there is no node "ice" in the tree "magic"; there are 2, such as "focus"`},
		{Name: "nobody", Setup: skilltest.Hero(tree), Input: `{"entity":"ent_9","treeId":"magic","nodeId":"focus"}`, Err: nobody},
	})
}

// TestWhoMay calls as those who may not author, for their own body and for others'.
func TestWhoMay(t *testing.T) {
	const write = "progression.write"
	for _, name := range []string{"progression.xp", "progression.unlock", "progression.allocate"} {
		skilltest.Needs(t, all, name, map[string]string{
			"progression.xp": `{"entity":"ent_0","amount":1}`, "progression.unlock": `{"entity":"ent_0","id":"a"}`, "progression.allocate": `{"entity":"ent_0","treeId":"a","nodeId":"a"}`,
		}[name], write, "builder.readWrite")
	}
	skilltest.Needs(t, all, "progression.onLevelUp", `{"entity":"ent_0","action":{"type":"custom"}}`, "progression.configure", "builder.readWrite")
	skilltest.Needs(t, all, "progression.skillTree", magic, "progression.configure", "builder.readWrite")
	skilltest.Needs(t, all, "progression.level", `{"entity":"ent_0"}`, "progression.read", "builder.readWrite", "player.full", "player.limited")
	skilltest.Needs(t, all, "progression.isUnlocked", `{"entity":"ent_0","id":"a"}`, "progression.read", "builder.readWrite", "player.full", "player.limited")

	r := newRoom(t)
	r.Do("agent.embody", `{}`) // ent_1
	r.Do("progression.skillTree", `%s`, magic)
	bob := &profiles.Principal{Kind: profiles.KindAgent, ID: "bob", Session: "bob's", Grants: profiles.Grant(write, "agent.write")}
	r.Must(t, bob, "agent.embody", `{}`) // ent_2
	for _, entity := range []string{"ent_1", "ent_2"} {
		r.Must(t, bob, "progression.xp", fmt.Sprintf(`{"entity":%q,"amount":100}`, entity))
		_, err := r.Call(bob, "progression.allocate", fmt.Sprintf(`{"entity":%q,"treeId":"magic","nodeId":"focus"}`, entity))
		if mine := entity == "ent_2"; (err == nil) != mine || err != nil && err.Code != registry.CodeForbidden {
			t.Errorf("bob spends the points of %s: %v", entity, err)
		}
	}
	r.Do("progression.allocate", `{"entity":"ent_1","treeId":"magic","nodeId":"focus"}`)
}

// TestLevelUps has actions done at each level, in order, and listeners hear of it. Who goes has none.
func TestLevelUps(t *testing.T) {
	r := newRoom(t, "level", "event", "on", "target", "entity")
	for _, target := range []string{"one", "two"} {
		r.Do("progression.onLevelUp", `{"entity":"ent_0","action":{"type":"emit","target":%q}}`, target)
	}
	r.Do("event.listen", `{"eventName":"progression.levelUp:3","action":{"type":"custom","target":"third"}}`)
	r.Do("progression.xp", `{"entity":"ent_0","amount":260}`)
	r.Steps(2)
	want := []string{
		"progression.levelUp 2 ent_0", "progression.levelUp 3 ent_0",
		"progression.emit 2 one ent_0", "progression.emit 2 two ent_0", "progression.emit 3 one ent_0", "progression.emit 3 two ent_0",
		"event.custom progression.levelUp:3 third ent_0",
	}
	if got := r.Heard(); !slices.Equal(got, want) {
		t.Errorf("viewers are told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	r.Do("progression.onLevelUp", `{"entity":"ent_0","action":{"type":"destroy"}}`)
	r.Do("progression.xp", `{"entity":"ent_0","amount":100000}`)
	r.Heard()
	r.Steps(1)
	if got := r.Heard(); len(got) != 2 {
		t.Errorf("after who was destroyed at the first of several levels viewers are told %q", got)
	}
}

// TestFailures are told: an action that cannot be done.
func TestFailures(t *testing.T) {
	r := newRoom(t, "type", "by", "error")
	r.Do("progression.onLevelUp", `{"entity":"ent_0","action":{"type":"destroy","target":"ent_7"}}`)
	r.Do("progression.xp", `{"entity":"ent_0","amount":100}`)
	r.Heard()
	r.Steps(1)
	if got, want := r.Heard(), []string{"progression.failed destroy ann unknown entity ent_7; the nearest are ent_0"}; !slices.Equal(got, want) {
		t.Errorf("viewers are told %q, want %q", got, want)
	}
}

// TestState is undone, in checkpoints, and copied; what viewers see of it.
func TestState(t *testing.T) {
	r := newRoom(t)
	r.Do("stats.create", `{"entity":"ent_0","stats":[{"name":"mana","value":5,"maxValue":20}]}`)
	r.Do("progression.skillTree", `%s`, magic)
	r.Do("progression.onLevelUp", `{"entity":"ent_0","action":{"type":"emit","target":"risen"}}`)
	before := r.Content()
	r.Do("checkpoint.create", `{"name":"before"}`)
	r.Do("progression.xp", `{"entity":"ent_0","amount":120}`)
	r.Do("progression.unlock", `{"entity":"ent_0","id":"swim"}`)
	r.Do("progression.allocate", `{"entity":"ent_0","treeId":"magic","nodeId":"focus"}`)
	after := r.Content()
	const want = `"progression":{"level":2,"xp":20,"xpToNext":130,"skillPoints":0,"unlocked":["swim"],"skills":[{"treeId":"magic","nodeId":"focus","level":1}]}`
	if got := r.Entity(t, "ent_0"); !strings.Contains(got, want) {
		t.Errorf("viewers see %s, want %s", got, want)
	}
	r.Do("world.undo", `{"steps":3}`)
	if r.Content() != before {
		t.Error("an undo leaves another world")
	}
	r.Do("world.redo", `{}`)
	if r.Content() != after {
		t.Error("a redo makes another world")
	}
	r.Do("scene.clone", `{"entity":"ent_0"}`)
	if got := r.Entity(t, "ent_1"); !strings.Contains(got, want) {
		t.Errorf("a clone is %s, want %s", got, want)
	}
	r.Do("checkpoint.load", `{"name":"before"}`)
	if r.Content() != before {
		t.Error("a checkpoint brings another world back")
	}
}
