package game_test

import (
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/skills/ui"
	"github.com/limina-mcp/limina/world"
)

func all(w *world.World, _ *agents.Agents) []registry.Skill {
	does := action.New(w, audio.New(w))
	zones, play, panels := trigger.On(w, does), game.New(w, does), ui.New(w)
	panels.Show("counter", play.CounterText)
	panels.Show("timer", play.TimerText)
	return slices.Concat(scene.All(w), three.All(w), batch.All(w), history.All(w), checkpoint.All(checkpoint.New(w)),
		trigger.All(zones), game.All(play), event.All(event.New(w, does)), ui.All(panels))
}

// room is a world with a game, as a builder and a viewer see it.
type room struct{ *skilltest.Room }

func newRoom(t testing.TB) *room {
	t.Helper()
	return &room{skilltest.NewRoom(t, all, "event", "target", "data", "error")}
}

// status is how the game stands, as viewers see it.
func (r *room) status() string {
	return r.Shared("game")
}
