package post_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/environment"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestDocs makes the calls that docs/building.md shows.
func TestDocs(t *testing.T) {
	s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		return slices.Concat(skills(w, a), environment.All(environment.New(w)))
	})
	ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("scene.write", "scene.read", "world.write")}
	var during string
	s.Example(t, ann, "../../docs/building.md", "## The finished picture", func(skill, out string) {
		if skill == "scene.render" {
			during = s.Shared("render.post")
		}
		if strings.Contains(out, `"note"`) {
			t.Errorf("%s: %s", skill, out)
		}
	})
	if !strings.Contains(during, `"strength":1.2`) || s.Shared("render.post") != `{}` {
		t.Errorf("viewers get %s, and at the end %s", during, s.Shared("render.post"))
	}
}
