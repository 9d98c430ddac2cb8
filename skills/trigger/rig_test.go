package trigger_test

import (
	"encoding/json"
	"fmt"
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
	*skilltest.Server
	t       testing.TB
	ann     *profiles.Principal
	moments []string // what viewers were told, since heard was asked last
}

func newRoom(t testing.TB) *room {
	t.Helper()
	return open(t, all)
}

func open(t testing.TB, skills skilltest.Skills) *room {
	t.Helper()
	r := &room{t: t, Server: skilltest.New(t, skills), ann: skilltest.Caller(t, "ann", skilltest.Builder)}
	t.Cleanup(r.World.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			var e struct {
				Trigger, On, Event, Error string
				Entity                    world.ID
				Name                      string
			}
			if err := json.Unmarshal(m.Payload, &e); err != nil {
				t.Errorf("%s: %v", m.Payload, err)
			}
			text := strings.Join([]string{strings.TrimPrefix(m.Kind, "trigger."), e.On, e.Entity.String(), e.Event, e.Name, e.Error}, " ")
			r.moments = append(r.moments, strings.Join(strings.Fields(text), " "))
		}
	}))
	return r
}

// do calls a skill as ann, which has to succeed, and returns its output.
func (r *room) do(name, format string, args ...any) string {
	r.t.Helper()
	return r.Must(r.t, r.ann, name, fmt.Sprintf(format, args...))
}

// heard returns what viewers were told.
func (r *room) heard() []string {
	all := r.moments
	r.moments = nil
	return all
}

// put moves an entity.
func (r *room) put(entity string, x, y, z float64) {
	r.t.Helper()
	r.do("three.setTransform", `{"entity":%q,"position":[%v,%v,%v]}`, entity, x, y, z)
}

// content is the hash of what the world holds.
func (r *room) content() (h [32]byte) {
	r.World.View(func(v *world.View) { h = v.ContentHash() })
	return h
}

// zone makes one of 2 m around the origin that emits when something enters, leaves and stays a second.
func zone(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	for _, on := range []string{"onEnter", "onExit", "onStay"} {
		s.Must(t, p, "trigger."+on, `{"triggerId":"trg_0","action":{"type":"emit","target":"`+on+`"}}`)
	}
}
