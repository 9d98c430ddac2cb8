package cutscene_test

import (
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/cutscene"
	"github.com/limina-mcp/limina/skills/event"
	"github.com/limina-mcp/limina/skills/game"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/world"
)

func all(w *world.World, _ *agents.Agents) []registry.Skill {
	does := action.New(w, audio.New(w))
	zones, play, show := trigger.On(w, does), game.New(w, does), cutscene.New(w, does)
	return slices.Concat(scene.All(w), three.All(w), batch.All(w), history.All(w), checkpoint.All(checkpoint.New(w)),
		trigger.All(zones), game.All(play), cutscene.All(show), event.All(event.New(w, does)))
}

// room is a world with cutscenes, as a builder and a viewer see it.
type room = skilltest.Room

func newRoom(t testing.TB) *room {
	t.Helper()
	return skilltest.NewRoom(t, all, "keyframe", "as", "event", "target", "data", "error")
}
