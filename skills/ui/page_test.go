package ui_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/skills/ui"
	"github.com/limina-mcp/limina/world"
)

// playing is a world with a game whose values panels show.
func playing(t *testing.T) (*skilltest.Room, *ui.Panels) {
	t.Helper()
	var panels *ui.Panels
	r := skilltest.NewRoom(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		does := action.New(w, audio.New(w))
		play, vitals := game.New(w, does), stats.New(w, stats.Deps{Does: does, Agents: a})
		panels = ui.New(w)
		panels.Show("counter", play.CounterText)
		panels.Show("timer", play.TimerText)
		panels.Show("stat", vitals.Text)
		panels.Show("ranking", vitals.Ranking)
		return slices.Concat(scene.All(w), agent.All(w, a), game.All(play), stats.All(vitals), ui.All(panels))
	})
	r.Do("scene.createEntity", `{"position":[1,2,3]}`)
	r.Do("stats.create", `{"entity":"ent_0","stats":[{"name":"hp","value":80.25,"maxValue":100}]}`)
	r.Do("game.counter", `{"name":"coins","action":"set","value":7}`)
	r.Do("game.timer", `{"name":"limit","duration":65}`)
	r.Do("game.timer", `{"name":"long","duration":4000}`)
	r.Do("game.timer", `{"name":"lap","direction":"countup"}`)
	r.Do("game.timer", `{"name":"short","duration":1}`)
	return r, panels
}

// TestTheOtherTexts writes down what the page's texts are tested against, and holds it to what these say.
func TestTheOtherTexts(t *testing.T) {
	type sample struct {
		Step   uint64            `json:"step"`
		Text   string            `json:"text"`
		Of     string            `json:"of"`
		Says   string            `json:"says"`
		Tables map[string]string `json:"tables"`
		Entity json.RawMessage   `json:"entity"`
		Others []json.RawMessage `json:"others,omitempty"`
	}
	r, panels := playing(t)
	var got []sample
	tell := func(text string) {
		entity := json.RawMessage(r.Entity(t, "ent_0"))
		r.World.View(func(v *world.View) {
			p := ui.Panel{Body: ui.Body{Anchor: ui.AtEntity(1, world.Vec3{})}}
			got = append(got, sample{
				Step: v.Step(), Text: text, Of: "ent_0", Says: panels.Say(v, &p, text), Entity: entity,
			})
		})
		got[len(got)-1].Tables = map[string]string{"game.counters": r.Shared("game.counters"), "game.timers": r.Shared("game.timers")}
	}
	const all = "{counter:coins} {timer:limit} {timer:long} {timer:lap} {timer:short} {stat:hp}"
	tell(all)
	r.Steps(1)
	tell(all)
	r.Steps(59)
	tell(all)
	r.Do("game.timer", `{"name":"limit","action":"pause"}`)
	r.Do("game.counter", `{"name":"coins","action":"decrement","value":12}`)
	r.Do("stats.modify", `{"entity":"ent_0","statName":"hp","delta":-80.29}`)
	r.Steps(100)
	tell(all)
	tell("{counter:none} {timer:none} {stat:none} {stat:hp@ent_0} {stat:hp@ent_7} {stat:hp@x}")
	tell("{coins} {moon:coins} {counter:} {counter} {{counter:coins}} {counter:a:b} { } {Counter:coins} {counter:coins")
	for i, score := range []float64{3, 20, 20, 7.25, -1, 0, 1} {
		r.Do("scene.createEntity", `{}`)
		id := fmt.Sprintf("ent_%d", i+1)
		r.Do("stats.create", `{"entity":%q,"stats":[{"name":"score","value":%v,"minValue":-5},{"name":"a:b","value":1}]}`, id, score)
		if i > 1 {
			r.Do("scene.setName", `{"entity":%q,"name":"N%d"}`, id, i)
		}
	}
	r.Do("agent.embody", `{"entity":"ent_1"}`)
	others := func() {
		for i := range 7 {
			got[len(got)-1].Others = append(got[len(got)-1].Others, json.RawMessage(r.Entity(t, fmt.Sprintf("ent_%d", i+1))))
		}
	}
	for _, c := range [][2]string{
		{"{ranking:score}", "1. ent_2 20\n2. N2 20\n3. N3 7.3\n4. ann 3\n5. N6 1"},
		{"Best: {ranking:score:2}!", "Best: 1. ent_2 20\n2. N2 20!"},
		{"{ranking:score:999}", "1. ent_2 20\n2. N2 20\n3. N3 7.3\n4. ann 3\n5. N6 1\n6. N5 0\n7. N4 -1"},
		{"{ranking:none} {ranking:score:0} {ranking:score:x} {ranking:a:b:1} {ranking::1}", "- - - 1. ann 1 {ranking::1}"},
		{"{ranking:hp}", "1. ent_0 0"},
	} {
		tell(c[0])
		others()
		if says := got[len(got)-1].Says; says != c[1] {
			t.Errorf("%s says %q, want %q", c[0], says, c[1])
		}
	}
	skilltest.Page(t, "values.json", got)
}

// TestNotes holds what is said of texts that show values.
func TestNotes(t *testing.T) {
	r, _ := playing(t)
	for _, tt := range []struct{ text, note string }{
		{"{counter:coins} {timer:limit} {stat:hp@ent_0}", ""},
		{"set {a, b} and {} and {{", ""},
		{"{moon:rock}", ""},
		{"{outcome}", `{outcome}: is shown as it stands: a text shows {counter:…} and {timer:…} of the game, {stat:…} and {ranking:…} of who has it`},
		{"{flag:open}", `{flag:open}: is shown as it stands: a text shows {counter:…} and {timer:…} of the game, {stat:…} and {ranking:…} of who has it`},
		{"{stat:hp@me}", `{stat:hp@me}: there is no word for who looks: each has a panel of his own, "anchor":{"kind":"screen","entity":"ent_3"} with {stat:hp}, which event.listen to player.spawned makes for whoever comes, by an action of type call with "entity":"$entity"`},
		{"{moon:coins}", `{moon:coins}: is shown as it stands; {counter:coins} shows the value`},
		{"{counter:coin}", `{counter:coin}: there is no counter "coin" yet (did you mean "coins"?); 0 is shown until there is`},
		{"{timer:zzz}", `{timer:zzz}: there is no timer "zzz" yet; -:-- is shown until there is`},
		{"{coins}", `{coins}: is shown as it stands; {counter:coins} shows the value`},
		{"{limit}", `{limit}: is shown as it stands; {timer:limit} shows the value`},
		{"{stat:hp}", `{stat:hp}: the panel is at no entity: {stat:hp@ent_3} names one`},
		{"{stat:mana@ent_0}", `{stat:mana@ent_0}: ent_0 has no stat "mana"; it has hp`},
		{"{ranking:hp:3}", ""},
		{"{ranking:gold}", `{ranking:gold}: nobody has a stat "gold" yet; - is shown until somebody has`},
		{"{stat:hp@ann}", `{stat:hp@ann}: "ann" is not an entity id; ids look like "ent_0", "ent_17"`},
	} {
		for _, call := range []string{"ui.hudPanel", "ui.update"} {
			input := map[string]any{"text": tt.text, "handle": "ui_0"}
			if call == "ui.hudPanel" {
				input = map[string]any{"text": tt.text, "anchor": map[string]any{"kind": "screen"}}
			}
			text, err := json.Marshal(input)
			if err != nil {
				t.Fatal(err)
			}
			var out struct{ Note string }
			if err := json.Unmarshal([]byte(r.Do(call, "%s", text)), &out); err != nil {
				t.Fatal(err)
			}
			if out.Note != tt.note {
				t.Errorf("%s %s: the note is %q, want %q", call, tt.text, out.Note, tt.note)
			}
		}
	}
}
