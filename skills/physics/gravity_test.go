package physics_test

import (
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

func TestSetGravity(t *testing.T) {
	const bad = registry.CodeInvalidInput
	skills := func(w *world.World, _ *agents.Agents) []registry.Skill {
		return with(w, bodies.New(w, bodies.Config{Gravity: -9.81}))
	}
	moon := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		s.Must(t, p, "physics.setGravity", `{"gravity":1.62}`)
	}
	skilltest.Run(t, skills, "physics.setGravity", []skilltest.Case{
		{Name: "the moon", Input: `{"gravity":1.62}`, Want: `{"gravity":1.62,"before":9.81}`},
		{Name: "again", Setup: moon, Input: `{"gravity":1.62}`, Want: `{"gravity":1.62,"before":1.62}`},
		{Name: "as at first", Setup: moon, Input: `{}`, Want: `{"gravity":9.81,"before":1.62}`},
		{Name: "none", Input: `{"gravity":0}`, Want: `{"gravity":0,"before":9.81,"note":"characters fall as if it were 0.98, so that who jumps comes down again"}`},
		{Name: "up", Input: `{"gravity":-9.81}`, Code: bad, Err: "gravity: must be at least 0 and at most 100, got -9.81"},
		{Name: "a black hole", Input: `{"gravity":1000}`, Code: bad, Err: "gravity: must be at least 0 and at most 100, got 1000"},
	})
}
