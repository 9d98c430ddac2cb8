package architecture_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
)

func skills(w *world.World, _ *agents.Agents) []registry.Skill {
	return slices.Concat(architecture.All(w), scene.All(w), three.All(w))
}

func TestBuilding(t *testing.T) {
	skilltest.Run(t, skills, "architecture.building", []skilltest.Case{
		{
			Name: "defaults", Input: `{}`,
			Want: `{"entities":["ent_0","ent_1","ent_2","ent_3","ent_4","ent_5","ent_6","ent_7"],"parts":[` +
				`{"kind":"backWall","entity":"ent_0","position":[0,1.6,-2.875],"size":[8,3.2,0.25]},` +
				`{"kind":"leftWall","entity":"ent_1","position":[-3.875,1.6,0],"size":[0.25,3.2,5.5]},` +
				`{"kind":"rightWall","entity":"ent_2","position":[3.875,1.6,0],"size":[0.25,3.2,5.5]},` +
				`{"kind":"frontWallLeft","entity":"ent_3","position":[-2.35,1.6,2.875],"size":[3.3,3.2,0.25]},` +
				`{"kind":"frontWallRight","entity":"ent_4","position":[2.35,1.6,2.875],"size":[3.3,3.2,0.25]},` +
				`{"kind":"lintel","entity":"ent_5","position":[0,2.7,2.875],"size":[1.4,1,0.25]},` +
				`{"kind":"roofLeft","entity":"ent_6","position":[-2.21437,4.41715,0],"size":[5.31476,0.25,7.002]},` +
				`{"kind":"roofRight","entity":"ent_7","position":[2.21437,4.41715,0],"size":[5.31476,0.25,7]}],` +
				`"bounds":{"min":[-4.55737,0,-3.501],"max":[4.55737,5.89155,3.501]},"entityCount":8,"group":"ent_8","entity":"ent_8"}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				const want = `{"id":"ent_5","eid":5,"pos":[0,2.7,2.875],"rot":[0,0,0,1],"scale":[1,1,1],"body":[0,2.7,2.875,0,0,0,1],"parent":"ent_8","name":"lintel","tags":["building"],` +
					`"shape":{"kind":"box","size":[1.4,1,0.25],"color":10128506},"rigidBody":{"type":"static","collider":"box","friction":0.5,"restitution":0}}`
				if got := s.Entity(t, "ent_5"); got != want {
					t.Errorf("the lintel\n got %s\nwant %s", got, want)
				}
			},
		},
		{
			Name: "flat roof, no lintel", Input: `{"width":4,"depth":4,"height":2,"doorHeight":2,"doorWidth":1,"wallThickness":0.5,"roofStyle":"flat","roofOverhang":0,"position":[10,1,0]}`,
			Want: `{"entities":["ent_0","ent_1","ent_2","ent_3","ent_4","ent_5"],"parts":[` +
				`{"kind":"backWall","entity":"ent_0","position":[10,2,-1.75],"size":[4,2,0.5]},` +
				`{"kind":"leftWall","entity":"ent_1","position":[8.25,2,0],"size":[0.5,2,3]},` +
				`{"kind":"rightWall","entity":"ent_2","position":[11.75,2,0],"size":[0.5,2,3]},` +
				`{"kind":"frontWallLeft","entity":"ent_3","position":[8.75,2,1.75],"size":[1.5,2,0.5]},` +
				`{"kind":"frontWallRight","entity":"ent_4","position":[11.25,2,1.75],"size":[1.5,2,0.5]},` +
				`{"kind":"roof","entity":"ent_5","position":[10,3.125,0],"size":[4,0.25,4]}],` +
				`"bounds":{"min":[8,1,-2],"max":[12,3.25,2]},"entityCount":6,"group":"ent_6","entity":"ent_6"}`,
		},
		{
			Name: "a default door shrinks", Input: `{"width":1,"depth":1,"height":2,"wallThickness":0.125,"withRoof":false}`,
			Want: `{"entities":["ent_0","ent_1","ent_2","ent_3","ent_4"],"parts":[` +
				`{"kind":"backWall","entity":"ent_0","position":[0,1,-0.4375],"size":[1,2,0.125]},` +
				`{"kind":"leftWall","entity":"ent_1","position":[-0.4375,1,0],"size":[0.125,2,0.75]},` +
				`{"kind":"rightWall","entity":"ent_2","position":[0.4375,1,0],"size":[0.125,2,0.75]},` +
				`{"kind":"frontWallLeft","entity":"ent_3","position":[-0.4375,1,0.4375],"size":[0.125,2,0.125]},` +
				`{"kind":"frontWallRight","entity":"ent_4","position":[0.4375,1,0.4375],"size":[0.125,2,0.125]}],` +
				`"bounds":{"min":[-0.5,0,-0.5],"max":[0.5,2,0.5]},"entityCount":5,"group":"ent_5","entity":"ent_5"}`,
		},
		{Name: "thick walls", Input: `{"width":4,"depth":1,"wallThickness":0.5}`, Code: registry.CodeInvalidInput, Err: `wallThickness: must be less than half of width and depth, that is less than 0.5, got 0.5`},
		{Name: "wide door", Input: `{"width":4,"doorWidth":3.75}`, Code: registry.CodeInvalidInput, Err: `doorWidth: must be at most 3.5, the width less both side walls, got 3.75`},
		{Name: "high door", Input: `{"height":2,"doorHeight":2.5}`, Code: registry.CodeInvalidInput, Err: `doorHeight: must be at most 2, the height of the walls, got 2.5`},
		{Name: "position", Input: `{"position":[3.5e38,0,0]}`, Code: registry.CodeInvalidInput, Err: `position[0]: must be from -3.4e+38 to 3.4e+38, got 3.5e38`},
		{Name: "width", Input: `{"width":0}`, Code: registry.CodeInvalidInput, Err: `width: must be greater than 0 and at most 200, got 0`},
		{Name: "depth", Input: `{"depth":201}`, Code: registry.CodeInvalidInput, Err: `depth: must be greater than 0 and at most 200, got 201`},
		{Name: "roof style", Input: `{"roofStyle":"dome"}`, Code: registry.CodeInvalidInput, Err: `roofStyle: must be one of "gable", "hip", "flat", got "dome"`},
		{Name: "meta", Input: `{"meta":[]}`, Code: registry.CodeInvalidInput, Err: `meta: must be an object`},
		{Name: "permission", As: "world.author", Input: `{}`, Code: registry.CodeForbidden, Err: `missing permission: scene.write`},
	})
}

// TestMetaStaysUnderItsKey holds what a caller gives to its place in the event.
func TestMetaStaysUnderItsKey(t *testing.T) {
	s := skilltest.New(t, skills)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "architecture.building", `{"roofStyle":"flat","meta":{"entities":["ent_99"],"type":"skill.executed"}}`)
	events, _ := s.Registry.Trace().Tail(trace.Filter{Type: "architecture.built"})
	if len(events) != 1 {
		t.Fatalf("%d events, want 1", len(events))
	}
	const want = `{"entities":["ent_0","ent_1","ent_2","ent_3","ent_4","ent_5","ent_6"],"bounds":{"min":[-4.5,0,-3.5],"max":[4.5,3.45,3.5]},"meta":{"entities":["ent_99"],"type":"skill.executed"}}`
	if got := string(events[0].Payload); got != want {
		t.Errorf("payload\n got %s\nwant %s", got, want)
	}
}

// TestAllOrNothing fills the world up to the last few entities.
func TestAllOrNothing(t *testing.T) {
	for room := range 9 { // 8 parts and their group
		s := skilltest.New(t, skills)
		p := skilltest.Caller(t, "ann", skilltest.Builder)
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			for range 1000 - room {
				if _, err := tx.Create(world.Spec{}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		before := s.World.Hash()
		_, e := s.Call(p, "architecture.building", `{}`)
		if e == nil || e.Code != registry.CodeCapacityExceeded || e.Message != "the world holds at most 1000 entities, and these would be more; destroy some first, or make fewer" {
			t.Errorf("with room for %d: %v", room, e)
		}
		if s.World.Hash() != before {
			t.Errorf("with room for %d: something of the house is left", room)
		}
	}
}

// TestOneHouse moves, turns and removes a house as one thing.
func TestOneHouse(t *testing.T) {
	s := skilltest.New(t, skills)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "architecture.building", `{"position":[10,1,0],"rotation":1}`)
	s.Must(t, p, "three.setTransform", `{"entity":"ent_8","position":[20,1,5],"rotationEuler":[0,0,0]}`)
	for id, want := range map[string]world.Vec3{"ent_0": {20, 2.6, 2.125}, "ent_5": {20, 3.7, 7.875}} {
		if at := s.At(t, id); at.Dist(want) > 1e-9 {
			t.Errorf("%s is at %v, want %v", id, at, want)
		}
	}
	if got := s.Entity(t, "ent_8"); !strings.Contains(got, `"name":"house","tags":["group"]`) {
		t.Errorf("the whole is %s", got)
	}
	s.Must(t, p, "scene.destroyEntity", `{"entity":"ent_8"}`)
	if s.Len() != 0 {
		t.Errorf("%d entities are left of it", s.Len())
	}
}

func TestPermissions(t *testing.T) {
	skilltest.Needs(t, skills, "architecture.building", `{}`, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
}

// TestBuildingInDegrees: who means degrees reads what they are, beside the house that stands as radians have it.
func TestBuildingInDegrees(t *testing.T) {
	s := skilltest.New(t, skills)
	out := s.Must(t, skilltest.Caller(t, "ann", "builder.readWrite"), "architecture.building", `{"rotation":90}`)
	const want = `"note":"rotation is in radians, and was taken so: 90 is 14.3 turns. If degrees were meant, give 1.5708"}`
	if !strings.HasSuffix(out, want) {
		t.Errorf("got %s, want it to end with %s", out, want)
	}
}
