package dialogue_test

import (
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/dialogue"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

func all(w *world.World, a *agents.Agents) []registry.Skill {
	does := action.New(w, audio.New(w))
	cast := player.New(w, a, physics.New(w, physics.Config{}))
	owned, talk, play := inventory.New(w, cast.Acts), social.New(w, a), game.New(w, does)
	vitals := stats.New(w, stats.Deps{Does: does, Agents: a})
	gain := func(tx *world.Tx, id world.ID, amount int64, by string) error {
		return vitals.Earn(tx, id, "xp of "+by, float64(amount))
	}
	talks := dialogue.New(dialogue.Deps{World: w, Agents: a, Social: talk, Game: play, Does: does, Owned: owned, Stats: vitals, Gain: gain, Self: cast.Own, Acts: cast.Acts})
	return slices.Concat(scene.All(w), three.All(w), agent.All(w, a), player.All(cast), history.All(w), checkpoint.All(checkpoint.New(w)),
		inventory.All(owned), game.All(play), stats.All(vitals), event.All(event.New(w, does)), dialogue.All(talks))
}

type server = skilltest.Server

// smith sells swords: ent_0. He speaks to the knight, ent_1, who stands 2 m away.
const smith = `{"id":"smith","name":"The smith","startNode":"hello","config":{"maxRange":3},"nodes":[
	{"id":"hello","text":"A sword?","speaker":"Old smith","mood":"curious","choices":[
		{"text":"Here are 3 coins.","nextNodeId":"sold","condition":"counter('coins') >= 3","effects":{"game":{"counter":{"name":"coins","action":"decrement","value":3}},"give":{"itemId":"sword"},"event":"paid","wink":true}},
		{"text":"What of this shield?","nextNodeId":"swap","effects":{"take":{"itemId":"shield"}}},
		{"text":"No.","nextNodeId":""}]},
	{"id":"sold","text":"Here you are.","speaker":"","mood":"glad","effects":{"game":{"flag":{"name":"armed"}}}},
	{"id":"swap","text":"A fine one.","speaker":"Old smith","config":{"portrait":"smile"},"choices":[{"text":"Back.","nextNodeId":"hello"}]}]}`

const two = `"speaker":"ent_0","listener":"ent_1"`

const start = `{"treeId":"smith",` + two + `}`

// forge is a setup with the smith and the knight, and then some calls, all by carl.
func forge(calls ...[2]string) func(testing.TB, *server, *profiles.Principal) {
	return func(t testing.TB, s *server, _ *profiles.Principal) {
		t.Helper()
		for _, c := range slices.Concat([][2]string{
			{"scene.createEntity", `{}`},
			{"scene.createEntity", `{"position":[2,0,0]}`},
			{"item.define", `{"id":"sword","name":"Sword"}`},
			{"item.define", `{"id":"shield","name":"Shield"}`},
			{"dialogue.define", smith},
		}, calls) {
			s.Must(t, skilltest.Caller(t, "carl", skilltest.Builder), c[0], c[1])
		}
	}
}

// newForge is a room with the smith and the knight. Of moments it tells what is said, and of events their name and data.
func newForge(t testing.TB) *skilltest.Room {
	t.Helper()
	r := skilltest.NewRoom(t, all, "event", "data", "speaker", "name", "text", "mood", "by")
	forge()(t, r.Server, r.Ann)
	return r
}
