package skills_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestCheckpointsAreEverybodys: a visitor neither throws away what others have built, nor the way back to it; what an author has attached
// brings him back.
func TestCheckpointsAreEverybodys(t *testing.T) {
	r := newStage(t)
	r.Must(t, r.Ann, "checkpoint.create", `{"name":"start"}`)
	r.Must(t, r.Ann, "scene.createEntity", `{"position":[3,0,0]}`)
	pia := skilltest.Caller(t, "pia", "player.limited")
	for _, skill := range []string{"checkpoint.create", "checkpoint.load", "checkpoint.delete"} {
		if got, err := r.Call(pia, skill, `{"name":"start"}`); err == nil || !strings.Contains(err.Message, "scene.write or world.write") {
			t.Errorf("%s by a visitor: %s, %v", skill, got, err)
		}
	}
	r.Must(t, r.Ann, "event.listen", `{"eventName":"again","action":{"type":"call","target":"checkpoint.load","data":{"name":"start"}}}`)
	r.Must(t, r.Ann, "game.condition", `{"name":"lost","expression":"flag(\"dead\")","onTrue":"again"}`)
	r.Must(t, r.Ann, "checkpoint.create", `{"name":"start"}`)
	r.Must(t, r.Ann, "scene.createEntity", `{"position":[4,0,0]}`)
	r.Must(t, pia, "game.flag", `{"name":"dead","value":true}`)
	r.Steps(3)
	if got := r.Must(t, r.Ann, "scene.queryEntities", `{"near":[4,0,0],"radius":0.5}`); strings.Contains(got, "ent_") {
		t.Errorf("nobody has brought her back: %s", got)
	}
	wren := skilltest.Caller(t, "wren", "world.author")
	r.Must(t, wren, "checkpoint.load", `{"name":"start"}`)
}

// TestWhoMakesItems: what a dialogue or a quest gives is made by its author, who has to be allowed to make it.
func TestWhoMakesItems(t *testing.T) {
	r := newStage(t)
	r.Must(t, r.Ann, "item.define", `{"id":"gold","name":"Gold"}`)
	finder := skilltest.Caller(t, "finn", "player.limited")
	finder.Grants = profiles.Grant("dialogue.configure", "dialogue.write", "inventory.write", "quest.configure", "quest.write")
	for skill, input := range map[string]string{
		"dialogue.define": `{"id":"rich","name":"Rich","startNode":"a","nodes":[{"id":"a","speaker":"","text":"Take it.","effects":{"give":{"itemId":"gold","quantity":1000}}}]}`,
		"quest.define":    `{"id":"rich","name":"Rich","objectives":[{"id":"a","type":"custom","description":"Be there","target":"x"}],"rewards":{"items":[{"itemId":"gold","quantity":1000}]}}`,
	} {
		if got, err := r.Call(finder, skill, input); err == nil || !strings.Contains(err.Message, "inventory.configure or item.configure, to make items") {
			t.Errorf("%s: %s, %v", skill, got, err)
		}
	}
}

// TestListenersOfOthers: who may only read events ends none but his own listeners.
func TestListenersOfOthers(t *testing.T) {
	r := newStage(t)
	r.Must(t, r.Ann, "event.listen", `{"eventName":"bell","action":{"type":"custom"}}`)
	rod := skilltest.Caller(t, "rod", "system.readonly")
	rod.Grants = profiles.Grant("event.read", "scene.read")
	r.Must(t, rod, "event.listen", `{"eventName":"bell","action":{"type":"custom"}}`)
	r.Must(t, rod, "event.remove", `{"listenerId":"lst_1"}`)
	if got, err := r.Call(rod, "event.remove", `{"listenerId":"lst_0"}`); err == nil || !strings.Contains(err.Message, `event.write, to end a listener of somebody else, of ann`) {
		t.Errorf("he ends hers: %s, %v", got, err)
	}
}

// TestConditionsHoldNobodyUp: that there is no room for the events of a condition's author is nothing to who makes it true.
func TestConditionsHoldNobodyUp(t *testing.T) {
	r := newStage(t)
	mel := skilltest.Caller(t, "mel", "builder.readWrite")
	r.Must(t, mel, "event.listen", `{"eventName":"boo","action":{"type":"custom"}}`)
	r.Must(t, mel, "game.condition", `{"name":"spite","expression":"flag(\"open\")","onTrue":"boo"}`)
	full := false
	for i := 0; !full && i < 5000; i++ {
		_, err := r.Call(mel, "event.emit", `{"eventName":"boo"}`)
		full = err != nil
	}
	if !full {
		t.Fatal("there is always room")
	}
	if got := r.Must(t, r.Ann, "game.flag", `{"name":"open","value":true}`); !strings.Contains(got, "true") {
		t.Error(got)
	}
	if got := r.Must(t, r.Ann, "game.flag", `{"name":"open"}`); !strings.Contains(got, "true") {
		t.Errorf("the flag: %s", fmt.Sprint(got))
	}
}

// TestWhoDirects: how a game goes is its author's; who has a body in it does not end it.
func TestWhoDirects(t *testing.T) {
	r := newStage(t)
	r.Must(t, r.Ann, "director.start", `{}`)
	for _, profile := range []string{"social.actor", "player.limited", "npc.agent"} {
		vic := skilltest.Caller(t, "vic", profile)
		for _, skill := range []string{"director.stop", "director.start", "director.configure"} {
			if got, err := r.Call(vic, skill, `{}`); err == nil || !strings.Contains(err.Message, "game.configure") {
				t.Errorf("%s by %s: %s, %v", skill, profile, got, err)
			}
		}
	}
	if got := r.Must(t, r.Ann, "director.stop", `{}`); !strings.Contains(got, `"wasRunning":true`) {
		t.Error(got)
	}
}

// TestOneQuestOfAll: what is too long to be told of one quest ends none of the others.
func TestOneQuestOfAll(t *testing.T) {
	r := newStage(t)
	for _, of := range [][2]string{{"bad", `{"note":"` + strings.Repeat("<", 15900) + `"}`}, {"good", `{"note":"well done"}`}} {
		r.Must(t, r.Ann, "quest.define", fmt.Sprintf(`{"id":%q,"name":"It","config":{"autoAccept":true},"objectives":[{"id":"a","type":"custom","description":"Be there","config":{"event":"x"}}],"rewards":%s}`, of[0], of[1]))
	}
	var who []string
	for _, quest := range []string{"bad", "good"} {
		made := r.Must(t, r.Ann, "scene.createEntity", `{}`)
		_, id, _ := strings.Cut(made, `"entity":"`)
		id, _, _ = strings.Cut(id, `"`)
		who = append(who, id)
		r.Must(t, r.Ann, "quest.offer", fmt.Sprintf(`{"entity":%q,"questId":%q}`, id, quest))
	}
	r.Must(t, r.Ann, "event.emit", `{"eventName":"x"}`)
	r.Steps(3)
	for _, id := range who {
		if got := r.Must(t, r.Ann, "quest.list", fmt.Sprintf(`{"entity":%q}`, id)); !strings.Contains(got, `"status":"completed"`) {
			t.Errorf("%s is not done: %s", id, got)
		}
	}
}

// TestRestoreOfLess: what follows from the rest does, where a checkpoint, of an earlier program, does not hold it.
func TestRestoreOfLess(t *testing.T) {
	r := newStage(t)
	r.Must(t, r.Ann, "scene.createEntity", `{}`)
	r.Must(t, r.Ann, "behavior.define", `{"id":"g","name":"G","reactions":[{"trigger":"hey","action":{"type":"say","data":{"text":"Ho!"}}}]}`)
	r.Must(t, r.Ann, "behavior.assign", `{"entity":"ent_0","profileId":"g"}`)
	var kept map[string]json.RawMessage
	r.World.View(func(v *world.View) {
		if err := json.Unmarshal(v.AppendSnapshot(nil), &kept); err != nil {
			t.Fatal(err)
		}
	})
	r.Must(t, r.Ann, "behavior.assign", `{"entity":"ent_0","profileId":""}`)
	left := 0
	for part, text := range kept {
		var states map[string]json.RawMessage
		if json.Unmarshal(text, &states) != nil {
			continue
		}
		for _, name := range []string{"behavior.members", "behavior.fans", "behavior.waiting"} {
			if _, ok := states[name]; ok {
				delete(states, name)
				left++
			}
		}
		text, err := json.Marshal(states)
		if err != nil {
			t.Fatal(err)
		}
		kept[part] = text
	}
	if left == 0 {
		t.Fatal("nothing of it is left out")
	}
	text, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.World.Update(t.Context(), func(tx *world.Tx) error { return tx.Restore(text) }); err != nil {
		t.Fatal(err)
	}
	said := false
	t.Cleanup(r.World.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			said = said || strings.Contains(string(m.Payload), "Ho!")
		}
	}))
	r.Must(t, r.Ann, "event.emit", `{"eventName":"hey"}`)
	r.Steps(5)
	if !said {
		t.Error("he does not react")
	}
}
