package engine_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/engine"
	"github.com/limina-mcp/limina/world"
)

// answer makes a call that has to succeed, and returns the answer without what has to do with when it was made.
func (c *client) answer(name, input string) string {
	c.t.Helper()
	c.send("callTool", tool(name, input))
	got := c.until(`"id":"callTool"`)
	if !strings.Contains(got, `"success":true`) {
		c.t.Fatalf("%s: %s", name, got)
	}
	return got
}

// has returns what viewers and skills know of what an entity has, without its id.
func (h *house) has(c *client, id string) string {
	h.t.Helper()
	var text string
	h.World.View(func(v *world.View) {
		n, err := world.ParseID(id)
		if err != nil {
			h.t.Fatal(err)
		}
		text = string(h.World.AppendEntity(nil, v, n))
	})
	of := func(skill string) string {
		_, out, _ := strings.Cut(c.answer(skill, fmt.Sprintf(`{"entity":%q}`, id)), `"success":true`)
		out, _, _ = strings.Cut(out, `"metadata"`)
		return out
	}
	text += of("inventory.list") + of("quest.list") + of("progression.level")
	for _, out := range []string{`"eid":\d+,`, `"pos":\[[^]]*\],`, `"ready":\d+`, `"since":\d+,"until":\d+`, `"body":\[[^]]*\],`} {
		text = regexp.MustCompile(out).ReplaceAllString(text, "")
	}
	return strings.ReplaceAll(text, `"`+id+`"`, `"it"`)
}

// TestBack has ann go for longer than the grace, while the server is even restarted: the character that she gets when she is back has what the one had that went.
func TestBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		h := newHouse(t, engine.Config{Leave: 10, Always: true}, dir)
		ann := h.enter("ann")
		for _, call := range [][2]string{
			{"item.define", `{"id":"hat","name":"Hat"}`},
			{"item.define", `{"id":"coin","name":"Coin"}`},
			{"ability.define", `{"id":"fireball","cooldownTicks":6000}`},
			{"quest.define", `{"id":"coins","name":"Coins","config":{"autoAccept":true},"objectives":[{"id":"get","type":"collect","description":"Get coins","target":"coin","required":9}]}`},
			{"event.listen", `{"eventName":"poof","action":{"type":"custom","target":"died"}}`},
			{"player.spawn", `{"position":[0,1,0]}`},
			{"scene.setName", `{"entity":"ent_0","name":"Ann of Ness"}`},
			{"ecs.addComponent", `{"entity":"ent_0","component":"red"}`},
			{"stats.create", `{"entity":"ent_0","stats":[{"name":"hp","value":30},{"name":"coins","value":0}]}`},
			{"stats.modify", `{"entity":"ent_0","statName":"coins","delta":7}`},
			{"stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"emit","target":"poof"}}`},
			{"status.apply", `{"targetEntity":"ent_0","type":"slow","duration":100,"magnitude":1}`},
			{"inventory.create", `{"entity":"ent_0","capacity":5}`},
			{"inventory.add", `{"entity":"ent_0","itemId":"coin","quantity":3}`},
			{"inventory.add", `{"entity":"ent_0","itemId":"hat"}`},
			{"item.equip", `{"entity":"ent_0","itemId":"hat","equipmentSlot":"head"}`},
			{"progression.xp", `{"entity":"ent_0","amount":120}`},
			{"progression.onLevelUp", `{"entity":"ent_0","action":{"type":"custom"}}`},
			{"progression.unlock", `{"entity":"ent_0","id":"swim"}`},
			{"quest.offer", `{"entity":"ent_0","questId":"coins"}`},
			{"ability.cast", `{"entity":"ent_0","id":"fireball"}`},
		} {
			ann.do(call[0], call[1])
		}
		time.Sleep(time.Second)
		before := h.has(ann, "ent_0")
		for _, part := range []string{`"name":"Ann of Ness"`, `"red"`, `"coins","value":7`, `"slow"`, `"itemId":"hat"`, `"fireball"`, `"level":2`, `"swim"`, `"itemId":"coin","name":"Coin","quantity":3`, `"progress":3`} {
			if !strings.Contains(before, part) {
				t.Errorf("%s is not in what she has: %s", part, before)
			}
		}
		ann.leave()
		time.Sleep(20 * time.Second)
		h.holds("")
		h.finish()

		h = newHouse(t, engine.Config{Leave: 10, Always: true}, dir)
		ann = h.enter("ann")
		const returned = `"returned":["stats","inventory","progression","cooldowns","quests"]`
		if got := ann.answer("player.spawn", `{"position":[0,1,0],"anew":true}`); strings.Contains(got, "returned") {
			t.Errorf("anew she has %s", got)
		}
		if got := ann.answer("player.spawn", `{"position":[3,1,0]}`); !strings.Contains(got, returned) {
			t.Errorf("she is told %s", got)
		}
		if after := h.has(ann, "ent_2"); after != before {
			t.Errorf("she had\n%s\nand has\n%s", before, after)
		}
		if got := ann.answer("ability.status", `{"entity":"ent_2","id":"fireball"}`); !regexp.MustCompile(`"cooldownRemaining":5[0-9]{3},`).MatchString(got) {
			t.Errorf("her spell: %s", got)
		}
		if got := ann.answer("status.list", `{"targetEntity":"ent_2"}`); !regexp.MustCompile(`"elapsed":(1\d|\d)(\.\d+)?,`).MatchString(got) {
			t.Errorf("what is on her: %s", got)
		}
		// What a game gives whoever comes is not there twice, and does not take what he had.
		ann.do("stats.onZero", `{"entity":"ent_2","statName":"hp","action":{"type":"emit","target":"poof"}}`)
		ann.do("stats.create", `{"entity":"ent_2","keep":true,"stats":[{"name":"coins","value":0},{"name":"mana","value":5}]}`)
		if got := ann.answer("stats.get", `{"entity":"ent_2","statName":"coins"}`); !strings.Contains(got, `"value":7`) {
			t.Errorf("she has %s", got)
		}
		h.heard()
		ann.do("damage.apply", `{"targetEntity":"ent_2","amount":99}`)
		time.Sleep(time.Second)
		if got := strings.Join(h.heard(), "\n"); strings.Count(got, `"target":"died"`) != 1 {
			t.Errorf("at zero they are told %s", got)
		}
		if got := ann.answer("player.spawn", `{"position":[6,1,0]}`); strings.Contains(got, "returned") {
			t.Errorf("a third one has %s", got)
		}
	})
}

// TestBackAgain takes back what gave something back, and loads checkpoints from before and after: what somebody has is there once, with him or kept.
func TestBackAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, engine.Config{Leave: 10, Always: true}, "")
		ann, bob := h.enter("ann"), h.enter("bob")
		ann.do("player.spawn", `{"position":[0,1,0]}`)
		ann.do("stats.create", `{"entity":"ent_0","stats":[{"name":"coins","value":7}]}`)
		bob.do("checkpoint.create", `{"name":"there"}`)
		ann.leave()
		time.Sleep(20 * time.Second)
		bob.do("checkpoint.create", `{"name":"away"}`)
		ann = h.enter("ann")
		const returned = `"returned":["stats"]`
		spawn := func(when string, want bool) {
			t.Helper()
			if got := ann.answer("player.spawn", `{"position":[0,1,0]}`); strings.Contains(got, returned) != want {
				t.Errorf("%s: %s", when, got)
			}
		}
		spawn("back", true)
		ann.do("world.undo", `{}`)
		spawn("undone", true)
		spawn("once more", false)
		bob.do("checkpoint.load", `{"name":"away"}`)
		spawn("back in when she was away", true)
		bob.do("checkpoint.load", `{"name":"there"}`)
		spawn("back in when she was there", false)
		if got := ann.answer("stats.get", `{"entity":"ent_0","statName":"coins"}`); !strings.Contains(got, `"value":7`) {
			t.Errorf("she has %s", got)
		}
		ann.leave() // with two, one of which has something
		time.Sleep(20 * time.Second)
		ann = h.enter("ann")
		spawn("back again", true)
		ann.do("player.despawn", `{"entity":"ent_6"}`)
		ann.leave()
		time.Sleep(20 * time.Second)
		ann = h.enter("ann")
		spawn("after she gave it up", false)
	})
}

// TestBackWithWhatIsNoMore has somebody come back after a kind of item and a quest were removed: she has no such items, and the quest has failed.
func TestBackWithWhatIsNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, engine.Config{Leave: 10, Always: true}, "")
		ann, bob := h.enter("ann"), h.enter("bob")
		for _, call := range [][2]string{
			{"item.define", `{"id":"hat","name":"Hat"}`},
			{"item.define", `{"id":"coin","name":"Coin"}`},
			{"quest.define", `{"id":"rats","name":"Rats","config":{"autoAccept":true},"objectives":[{"id":"o","type":"custom","description":"d"}]}`},
			{"player.spawn", `{"position":[0,1,0]}`},
			{"inventory.create", `{"entity":"ent_0"}`},
			{"inventory.add", `{"entity":"ent_0","itemId":"coin","quantity":3}`},
			{"inventory.add", `{"entity":"ent_0","itemId":"hat"}`},
			{"quest.offer", `{"entity":"ent_0","questId":"rats"}`},
		} {
			ann.do(call[0], call[1])
		}
		ann.leave()
		time.Sleep(20 * time.Second)
		bob.do("item.remove", `{"id":"coin"}`)
		bob.do("quest.remove", `{"id":"rats"}`)
		ann = h.enter("ann")
		if got := ann.answer("player.spawn", `{"position":[0,1,0]}`); !strings.Contains(got, `"returned":["inventory","quests"]`) {
			t.Errorf("she is told %s", got)
		}
		if got := ann.answer("inventory.list", `{"entity":"ent_1"}`); strings.Contains(got, "coin") || !strings.Contains(got, "hat") {
			t.Errorf("she has %s", got)
		}
		if got := ann.answer("quest.list", `{"entity":"ent_1"}`); !strings.Contains(got, `"status":"failed"`) {
			t.Errorf("her log is %s", got)
		}
	})
}
