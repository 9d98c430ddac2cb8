package scene_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

func TestSetName(t *testing.T) {
	named := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		at("[0,0,0]")(t, s, p)
		s.Must(t, p, "scene.setName", `{"entity":"ent_0","name":"mill"}`)
	}
	called := func(want string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
		return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			if got := s.Entity(t, "ent_0"); strings.Contains(got, `"name":`) != (want != "") || want != "" && !strings.Contains(got, fmt.Sprintf(`"name":%q`, want)) {
				t.Errorf("the entity is %s, want the name %q", got, want)
			}
		}
	}
	skilltest.Run(t, skills, "scene.setName", []skilltest.Case{
		{Name: "a name", Setup: at("[0,0,0]"), Input: `{"entity":"ent_0","name":"town hall"}`, Want: `{"ok":true}`, Check: called("town hall")},
		{Name: "another", Setup: named, Input: `{"entity":"ent_0","name":"bakery"}`, Want: `{"ok":true}`, Check: called("bakery")},
		{Name: "none", Setup: named, Input: `{"entity":"ent_0","name":""}`, Want: `{"ok":true}`, Check: called("")},
		{Name: "nobody", Setup: named, Input: `{"entity":"ent_4","name":"x"}`, Err: "unknown entity ent_4; the nearest are ent_0"},
		{Name: "too long", Setup: named, Input: `{"entity":"ent_0","name":"` + strings.Repeat("x", 257) + `"}`, Code: registry.CodeInvalidInput, Err: "name: must have at most 256 bytes, got 257", Check: called("mill")},
	})
	skilltest.Needs(t, skills, "scene.setName", `{"entity":"ent_0","name":"x"}`, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
}
