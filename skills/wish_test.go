package skills_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestWhoHoldsADialogue: what a king gives in his castle is not had from a stone before it by who plays.
func TestWhoHoldsADialogue(t *testing.T) {
	r := newStage(t)
	king := entityOf(t, r.Do("scene.createEntity", `{"position":[100,1,0]}`))
	stone := entityOf(t, r.Do("scene.createEntity", `{"position":[1,0.5,0]}`))
	r.Do("item.define", `{"id":"gold","name":"Gold"}`)
	r.Do("dialogue.define", `{"id":"king","name":"The king","startNode":"a","config":{"maxRange":4},"nodes":[{"id":"a","text":"Take it.","choices":[{"text":"Thanks","nextNodeId":"","effects":{"give":{"itemId":"gold"}}}]}]}`)
	pia := skilltest.Caller(t, "pia", "player.limited")
	who := entityOf(t, r.Must(t, pia, "player.spawn", `{"position":[0,1,0]}`))
	start := `{"treeId":"king","speaker":"` + stone + `"}`
	r.Must(t, pia, "dialogue.start", start) // whom the author has left it to
	r.Must(t, pia, "dialogue.end", `{}`)

	r.Do("interaction.register", `{"entity":"%s","type":"talk","prompt":"Talk","config":{"treeId":"king"}}`, king)
	if got, err := r.Call(pia, "dialogue.start", start); err == nil || err.Code != registry.CodeForbidden || !strings.Contains(err.Message, `interaction.interact {"entity":"`+king+`"}`) {
		t.Errorf("by a stone: %s, %v", got, err)
	}
	r.Do("dialogue.define", `{"id":"king","name":"The king","startNode":"a","nodes":[{"id":"a","text":"Take it.","choices":[{"text":"Thanks","nextNodeId":""}]}]}`)
	if got := r.Must(t, pia, "dialogue.start", `{"treeId":"king","speaker":"`+king+`"}`); !strings.Contains(got, `"ok":false`) || !strings.Contains(got, "m is the most") {
		t.Errorf("from afar: %s", got)
	}
	r.Do("dialogue.start", `{"treeId":"king","speaker":"%s","listener":"%s"}`, stone, entityOf(t, r.Do("scene.createEntity", `{}`))) // its author
	r.Do("three.setTransform", `{"entity":"%s","position":[98,1,0]}`, who)
	if got := r.Must(t, pia, "dialogue.start", `{"treeId":"king","speaker":"`+king+`"}`); !strings.Contains(got, `"ok":true`) {
		t.Errorf("before him: %s", got)
	}
}

// newBig is newStage with room for many entities.
func newBig(t *testing.T) *server {
	t.Helper()
	return newServer(t, 10_000)
}

// TestSharesOfWhoPlays: who plays, or only talks, takes some of what all have, and leaves some for others.
func TestSharesOfWhoPlays(t *testing.T) {
	for _, c := range []struct {
		what, profile, skill string
		input                func(i int) string
		most                 int
		remove, one          string // what takes one away
	}{
		{"conversations", "player.limited", "dialogue.start", func(i int) string {
			return fmt.Sprintf(`{"treeId":"smith","speaker":"ent_0","listener":"ent_%d"}`, i+1)
		}, 768, "", ""},
		{"ambient beds", "social.actor", "audio.ambient", func(int) string { return `{}` }, 48, "", ""},
		{"sounds that play", "social.actor", "audio.speak", func(int) string { return `{"text":"Ho!","position":[0,0,0]}` }, 768, "", ""},
		{"reverb zones", "social.actor", "audio.setReverb", func(i int) string { return fmt.Sprintf(`{"position":[%d,0,0],"radius":1}`, i) }, 192, "", ""},
		{"flags", "player.limited", "game.flag", func(i int) string { return fmt.Sprintf(`{"name":"p%d","value":true}`, i) }, 768, "", ""},
		{"counters", "player.limited", "game.counter", func(i int) string { return fmt.Sprintf(`{"name":"p%d","action":"increment"}`, i) }, 768, "", ""},
		{"panels", "builder.readWrite", "ui.label", func(int) string { return `{"anchor":{"kind":"screen"}}` }, 3072, "", ""},
		{"emitters", "vfx.writer", "vfx.create", func(int) string { return `{"config":{"maxParticles":1}}` }, 768, "", ""},
		{"abilities", "player.full", "ability.define", func(i int) string { return fmt.Sprintf(`{"id":"a%d","cooldownTicks":1}`, i) }, 768, "ability.remove", `{"id":"a7"}`},
		{"dialogues", "npc.agent", "dialogue.define", func(i int) string {
			return fmt.Sprintf(`{"id":"d%d","name":"D","startNode":"a","nodes":[{"id":"a","text":"Hi"}]}`, i)
		}, 192, "dialogue.remove", `{"id":"d7"}`},
		{"profiles of behavior", "builder.readWrite", "behavior.define", func(i int) string { return fmt.Sprintf(`{"id":"b%d","name":"B"}`, i) }, 192, "behavior.remove", `{"id":"b7"}`},
		{"kinds of items", "builder.readWrite", "item.define", func(i int) string { return fmt.Sprintf(`{"id":"i%d","name":"I"}`, i) }, 768, "item.remove", `{"id":"i7"}`},
		{"skill trees", "builder.readWrite", "progression.skillTree", func(i int) string {
			return fmt.Sprintf(`{"id":"t%d","name":"T","nodes":[{"id":"a","name":"A","effects":{"hp":1}}]}`, i)
		}, 48, "progression.remove", `{"treeId":"t7"}`},
		{"cutscenes", "game.author", "cutscene.define", func(i int) string {
			return fmt.Sprintf(`{"id":"c%d","keyframes":[{"atTick":1,"action":{"type":"camera"}}]}`, i)
		}, 48, "cutscene.remove", `{"id":"c7"}`},
		{"prefabs", "terrain.author", "prefab.define", func(i int) string {
			return fmt.Sprintf(`{"name":"p%d","operations":[{"skill":"scene.createEntity","input":{}}]}`, i)
		}, 192, "prefab.remove", `{"name":"p7"}`},
		{"clips", "vfx.writer", "animation.authorClip", func(i int) string {
			return fmt.Sprintf(`{"id":"c%d","duration":1,"tracks":[{"property":"scale.x","keys":[{"t":0,"value":1}]}]}`, i)
		}, 768, "animation.remove", `{"clipId":"c7"}`},
		{"paths", "vfx.writer", "animation.authorPath", func(i int) string { return fmt.Sprintf(`{"id":"p%d","points":[[0,0,0],[1,0,0]]}`, i) }, 768, "animation.remove", `{"pathId":"p7"}`},
		{"variables", "player.limited", "game.state", func(i int) string { return fmt.Sprintf(`{"action":"set","name":"p%d","value":1}`, i) }, 192, "", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := newBig(t)
			call := func(who, profile, skill, input string) (string, *registry.Error) {
				k, _ := s.registry.Lookup(skill)
				res := s.call(skilltest.Caller(t, who, profile), k, []byte(input), nil)
				return string(res.Output), res.Err
			}
			for range 1200 {
				if _, err := call("ann", skilltest.Builder, "scene.createEntity", `{}`); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := call("ann", skilltest.Builder, "dialogue.define", `{"id":"smith","name":"S","startNode":"a","nodes":[{"id":"a","text":"Hi","choices":[{"text":"Yes","nextNodeId":""}]}]}`); err != nil {
				t.Fatal(err)
			}
			n := 0
			for ; n < 4100; n++ {
				got, err := call("pia", c.profile, c.skill, c.input(n))
				if err != nil {
					if err.Code != registry.CodeCapacityExceeded || !strings.Contains(err.Message, c.what+" are yours") {
						t.Errorf("%s: %v", got, err)
					}
					break
				}
			}
			if n != c.most {
				t.Errorf("one alone has %d, want %d", n, c.most)
			}
			if c.remove != "" {
				_, full := call("pia", c.profile, c.skill, c.input(n))
				if full == nil || !strings.Contains(full.Message, c.remove+" takes one away") {
					t.Errorf("what makes room is not said: %v", full)
				}
				if got, err := call("pia", c.profile, c.remove, c.one); err != nil {
					t.Errorf("%s: %s, %v", c.remove, got, err)
				}
				if got, err := call("pia", c.profile, c.skill, c.input(n)); err != nil {
					t.Errorf("in the place of one that was taken away: %s, %v", got, err)
				}
			}
			if got, err := call("ben", c.profile, c.skill, c.input(n+1)); err != nil {
				t.Errorf("another one: %s, %v", got, err)
			}
		})
	}
}

// TestSpawnedByOthers: what an author's rules make for one player leaves room for what they make for another, for the author, and for other authors. It is known through undo and checkpoints.
func TestSpawnedByOthers(t *testing.T) {
	s := newBig(t)
	caller := map[string]*profiles.Principal{"ann": god("ann"), "pia": skilltest.Caller(t, "pia", "player.limited"), "ben": skilltest.Caller(t, "ben", "player.limited")}
	do := func(who, skill, input string, args ...any) string {
		t.Helper()
		return s.must(t, caller[who], skill, fmt.Sprintf(input, args...))
	}
	do("ann", "scene.createEntity", `{}`)
	do("ann", "interaction.register", `{"entity":"ent_0","type":"toggle","prompt":"Pull","action":"ring"}`)
	for range 10 {
		do("ann", "event.listen", `{"eventName":"ring","action":{"type":"spawn","data":{"name":"gnome","position":[90,0,0]}}}`)
	}
	do("pia", "player.spawn", `{"position":[0,1,1]}`)
	do("ben", "player.spawn", `{"position":[1,1,0]}`)
	gnomes := func() (n int) {
		s.world.View(func(v *world.View) {
			for id := range v.All() {
				if v.Name(id) == "gnome" {
					n++
				}
			}
		})
		return n
	}
	pull := func(who string, times, want int) {
		t.Helper()
		before := gnomes()
		for range times {
			do(who, "interaction.toggle", `{"entity":"ent_0"}`)
			s.world.Step(t.Context())
			s.world.Step(t.Context())
		}
		if got := gnomes() - before; got != want {
			t.Errorf("%s has %d more made, want %d", who, got, want)
		}
	}
	pull("pia", 90, 750)
	do("ann", "checkpoint.create", `{"name":"a"}`)
	pull("ben", 1, 10)
	do("ann", "checkpoint.load", `{"name":"a"}`)
	pull("pia", 1, 0)
	pull("ben", 30, 188)
	do("ann", "event.emit", `{"eventName":"ring"}`)
	s.world.Step(t.Context())
	s.world.Step(t.Context())
	if got := gnomes(); got != 948 {
		t.Errorf("there are %d with what the author has had made, want 948", got)
	}
}

// TestLeversOfOthers: who has an author's rules do much keeps them from nobody else: actions count for whoever attached them, and events are heard in turns.
func TestLeversOfOthers(t *testing.T) {
	r := newStage(t)
	for i, name := range []string{"ring", "bell"} {
		r.Do("scene.createEntity", `{"position":[%d,0.5,0]}`, i)
		r.Do("interaction.register", `{"entity":"ent_%d","type":"toggle","prompt":"Pull","action":%q}`, i, name)
	}
	for range 12 {
		r.Do("event.listen", `{"eventName":"ring","action":{"type":"setState","data":{"game":{"counter":{"name":"rings"}}}}}`)
	}
	for _, name := range []string{"bell", "own"} {
		r.Do("event.listen", `{"eventName":%q,"action":{"type":"setState","data":{"game":{"counter":{"name":%[1]q}}}}}`, name)
	}
	for name, at := range map[string]int{"pia": 0, "ben": 1} {
		r.Must(t, skilltest.Caller(t, name, "player.limited"), "player.spawn", fmt.Sprintf(`{"position":[%d,1,1]}`, at))
	}
	pia, n := skilltest.Caller(t, "pia", "player.limited"), 0
	for ; n < 5000; n++ {
		if _, err := r.Call(pia, "interaction.toggle", `{"entity":"ent_0"}`); err != nil {
			break
		}
	}
	if 12*n < 10_000 || n == 5000 {
		t.Fatalf("she pulls it %d times", n)
	}
	r.Must(t, skilltest.Caller(t, "ben", "player.limited"), "interaction.toggle", `{"entity":"ent_1"}`)
	r.Do("event.emit", `{"eventName":"own"}`)
	r.Steps(2)
	for _, name := range []string{"bell", "own"} {
		if got := r.Do("game.counter", `{"name":%q}`, name); !strings.Contains(got, `"value":1`) {
			t.Errorf("%s was not heard: %s", name, got)
		}
	}
	if got := r.Do("game.counter", `{"name":"rings"}`); strings.Contains(got, `"value":0`) {
		t.Errorf("nor was hers: %s", got)
	}
}

// TestChainsOfOthers: what an author's rules lead to, events and calls, waits for who has brought it about, too: who keeps them busy from step to step keeps nobody else's out.
func TestChainsOfOthers(t *testing.T) {
	r := newStage(t)
	for i, name := range []string{"ring", "bell"} {
		r.Do("scene.createEntity", `{"position":[%d,0.5,0]}`, i)
		r.Do("interaction.register", `{"entity":"ent_%d","type":"toggle","prompt":"Pull","action":%q}`, i, name)
		r.Do("event.listen", `{"eventName":%q,"action":{"type":"call","target":"game.counter","data":{"name":%[1]q,"action":"increment"}}}`, name)
		r.Do("event.listen", `{"eventName":%q,"action":{"type":"emit","target":"after %[1]s"}}`, name)
		r.Do("event.listen", `{"eventName":"after %s","action":{"type":"setState","data":{"game":{"counter":{"name":"after %[1]s"}}}}}`, name)
	}
	pia, ben := skilltest.Caller(t, "pia", "player.limited"), skilltest.Caller(t, "ben", "player.limited")
	r.Must(t, pia, "player.spawn", `{"position":[0,1,1]}`)
	r.Must(t, ben, "player.spawn", `{"position":[1,1,1]}`)
	pull := func() (n int) {
		for range 5000 {
			if _, err := r.Call(pia, "interaction.toggle", `{"entity":"ent_0"}`); err != nil {
				return n
			}
			n++
		}
		t.Fatal("she may pull it for ever")
		return n
	}
	for range 4 {
		pull()
		r.Steps(1)
	}
	pull()
	r.Must(t, ben, "interaction.toggle", `{"entity":"ent_1"}`)
	r.Steps(1)
	pull()
	r.Steps(1)
	for _, name := range []string{"bell", "after bell"} {
		if got := r.Do("game.counter", `{"name":%q}`, name); !strings.Contains(got, `"value":1`) {
			t.Errorf("%s: %s", name, got)
		}
		if got := r.Do("game.counter", `{"name":%q}`, strings.ReplaceAll(name, "bell", "ring")); strings.Contains(got, `"value":0`) {
			t.Errorf("and hers: %s", got)
		}
	}
}
