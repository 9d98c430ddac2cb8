package camera_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/input"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/vfx"
	"github.com/limina-mcp/limina/world"
)

// TestDocs makes the calls that docs/games.md shows.
func TestDocs(t *testing.T) {
	r := skilltest.NewRoom(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		return slices.Concat(all(w, a), vfx.All(vfx.New(w)), input.All(input.New(w)))
	})
	var out []string
	r.Example(t, r.Ann, "../../docs/games.md", "## Fire, cameras, buttons", func(_, output string) { out = append(out, output) })
	if last := out[len(out)-1]; last != `{"value":-0.5}` {
		t.Errorf("at the end: %s", last)
	}
	if picture := out[6]; !strings.Contains(picture, `"entity":"ent_0"`) || !strings.Contains(picture, `"entity":"ent_1"`) {
		t.Errorf("the camera does not see the hero and the fire: %s", picture)
	}
	r.Steps(90)
	if got := r.Shared("vfx.emitters"); !strings.Contains(got, `"playing":true`) || strings.Contains(got, "vfx_1") {
		t.Errorf("after a second and a half viewers see %s", got)
	}
}
