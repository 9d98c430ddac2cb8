package stats_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/claims"
	"github.com/limina-mcp/limina/skills/combat"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/prefab"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

func all(w *world.World, a *agents.Agents) []registry.Skill { return listening(w, a, nil) }

// listening are the skills in a world in which somebody hears what is emitted.
func listening(w *world.World, a *agents.Agents, heard func(tx *world.Tx, e *action.Event) error) []registry.Skill {
	skills, _ := with(w, a, heard)
	return skills
}

// with are the skills, and the stats that they act on.
func with(w *world.World, a *agents.Agents, heard func(tx *world.Tx, e *action.Event) error) ([]registry.Skill, *stats.Stats) {
	does := action.New(w, audio.New(w))
	if heard != nil {
		does.OnEmit(heard)
	}
	s := stats.New(w, stats.Deps{Does: does, Agents: a})
	looks := solid.NewLooks(w)
	return slices.Concat(scene.All(w), layout.All(w, looks), three.All(w), agent.All(w, a), history.All(w), claims.All(w), prefab.All(prefab.New(w)), checkpoint.All(checkpoint.New(w)), stats.All(s),
		combat.All(combat.New(combat.Deps{World: w, Stats: s, Physics: physics.New(w, physics.Config{}), Things: looks}))), s
}

// room is a world as a builder and a viewer see it. ent_0 is there.
type room struct {
	*skilltest.Room
	t       testing.TB
	emitted []string // what those were who listen
	deaf    error    // what they say
	stats   *stats.Stats
}

func newRoom(t testing.TB) *room {
	t.Helper()
	r := &room{t: t}
	r.Room = skilltest.NewRoom(t, func(w *world.World, a *agents.Agents) (skills []registry.Skill) {
		skills, r.stats = with(w, a, func(_ *world.Tx, e *action.Event) error {
			r.emitted = append(r.emitted, fmt.Sprintf("%s %s %s %s", e.Name, e.Entity, e.Data, e.By))
			return r.deaf
		})
		return skills
	})
	r.Do("scene.createEntity", `{}`)
	return r
}

// give gives ent_0 stats.
func (r *room) give(stats string) {
	r.t.Helper()
	r.Do("stats.create", `{"entity":"ent_0","stats":[%s]}`, stats)
}

// stat returns what a stat of an entity counts as.
func (r *room) stat(entity, name string) float64 {
	r.t.Helper()
	var out stats.GetOut
	if err := json.Unmarshal([]byte(r.Do("stats.get", `{"entity":%q,"statName":%q}`, entity, name)), &out); err != nil {
		r.t.Fatal(err)
	}
	return *out.Value
}

// hero makes ent_0, with stats.
func hero(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "scene.createEntity", `{}`)
	s.Must(t, p, "stats.create", `{"entity":"ent_0","stats":[{"name":"hp","value":80,"maxValue":100},{"name":"mana","value":10,"maxValue":20,"minValue":-5},{"name":"gold","value":3}]}`)
}

// asGod makes ent_0 by somebody who may, for callers who may not.
func asGod(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
	t.Helper()
	hero(t, s, skilltest.Caller(t, "god", skilltest.Builder))
}

// after runs setups one after the other.
func after(first func(testing.TB, *skilltest.Server, *profiles.Principal), calls ...[2]string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		first(t, s, p)
		for _, c := range calls {
			s.Must(t, p, c[0], c[1])
		}
	}
}

func repeat(n int, call [2]string) (calls [][2]string) {
	for range n {
		calls = append(calls, call)
	}
	return calls
}

var long = strings.Repeat("x", stats.MaxConfig)
