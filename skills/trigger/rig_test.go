package trigger_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/checkpoint"
	"github.com/limina-mcp/limina/skills/claims"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/world"
)

func all(w *world.World, _ *agents.Agents) []registry.Skill {
	return slices.Concat(scene.All(w), three.All(w), ecs.All(w), batch.All(w), history.All(w), claims.All(w),
		checkpoint.All(checkpoint.New(w)), trigger.All(trigger.New(w, audio.New(w))))
}

// room is a world with triggers, as a builder and a viewer see it.
type room struct {
	*skilltest.Room
	t testing.TB
}

func newRoom(t testing.TB) *room {
	t.Helper()
	return open(t, all)
}

func open(t testing.TB, skills skilltest.Skills) *room {
	t.Helper()
	return &room{t: t, Room: skilltest.NewRoom(t, skills, "on", "entity", "event", "name", "error")}
}

// Heard returns what viewers were told, without the word trigger.
func (r *room) Heard() []string {
	all := r.Room.Heard()
	for i := range all {
		all[i] = strings.TrimPrefix(all[i], "trigger.")
	}
	return all
}

// put moves an entity.
func (r *room) put(entity string, x, y, z float64) {
	r.t.Helper()
	r.Do("three.setTransform", `{"entity":%q,"position":[%v,%v,%v]}`, entity, x, y, z)
}

// zone makes one of 2 m around the origin that emits when something enters, leaves and stays a second.
func zone(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	for _, on := range []string{"onEnter", "onExit", "onStay"} {
		s.Must(t, p, "trigger."+on, `{"triggerId":"trg_0","action":{"type":"emit","target":"`+on+`"}}`)
	}
}
