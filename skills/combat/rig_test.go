package combat_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/combat"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/inventory"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/social"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

// all are the skills in a world whose bodies do not move.
func all(w *world.World, a *agents.Agents) []registry.Skill {
	return with(w, a, navigation.New(w, a), physics.New(w, physics.Config{}))
}

func with(w *world.World, a *agents.Agents, ways *navigation.Mesh, p *physics.Physics) []registry.Skill {
	cast, looks := player.New(w, a, p), solid.NewLooks(w)
	ways.Guard(cast.Walk)
	s := stats.New(w, stats.Deps{Does: action.New(w, audio.New(w)), Agents: a, Guard: cast.Guard})
	owned := inventory.New(w, cast.Acts)
	a.Hinder(s.Pace)
	ways.Hinder(s.Pace)
	p.Hinder(s.Pace)
	return slices.Concat(scene.All(w), layout.All(w, looks), three.All(w), agent.All(w, a), batch.All(w), history.All(w), player.All(cast), navigation.All(ways), social.All(social.New(w, a)),
		stats.All(s), inventory.All(owned), combat.All(combat.New(combat.Deps{World: w, Stats: s, Physics: p, Things: looks, Owned: owned, Plays: cast.Lives})))
}

// field is a world as a builder and a viewer see it.
type field struct {
	*skilltest.Room
	t testing.TB
}

func newField(t testing.TB) *field {
	t.Helper()
	return open(t, all)
}

// newMoving returns a field in which bodies move, with a floor at y 0: ent_0.
func newMoving(t testing.TB) *field {
	t.Helper()
	var p *physics.Physics
	f := open(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		ways := navigation.New(w, a)
		p = physics.New(w, physics.Config{Open: rapiertest.Runtime().Open, Gravity: -9.81})
		return with(w, a, ways, p)
	})
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	f.Do("scene.createEntity", `{"position":[0,-0.5,0],"static":true}`)
	f.Do("three.setTransform", `{"entity":"ent_0","scale":[60,1,60]}`)
	return f
}

func open(t testing.TB, skills skilltest.Skills) *field {
	t.Helper()
	return &field{t: t, Room: skilltest.NewRoom(t, skills)}
}

// fighter makes a box of 1 m with 100 hp at a place.
func (f *field) fighter(x, y, z float64) string {
	f.t.Helper()
	return f.living("scene.createEntity", `{"position":[%v,%v,%v]}`, x, y, z)
}

// living makes an entity, and gives it 100 hp.
func (f *field) living(name, format string, args ...any) string {
	f.t.Helper()
	var made struct{ Entity string }
	if err := json.Unmarshal([]byte(f.Do(name, format, args...)), &made); err != nil {
		f.t.Fatal(err)
	}
	f.Do("stats.create", `{"entity":%q,"stats":[{"name":"hp","value":100}]}`, made.Entity)
	return made.Entity
}

// hp returns what health an entity has.
func (f *field) hp(entity string) float64 {
	f.t.Helper()
	var out stats.GetOut
	if err := json.Unmarshal([]byte(f.Do("stats.get", `{"entity":%q,"statName":"hp"}`, entity)), &out); err != nil {
		f.t.Fatal(err)
	}
	return *out.Value
}

const noCrit = `"config":{"critChance":0}`
