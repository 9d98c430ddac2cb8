package spatial_test

import (
	"slices"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/spatial"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
)

func all(w *world.World, _ *agents.Agents) []registry.Skill {
	return slices.Concat(scene.All(w), three.All(w), ecs.All(w), spatial.All(w, solid.NewLooks(w)))
}

// yard has a long wall, a turned beam, and a ball that is tagged.
func yard(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "scene.createEntity", `{"position":[0,1,-5]}`)
	s.Must(t, p, "three.setTransform", `{"entity":"ent_0","scale":[20,2,1]}`)
	s.Must(t, p, "scene.createEntity", `{"position":[10,0.5,0]}`)
	s.Must(t, p, "three.setTransform", `{"entity":"ent_1","rotationEuler":[0,1.5707963267948966,0],"scale":[4,1,1]}`)
	s.Must(t, p, "scene.createEntity", `{"shape":"sphere","size":2,"position":[3,1,4]}`)
	s.Must(t, p, "ecs.addComponent", `{"entity":"ent_2","component":"ball"}`)
}

// house puts what is in a yard, but the wall, into a group with a tag.
func house(tag string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		yard(t, s, p)
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			group, err := tx.Create(world.Spec{Tags: []string{tag}})
			if err != nil {
				return err
			}
			for id := world.ID(2); id <= 3; id++ {
				if err := tx.SetParent(id, group); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// gate has two posts in a group, and a box between them that is not in it.
func gate(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "scene.createEntity", `{"size":2,"position":[-3,1,0]}`)
	s.Must(t, p, "scene.createEntity", `{"size":2,"position":[3,1,0]}`)
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		group, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		for id := world.ID(1); id <= 2; id++ {
			if err := tx.SetParent(id, group); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Must(t, p, "scene.createEntity", `{"position":[0.5,0.5,0]}`)
}

func TestNearest(t *testing.T) {
	skilltest.Run(t, all, "spatial.nearest", []skilltest.Case{
		{Name: "by surfaces", Setup: yard, Input: `{"point":[9,1,-3],"limit":2}`, Want: `{"entities":[{"entity":"ent_1","position":[10,0.5,0],"distance":1.11803},{"entity":"ent_0","position":[0,1,-5],"distance":1.5}]}`},
		{Name: "by tag", Setup: yard, Input: `{"point":[9,1,-3],"tag":"ball"}`, Want: `{"entities":[{"entity":"ent_2","position":[3,1,4],"distance":8.21954}]}`},
		{Name: "a group by its tag", Setup: house("house"), Input: `{"point":[9,1,-3],"tag":"house"}`, Want: `{"entities":[{"entity":"ent_3","position":[6.25,1,1.5],"distance":1.11803}]}`},
		{Name: "a group and what is in it", Setup: house("ball"), Input: `{"point":[3,1,6],"tag":"ball"}`, Want: `{"entities":[{"entity":"ent_2","position":[3,1,4],"distance":1},{"entity":"ent_3","position":[6.25,1,1.5],"distance":1}]}`},
		{Name: "not the group that it is in", Setup: house("house"), Input: `{"entity":"ent_1","tag":"house"}`, Want: `{"entities":[]}`},
		{Name: "no group without a tag", Setup: house("house"), Input: `{"point":[9,1,-3],"limit":1}`, Want: `{"entities":[{"entity":"ent_1","position":[10,0.5,0],"distance":1.11803}]}`},
		{Name: "around a group, by its parts", Setup: gate, Input: `{"entity":"ent_2"}`, Want: `{"entities":[{"entity":"ent_3","position":[0.5,0.5,0],"distance":1}]}`},
		{Name: "not itself", Setup: yard, Input: `{"entity":"ent_2","limit":1}`, Want: `{"entities":[{"entity":"ent_1","position":[10,0.5,0],"distance":5.80074}]}`},
		{Name: "nothing that near", Setup: yard, Input: `{"point":[0,50,0],"maxDistance":10}`, Want: `{"entities":[]}`},
		{Name: "in an empty world", Input: `{"point":[0,50,0],"maxDistance":3e38}`, Want: `{"entities":[]}`},
		{Name: "of nothing", Input: `{}`, Code: registry.CodeInvalidInput, Err: "entity, point: give one of the two"},
		{Name: "of nobody", Setup: yard, Input: `{"entity":"ent_7"}`, Err: "unknown entity ent_7; the nearest are ent_0, ent_1, ent_2"},
	})
}

func TestBounds(t *testing.T) {
	skilltest.Run(t, all, "spatial.bounds", []skilltest.Case{
		{Name: "turned", Setup: yard, Input: `{"entities":["ent_1"]}`, Want: `{"min":[9.5,0,-2],"max":[10.5,1,2],"center":[10,0.5,0],"size":[1,1,4],"parts":[]}`},
		{Name: "two", Setup: yard, Input: `{"entities":["ent_0","ent_2"]}`, Want: `{"min":[-10,0,-5.5],"max":[10,2,5],"center":[0,1,-0.25],"size":[20,2,10.5],"parts":[{"entity":"ent_0","min":[-10,0,-5.5],"max":[10,2,-4.5]},{"entity":"ent_2","min":[2,0,3],"max":[4,2,5]}]}`},
		{Name: "with what is below it", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
			t.Helper()
			yard(t, s, p)
			if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error { return tx.SetParent(3, 1) }); err != nil {
				t.Fatal(err)
			}
			s.Must(t, p, "three.setTransform", `{"entity":"ent_2","position":[0,2,0],"scale":[0.05,0.5,1]}`)
		}, Input: `{"entities":["ent_0"]}`, Want: `{"min":[-10,0,-6],"max":[10,6,-4],"center":[0,3,-5],"size":[20,6,2],"parts":[]}`},
		{Name: "of nobody", Setup: yard, Input: `{"entities":["ent_0","ent_7"]}`, Err: "unknown entity ent_7; the nearest are ent_0, ent_1, ent_2"},
	})
}

func TestMeasure(t *testing.T) {
	skilltest.Run(t, all, "spatial.measure", []skilltest.Case{
		{Name: "two entities", Setup: yard, Input: `{"fromEntity":"ent_2","toEntity":"ent_0"}`, Want: `{"distance":9.48683,"horizontal":9.48683,"delta":[-3,0,-9],"gap":7.5,"direction":[0,0,-1],"touching":false}`},
		{Name: "a point and an entity", Setup: yard, Input: `{"fromPoint":[0,2,-5],"toEntity":"ent_0"}`, Want: `{"distance":1,"horizontal":0,"delta":[0,-1,0],"gap":0,"direction":[0,-1,0],"touching":true}`},
		{Name: "two points", Input: `{"fromPoint":[0,0,0],"toPoint":[3,4,0]}`, Want: `{"distance":5,"horizontal":3,"delta":[3,4,0],"gap":5,"direction":[0.6,0.8,0],"touching":false}`},
		{Name: "what stands in a group that is open", Setup: gate, Input: `{"fromEntity":"ent_3","toEntity":"ent_2"}`, Want: `{"distance":0.70711,"horizontal":0.5,"delta":[-0.5,0.5,0],"gap":1,"direction":[1,0,0],"touching":false}`},
		{Name: "a group to what stands in it", Setup: gate, Input: `{"fromEntity":"ent_2","toEntity":"ent_3"}`, Want: `{"distance":0.70711,"horizontal":0.5,"delta":[0.5,-0.5,0],"gap":1,"direction":[-1,0,0],"touching":false}`},
		{Name: "a group to a point between its parts", Setup: gate, Input: `{"fromEntity":"ent_2","toPoint":[1,1,0]}`, Want: `{"distance":1,"horizontal":1,"delta":[1,0,0],"gap":1,"direction":[-1,0,0],"touching":false}`},
		{Name: "a part and its group", Setup: gate, Input: `{"fromEntity":"ent_0","toEntity":"ent_2"}`, Want: `{"distance":3,"horizontal":3,"delta":[3,0,0],"gap":4,"direction":[1,0,0],"touching":false}`},
		{Name: "a group far off", Setup: gate, Input: `{"fromPoint":[100003,1,0],"toEntity":"ent_2"}`, Want: `{"distance":100003,"horizontal":100003,"delta":[-100003,0,0],"gap":99999,"direction":[-1,0,0],"touching":false}`},
		{Name: "from nowhere", Input: `{"toPoint":[3,4,0]}`, Code: registry.CodeInvalidInput, Err: "fromEntity, fromPoint: give one of the two"},
		{Name: "to two", Setup: yard, Input: `{"fromPoint":[0,0,0],"toPoint":[3,4,0],"toEntity":"ent_0"}`, Code: registry.CodeInvalidInput, Err: "toEntity, toPoint: give one of the two"},
		{Name: "of nobody", Setup: yard, Input: `{"fromEntity":"ent_7","toPoint":[3,4,0]}`, Err: "unknown entity ent_7; the nearest are ent_0, ent_1, ent_2"},
	})
}

func TestFreeSpace(t *testing.T) {
	skilltest.Run(t, all, "spatial.freeSpace", []skilltest.Case{
		{Name: "an empty world", Input: `{"size":[2,3,2]}`, Want: `{"found":true,"position":[0,1.5,0],"distance":0,"complete":true}`},
		{Name: "on top of what is there", Setup: yard, Input: `{"size":[1,1,1],"near":[0,5,-5]}`, Want: `{"found":true,"position":[0,2.5,-5],"on":"ent_0","distance":0,"complete":true}`},
		{Name: "beside what is there", Setup: yard, Input: `{"size":[2,1,2],"near":[10,0,0],"margin":0.5}`, Want: `{"found":true,"position":[8,0.5,0],"distance":2,"complete":true}`},
		{Name: "floating", Setup: yard, Input: `{"size":[2,2,2],"near":[3,1,4],"floating":true}`, Want: `{"found":true,"position":[0.8984375,1,4],"distance":2.1015625,"complete":true}`},
		{Name: "no room", Setup: yard, Input: `{"size":[2,2,2],"near":[0,1,-5],"floating":true,"radius":1}`, Want: `{"found":false,"complete":true}`},
		{
			Name: "at the end of the world", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				s.Must(t, p, "scene.createEntity", `{"position":[0,3.4e38,0],"size":5}`)
			},
			Input: `{"size":[1,1e38,1],"near":[0,3.4e38,0],"radius":1}`, Want: `{"found":true,"position":[0,5e+37,0],"distance":0,"complete":true}`,
		},
		{Name: "flat", Input: `{"size":[2,0,2]}`, Code: registry.CodeInvalidInput, Err: "size[1]: must be above 0, got 0"},
	})
	skilltest.Needs(t, all, "spatial.freeSpace", `{"size":[1,1,1]}`, "scene.read",
		"builder.readWrite", "builder.review", "combat.writer", "game.author", "npc.agent", "player.full", "player.limited",
		"reviewer", "reviewer.coordinator", "social.actor", "system.readonly", "terrain.author", "vfx.writer", "world.author")
}
