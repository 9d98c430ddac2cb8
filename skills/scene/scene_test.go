package scene_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

func skills(w *world.World, _ *agents.Agents) []registry.Skill { return scene.All(w) }

// shows checks what viewers get of an entity.
func shows(entity, want string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
		t.Helper()
		if got := s.Entity(t, entity); got != want {
			t.Errorf("entity\n got %s\nwant %s", got, want)
		}
	}
}

// at makes boxes at the given places, in order.
func at(places ...string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		for _, place := range places {
			s.Must(t, p, "scene.createEntity", `{"position":`+place+`}`)
		}
	}
}

func tag(t testing.TB, s *skilltest.Server, id world.ID, tags ...string) {
	t.Helper()
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		for _, tag := range tags {
			if _, err := tx.AddTag(id, tag); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCreateEntity(t *testing.T) {
	const allowed = "allowed: shape, collider, size, material, pbr, color, position, dynamic, static, mass, density, friction, restitution, name, tags, rotationEuler, scale"
	skilltest.Run(t, skills, "scene.createEntity", []skilltest.Case{
		{
			Name: "defaults", Input: `{}`, Want: `{"entity":"ent_0"}`,
			Check: shows("ent_0", `{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"box","size":[1,1,1],"color":16777215}}`),
		},
		{
			Name: "no input", Input: ``, Want: `{"entity":"ent_0"}`,
		},
		{
			Name: "a second one", Setup: at("[0,0,0]"), Input: `{}`, Want: `{"entity":"ent_1"}`,
		},
		{
			Name: "sphere", Input: `{"shape":"sphere","size":0.5,"color":255,"position":[1,2.5,-3e2]}`, Want: `{"entity":"ent_0"}`,
			Check: shows("ent_0", `{"id":"ent_0","eid":0,"pos":[1,2.5,-300],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"sphere","size":[0.5,0.5,0.5],"color":255}}`),
		},
		{
			Name: "cone", Input: `{"shape":"cone","size":2,"scale":[1,3,1],"dynamic":true}`, Want: `{"entity":"ent_0"}`,
			Check: shows("ent_0", `{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,3,1],"body":[0,0,0,0,0,0,1],"shape":{"kind":"cone","size":[2,2,2],"color":16777215},"rigidBody":{"type":"dynamic","collider":"cone","friction":0.5,"restitution":0}}`),
		},
		{
			Name: "cylinder in a box", Input: `{"shape":"box","collider":"cylinder","static":true}`, Want: `{"entity":"ent_0"}`,
			Check: shows("ent_0", `{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"body":[0,0,0,0,0,0,1],"shape":{"kind":"box","size":[1,1,1],"color":16777215},"rigidBody":{"type":"static","collider":"cylinder","friction":0.5,"restitution":0}}`),
		},
		{
			Name: "material brings its colour", Input: `{"material":"wood"}`, Want: `{"entity":"ent_0"}`,
			Check: shows("ent_0", `{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"box","size":[1,1,1],"color":9067059},"material":{"name":"wood","roughness":0.75,"metalness":0}}`),
		},
		{
			Name: "a colour stands over the material's", Input: `{"material":"wood","color":1,"pbr":true}`, Want: `{"entity":"ent_0"}`,
			Check: shows("ent_0", `{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"box","size":[1,1,1],"color":1},"material":{"name":"wood","pbr":true,"roughness":0.75,"metalness":0}}`),
		},
		{
			Name: "dynamic body", Input: `{"shape":"sphere","dynamic":true,"restitution":0.9}`, Want: `{"entity":"ent_0"}`,
			Check: shows("ent_0", `{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"body":[0,0,0,0,0,0,1],"shape":{"kind":"sphere","size":[1,1,1],"color":16777215},"rigidBody":{"type":"dynamic","collider":"sphere","friction":0.5,"restitution":0.9}}`),
		},
		{
			Name: "static body, own collider", Input: `{"static":true,"collider":"capsule","friction":0}`, Want: `{"entity":"ent_0"}`,
			Check: shows("ent_0", `{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"body":[0,0,0,0,0,0,1],"shape":{"kind":"box","size":[1,1,1],"color":16777215},"rigidBody":{"type":"static","collider":"capsule","friction":0,"restitution":0}}`),
		},
		{
			Name: "a collider alone makes no body", Input: `{"collider":"box"}`, Want: `{"entity":"ent_0"}`,
			Check: shows("ent_0", `{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"box","size":[1,1,1],"color":16777215}}`),
		},
		{
			Name: "name, turn and scale", Input: `{"name":"north wall","rotationEuler":[0,3.141592653589793,0],"scale":[4,3,0.5],"position":[0,1.5,0]}`, Want: `{"entity":"ent_0"}`,
			Check: shows("ent_0", `{"id":"ent_0","eid":0,"pos":[0,1.5,0],"rot":[0,1,0,6.12323399538461e-17],"scale":[4,3,0.5],"name":"north wall","shape":{"kind":"box","size":[1,1,1],"color":16777215}}`),
		},
		{
			Name: "a turn in degrees", Input: `{"rotationEuler":[0,90,0]}`,
			Want: `{"entity":"ent_0","note":"rotationEuler is in radians, and was taken so: 90 is 14.3 turns. If degrees were meant, give [0,1.5708,0]"}`,
		},
		{
			Name: "flat", Input: `{"scale":[1,0,1]}`,
			Want:  `{"entity":"ent_0","note":"scale 0 makes it flat along that axis; 1 leaves it as size has it"}`,
			Check: shows("ent_0", `{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,0,1],"shape":{"kind":"box","size":[1,1,1],"color":16777215}}`),
		},
		{Name: "nothing left", Input: `{"scale":[0,0,0]}`, Code: registry.CodeInvalidInput, Err: `scale: must not be 0 along all axes; [1,1,1] leaves it as size has it`},
		{Name: "name too long", Input: `{"name":"` + strings.Repeat("a", 257) + `"}`, Code: registry.CodeInvalidInput, Err: `name: must have at most 256 bytes, got 257`},
		{
			Name: "unknown material", Input: `{"material":"Wood"}`,
			Code: registry.CodeInvalidInput, Err: `material: unknown material "Wood"; there are brick, concrete, fabric, glass, gold, grass, ice, leather, marble, metal, plaster, plastic, rubber, sand, snow, stone, tile, water, wood`,
		},
		{Name: "two kinds of body", Input: `{"dynamic":true,"static":true}`, Code: registry.CodeInvalidInput, Err: `dynamic and static exclude each other: set one of them`},
		{Name: "a shape by another name", Input: `{"shape":"column","collider":"pyramid"}`, Code: registry.CodeInvalidInput, Err: `shape: must be one of "box", "sphere", "cylinder", "cone", "wedge", "figure", got "column" (did you mean "cylinder"?); collider: must be one of "box", "sphere", "capsule", "cylinder", "cone", "wedge", got "pyramid" (did you mean "cone"?)`},
		{Name: "shape", Input: `{"shape":"torus"}`, Code: registry.CodeInvalidInput, Err: `shape: must be one of "box", "sphere", "cylinder", "cone", "wedge", "figure", got "torus"`},
		{Name: "a person", Input: `{"shape":"person"}`, Code: registry.CodeInvalidInput, Err: `shape: must be one of "box", "sphere", "cylinder", "cone", "wedge", "figure", got "person" (did you mean "figure"?)`},
		{Name: "size", Input: `{"size":0}`, Code: registry.CodeInvalidInput, Err: `size: must be greater than 0 and at most 50, got 0`},
		{Name: "color", Input: `{"color":-1}`, Code: registry.CodeInvalidInput, Err: `color: must be from 0 to 16777215, got -1`},
		{Name: "friction", Input: `{"friction":11}`, Code: registry.CodeInvalidInput, Err: `friction: must be at least 0 and at most 10, got 11`},
		{Name: "position", Input: `{"position":[0,1e39,0]}`, Code: registry.CodeInvalidInput, Err: `position[1]: must be from -3.4e+38 to 3.4e+38, got 1e39`},
		{Name: "unknown field", Input: `{"colour":1}`, Code: registry.CodeInvalidInput, Err: `colour: unknown field, did you mean "color"? ` + allowed},
		{Name: "permission", As: "system.readonly", Input: `{}`, Code: registry.CodeForbidden, Err: `missing permission: scene.write`},
	})
}

func TestCreateEntityInAFullWorld(t *testing.T) {
	s := skilltest.New(t, skills)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	for range 1000 {
		s.Must(t, p, "scene.createEntity", `{"static":true}`)
	}
	before := s.World.Hash()
	_, err := s.Call(p, "scene.createEntity", `{"static":true}`)
	if err == nil || err.Code != registry.CodeCapacityExceeded || err.Message != "the world holds at most 1000 entities, and these would be more; destroy some first, or make fewer" {
		t.Errorf("one too many: %v", err)
	}
	if s.World.Hash() != before {
		t.Error("the refusal changed the world")
	}
}

// TestMaterialsAreNamed holds the description that models read to the list that there is.
func TestMaterialsAreNamed(t *testing.T) {
	s := skilltest.New(t, skills)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	names := ""
	for i, m := range material.Builtin() {
		switch {
		case i == len(material.Builtin())-1:
			names += " or "
		case i > 0:
			names += ", "
		}
		names += m.Name
		s.Must(t, p, "scene.createEntity", `{"material":"`+m.Name+`"}`)
	}
	k, _ := s.Registry.Lookup("scene.createEntity")
	skilltest.Describes(t, k, names)
}

func TestDestroyEntity(t *testing.T) {
	three := at("[0,0,0]", "[1,0,0]", "[2,0,0]")
	skilltest.Run(t, skills, "scene.destroyEntity", []skilltest.Case{
		{
			Name: "one of three", Setup: three, Input: `{"entity":"ent_1"}`, Want: `{"removed":true}`,
			Check: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				const want = `{"entities":[{"entity":"ent_0","position":[0,0,0],"distance":0},{"entity":"ent_2","position":[2,0,0],"distance":0}]}`
				if got := s.Must(t, p, "scene.queryEntities", `{}`); got != want {
					t.Errorf("left: %s", got)
				}
				if got := s.Must(t, p, "scene.createEntity", `{}`); got != `{"entity":"ent_3"}` {
					t.Errorf("an id was used twice: %s", got)
				}
			},
		},
		{
			Name: "its children go with it", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				three(t, s, p)
				if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error { return tx.SetParent(3, 1) }); err != nil {
					t.Fatal(err)
				}
			},
			Input: `{"entity":"ent_0"}`, Want: `{"removed":true}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				if s.Len() != 1 {
					t.Errorf("%d entities are left, want 1", s.Len())
				}
			},
		},
		{Name: "nobody", Setup: three, Input: `{"entity":"ent_3"}`, Want: `{"removed":false}`},
		{Name: "no id", Input: `{"entity":"chair"}`, Code: registry.CodeInvalidInput, Err: `entity: "chair" is not an entity id; ids look like "ent_0", "ent_17"`},
		{Name: "no entity", Input: `{}`, Code: registry.CodeInvalidInput, Err: `entity: is required: an entity id such as "ent_7"`},
		{Name: "permission", As: "social.actor", Input: `{"entity":"ent_0"}`, Code: registry.CodeForbidden, Err: `missing permission: scene.write`},
	})
}

func TestQueryEntities(t *testing.T) {
	village := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		at("[0,0,0]", "[3,4,0]", "[0,0,-10]", "[100,0,0]")(t, s, p)
		tag(t, s, 2, "tree")
		tag(t, s, 4, "tree", "old")
	}
	named := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		village(t, s, p)
		s.Must(t, p, "scene.setName", `{"entity":"ent_1","name":"roofLeft"}`)
		s.Must(t, p, "scene.setName", `{"entity":"ent_2","name":"wall"}`)
		s.Must(t, p, "scene.setName", `{"entity":"ent_3","name":"a roof"}`)
	}
	// The wall is under the left roof, which is under the first.
	under := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		named(t, s, p)
		if _, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			return errors.Join(tx.SetParent(2, 1), tx.SetParent(3, 2))
		}); err != nil {
			t.Fatal(err)
		}
	}
	skilltest.Run(t, skills, "scene.queryEntities", []skilltest.Case{
		{Name: "empty world", Input: `{}`, Want: `{"entities":[]}`},
		{Name: "the first", Setup: named, Input: `{"limit":2}`, Want: `{"entities":[{"entity":"ent_0","position":[0,0,0],"distance":0},{"entity":"ent_1","name":"roofLeft","position":[3,4,0],"distance":0}],"more":2}`},
		{Name: "the next", Setup: named, Input: `{"limit":2,"after":"ent_1","name":"o"}`, Want: `{"entities":[{"entity":"ent_3","name":"a roof","position":[100,0,0],"distance":0}]}`},
		{Name: "no limit", Input: `{"limit":0}`, Code: registry.CodeInvalidInput, Err: "limit: must be from 1 to 100000, got 0"},
		{
			Name: "all", Setup: village, Input: `{}`,
			Want: `{"entities":[{"entity":"ent_0","position":[0,0,0],"distance":0},{"entity":"ent_1","position":[3,4,0],"distance":0},{"entity":"ent_2","position":[0,0,-10],"distance":0},{"entity":"ent_3","position":[100,0,0],"distance":0}]}`,
		},
		{
			Name: "sphere, its border included", Setup: village, Input: `{"near":[0,0,0],"radius":5}`,
			Want: `{"entities":[{"entity":"ent_0","position":[0,0,0],"distance":0},{"entity":"ent_1","position":[3,4,0],"distance":5}]}`,
		},
		{
			Name: "tag", Setup: village, Input: `{"tag":"tree"}`,
			Want: `{"entities":[{"entity":"ent_1","position":[3,4,0],"distance":0},{"entity":"ent_3","position":[100,0,0],"distance":0}]}`,
		},
		{
			Name: "tag and distance", Setup: village, Input: `{"tag":"tree","near":[0,4,0]}`,
			Want: `{"entities":[{"entity":"ent_1","position":[3,4,0],"distance":3},{"entity":"ent_3","position":[100,0,0],"distance":100.07997}]}`,
		},
		{
			Name: "tag and sphere", Setup: village, Input: `{"tag":"tree","near":[0,0,0],"radius":5.5}`,
			Want: `{"entities":[{"entity":"ent_1","position":[3,4,0],"distance":5}]}`,
		},
		{
			Name: "name", Setup: named, Input: `{"name":"ROOF"}`,
			Want: `{"entities":[{"entity":"ent_1","name":"roofLeft","position":[3,4,0],"distance":0},{"entity":"ent_3","name":"a roof","position":[100,0,0],"distance":0}]}`,
		},
		{Name: "name and tag", Setup: named, Input: `{"name":"roof","tag":"old"}`, Want: `{"entities":[{"entity":"ent_3","name":"a roof","position":[100,0,0],"distance":0}]}`},
		{Name: "no such name", Setup: named, Input: `{"name":"door"}`, Want: `{"entities":[]}`},
		{Name: "no such tag", Setup: village, Input: `{"tag":"house"}`, Want: `{"entities":[]}`},
		{Name: "as far as can be", Setup: at("[3.4e38,3.4e38,0]"), Input: `{"near":[-3.4e38,0,0]}`, Want: `{"entities":[{"entity":"ent_0","position":[3.4e+38,3.4e+38,0],"distance":3.4e+38}]}`},
		{
			Name: "below", Setup: under, Input: `{"below":"ent_0"}`,
			Want: `{"entities":[{"entity":"ent_1","name":"roofLeft","position":[3,4,0],"distance":0},{"entity":"ent_2","name":"wall","position":[3,4,-10],"distance":0}]}`,
		},
		{Name: "below, name, tag and sphere", Setup: under, Input: `{"below":"ent_0","name":"roof","tag":"tree","near":[0,0,0],"radius":6}`, Want: `{"entities":[{"entity":"ent_1","name":"roofLeft","position":[3,4,0],"distance":5}]}`},
		{Name: "below what has nothing", Setup: under, Input: `{"below":"ent_2"}`, Want: `{"entities":[]}`},
		{Name: "below nothing", Setup: under, Input: `{"below":"ent_7"}`, Err: `unknown entity ent_7; the nearest are ent_1, ent_2, ent_3`},
		{Name: "ids, each once, oldest first", Setup: named, Input: `{"ids":["ent_2","ent_0","ent_2"]}`, Want: `{"entities":[{"entity":"ent_0","position":[0,0,0],"distance":0},{"entity":"ent_2","name":"wall","position":[0,0,-10],"distance":0}]}`},
		{Name: "ids, tag and sphere", Setup: named, Input: `{"ids":["ent_0","ent_1","ent_3"],"tag":"tree","near":[0,0,0],"radius":6}`, Want: `{"entities":[{"entity":"ent_1","name":"roofLeft","position":[3,4,0],"distance":5}]}`},
		{Name: "ids of nobody", Setup: named, Input: `{"ids":["ent_0","ent_7"]}`, Err: `unknown entity ent_7; the nearest are ent_1, ent_2, ent_3`},
		{Name: "no ids", Input: `{"ids":[]}`, Code: registry.CodeInvalidInput, Err: `ids: must have from 1 to 500 items, got 0`},
		{Name: "roots", Setup: under, Input: `{"roots":true}`, Want: `{"entities":[{"entity":"ent_0","position":[0,0,0],"distance":0},{"entity":"ent_3","name":"a roof","position":[100,0,0],"distance":0}]}`},
		{Name: "roots and tag", Setup: under, Input: `{"roots":true,"tag":"tree"}`, Want: `{"entities":[{"entity":"ent_3","name":"a roof","position":[100,0,0],"distance":0}]}`},
		{Name: "roots below something", Setup: under, Input: `{"roots":true,"below":"ent_0"}`, Code: registry.CodeInvalidInput, Err: `roots: what is below ent_0 has a parent; leave out roots or below`},
		{Name: "radius without near", Input: `{"radius":3}`, Code: registry.CodeInvalidInput, Err: `radius: needs near, the centre of the sphere`},
		{Name: "radius", Input: `{"near":[0,0,0],"radius":0}`, Code: registry.CodeInvalidInput, Err: `radius: must be greater than 0, got 0`},
		{Name: "near", Input: `{"near":[0,0]}`, Code: registry.CodeInvalidInput, Err: `near: must have 3 items, got 2`},
		{Name: "null", Input: `{"near":null}`, Code: registry.CodeInvalidInput, Err: `near: must be an array of 3 items, each a number, got null (leave the key out instead)`},
	})
}

func TestInspect(t *testing.T) {
	const none = `"bounds":null,"center":null,"size":null,"tagCounts":{},"sample":[]}`
	village := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		s.Must(t, p, "scene.createEntity", `{"size":2,"position":[0,1,0]}`)
		s.Must(t, p, "scene.createEntity", `{"shape":"sphere","size":4,"position":[10,0,0]}`)
		s.Must(t, p, "scene.createEntity", `{"position":[0,0,-5]}`)
		tag(t, s, 2, "ball")
		tag(t, s, 3, "ball", "old")
	}
	turned := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		s.Must(t, p, "scene.createEntity", `{"size":2}`)
		s.Must(t, p, "scene.createEntity", `{"size":2,"shape":"sphere"}`)
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			for id := world.ID(1); id <= 2; id++ {
				if err := tx.SetTransform(id, world.Transform{Rotation: world.Quat{0, 0, 0.6, 0.8}, Scale: world.Vec3{10, 1, 1}}); err != nil {
					return err
				}
			}
			_, err := tx.AddTag(2, "ball")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	// A group that is a house, with a box in it and another below that, and a box with a box below it.
	families := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		at("[0,1,0]", "[0,2,0]", "[0,0,7]", "[0,3,0]")(t, s, p)
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			group, err := tx.Create(world.Spec{Position: world.Vec3{10, -5, 0}, Tags: []string{"house"}})
			if err != nil {
				return err
			}
			for _, put := range []struct{ id, under world.ID }{{1, group}, {2, 1}, {4, 3}} {
				if err := tx.SetParent(put.id, put.under); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		tag(t, s, 3, "hat")
	}
	skilltest.Run(t, skills, "scene.inspect", []skilltest.Case{
		{
			Name: "what is below a tagged group counts, and where the group is does not", Setup: families, Input: `{"sampleSize":0,"tag":"house"}`,
			Want: `{"entityCount":1,"bounds":{"min":[9.5,-4.5,-0.5],"max":[10.5,-1.5,0.5]},"center":[10,-3,0],"size":[1,3,1],"tagCounts":{"house":1},"sample":[]}`,
		},
		{
			Name: "what is below a tagged shape counts, too", Setup: families, Input: `{"sampleSize":0,"tag":"hat"}`,
			Want: `{"entityCount":1,"bounds":{"min":[-0.5,-0.5,6.5],"max":[0.5,3.5,7.5]},"center":[0,1.5,7],"size":[1,4,1],"tagCounts":{"hat":1},"sample":[]}`,
		},
		{Name: "empty world", Input: `{}`, Want: `{"entityCount":0,` + none},
		{
			Name: "all", Setup: village, Input: `{}`,
			Want: `{"entityCount":3,"bounds":{"min":[-1,-2,-5.5],"max":[12,2,2]},"center":[5.5,0,-1.75],"size":[13,4,7.5],"tagCounts":{"ball":2,"old":1},` +
				`"sample":[{"entity":"ent_0","position":[0,1,0]},{"entity":"ent_1","position":[10,0,0]},{"entity":"ent_2","position":[0,0,-5]}]}`,
		},
		{
			Name: "tag", Setup: village, Input: `{"tag":"old"}`,
			Want: `{"entityCount":1,"bounds":{"min":[-0.5,-0.5,-5.5],"max":[0.5,0.5,-4.5]},"center":[0,0,-5],"size":[1,1,1],"tagCounts":{"ball":1,"old":1},"sample":[{"entity":"ent_2","position":[0,0,-5]}]}`,
		},
		{Name: "no such tag", Setup: village, Input: `{"tag":"house"}`, Want: `{"entityCount":0,` + none},
		{
			Name: "no sample", Setup: village, Input: `{"sampleSize":0,"tag":"old"}`,
			Want: `{"entityCount":1,"bounds":{"min":[-0.5,-0.5,-5.5],"max":[0.5,0.5,-4.5]},"center":[0,0,-5],"size":[1,1,1],"tagCounts":{"ball":1,"old":1},"sample":[]}`,
		},
		{
			// 10·cos + 1·sin of an angle whose cosine is 0.28 and sine 0.96.
			Name: "rotation and scale count", Setup: turned, Input: `{"sampleSize":0}`,
			Want: `{"entityCount":2,"bounds":{"min":[-3.76,-9.88,-1],"max":[3.76,9.88,1]},"center":[0,0,0],"size":[7.52,19.76,2],"tagCounts":{"ball":1},"sample":[]}`,
		},
		{
			// √((10·0.28)² + 0.96²) and √((10·0.96)² + 0.28²): an ellipsoid is narrower than its box.
			Name: "an ellipsoid", Setup: turned, Input: `{"sampleSize":0,"tag":"ball"}`,
			Want: `{"entityCount":1,"bounds":{"min":[-2.96,-9.60408,-1],"max":[2.96,9.60408,1]},"center":[0,0,0],"size":[5.92,19.20816,2],"tagCounts":{"ball":1},"sample":[]}`,
		},
		{
			Name: "as large as can be", Setup: at("[3.4e38,0,0]", "[-3.4e38,0,0]"), Input: `{"sampleSize":0}`,
			Want: `{"entityCount":2,"bounds":{"min":[-3.4e+38,-0.5,-0.5],"max":[3.4e+38,0.5,0.5]},"center":[0,0,0],"size":[3.4e+38,1,1],"tagCounts":{},"sample":[]}`,
		},
		{Name: "sample size", Input: `{"sampleSize":65}`, Code: registry.CodeInvalidInput, Err: `sampleSize: must be from 0 to 64, got 65`},
	})
}

// TestInspectSamplesEvenly holds the sample to what its description says.
func TestInspectSamplesEvenly(t *testing.T) {
	s := skilltest.New(t, skills)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	for range 10 {
		s.Must(t, p, "scene.createEntity", `{}`)
	}
	out, err := registry.Invoke[scene.InspectIn, scene.InspectOut](t.Context(), s.Registry, p, "scene.inspect", scene.InspectIn{SampleSize: 4})
	if err != nil {
		t.Fatal(err)
	}
	var got []world.ID
	for _, s := range out.Sample {
		got = append(got, s.Entity)
	}
	if want := []world.ID{1, 3, 6, 8}; !slices.Equal(got, want) { // of 0 to 9: 0, 2.5, 5, 7.5
		t.Errorf("sample of 4 out of 10: %v, want %v", got, want)
	}
}

func TestTyped(t *testing.T) {
	s := skilltest.New(t, skills)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	in := registry.Default[scene.CreateEntityIn]()
	in.Position = world.Vec3{1, 2, 3}
	out, err := registry.Invoke[scene.CreateEntityIn, scene.CreateEntityOut](t.Context(), s.Registry, p, "scene.createEntity", in)
	if err != nil || out.Entity != 1 {
		t.Errorf("typed createEntity = %v, %v", out, err)
	}
	_, err = registry.Invoke[scene.CreateEntityIn, scene.CreateEntityOut](t.Context(), s.Registry, p, "scene.createEntity", scene.CreateEntityIn{})
	if want := `shape: must be one of "box", "sphere", "cylinder", "cone", "wedge", "figure", got ""; size: must be greater than 0 and at most 50, got 0`; err == nil || err.Error() != want {
		t.Errorf("the zero input: %v, want %s", err, want)
	}
}

func TestPermissions(t *testing.T) {
	writers := []string{"builder.readWrite", "builder.review", "terrain.author"}
	readers := profiles.Builtin().Names()
	skilltest.Needs(t, skills, "scene.createEntity", `{}`, "scene.write", writers...)
	skilltest.Needs(t, skills, "scene.destroyEntity", `{"entity":"ent_0"}`, "scene.write", writers...)
	skilltest.Needs(t, skills, "scene.queryEntities", `{}`, "scene.read", readers...)
	skilltest.Needs(t, skills, "scene.inspect", `{}`, "scene.read", readers...)
}

// TestCreateTagged makes something with tags, by which it is found.
func TestCreateTagged(t *testing.T) {
	skilltest.Run(t, skills, "scene.createEntity", []skilltest.Case{
		{Name: "two tags", Input: `{"tags":["tree","oak","tree"]}`, Want: `{"entity":"ent_0"}`, Check: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
			t.Helper()
			if got := s.Must(t, p, "scene.queryEntities", `{"tag":"oak","details":true}`); !strings.Contains(got, `"tags":["oak","tree"]`) {
				t.Errorf("%s", got)
			}
		}},
		{Name: "an empty one", Input: `{"tags":["tree",""]}`, Code: registry.CodeInvalidInput, Err: "tags[1]: must have at least 1 character, got 0"},
		{Name: "one of too many bytes", Input: `{"tags":["` + strings.Repeat("ä", 100) + `"]}`, Code: registry.CodeInvalidInput, Err: "tags[0]: must have at most 128 bytes, got 200"},
	})
}

// TestCreateWater notes what looks like water and is none.
func TestCreateWater(t *testing.T) {
	const wet = `"note":"it is a thing that looks like water: nothing swims in it`
	s := skilltest.New(t, skills)
	ann := skilltest.Caller(t, "ann", "builder.readWrite")
	for input, want := range map[string]bool{
		`{"name":"River water","scale":[10,0.1,40],"color":2254540}`: true,
		`{"material":"water","scale":[10,0.2,10]}`:                   true,
		`{"name":"lake-2","shape":"cylinder","scale":[8,0.1,8]}`:     true,
		`{"name":"waterwheel","scale":[4,0.5,4]}`:                    false,
		`{"name":"lake house","scale":[8,6,8]}`:                      false,
		`{"name":"glass of water","size":0.1}`:                       false,
		`{"name":"road","scale":[8,0.1,8],"color":255}`:              false,
	} {
		if got := s.Must(t, ann, "scene.createEntity", input); strings.Contains(got, wet) != want {
			t.Errorf("%s: %s, want the note %t", input, got, want)
		}
	}
}
