package event_test

import (
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/claims"
	"github.com/limina-mcp/limina/skills/event"
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
	zones := trigger.On(w, does)
	return slices.Concat(scene.All(w), three.All(w), batch.All(w), history.All(w), claims.All(w), checkpoint.All(checkpoint.New(w)),
		trigger.All(zones), event.All(event.New(w, does)))
}

// room is a world with events, as a builder and a viewer see it.
type room struct {
	*skilltest.Room
	t testing.TB
}

func newRoom(t testing.TB) *room {
	t.Helper()
	return &room{t: t, Room: skilltest.NewRoom(t, all, "on", "entity", "event", "target", "name", "error")}
}

// listen has an action done on an event.
func (r *room) listen(name, action string) {
	r.t.Helper()
	r.Do("event.listen", `{"eventName":%q,"action":%s}`, name, action)
}

// emit emits an event.
func (r *room) emit(name string) string {
	r.t.Helper()
	return r.Do("event.emit", `{"eventName":%q}`, name)
}
