package director_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/director"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/rules"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/stats"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

func all(w *world.World, a *agents.Agents) []registry.Skill { return with(w, a, nil) }

// with returns the skills of a world in which the bodies of agents play.
func with(w *world.World, a *agents.Agents, r *registry.Registry) []registry.Skill {
	does := action.New(w, audio.New(w))
	vitals := stats.New(w, stats.Deps{Does: does, Agents: a})
	play := game.New(w, does)
	pace := director.New(w, director.Deps{Does: does, Stats: vitals, Plays: func(v *world.View, id world.ID) bool {
		_, body := a.Agent(v, id)
		return body
	}})
	heard := event.New(w, does)
	does.Calls(r)
	return slices.Concat(scene.All(w), layout.All(w, solid.NewLooks(w)), agent.All(w, a), history.All(w), checkpoint.All(checkpoint.New(w)), rules.All(w, pace.Rules),
		stats.All(vitals), game.All(play), director.All(pace), event.All(heard))
}

// room is a world as a builder and a viewer see it.
type room struct {
	*skilltest.Room
	t testing.TB
}

func newRoom(t testing.TB, members ...string) *room {
	t.Helper()
	s := skilltest.Build(t, func(s *skilltest.Server) []registry.Skill { return with(s.World, s.Agents, s.Registry) })
	return &room{s.Room(t, members...), t}
}

// hero gives ann a body, ent_0, of 1000 hp, and makes ent_1, which has 1.
func (r *room) hero() {
	r.t.Helper()
	r.Do("agent.embody", `{"position":[0,0,0]}`)
	r.Do("stats.create", `{"entity":"ent_0","stats":[{"name":"hp","value":1000}]}`)
	r.Do("scene.createEntity", `{}`)
	r.Do("stats.create", `{"entity":"ent_1","stats":[{"name":"hp","value":1}]}`)
}

// status returns how it stands.
func (r *room) status() (out director.StatusOut) {
	r.t.Helper()
	if err := json.Unmarshal([]byte(r.Do("director.status", `{}`)), &out); err != nil {
		r.t.Fatal(err)
	}
	return out
}

// stands checks the phase, the tension, to a billionth, and the steps that are left.
func (r *room) stands(when, phase string, tension float64, left uint64) {
	r.t.Helper()
	switch now := r.status(); {
	case !now.Running:
		r.t.Errorf("%s: it does not run", when)
	case now.Phase != phase || !near(*now.Tension, tension) || *now.PhaseTicksLeft != left:
		r.t.Errorf("%s: %s with the tension %v and %d steps left, want %s, %v, %d", when, now.Phase, *now.Tension, *now.PhaseTicksLeft, phase, tension, left)
	}
}

// goesOn checks that a phase has about as many steps left as it had when it was taken away: no more than a second more, for that it counts is noted once in
// one, and two at most are taken for its own.
func (r *room) goesOn(what, phase string, had uint64) {
	r.t.Helper()
	if now := r.status(); now.Phase != phase || *now.PhaseTicksLeft > had+60 || *now.PhaseTicksLeft+120 < had {
		r.t.Errorf("%s has %d steps of %s left, and had %d of %s", what, *now.PhaseTicksLeft, now.Phase, had, phase)
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
