package skills_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
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
			`"then":[{"type":"rewards","data":{"xp":5,"event":"rich"}},{"type":"emit","target":"rich"},{"type":"offer","target":"more"}]}],"total":1}`,
		`{"kind":"dialogue"}`: `{"rules":[{"kind":"dialogue","id":"talk","when":"in the dialogue \"talk\", at the node \"a\", choice 0 is chosen: \"Farewell\", which needs flag(\"met\")",` +
			`"then":[{"type":"effects","data":{"event":"bye"}},{"type":"emit","target":"bye"}]}],"total":1}`,
		`{"kind":"usable"}`: `{"type":"emit","target":"door"},{"type":"emit","target":"door.opened"},{"type":"emit","target":"door.closed"}]}],"ends":{"usable":{"skill":"interaction.unregister","input":{"entity":"$id"}}},"total":1}`,
	} {
		if got := r.Do("game.rules", "%s", input); !strings.HasSuffix(got, want) {
			t.Errorf("game.rules %s:\n got %s\nwant %s", input, got, want)
		}
	}
	const asks = `{"id":"open","name":"Open","objectives":[{"id":"a","type":"custom","description":"Open it","config":{"event":"door.opend"}}]}`
	if got := r.Do("quest.define", asks); !strings.Contains(got, `"notes":["objectives[0].config.event: nothing in this world emits \"door.opend\" so far; did you mean \"door.opened\"?"]`) {
		t.Errorf("quest.define: %s", got)
	}
	r.Do("behavior.define", `{"id":"p","name":"P","routines":[{"id":"day","name":"","schedule":[{"hour":20,"action":"emit","target":"dusk"}]}],"goals":[{"id":"think","type":"custom","config":{"event":"thought"}}]}`)
	if got := r.Do("event.listen", `{"eventName":"player.came","action":{"type":"emit","target":"hi"}}`); !strings.HasSuffix(got, `"note":"nothing in this world emits \"player.came\" so far; of player the server emits player.crushed, player.fell, player.left, player.spawned"}`) {
		t.Errorf("event.listen to what sounds as the server's: %s", got)
	}
	for name, meant := range map[string]string{
		"door.open": "door.opened", "door.opened": "", "door.opend": "door.opened", "rich": "", "rihc": "rich", "quest.completed:gold": "", "quest.complete:gold": "quest.completed:gold",
		"game.win": "game.won", "whatever": "", "player.spawnd": "player.spawned", "player.spawned:ann": "", "dusk": "", "dsuk": "dusk", "thought": "", "thougt": "thought",
	} {
		note := ""
		if meant != "" {
			note = `,"note":"nothing in this world emits \"` + name + `\" so far; did you mean \"` + meant + `\"?"`
		}
		if got := r.Do("behavior.onEvent", `{"entity":%q,"trigger":%q,"action":{"type":"say","data":{"text":"oh"}}}`, door, name); got != `{"ok":true`+note+"}" {
			t.Errorf("behavior.onEvent about %s: %s", name, got)
		}
		got := r.Do("event.listen", `{"eventName":%q,"action":{"type":"destroy","target":%q}}`, name, door)
		if want := note + "}"; !strings.HasSuffix(got, want) || note == "" && strings.Contains(got, "note") {
			t.Errorf("event.listen to %s: %s, want %s", name, got, want)
		}
	}
}

// TestPlayerSpawned gives every new player a quest, by listening to player.spawned.
func TestPlayerSpawned(t *testing.T) {
	r := moving(t)
	r.Do("quest.define", `{"id":"first","name":"First","objectives":[{"id":"a","type":"custom","description":"Do","config":{"event":"done"}}]}`)
	r.Do("event.listen", `{"eventName":"player.spawned","action":{"type":"call","target":"quest.offer","data":{"entity":"$entity","questId":"first"}}}`)
	r.Do("game.counter", `{"name":"anns","action":"set","value":0}`)
	r.Do("event.listen", `{"eventName":"player.spawned:ann","action":{"type":"setState","data":{"game":{"counter":{"name":"anns"}}}}}`)
	hero := entityOf(t, r.Do("player.spawn", `{"position":[0,1,0]}`))
	other := entityOf(t, r.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "player.spawn", `{"position":[4,1,0]}`))
	r.Steps(2)
	for _, id := range []string{hero, other} {
		if got := r.Do("quest.list", `{"entity":%q}`, id); !strings.Contains(got, `"first"`) {
			t.Errorf("the quests of %s: %s", id, got)
		}
	}
	if got := r.Do("game.counter", `{"name":"anns"}`); !strings.Contains(got, `"value":1`) {
		t.Errorf("of Ann's there are %s", got)
	}
	if _, err := r.Call(r.Ann, "event.emit", `{"eventName":"player.spawned"}`); err == nil || !strings.Contains(err.Message, "emitted by the server alone") {
		t.Errorf("emitted by a caller: %v", err)
	}
}

// TestPerceiveByCharacter has somebody without a body perceive through the first of his characters.
func TestPerceiveByCharacter(t *testing.T) {
	r := moving(t)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	r.Must(t, bob, "player.spawn", `{"position":[0,1,4]}`)
	own := entityOf(t, r.Do("player.spawn", `{"position":[0,1,0]}`))
	r.Do("player.spawn", `{"position":[0,1,8]}`)
	if got := r.Do("agent.getPerception", `{}`); !strings.HasPrefix(got, `{"perception":{"agent":"ann","body":"`+own+`","position":[0,1,0]`) {
		t.Errorf("by his character he perceives %s", got)
	}
	r.Do("agent.embody", `{"position":[3,0,3]}`)
	if got := r.Do("agent.getPerception", `{}`); !strings.Contains(got, `"position":[3,0.85,3]`) {
		t.Errorf("by his body he perceives %s", got)
	}
}

// TestTalkFromAfar has a talk that began by interacting end when who listens goes away, also where its tree does not say how far.
func TestTalkFromAfar(t *testing.T) {
	r := moving(t)
	smith := entityOf(t, r.Do("scene.createEntity", `{"position":[0,0.5,0]}`))
	r.Do("scene.createEntity", `{"position":[0,-0.5,0],"scale":[40,1,40],"static":true}`)
	hero := entityOf(t, r.Do("player.spawn", `{"position":[1.5,1,0]}`))
	r.Do("dialogue.define", `{"id":"d","name":"D","startNode":"a","nodes":[{"id":"a","speaker":"","text":"Well?","choices":[{"text":"Again","nextNodeId":"a"}]}]}`)
	r.Do("interaction.register", `{"entity":%q,"prompt":"Talk","type":"talk","maxRange":2,"config":{"treeId":"d"}}`, smith)
	for x, talks := range map[float64]bool{3.9: true, 4.5: false} {
		r.Do("three.setTransform", `{"entity":%q,"position":[1.5,1,0]}`, hero)
		r.Do("interaction.interact", `{"entity":%q}`, smith)
		r.Do("three.setTransform", `{"entity":%q,"position":[%v,1,0]}`, hero, x)
		got := r.Do("dialogue.choose", `{"speaker":%q,"listener":%q,"choiceIndex":0}`, smith, hero)
		if strings.Contains(got, `"ok":true`) != talks || strings.Contains(got, "and 4 m is the most: go nearer") == talks {
			t.Errorf("from %v m: %s", x, got)
		}
		r.Steps(60)
		if got := r.Do("dialogue.get", `{"speaker":%q,"listener":%q}`, smith, hero); strings.Contains(got, "currentNode") != talks {
			t.Errorf("a second later, from %v m: %s", x, got)
		}
	}
}

// TestWhoListensDecides has a dialogue offer what the items, stats and quests of who listens allow.
func TestWhoListensDecides(t *testing.T) {
	r := moving(t)
	npc := entityOf(t, r.Do("scene.createEntity", `{}`))
	hero := entityOf(t, r.Do("scene.createEntity", `{"position":[1,0,0]}`))
	r.Do("item.define", `{"id":"key","name":"Key"}`)
	r.Do("stats.create", `{"entity":%q,"stats":[{"name":"hp","value":50,"maxValue":100}]}`, hero)
	r.Do("quest.define", `{"id":"rats","name":"Rats","objectives":[{"id":"a","type":"custom","description":"Kill","config":{"event":"done"}}]}`)
	r.Do("dialogue.define", `{"id":"d","name":"D","startNode":"a","nodes":[{"id":"a","speaker":"","text":"Well?","choices":[`+
		`{"text":"key","nextNodeId":"a","condition":"item('key') >= 1"},{"text":"weak","nextNodeId":"a","condition":"stat('hp') < 10"},`+
		`{"text":"rats","nextNodeId":"a","condition":"quest('rats') == 'active'"},{"text":"bye","nextNodeId":""}]}]}`)
	offered := func() (texts string) {
		t.Helper()
		got := r.Do("dialogue.start", `{"treeId":"d","speaker":%q,"listener":%q}`, npc, hero)
		r.Do("dialogue.end", `{"speaker":%q,"listener":%q}`, npc, hero)
		for _, text := range []string{"key", "weak", "rats", "bye"} {
			if strings.Contains(got, `"text":"`+text+`"`) {
				texts += text + " "
			}
		}
		return texts
	}
	for _, step := range []struct{ skill, input, want string }{
		{"scene.inspect", `{}`, "bye "},
		{"inventory.create", `{"entity":"` + hero + `"}`, "bye "},
		{"inventory.add", `{"entity":"` + hero + `","itemId":"key"}`, "key bye "},
		{"stats.modify", `{"entity":"` + hero + `","statName":"hp","delta":-45}`, "key weak bye "},
		{"quest.offer", `{"entity":"` + hero + `","questId":"rats"}`, "key weak bye "},
		{"quest.accept", `{"entity":"` + hero + `","questId":"rats"}`, "key weak rats bye "},
	} {
		r.Do(step.skill, "%s", step.input)
		if got := offered(); got != step.want {
			t.Errorf("after %s %s: %q is offered, want %q", step.skill, step.input, got, step.want)
		}
	}
}

// TestTalkByInteracting has a dialogue begin by interaction.interact with who is registered for that.
func TestTalkByInteracting(t *testing.T) {
	r := moving(t)
	smith := entityOf(t, r.Do("scene.createEntity", `{"name":"smith","position":[0,0.5,0]}`))
	r.Do("scene.createEntity", `{"position":[0,-0.5,0],"scale":[40,1,40],"static":true}`)
	hero := entityOf(t, r.Do("player.spawn", `{"position":[1.5,1,0]}`))
	r.Do("dialogue.define", `{"id":"swords","name":"Swords","startNode":"a","config":{"maxRange":5},"nodes":[{"id":"a","speaker":"","text":"A sword?","choices":[{"text":"Yes","nextNodeId":""}]}]}`)
	const register = `{"entity":%q,"prompt":"Talk","type":"talk","config":%s}`
	if got := r.Do("interaction.register", register, smith, `{}`); !strings.Contains(got, `"note":"nothing is said, those who listen are told: config {\"treeId\":\"smith\"} begins that dialogue of dialogue.define"`) {
		t.Errorf("without a dialogue: %s", got)
	}
	if _, err := r.Call(r.Ann, "interaction.register", `{"entity":"`+smith+`","prompt":"Talk","type":"talk","config":{"treeId":"sword"}}`); err == nil || !strings.HasPrefix(err.Message, `config.treeId: unknown dialogue "sword"`) {
		t.Errorf("a dialogue that there is not: %v", err)
	}
	r.Do("interaction.register", register, smith, `{"treeId":"swords"}`)
	got := r.Do("interaction.interact", `{"entity":%q}`, smith)
	if want := `"did":"talk","talk":{"ok":true,"currentNode":{"id":"a","text":"A sword?","choices":[{"index":0,"text":"Yes"}]}}`; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := r.Do("dialogue.choose", `{"speaker":%q,"listener":%q,"choiceIndex":0}`, smith, hero); !strings.Contains(got, `"ended":true`) {
		t.Errorf("the choice: %s", got)
	}
	r.Do("dialogue.define", `{"id":"swords","name":"Swords","startNode":"a","config":{"maxRange":0.5},"nodes":[{"id":"a","speaker":"","text":"A sword?"}]}`)
	if got := r.Do("interaction.interact", `{"entity":%q}`, smith); !strings.Contains(got, `"ok":false`) || !strings.Contains(got, "reason") {
		t.Errorf("from too far for the dialogue: %s", got)
	}
}

// TestHousesTravel exports a house and imports it elsewhere, in each form that keeps entities: it can be rebuilt there.
func TestHousesTravel(t *testing.T) {
	for _, form := range []string{"glb", "log"} {
		r := moving(t)
		r.Do("architecture.building", `{"position":[5,0,0],"rotation":1,"storeys":2,"material":"brick"}`)
		res := r.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.export", Input: []byte(`{"form":"` + form + `"}`), Principal: r.Ann}, nil)
		if res.Err != nil {
			t.Fatal(res.Err)
		}
		input := map[string]any{}
		if form == "glb" {
			input["data"] = base64.StdEncoding.EncodeToString(res.Content[0].Resource.Blob)
		} else {
			var out struct{ Manifest json.RawMessage }
			if err := json.Unmarshal(res.Output, &out); err != nil {
				t.Fatal(err)
			}
			log := res.Content[len(res.Content)-1].Resource
			input["form"], input["manifest"], input["log"] = "log", out.Manifest, log.Text
		}
		text, err := json.Marshal(input)
		if err != nil {
			t.Fatal(err)
		}
		elsewhere := moving(t)
		elsewhere.Do("scene.createEntity", `{}`) // so that ids are others
		elsewhere.Do("scene.import", "%s", text)
		_, group, _ := strings.Cut(elsewhere.Do("scene.queryEntities", `{"name":"house"}`), `"entity":"`)
		group, _, _ = strings.Cut(group, `"`)
		before := elsewhere.World.Hash()
		elsewhere.Do("architecture.rebuild", `{"building":%q}`, group)
		if elsewhere.World.Hash() != before {
			t.Errorf("%s: the house is another one though nothing was to change", form)
		}
		if got := elsewhere.Do("architecture.rebuild", `{"building":%q,"storeys":1,"width":12}`, group); !strings.Contains(got, `"group":"`+group+`"`) || strings.Contains(got, "railing") {
			t.Errorf("%s: rebuilt it is %s", form, got)
		}
		bad := strings.NewReplacer(`"house":{`, `"house":{"storeys":99,`, `\"house\":{`, `\"house\":{\"storeys\":99,`).Replace(string(text))
		if _, err := elsewhere.Call(elsewhere.Ann, "scene.import", bad); form == "log" && err == nil {
			t.Errorf("%s: a house of 99 storeys is taken", form)
		}
	}
}

// TestIf has levers open a vault only in the right order, a zone let in only who has the badge, and a guard mind only who has none: actions that have a
// condition are done when that holds.
func TestIf(t *testing.T) {
	r := moving(t)
	lever := make([]string, 3)
	for i := range lever {
		lever[i] = entityOf(t, r.Do("scene.createEntity", `{"name":"lever"}`))
		r.Do("interaction.register", `{"entity":%q,"prompt":"Pull","type":"use","action":"lever%d"}`, lever[i], i)
		r.Do("event.listen", `{"eventName":"lever%d","action":{"type":"setState","if":"counter('pulled') == %d","data":{"game":{"counter":{"name":"pulled"}}}}}`, i, i)
	}
	r.Do("event.listen", `{"eventName":"lever0","action":{"type":"setState","if":"counter('pulled') > 1","data":{"game":{"counter":{"name":"pulled","action":"set","value":0}}}}}`)
	pulled := func(which ...int) string {
		t.Helper()
		r.Do("game.counter", `{"name":"pulled","action":"set","value":0}`)
		for _, i := range which {
			r.Do("interaction.interact", `{"entity":%q}`, lever[i])
			r.Steps(2)
		}
		return r.Do("game.counter", `{"name":"pulled"}`)
	}
	for _, c := range []struct {
		order []int
		want  string
	}{{[]int{0, 1, 2}, `{"value":3}`}, {[]int{2, 1, 0}, `{"value":1}`}, {[]int{0, 2, 2, 1}, `{"value":2}`}, {[]int{0, 1, 0}, `{"value":0}`}} {
		if got := pulled(c.order...); got != c.want {
			t.Errorf("levers %v: %s, want %s", c.order, got, c.want)
		}
	}

	r.Do("item.define", `{"id":"badge","name":"Badge"}`)
	r.Do("trigger.create", `{"center":[50,0,0],"size":[1,1,1]}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit","target":"in"}}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"setState","if":"item('badge') >= 1","data":{"game":{"counter":{"name":"guests"}}}}}`)
	guard := entityOf(t, r.Do("scene.createEntity", `{"position":[50,0,3]}`))
	r.Do("behavior.onEvent", `{"entity":%q,"trigger":"in","action":{"type":"setState","if":"item('badge') < 1","data":{"game":{"counter":{"name":"alarms"}}}}}`, guard)
	for _, has := range []bool{true, false} {
		who := entityOf(t, r.Do("scene.createEntity", `{}`))
		r.Do("inventory.create", `{"entity":%q}`, who)
		if has {
			r.Do("inventory.add", `{"entity":%q,"itemId":"badge"}`, who)
		}
		r.Do("three.setTransform", `{"entity":%q,"position":[50,0,0]}`, who)
		r.Steps(3)
	}
	for name, want := range map[string]string{"guests": `{"value":1}`, "alarms": `{"value":1}`} {
		if got := r.Do("game.counter", `{"name":%q}`, name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := r.Do("game.rules", `{"mentions":"badge"}`); !strings.Contains(got, `"if":"item('badge') \u003e= 1"`) && !strings.Contains(got, `"if":"item('badge') >= 1"`) {
		t.Errorf("game.rules tells %s", got)
	}
	for input, want := range map[string]string{
		`{"triggerId":"trg_0","action":{"type":"emit","if":"badge > 0"}}`: `action.if: expression: at character 1, "badge > 0": badge means nothing: `,
		`{"triggerId":"trg_0","action":{"type":"emit","if":"3"}}`:         `action.if: expression: at character 1, "3": a condition is true or false, this is a number`,
	} {
		if _, err := r.Call(r.Ann, "trigger.onEnter", input); err == nil || !strings.HasPrefix(err.Message, want) {
			t.Errorf("%s: %v, want %s", input, err, want)
		}
	}
}

// TestRulesOpenFarDoors has an action open a door wherever the character of whoever attached it is; he himself has to be near.
func TestRulesOpenFarDoors(t *testing.T) {
	r := moving(t)
	door := entityOf(t, r.Do("scene.createEntity", `{"position":[30,1,0]}`))
	r.Do("interaction.register", `{"entity":%q,"prompt":"Open","type":"open","config":{"open":{"position":[30,3,0],"seconds":0.1}}}`, door)
	r.Do("player.spawn", `{"position":[0,1,0]}`)
	if got := r.Do("interaction.open", `{"entity":%q}`, door); !strings.Contains(got, `"ok":false`) {
		t.Errorf("from 30 m away: %s", got)
	}
	r.Do("event.listen", `{"eventName":"solved","action":{"type":"call","target":"interaction.open","data":{"entity":%q}}}`, door)
	r.Do("event.emit", `{"eventName":"solved"}`)
	r.Steps(60)
	if at := r.At(t, door); at[1] != 3 {
		t.Errorf("the door is at %v: %s", at, r.Do("game.rules", `{}`))
	}
}

// TestPerceivedCalls has what somebody has called told shortly: by which skill, and why not, and what skills.call has called once.
func TestPerceivedCalls(t *testing.T) {
	r := newStage(t)
	r.Do("agent.embody", `{}`)
	r.Do("skills.call", `{"name":"scene.createEntity","input":{"name":"hut","position":[0,0,3]}}`)
	if _, err := r.Call(r.Ann, "skills.call", `{"name":"scene.createEntity","input":{"size":0}}`); err == nil {
		t.Error("it was not refused")
	}
	if _, err := r.Call(r.Ann, "skills.call", `{"name":"scene.nothing"}`); err == nil {
		t.Error("it was not refused")
	}
	var out struct {
		Perception struct {
			Events []struct {
				Type    string
				Payload json.RawMessage
			}
		}
	}
	if err := json.Unmarshal([]byte(r.Do("agent.getPerception", `{}`)), &out); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range out.Perception.Events {
		got = append(got, e.Type+" "+string(e.Payload))
	}
	want := []string{
		`skill.executed {"skill":"agent.embody"}`, `agent.embodied {"entity":"ent_0","created":true}`, `skill.executed {"skill":"scene.createEntity"}`,
		`skill.refused {"skill":"scene.createEntity","code":"invalid_input","reason":"size: must be greater than 0 and at most 50, got 0"}`,
		`skill.refused {"skill":"scene.nothing","code":"not_found","reason":"unknown skill: scene.nothing. Nearest: scene.export, scene.import, scene.place"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
