package skills_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/world"
)

// TestUndoBesideOthers has ann and bob do what has nothing to do with each other, though the world keeps some of it in one
// place. Each takes back what is his, in either order, and makes it again.
func TestUndoBesideOthers(t *testing.T) {
	type call = [2]string
	for _, c := range []struct {
		name     string
		ann, bob []call
	}{
		{"sounds", []call{{"audio.play", `{"freq":440,"secs":9}`}}, []call{{"audio.playSFX", `{"name":"bell"}`}, {"audio.ambient", `{}`}}},
		{
			"words",
			[]call{{"scene.createEntity", `{}`}, {"social.say", `{"text":"a box"}`}},
			[]call{{"scene.createEntity", `{}`}, {"social.say", `{"text":"another"}`}},
		},
		{
			"panels at one thing",
			[]call{{"ui.label", `{"anchor":{"kind":"world","entity":"ent_2"},"text":"wood"}`}},
			[]call{{"ui.callout", `{"anchor":{"kind":"world","entity":"ent_2"},"text":"oak"}`}},
		},
		{
			"a panel in the place of one",
			[]call{{"ui.label", `{"anchor":{"kind":"world","entity":"ent_2"},"text":"wood"}`}, {"ui.remove", `{"handle":"ui_1"}`}},
			[]call{{"ui.label", `{"anchor":{"kind":"world","entity":"ent_2"},"text":"oak"}`}},
		},
		{
			"panels with one end",
			[]call{{"ui.hudPanel", `{"anchor":{"kind":"screen"},"text":"1","lifecycle":{"ttl":60}}`}},
			[]call{{"ui.hudPanel", `{"anchor":{"kind":"screen"},"text":"2","lifecycle":{"ttl":60}}`}},
		},
		{
			"zones side by side",
			[]call{{"trigger.create", `{"center":[1,50,1],"size":[1,1,1]}`}},
			[]call{{"trigger.create", `{"center":[5,50,5],"size":[1,1,1]}`}, {"trigger.create", `{"center":[9,50,9],"size":[1,1,1]}`}, {"trigger.remove", `{"triggerId":"trg_2"}`}},
		},
		{
			"zones around one thing",
			[]call{{"trigger.create", `{"center":[3,0,0],"size":[1,1,1]}`}},
			[]call{{"trigger.create", `{"center":[3,0,0],"size":[2,2,2]}`}, {"trigger.create", `{"center":[3,1,0],"size":[2,2,2]}`}, {"trigger.remove", `{"triggerId":"trg_2"}`}},
		},
		{
			"clips, and what plays them",
			[]call{{"scene.createEntity", `{}`}, {"animation.authorClip", `{"id":"a","duration":1,"tracks":[{"property":"scale","keys":[{"t":0,"value":2}]}]}`}, {"animation.play", `{"entity":"ent_0","clipId":"a"}`}},
			[]call{{"scene.createEntity", `{}`}, {"animation.authorClip", `{"id":"b","duration":1,"tracks":[{"property":"scale","keys":[{"t":0,"value":2}]}]}`}, {"animation.play", `{"entity":"ent_2","clipId":"b"}`}},
		},
		{
			"paths, and what follows them",
			[]call{{"scene.createEntity", `{}`}, {"animation.authorPath", `{"id":"a","points":[[0,0,0],[9,0,0]]}`}, {"animation.follow", `{"entity":"ent_2","pathId":"a","acceleration":0}`}},
			[]call{{"scene.createEntity", `{}`}, {"animation.authorPath", `{"id":"b","points":[[0,0,0],[9,0,0]]}`}, {"animation.authorPath", `{"id":"line","closed":true,"points":[[0,0,0],[9,0,0],[9,0,9]]}`}},
		},
		{
			"listeners to one event",
			[]call{{"event.listen", `{"eventName":"start","action":{"type":"custom"}}`}, {"event.emit", `{"eventName":"start"}`}},
			[]call{{"event.listen", `{"eventName":"start","action":{"type":"custom"}}`}, {"event.remove", `{"listenerId":"lst_2"}`}},
		},
		{
			"what a condition reads",
			[]call{{"game.counter", `{"name":"coins","action":"increment","value":5}`}, {"game.timer", `{"name":"ann's","duration":9}`}},
			[]call{{"game.flag", `{"name":"a","value":false}`}, {"game.timer", `{"name":"bob's","duration":9}`}},
		},
		{
			"cutscenes",
			[]call{{"cutscene.define", `{"id":"ann's","keyframes":[{"atTick":3,"action":{"type":"custom"}}]}`}, {"cutscene.play", `{"id":"ann's"}`}},
			[]call{{"cutscene.define", `{"id":"bob's","keyframes":[{"atTick":3,"action":{"type":"custom"}}]}`}},
		},
		{
			"effects and blows",
			[]call{{"stats.modify", `{"entity":"ent_1","statName":"hp","delta":-1}`}, {"status.apply", `{"targetEntity":"ent_1","type":"slow","duration":9}`}, {"combat.melee", `{"attackerEntity":"ent_2","targetEntity":"ent_1","range":50,"damage":5,"config":{"critChance":0.5}}`}},
			[]call{{"status.apply", `{"targetEntity":"ent_3","type":"slow","duration":9}`}, {"combat.ranged", `{"attackerEntity":"ent_2","targetEntity":"ent_3","damage":5}`}, {"combat.defend", `{"entity":"ent_3"}`}},
		},
		{
			"conversations with one",
			[]call{{"dialogue.define", `{"id":"ann's","name":"A","startNode":"a","nodes":[{"id":"a","text":"Hm?","speaker":"","choices":[{"text":"Hm.","nextNodeId":""}]}]}`}, {"dialogue.start", `{"treeId":"ann's","speaker":"ent_2","listener":"ann"}`}},
			[]call{{"dialogue.define", `{"id":"bob's","name":"B","startNode":"a","nodes":[{"id":"a","text":"Hm?","speaker":""}]}`}, {"dialogue.start", `{"treeId":"bob's","speaker":"ent_2","listener":"bob"}`}},
		},
		{
			"what reacts to one event",
			[]call{{"behavior.define", `{"id":"ann's","name":"A","reactions":[{"trigger":"start","action":{"type":"custom"}}]}`}, {"behavior.assign", `{"entity":"ent_1","profileId":"ann's"}`}, {"npc.setAttitude", `{"entity":"ent_1","towardEntity":"ent_3","attitude":"hostile"}`}},
			[]call{{"behavior.onEvent", `{"entity":"ent_2","trigger":"start","action":{"type":"custom"}}`}, {"behavior.setGoal", `{"entity":"ent_2","type":"flee"}`}, {"npc.memorize", `{"entity":"ent_2","key":"a","value":1}`}},
		},
		{
			"fires",
			[]call{{"vfx.create", `{"config":{}}`}, {"vfx.attach", `{"vfxId":"vfx_0","entity":"ent_2"}`}, {"vfx.play", `{"vfxId":"vfx_0"}`}},
			[]call{{"vfx.create", `{"config":{}}`}, {"vfx.attach", `{"vfxId":"vfx_1","entity":"ent_2"}`}, {"vfx.atPosition", `{"position":[0,0,0]}`}},
		},
		{
			"cameras and controls",
			[]call{{"camera.follow", `{"target":"ent_2"}`}, {"camera.look", `{"yawDelta":1}`}, {"input.bind", `{"name":"a","sources":["a"]}`}},
			[]call{{"camera.cut", `{"target":[1,2,3]}`}, {"input.bind", `{"name":"a","sources":["b"]}`}, {"input.set", `{"name":"a","value":true}`}},
		},
		{
			"what hurts, and what is made of it",
			[]call{{"director.configure", `{"buildRate":0.5}`}, {"director.start", `{}`}, {"damage.apply", `{"targetEntity":"ent_1","amount":1}`}},
			[]call{{"damage.apply", `{"targetEntity":"ent_3","amount":1}`}, {"director.status", `{}`}},
		},
		{
			"abilities",
			[]call{{"ability.define", `{"id":"dash","cooldownTicks":60}`}, {"ability.cast", `{"entity":"ent_1","id":"dash"}`}},
			[]call{{"ability.define", `{"id":"roll","cooldownTicks":60}`}, {"ability.cast", `{"entity":"ent_2","id":"roll"}`}},
		},
		{
			"quests that wait for one event, and for one another",
			[]call{{"quest.define", `{"id":"ann's","name":"A","objectives":[{"id":"o","type":"custom","description":"d","config":{"event":"e"}},{"id":"n","type":"reach","description":"d","target":"ent_2"}]}`}, {"quest.offer", `{"entity":"ent_1","questId":"ann's"}`}, {"quest.accept", `{"entity":"ent_1","questId":"ann's"}`}, {"event.emit", `{"eventName":"e"}`}},
			[]call{{"quest.define", `{"id":"bob's","name":"B","objectives":[{"id":"o","type":"custom","description":"d","config":{"event":"e"}},{"id":"n","type":"reach","description":"d","target":"ent_2"}]}`}, {"quest.offer", `{"entity":"ent_3","questId":"bob's"}`}, {"quest.accept", `{"entity":"ent_3","questId":"bob's"}`}, {"event.emit", `{"eventName":"e"}`}},
		},
		{
			"experience",
			[]call{{"progression.xp", `{"entity":"ent_1","amount":100}`}, {"progression.skillTree", `{"id":"a","name":"A","nodes":[{"id":"n","name":"N","effects":{"hp":5}}]}`}, {"progression.allocate", `{"entity":"ent_1","treeId":"a","nodeId":"n"}`}},
			[]call{{"progression.onLevelUp", `{"entity":"ent_3","action":{"type":"custom"}}`}, {"progression.xp", `{"entity":"ent_3","amount":300}`}, {"progression.unlock", `{"entity":"ent_3","id":"swim"}`}},
		},
	} {
		for _, annFirst := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, ann first %t", c.name, annFirst), func(t *testing.T) {
				s := newServer(t, 100)
				ann, bob := god("ann"), god("bob")
				furnish(t, s, god("carl"))
				s.must(t, ann, "agent.embody", `{}`)
				s.must(t, bob, "agent.embody", `{}`)
				a, b := s.steps(t, ann), s.steps(t, bob)
				before := s.content()
				for _, call := range c.ann {
					s.must(t, ann, call[0], call[1])
				}
				for _, call := range c.bob {
					s.must(t, bob, call[0], call[1])
				}
				after := s.content()
				a, b = s.steps(t, ann)-a, s.steps(t, bob)-b

				for i, want := range [][32]byte{before, after, before} {
					skill := []string{"world.undo", "world.redo"}[i%2]
					if i > 0 { // all that was taken back at once is one step
						a, b = 1, 1
					}
					of := func(p *profiles.Principal, steps int) { s.must(t, p, skill, fmt.Sprintf(`{"steps":%d}`, steps)) }
					if annFirst {
						of(ann, a)
						of(bob, b)
					} else {
						of(bob, b)
						of(ann, a)
					}
					if s.content() != want {
						t.Errorf("after %s the world is another one", skill)
					}
				}
			})
		}
	}
}

// TestHandlesAreNotGivenTwice takes back sounds and words by an undo and by a checkpoint: what comes next has a handle of its own.
func TestHandlesAreNotGivenTwice(t *testing.T) {
	s := newServer(t, 100)
	ann := god("ann")
	s.must(t, ann, "agent.embody", `{}`)
	s.must(t, ann, "checkpoint.create", `{"name":"silence"}`)
	given := map[string]bool{}
	give := func() {
		t.Helper()
		for _, call := range [][2]string{{"audio.ambient", `{}`}, {"audio.play", `{"freq":440,"secs":1}`}, {"social.say", `{"text":"hm"}`}} {
			var out struct{ Handle string }
			if err := json.Unmarshal([]byte(s.must(t, ann, call[0], call[1])), &out); err != nil || out.Handle == "" || given[out.Handle] {
				t.Errorf("%s gives the handle %q (%v), and those that were given are %v", call[0], out.Handle, err, given)
			}
			given[out.Handle] = true
		}
	}
	give()
	s.must(t, ann, "world.undo", `{"steps":2}`)
	give()
	s.must(t, ann, "checkpoint.load", `{"name":"silence"}`)
	give()
}

// must calls a skill, which must not fail, and returns its output.
func (s *server) must(t *testing.T, p *profiles.Principal, skill, input string) string {
	t.Helper()
	k, ok := s.registry.Lookup(skill)
	if !ok {
		t.Fatalf("no skill %s", skill)
	}
	res := s.call(p, k, []byte(input), nil)
	if res.Err != nil {
		t.Fatalf("%s of %s: %v", skill, p.ID, res.Err)
	}
	return string(res.Output)
}

// steps is how many calls somebody can undo.
func (s *server) steps(t *testing.T, p *profiles.Principal) int {
	t.Helper()
	var out struct{ Undoable int }
	if err := json.Unmarshal([]byte(s.must(t, p, "world.history", `{}`)), &out); err != nil {
		t.Fatal(err)
	}
	return out.Undoable
}

func (s *server) content() (hash [32]byte) {
	s.world.View(func(v *world.View) { hash = v.ContentHash() })
	return hash
}

// TestPanelsAreCounted has an entity with a panel cloned, and destroyed and brought back, before and after its panel went with it:
// the next step finds nothing to put right.
func TestPanelsAreCounted(t *testing.T) {
	for _, steps := range []int{0, 1} {
		s := newServer(t, 100)
		ann := god("ann")
		s.must(t, ann, "scene.createEntity", `{}`)
		s.must(t, ann, "ui.label", `{"anchor":{"kind":"world","entity":"ent_0"},"text":"a box"}`)
		for _, call := range [][2]string{{"scene.clone", `{"entity":"ent_0"}`}, {"scene.destroyEntity", `{"entity":"ent_0"}`}, {"world.undo", `{}`}, {"world.redo", `{}`}} {
			s.must(t, ann, call[0], call[1])
			if call[0] == "scene.destroyEntity" || call[0] == "world.redo" {
				for range steps {
					s.world.Step(t.Context())
				}
				continue
			}
			before := s.content()
			s.world.Step(t.Context())
			if s.content() != before {
				t.Errorf("%d steps after it was destroyed: the step after %s changes something", steps, call[0])
			}
		}
	}
}
