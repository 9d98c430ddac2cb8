package skills_test

import (
	"strings"
	"testing"
)

// TestRulesOfAll has game.rules tell what quests and dialogues bring about, and what using a door emits; who listens to what none of that emits, but to
// nearly what does, is told so.
func TestRulesOfAll(t *testing.T) {
	r := moving(t)
	door := entityOf(t, r.Do("scene.createEntity", `{}`))
	r.Do("interaction.register", `{"entity":%q,"prompt":"Open","type":"open","action":"door"}`, door)
	r.Do("item.define", `{"id":"coin","name":"Coin"}`)
	r.Do("quest.define", `{"id":"gold","name":"Gold","objectives":[{"id":"get","type":"collect","target":"coin","required":3,"description":"Get three"},`+
		`{"id":"go","type":"reach","description":"Go there","config":{"position":[1,0,2]}}],"rewards":{"xp":5,"event":"rich"},"followUpQuests":["more"]}`)
	r.Do("dialogue.define", `{"id":"talk","name":"Talk","startNode":"a","nodes":[{"id":"a","speaker":"Bo","text":"Well?","choices":[`+
		`{"text":"Farewell","nextNodeId":"","condition":"flag(\"met\")","effects":{"event":"bye"}},{"text":"No","nextNodeId":""}]}]}`)
	for input, want := range map[string]string{
		`{"kind":"quest"}`: `{"rules":[{"kind":"quest","id":"gold","when":"who has accepted the quest \"Gold\" has held 3 of coin (get), come within 2 m of [1 0 2] (go)",` +
			`"then":[{"type":"rewards","data":{"xp":5,"event":"rich"},"by":"ann"},{"type":"emit","target":"rich","by":"ann"},{"type":"offer","target":"more","by":"ann"}]}],"total":1}`,
		`{"kind":"dialogue"}`: `{"rules":[{"kind":"dialogue","id":"talk","when":"in the dialogue \"talk\", at the node \"a\", choice 0 is chosen: \"Farewell\", which needs flag(\"met\")",` +
			`"then":[{"type":"effects","data":{"event":"bye"},"by":"ann"},{"type":"emit","target":"bye","by":"ann"}]}],"total":1}`,
		`{"kind":"usable"}`: `{"type":"emit","target":"door"},{"type":"emit","target":"door.opened"},{"type":"emit","target":"door.closed"}]}],"total":1}`,
	} {
		if got := r.Do("game.rules", "%s", input); !strings.HasSuffix(got, want) {
			t.Errorf("game.rules %s:\n got %s\nwant %s", input, got, want)
		}
	}
	for name, meant := range map[string]string{
		"door.open": "door.opened", "door.opened": "", "door.opend": "door.opened", "rich": "", "rihc": "rich", "quest.completed:gold": "", "quest.complete:gold": "quest.completed:gold",
		"game.win": "game.won", "whatever": "",
	} {
		note := ""
		if meant != "" {
			note = `,"note":"nothing in this world emits \"` + name + `\" so far; did you mean \"` + meant + `\"?"`
		}
		got := r.Do("event.listen", `{"eventName":%q,"action":{"type":"destroy","target":%q}}`, name, door)
		if want := note + "}"; !strings.HasSuffix(got, want) || note == "" && strings.Contains(got, "note") {
			t.Errorf("event.listen to %s: %s, want %s", name, got, want)
		}
	}
}
