package cutscene_test

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
type room struct {
	*skilltest.Server
	t       testing.TB
	ann     *profiles.Principal
	moments []string // what viewers were told, since heard was asked last
}

func newRoom(t testing.TB) *room {
	t.Helper()
	r := &room{t: t, Server: skilltest.New(t, all), ann: skilltest.Caller(t, "ann", skilltest.Builder)}
	t.Cleanup(r.World.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			var e struct {
				Event, Error, Target, As string
				Keyframe                 *int
				Data                     json.RawMessage
			}
			if err := json.Unmarshal(m.Payload, &e); err != nil {
				t.Errorf("%s: %v", m.Payload, err)
			}
			n := ""
			if e.Keyframe != nil {
				n = fmt.Sprint(*e.Keyframe)
			}
			text := strings.Join([]string{m.Kind, n, e.As, e.Event, e.Target, string(e.Data), e.Error}, " ")
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

// shared is a global or a row of a table, as viewers see it.
func (r *room) shared(name string) (text string) {
	r.World.View(func(v *world.View) { text = string(r.World.AppendShared(nil, v, name)) })
	return text
}

// content is the hash of what the world holds.
func (r *room) content() (h [32]byte) {
	r.World.View(func(v *world.View) { h = v.ContentHash() })
	return h
}
