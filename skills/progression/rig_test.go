package progression_test

import (
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/progression"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

func all(w *world.World, a *agents.Agents) []registry.Skill {
	does := action.New(w, audio.New(w))
	cast := player.New(w, a, physics.New(w, physics.Config{}))
	vitals := stats.New(w, stats.Deps{Does: does, Agents: a, Guard: cast.Guard})
	book := progression.New(w, progression.Deps{Does: does, Stats: vitals, Guard: cast.Acts})
	return slices.Concat(scene.All(w), layout.All(w, solid.NewLooks(w)), agent.All(w, a), player.All(cast), history.All(w), checkpoint.All(checkpoint.New(w)),
		stats.All(vitals), progression.All(book), event.All(event.New(w, does)))
}

// room is a world as a builder and a viewer see it. ent_0 is there.
func newRoom(t testing.TB, members ...string) *skilltest.Room {
	t.Helper()
	r := skilltest.NewRoom(t, all, members...)
	r.Do("scene.createEntity", `{}`)
	return r
}

// magic is a tree: focus, twice, opens fireball, which costs two.
const magic = `{"id":"magic","name":"Magic","nodes":[` +
	`{"id":"focus","name":"Focus","maxLevel":2,"effects":{"mana":10,"aura":1,"note":"calm"}},` +
	`{"id":"fireball","name":"Fireball","prerequisites":["focus"],"cost":2,"effects":{"ability":"fireball"}}]}`
