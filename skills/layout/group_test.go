package layout_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
)

// TestGroupOfParts groups things together with what is below them, which stays there; what is elsewhere is refused by the name of its parent.
// TestUngroupSome takes some things out of a group, which is gone when nothing is left in it.
func TestUngroupSome(t *testing.T) {
	parts := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) { // ent_4 holds ent_0 and ent_3, which holds ent_1 and ent_2
		t.Helper()
		for range 3 {
			s.Must(t, p, "scene.createEntity", `{}`)
		}
		s.Must(t, p, "scene.group", `{"entities":["ent_1","ent_2"]}`)
		s.Must(t, p, "scene.group", `{"entities":["ent_0","ent_3"]}`)
	}
	skilltest.Run(t, catalogue, "scene.ungroup", []skilltest.Case{
		{Name: "one", Setup: parts, Input: `{"group":"ent_4","entities":["ent_0"]}`, Want: `{"entities":["ent_0"],"removed":false}`},
		{Name: "one from deeper", Setup: parts, Input: `{"group":"ent_4","entities":["ent_1","ent_1"]}`, Want: `{"entities":["ent_1"],"removed":false}`},
		{Name: "one with what is in it", Setup: parts, Input: `{"group":"ent_4","entities":["ent_1","ent_3"]}`, Want: `{"entities":["ent_3"],"removed":false}`},
		{Name: "all", Setup: parts, Input: `{"group":"ent_4","entities":["ent_0","ent_3"]}`, Want: `{"entities":["ent_0","ent_3"],"removed":true}`},
		{Name: "none", Setup: parts, Input: `{"group":"ent_4","entities":[]}`, Want: `{"entities":[],"removed":false}`},
		{Name: "of another", Setup: parts, Input: `{"group":"ent_3","entities":["ent_1","ent_0"]}`, Code: registry.CodeInvalidInput, Err: "entities[1]: ent_0 is not in ent_3, which holds ent_1, ent_2"},
		{Name: "of nothing", Setup: parts, Input: `{"group":"ent_0","entities":["ent_1"]}`, Code: registry.CodeInvalidInput, Err: "entities[0]: ent_1 is not in ent_0, which holds nothing"},
	})
}

func TestGroupOfParts(t *testing.T) {
	// ent_0 and ent_1 are in the group ent_5, which is in ent_6; ent_2 is in the group ent_7; ent_3 and ent_4 are by themselves.
	parts := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		for range 5 {
			s.Must(t, p, "scene.createEntity", `{}`)
		}
		s.Must(t, p, "scene.group", `{"entities":["ent_0","ent_1"]}`)
		s.Must(t, p, "scene.group", `{"entities":["ent_5"]}`)
		s.Must(t, p, "scene.group", `{"entities":["ent_2"]}`)
	}
	under := func(id, parent string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
		return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			if got := s.Entity(t, id); !strings.Contains(got, `"parent":"`+parent+`"`) {
				t.Errorf("%s is %s, want it under %s", id, got, parent)
			}
		}
	}
	const bounds = `"bounds":{"min":[-0.5,-0.5,-0.5],"max":[0.5,0.5,0.5]},"origin":[0,-0.5,0]`
	skilltest.Run(t, catalogue, "scene.group", []skilltest.Case{
		{Name: "with a part", Setup: parts, Input: `{"entities":["ent_3","ent_7","ent_2"]}`, Want: `{"group":"ent_8","entity":"ent_8",` + bounds + `,"note":"1 of the entities is below another one and went with that"}`, Check: under("ent_2", "ent_7")},
		{Name: "parts first, at any depth", Setup: parts, Input: `{"entities":["ent_0","ent_1","ent_6","ent_3"]}`, Want: `{"group":"ent_8","entity":"ent_8",` + bounds + `,"note":"2 of the entities are below others and went with those"}`, Check: under("ent_0", "ent_5")},
		{Name: "into another, from anywhere", Setup: parts, Input: `{"entities":["ent_3","ent_2","ent_1","ent_0"],"into":"ent_6"}`, Want: `{"group":"ent_6","entity":"ent_6",` + bounds + `}`, Check: under("ent_2", "ent_6")},
		{Name: "into itself", Setup: parts, Input: `{"entities":["ent_6"],"into":"ent_5"}`, Code: registry.CodeInvalidInput, Err: "ent_6 cannot be under ent_5, which is under it"},
		{Name: "into nothing", Setup: parts, Input: `{"entities":["ent_3"],"into":"ent_90"}`, Err: "into: unknown entity ent_90; the nearest are ent_5, ent_6, ent_7"},
		{Name: "into, with a name", Setup: parts, Input: `{"entities":["ent_3"],"into":"ent_5","name":"x"}`, Code: registry.CodeInvalidInput, Err: "name: is that of a new group; leave it out, or into"},
		{Name: "into, with an origin", Setup: parts, Input: `{"entities":["ent_3"],"into":"ent_5","origin":[0,0,0]}`, Code: registry.CodeInvalidInput, Err: "origin: is that of a new group; leave it out, or into"},
		{Name: "one twice", Setup: parts, Input: `{"entities":["ent_3","ent_3"]}`, Want: `{"group":"ent_8","entity":"ent_8",` + bounds + `}`, Check: under("ent_3", "ent_8")},
		{Name: "parts of one parent", Setup: parts, Input: `{"entities":["ent_0","ent_1"]}`, Want: `{"group":"ent_8","entity":"ent_8",` + bounds + `}`, Check: under("ent_8", "ent_5")},
		{
			Name: "a part of another", Setup: parts, Input: `{"entities":["ent_3","ent_2"]}`, Code: registry.CodeInvalidInput,
			Err: "entities[1]: ent_2 is under ent_7, and ent_3 under nothing: give ent_7, which holds it, or things of one parent",
		},
		{
			Name: "a part of a part", Setup: parts, Input: `{"entities":["ent_3","ent_1"]}`, Code: registry.CodeInvalidInput,
			Err: "entities[1]: ent_1 is under ent_5, and ent_3 under nothing: give ent_6, which holds it, or things of one parent",
		},
		{
			Name: "a part before others", Setup: parts, Input: `{"entities":["ent_2","ent_3"]}`, Code: registry.CodeInvalidInput,
			Err: "entities[1]: ent_3 is under nothing, and ent_2 under ent_7: give ent_7, which holds that, or things of one parent",
		},
		{
			Name: "parts of two", Setup: parts, Input: `{"entities":["ent_0","ent_2"]}`, Code: registry.CodeInvalidInput,
			Err: "entities[1]: ent_2 is under ent_7, and ent_0 under ent_5: give things of one parent, or what holds them",
		},
	})
}
