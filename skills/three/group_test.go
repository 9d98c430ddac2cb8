package three_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/claims"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/prefab"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

func workshop(w *world.World, _ *agents.Agents) []registry.Skill {
	return slices.Concat(scene.All(w), three.All(w), layout.All(w, solid.NewLooks(w)), prefab.All(prefab.New(w)), history.All(w), claims.All(w))
}

// house makes the group ent_3 of a wall of brick, ent_0, and the group ent_2 of a wooden door, ent_1.
func house(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "scene.createEntity", `{"material":"brick"}`)
	s.Must(t, p, "scene.createEntity", `{"material":"wood","position":[3,0,0]}`)
	s.Must(t, p, "scene.group", `{"entities":["ent_1"]}`)
	s.Must(t, p, "scene.group", `{"entities":["ent_0","ent_2"]}`)
}

// car makes the body ent_0 that carries the wheel ent_1.
func car(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "scene.createEntity", `{}`)
	s.Must(t, p, "scene.createEntity", `{"position":[1,0,0]}`)
	if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error { return tx.SetParent(2, 1) }); err != nil {
		t.Fatal(err)
	}
}

// worn returns the materials of entities, as viewers get them.
func worn(t testing.TB, s *skilltest.Server, ids ...string) string {
	t.Helper()
	var all []string
	for _, id := range ids {
		var e struct {
			Material json.RawMessage
		}
		if err := json.Unmarshal([]byte(s.Entity(t, id)), &e); err != nil {
			t.Fatal(err)
		}
		all = append(all, id+" "+string(e.Material))
	}
	return strings.Join(all, "\n")
}

// wears checks the materials of entities.
func wears(want ...string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
		t.Helper()
		var ids []string
		for _, w := range want {
			id, _, _ := strings.Cut(w, " ")
			ids = append(ids, id)
		}
		if got, want := worn(t, s, ids...), strings.Join(want, "\n"); got != want {
			t.Errorf("they wear\n%s\nwant\n%s", got, want)
		}
	}
}

func TestSetMaterialOfGroups(t *testing.T) {
	const (
		brick = `{"name":"brick","roughness":0.9,"metalness":0}`
		wood  = `{"name":"wood","roughness":0.75,"metalness":0}`
		gold  = `{"name":"gold","color":16765514,"roughness":0.25,"metalness":1}`
	)
	skilltest.Run(t, workshop, "three.setMaterial", []skilltest.Case{
		{
			Name: "a group's parts, also those of a group in it, keep what is left out", Setup: house, Input: `{"entity":"ent_3","color":16711680}`, Want: `{"ok":true,"entities":2}`,
			Check: wears(`ent_0 {"name":"brick","color":16711680,"roughness":0.9,"metalness":0}`, `ent_1 {"name":"wood","color":16711680,"roughness":0.75,"metalness":0}`, "ent_2 ", "ent_3 "),
		},
		{Name: "a group of one", Setup: house, Input: `{"entity":"ent_2","material":"gold"}`, Want: `{"ok":true,"entities":1}`, Check: wears("ent_0 "+brick, "ent_1 "+gold)},
		{Name: "the group alone", Setup: house, Input: `{"entity":"ent_3","material":"gold","below":false}`, Want: `{"ok":true}`, Check: wears("ent_0 "+brick, "ent_1 "+wood, "ent_3 "+gold)},
		{Name: "a part alone", Setup: house, Input: `{"entity":"ent_0","material":"gold"}`, Want: `{"ok":true}`, Check: wears("ent_0 "+gold, "ent_1 "+wood)},
		{Name: "what carries something and has a shape", Setup: car, Input: `{"entity":"ent_0","material":"gold"}`, Want: `{"ok":true}`, Check: wears("ent_0 "+gold, "ent_1 ")},
		{Name: "and what it carries", Setup: car, Input: `{"entity":"ent_0","material":"gold","below":true}`, Want: `{"ok":true,"entities":2}`, Check: wears("ent_0 "+gold, "ent_1 "+gold)},
		{Name: "what carries nothing", Setup: car, Input: `{"entity":"ent_1","material":"gold","below":true}`, Want: `{"ok":true}`, Check: wears("ent_0 ", "ent_1 "+gold)},
		{
			Name: "what has no shape at all below it", Setup: one, Input: `{"entity":"ent_0","material":"gold","below":true}`, Want: `{"ok":true}`,
			Check: wears("ent_0 " + gold),
		},
		{
			Name: "a lamp", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
					_, err := tx.Create(world.Spec{})
					return err
				}); err != nil {
					t.Fatal(err)
				}
				s.Must(t, p, "three.setLight", `{"entity":"ent_0","kind":"point"}`)
			},
			Input: `{"entity":"ent_0","color":255}`, Want: `{"ok":true,"note":"ent_0 is a lamp, of which its light alone shows: three.setLight sets its color and intensity"}`,
		},
		{
			Name: "an instance of a prefab", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				house(t, s, p)
				s.Must(t, p, "prefab.define", `{"name":"house","from":["ent_3"]}`)
				s.Must(t, p, "prefab.instantiate", `{"name":"house","position":[9,0,0]}`) // ent_4, and the copy from ent_5
			},
			Input: `{"entity":"ent_4","material":"gold"}`, Want: `{"ok":true,"entities":2}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				wears("ent_0 "+brick, "ent_1 "+wood, "ent_4 ", "ent_5 ", "ent_6 "+gold, "ent_7 ", "ent_8 "+gold)(t, s, nil)
			},
		},
		{
			Name: "a part that somebody else has claimed", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				house(t, s, p)
				s.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "world.claim", `{"min":[2,-1,-1],"max":[4,1,1]}`)
			},
			Input: `{"entity":"ent_3","material":"gold"}`, Code: registry.CodeForbidden, Err: "ent_1, at [3 0 0], is in a region that bob holds, from [2 -1 -1] to [4 1 1] until step 18000. Nothing was changed; work elsewhere, or ask bob to world.release it",
			Check: wears("ent_0 "+brick, "ent_1 "+wood),
		},
		{
			Name: "an unknown material", Setup: house, Input: `{"entity":"ent_3","material":"adamant"}`,
			Code: registry.CodeInvalidInput, Err: `material: unknown material "adamant"; there are brick, concrete, fabric, glass, gold, grass, ice, leather, marble, metal, plaster, plastic, rubber, sand, snow, stone, tile, water, wood`,
		},
	})
}

// TestSetMaterialOfGroupsIsOneStep takes it back by one undo.
func TestSetMaterialOfGroupsIsOneStep(t *testing.T) {
	s := skilltest.New(t, workshop)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	house(t, s, p)
	before, tick := s.Content(), s.World.Tick()
	s.Must(t, p, "three.setMaterial", `{"entity":"ent_3","color":16711680}`)
	if got := s.World.Tick(); got != tick+1 || s.Content() == before {
		t.Errorf("it took %d commits, want 1 that changes something", got-tick)
	}
	if s.Must(t, p, "world.undo", `{}`); s.Content() != before {
		t.Error("an undo does not give back what was there")
	}
}

// TestPanes holds that a house which is painted keeps its windows, unless it is said that they are meant, too.
func TestPanes(t *testing.T) {
	glazed := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		s.Must(t, p, "scene.createEntity", `{"material":"brick"}`)
		s.Must(t, p, "scene.createEntity", `{"material":"glass","position":[3,0,0]}`)
		s.Must(t, p, "scene.createEntity", `{"material":"glass","position":[6,0,0]}`)
		s.Must(t, p, "scene.group", `{"entities":["ent_0","ent_1","ent_2"]}`)
		s.Must(t, p, "scene.group", `{"entities":["ent_1","ent_2"]}`)
	}
	names := func(want string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
		return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			var got []string
			for _, part := range strings.Split(worn(t, s, "ent_0", "ent_1", "ent_2"), "\n") {
				_, name, _ := strings.Cut(part, `"name":"`)
				name, _, _ = strings.Cut(name, `"`)
				got = append(got, name)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%v are worn, want %s", got, want)
			}
		}
	}
	skilltest.Run(t, workshop, "three.setMaterial", []skilltest.Case{
		{
			Name: "a house", Setup: glazed, Input: `{"entity":"ent_3","material":"stone"}`,
			Want: `{"ok":true,"entities":1,"note":"2 parts of glass stay as they are, the first ent_1; below true changes them, too"}`, Check: names("stone glass glass"),
		},
		{Name: "all of it", Setup: glazed, Input: `{"entity":"ent_3","material":"stone","below":true}`, Want: `{"ok":true,"entities":3}`, Check: names("stone stone stone")},
		{Name: "only glass", Setup: glazed, Input: `{"entity":"ent_4","material":"wood"}`, Want: `{"ok":true,"entities":2}`, Check: names("brick wood wood")},
		{Name: "a pane", Setup: glazed, Input: `{"entity":"ent_1","material":"wood"}`, Want: `{"ok":true}`, Check: names("brick wood glass")},
	})
}
