package rules_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/cutscene"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/interaction"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/rules"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

func all(w *world.World, a *agents.Agents) []registry.Skill {
	does := action.New(w, audio.New(w))
	cast := player.New(w, a, physics.New(w, physics.Config{}))
	owned := inventory.New(w, cast.Acts)
	usable := interaction.New(w, interaction.Deps{Owned: owned, Cast: cast, Looks: solid.NewLooks(w), Events: does})
	zones, vitals := trigger.On(w, does), stats.New(w, stats.Deps{Does: does, Agents: a})
	play, show := game.New(w, does), cutscene.New(w, does)
	heard := event.New(w, does)
	return slices.Concat(scene.All(w), trigger.All(zones), stats.All(vitals), game.All(play), cutscene.All(show), event.All(heard), interaction.All(usable),
		rules.All(w, zones.Rules, heard.Rules, play.Rules, vitals.Rules, usable.Rules, show.Rules))
}

// fill has the server do a thing of each kind, and two of some.
func fill(r *skilltest.Room) {
	r.Do("scene.createEntity", `{}`)
	r.Do("trigger.create", `{"center":[1,2,3],"size":[1,1,1],"tag":"coin"}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit","target":"alarm"}}`)
	r.Do("trigger.onStay", `{"triggerId":"trg_0","every":1.5,"action":{"type":"setState","target":"ent_0","data":{"color":255}}}`)
	r.Do("trigger.create", `{"shape":"sphere","center":[0,0,0],"size":[2,2,2]}`)
	r.Do("event.listen", `{"eventName":"alarm","action":{"type":"destroy","target":"ent_0"}}`)
	r.Do("game.condition", `{"name":"rich","expression":"counter(\"coins\") >= 10","onTrue":"allCoins"}`)
	r.Do("game.condition", `{"name":"silent","expression":"flag(\"x\")"}`)
	r.Do("game.timer", `{"name":"bomb","duration":30,"onComplete":"boom"}`)
	r.Do("game.timer", `{"name":"race","direction":"countup"}`)
	r.Do("stats.create", `{"entity":"ent_0","stats":[{"name":"hp","value":10},{"name":"mana","value":10}]}`)
	r.Do("stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"custom","target":"die"}}`)
	r.Do("stats.onZero", `{"entity":"ent_0","statName":"mana","action":{"type":"custom"}}`)
	r.Do("stats.onZero", `{"entity":"ent_0","statName":"hp","action":{"type":"destroy"}}`)
	r.Do("interaction.register", `{"entity":"ent_0","prompt":"Pull","type":"toggle","action":"pulled"}`)
	r.Do("cutscene.define", `{"id":"intro","keyframes":[{"atTick":0,"action":{"type":"custom","target":"drums"}},{"atTick":90,"action":{"type":"emit","target":"alarm"}}]}`)
}

// What is told, word by word; and what ends a rule ends it, and only it.
func TestRules(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	fill(r)
	want := []string{
		`{"kind":"zone","id":"trg_0","when":"something tagged \"coin\" enters trg_0, a box around [1 2 3], of half edges [1 1 1] m","then":[{"type":"emit","target":"alarm"}]}`,
		`{"kind":"zone","id":"trg_0","when":"something tagged \"coin\" stays in trg_0, a box around [1 2 3], of half edges [1 1 1] m","then":[{"type":"setState","target":"ent_0","data":{"color":255},"each":1.5}]}`,
		`{"kind":"zone","id":"trg_1","when":"something enters trg_1, a sphere of radius 2 m around [0 0 0]","then":[]}`,
		`{"kind":"listener","id":"lst_0","when":"the event \"alarm\" is emitted","then":[{"type":"destroy","target":"ent_0"}]}`,
		`{"kind":"condition","id":"rich","when":"counter(\"coins\") >= 10 becomes true","then":[{"type":"emit","target":"allCoins"}]}`,
		`{"kind":"condition","id":"silent","when":"flag(\"x\") becomes true","then":[]}`,
		`{"kind":"timer","id":"bomb","when":"the timer \"bomb\", which is running and has 30 s left, runs out","then":[{"type":"emit","target":"boom"}]}`,
		`{"kind":"stat","id":"ent_0","when":"\"hp\" of ent_0 comes to its least","then":[{"type":"custom","target":"die"},{"type":"destroy"}]}`,
		`{"kind":"stat","id":"ent_0","when":"\"mana\" of ent_0 comes to its least","then":[{"type":"custom"}]}`,
		`{"kind":"usable","id":"ent_0","when":"somebody within 3 m uses ent_0: Pull","then":[{"type":"toggle","target":"ent_0"},{"type":"emit","target":"pulled"},{"type":"emit","target":"pulled.on"},{"type":"emit","target":"pulled.off"}]}`,
		`{"kind":"cutscene","id":"intro","when":"cutscene.play begins \"intro\", which takes 1.5 s","then":[{"type":"custom","target":"drums"},{"type":"emit","target":"alarm","after":1.5}]}`,
	}
	for i, got := range listed(t, r, `{}`) {
		if i >= len(want) || got != want[i] {
			t.Errorf("rule %d:\n got %s\nwant %s", i, got, want[min(i, len(want)-1)])
		}
	}
	ends := map[string]string{
		"zone": `{"skill":"trigger.remove","input":{"triggerId":"$id"}}`, "listener": `{"skill":"event.remove","input":{"listenerId":"$id"}}`,
		"condition": `{"skill":"game.condition","input":{"name":"$id","action":"remove"}}`, "timer": `{"skill":"game.timer","input":{"name":"$id","action":"pause"}}`,
		"usable": `{"skill":"interaction.unregister","input":{"entity":"$id"}}`, "cutscene": `{"skill":"cutscene.remove","input":{"id":"$id"}}`,
	}
	var told struct{ Ends map[string]json.RawMessage }
	if err := json.Unmarshal([]byte(r.Do("game.rules", `{}`)), &told); err != nil {
		t.Fatal(err)
	}
	for kind, end := range told.Ends {
		if string(end) != ends[kind] {
			t.Errorf("a %s ends by %s, want %s", kind, end, ends[kind])
		}
	}
	if len(told.Ends) != len(ends) {
		t.Errorf("%d kinds end by a call, want %d", len(told.Ends), len(ends))
	}
	type head struct{ Kind, ID string }
	for left := listed(t, r, `{}`); ; {
		var rule head
		i := slices.IndexFunc(left, func(text string) bool {
			if err := json.Unmarshal([]byte(text), &rule); err != nil {
				t.Fatal(err)
			}
			return told.Ends[rule.Kind] != nil && rule.Kind != "timer"
		})
		if i < 0 {
			break
		}
		var end struct {
			Skill string
			Input json.RawMessage
		}
		if err := json.Unmarshal([]byte(strings.ReplaceAll(string(told.Ends[rule.Kind]), "$id", rule.ID)), &end); err != nil {
			t.Fatal(err)
		}
		r.Do(end.Skill, "%s", end.Input)
		left = slices.DeleteFunc(left, func(other string) bool {
			return strings.HasPrefix(other, fmt.Sprintf(`{"kind":%q,"id":%q,`, rule.Kind, rule.ID))
		})
		if now := listed(t, r, `{}`); !slices.Equal(now, left) {
			t.Errorf("after %s %s there is\n%s\nwant\n%s", end.Skill, end.Input, strings.Join(now, "\n"), strings.Join(left, "\n"))
		}
	}
	if left := listed(t, r, `{}`); len(left) != 3 {
		t.Errorf("what does not end by a call is not as it was: %q", left)
	}
}

// listed returns the rules that are asked for, each as it is told.
func listed(t testing.TB, r *skilltest.Room, input string) (texts []string) {
	t.Helper()
	var out struct{ Rules []json.RawMessage }
	if err := json.Unmarshal([]byte(r.Do("game.rules", "%s", input)), &out); err != nil {
		t.Fatal(err)
	}
	for _, rule := range out.Rules {
		texts = append(texts, string(rule))
	}
	return texts
}

// What is asked for is told, part by part.
func TestRulesAskedFor(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	fill(r)
	for range 11 {
		r.Do("scene.createEntity", `{}`)
	}
	r.Do("event.listen", `{"eventName":"late","action":{"type":"destroy","target":"ent_10"}}`)
	for input, want := range map[string]int{
		`{}`: 12, `{"kind":"stat"}`: 2, `{"kind":"zone","mentions":"coin"}`: 2, `{"mentions":"alarm"}`: 3, `{"mentions":"ent_1"}`: 0, `{"mentions":"ent_10"}`: 1,
		`{"mentions":"ent_0"}`: 5, `{"mentions":"counter(\"coins\") >= 1"}`: 0, `{"mentions":"ann"}`: 9, `{"mentions":"bob"}`: 0, `{"kind":"timer"}`: 1,
	} {
		if got := listed(t, r, input); len(got) != want {
			t.Errorf("%s: %d rules, want %d: %q", input, len(got), want, got)
		}
	}
	var parts []string
	for offset, more := 0, true; more; {
		in := fmt.Sprintf(`{"limit":5,"offset":%d}`, offset)
		parts = append(parts, listed(t, r, in)...)
		var out struct{ Total, Next int }
		if err := json.Unmarshal([]byte(r.Do("game.rules", "%s", in)), &out); err != nil || out.Total != 12 {
			t.Fatalf("%v: %d in all", err, out.Total)
		}
		more, offset = out.Next != 0, out.Next
	}
	if whole := listed(t, r, `{}`); !slices.Equal(parts, whole) {
		t.Errorf("in parts:\n%s\nwhole:\n%s", strings.Join(parts, "\n"), strings.Join(whole, "\n"))
	}
	if out := r.Do("game.rules", `{"offset":100}`); out != `{"rules":[],"total":12}` {
		t.Errorf("beyond the end: %s", out)
	}
	r.Steps(60 * 30)
	if got := listed(t, r, `{"kind":"timer"}`); len(got) != 0 {
		t.Errorf("a timer that has run out: %q", got)
	}
}

func TestNeeds(t *testing.T) {
	r := skilltest.New(t, all)
	for name, input := range map[string]string{"game.rules": `{}`, "cutscene.remove": `{"id":"x"}`} {
		if _, err := r.Call(skilltest.Caller(t, "eve", "player.limited"), name, input); err == nil || err.Code != registry.CodeForbidden {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What could not be done is told with it, and not with others of the same rule: how often, and why the last time.
func TestRulesTellWhatFails(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	for range 3 {
		r.Do("scene.createEntity", `{}`)
	}
	r.Do("trigger.create", `{"center":[9,0,0],"size":[1,1,1]}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"setState","target":"ent_0","data":{"name":"late"}}}`)
	r.Do("trigger.onExit", `{"triggerId":"trg_0","action":{"type":"custom","target":"bye"}}`)
	r.Do("event.listen", `{"eventName":"boom","action":{"type":"destroy","target":"ent_0"}}`)
	r.Do("event.listen", `{"eventName":"boom","action":{"type":"custom"}}`)
	r.Do("stats.create", `{"entity":"ent_2","stats":[{"name":"hp","value":1},{"name":"mana","value":1}]}`)
	r.Do("stats.onZero", `{"entity":"ent_2","statName":"hp","action":{"type":"custom","target":"faint"}}`)
	r.Do("stats.onZero", `{"entity":"ent_2","statName":"mana","action":{"type":"destroy","target":"ent_0"}}`)
	for range 3 {
		r.Do("event.emit", `{"eventName":"boom"}`)
		r.Do("scene.createEntity", `{"position":[9,0,0]}`)
		r.Steps(2)
	}
	r.Do("stats.modify", `{"entity":"ent_2","statName":"mana","delta":-1}`)
	r.Do("stats.modify", `{"entity":"ent_2","statName":"hp","delta":-1}`)
	r.Steps(2)
	for input, want := range map[string]string{
		`{"mentions":"lst_0"}`: `"failed":2,"lastError":"unknown entity ent_0, which was destroyed; the nearest are ent_1, ent_2, ent_3"`,
		`{"mentions":"late"}`:  `"failed":2,"lastError":"unknown entity ent_0, which was destroyed; `,
		`{"mentions":"lst_1"}`: ``,
		`{"mentions":"mana"}`:  `"failed":1,"lastError":"unknown entity ent_0, which was destroyed; `,
		`{"mentions":"faint"}`: ``,
		`{"mentions":"bye"}`:   ``,
	} {
		told := listed(t, r, input)
		if len(told) != 1 || want == "" && strings.Contains(told[0], `"failed"`) || !strings.Contains(told[0], want) {
			t.Errorf("%s: %s, want %s", input, told, want)
		}
	}
}

// Who has used a thing is the actor of what that sets off, whatever it is about.
func TestActor(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	for range 2 {
		r.Do("scene.createEntity", `{}`)
	}
	r.Do("interaction.register", `{"entity":"ent_0","prompt":"Pull","type":"toggle","action":"pulled"}`)
	r.Do("event.listen", `{"eventName":"pulled","action":{"type":"setState","data":{"game":{"state":{"name":"what","value":"$entity"}}}}}`)
	r.Do("event.listen", `{"eventName":"pulled","action":{"type":"emit","target":"again"}}`)
	r.Do("event.listen", `{"eventName":"again","action":{"type":"setState","data":{"game":{"state":{"name":"who","value":"$actor"}}}}}`)
	r.Do("event.listen", `{"eventName":"again","action":{"type":"setState","target":"$actor","data":{"name":"puller"}}}`)
	r.Do("interaction.interact", `{"entity":"ent_0","actorEntity":"ent_1"}`)
	r.Steps(4)
	r.Do("interaction.interact", `{"entity":"ent_0"}`) // from nowhere
	r.Steps(4)
	if got := listed(t, r, `{"mentions":"puller"}`); len(got) != 1 || !strings.Contains(got[0], `"failed":1,"lastError":"nobody has brought it about, for whom $actor stands"`) {
		t.Errorf("what nobody has brought about: %s", got)
	}
	for name, want := range map[string]string{"what": "ent_0", "who": "ent_1"} {
		if got := r.Do("game.state", `{"name":%q}`, name); got != fmt.Sprintf(`{"value":%q}`, want) {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if got := r.Do("scene.queryEntities", `{"name":"puller"}`); !strings.Contains(got, `"ent_1"`) {
		t.Errorf("the puller is %s, want ent_1", got)
	}
	const note = `{"listenerId":"lst_4","note":"$player in action.data is only text: $entity stands for the entity that the action is about, $actor for who has brought it about, $variable:NAME for what a variable of the game is"}`
	if got := r.Do("event.listen", `{"eventName":"x","action":{"type":"call","target":"game.state","data":{"action":"set","name":"a","value":"$player"}}}`); got != note {
		t.Errorf("a word that stands for nothing: %s", got)
	}
}
