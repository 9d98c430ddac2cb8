package ecs_test

import (
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

func skills(w *world.World, _ *agents.Agents) []registry.Skill { return ecs.All(w) }

// shows checks what viewers get of ent_0.
func shows(want string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
		t.Helper()
		if got := s.Entity(t, "ent_0"); got != want {
			t.Errorf("entity\n got %s\nwant %s", got, want)
		}
	}
}

// one makes ent_0, with tags.
func one(tags ...string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
		t.Helper()
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			_, err := tx.Create(world.Spec{Position: world.Vec3{1, 2, 3}, Tags: tags})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestUpdateComponent(t *testing.T) {
	skilltest.Run(t, skills, "ecs.updateComponent", []skilltest.Case{
		{
			Name: "position", Setup: one(), Input: `{"entity":"ent_0","component":"position","value":[4,5,6]}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[4,5,6],"rot":[0,0,0,1],"scale":[1,1,1]}`),
		},
		{
			Name: "scale", Setup: one(), Input: `{"entity":"ent_0","component":"scale","value":[4,0.5,6]}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[4,0.5,6]}`),
		},
		{
			Name: "rotation", Setup: one(), Input: `{"entity":"ent_0","component":"rotation","value":[0,0.6,0,0.8]}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0.6,0,0.8],"scale":[1,1,1]}`),
		},
		{
			Name: "rotation without w has w 1, and length 1", Setup: one(), Input: `{"entity":"ent_0","component":"rotation","value":[0,0.75,0]}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0.6,0,0.8],"scale":[1,1,1]}`),
		},
		{
			Name: "rotation in degrees", Setup: one(), Input: `{"entity":"ent_0","component":"rotation","value":[0,90,0]}`,
			Want: `{"ok":true,"note":"a rotation is a quaternion x, y, z, w here, and was taken so, with w 1. If angles were meant, call three.setTransform with rotationEuler, in radians"}`,
		},
		{Name: "nobody", Setup: one(), Input: `{"entity":"ent_7","component":"scale","value":[1,1,1]}`, Err: `unknown entity ent_7; the nearest are ent_0`},
		{Name: "empty world", Input: `{"entity":"ent_7","component":"rotation","value":[1,1,1]}`, Err: `unknown entity ent_7; the world has none`},
		{Name: "no rotation", Setup: one(), Input: `{"entity":"ent_0","component":"rotation","value":[0,0,0,0]}`, Code: registry.CodeInvalidInput, Err: `value: must not be all zeros; no rotation is [0, 0, 0, 1]`},
		{Name: "too many", Setup: one(), Input: `{"entity":"ent_0","component":"position","value":[1,2,3,4]}`, Code: registry.CodeInvalidInput, Err: `value: position takes 3 numbers, got 4`},
		{Name: "too few", Input: `{"entity":"ent_0","component":"scale","value":[1,2]}`, Code: registry.CodeInvalidInput, Err: `value: must have from 3 to 4 items, got 2`},
		{Name: "component", Input: `{"entity":"ent_0","component":"color","value":[1,2,3]}`, Code: registry.CodeInvalidInput, Err: `component: must be one of "position", "rotation", "scale", got "color"`},
		{Name: "beyond float32", Input: `{"entity":"ent_0","component":"position","value":[1,2,1e39]}`, Code: registry.CodeInvalidInput, Err: `value[2]: must be from -3.4e+38 to 3.4e+38, got 1e39`},
		{Name: "permission", As: "npc.agent", Input: `{"entity":"ent_0","component":"scale","value":[1,1,1]}`, Code: registry.CodeForbidden, Err: `missing permission: ecs.modify`},
	})
}

func TestAddComponent(t *testing.T) {
	long := strings.Repeat("x", 129)
	many := make([]string, world.MaxTagsOf)
	for i := range many {
		many[i] = "t" + string(rune('a'+i%26)) + string(rune('a'+i/26))
	}
	skilltest.Run(t, skills, "ecs.addComponent", []skilltest.Case{
		{
			Name: "new", Setup: one("b"), Input: `{"entity":"ent_0","component":"a"}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"tags":["a","b"]}`),
		},
		{
			Name: "there already", Setup: one("a"), Input: `{"entity":"ent_0","component":"a"}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"tags":["a"]}`),
		},
		{Name: "nobody", Setup: one(), Input: `{"entity":"ent_1","component":"a"}`, Err: `unknown entity ent_1; the nearest are ent_0`},
		{Name: "empty", Input: `{"entity":"ent_0","component":""}`, Code: registry.CodeInvalidInput, Err: `component: must have at least 1 character, got 0`},
		{Name: "long", Setup: one(), Input: `{"entity":"ent_0","component":"` + long + `"}`, Code: registry.CodeInvalidInput, Err: `component: must have at most 128 bytes, got 129`},
		{Name: "many", Setup: one(many...), Input: `{"entity":"ent_0","component":"one more"}`, Code: registry.CodeCapacityExceeded, Err: `ent_0 has 256 tags; no entity may have more`},
		{Name: "permission", As: "reviewer", Input: `{"entity":"ent_0","component":"a"}`, Code: registry.CodeForbidden, Err: `missing permission: ecs.modify`},
	})
}

func TestRemoveComponent(t *testing.T) {
	skilltest.Run(t, skills, "ecs.removeComponent", []skilltest.Case{
		{
			Name: "one of two", Setup: one("a", "b"), Input: `{"entity":"ent_0","component":"a"}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"tags":["b"]}`),
		},
		{Name: "absent", Setup: one("a"), Input: `{"entity":"ent_0","component":"b"}`, Want: `{"ok":false}`},
		{Name: "nobody", Setup: one(), Input: `{"entity":"ent_1","component":"a"}`, Err: `unknown entity ent_1; the nearest are ent_0`},
		{Name: "no component", Input: `{"entity":"ent_0"}`, Code: registry.CodeInvalidInput, Err: `component: is required: a string of at least 1 character`},
	})
}

func TestPermissions(t *testing.T) {
	for name, input := range map[string]string{
		"ecs.updateComponent": `{"entity":"ent_0","component":"scale","value":[1,1,1]}`,
		"ecs.addComponent":    `{"entity":"ent_0","component":"a"}`,
		"ecs.removeComponent": `{"entity":"ent_0","component":"a"}`,
	} {
		skilltest.Needs(t, skills, name, input, "ecs.modify", "builder.readWrite", "builder.review", "terrain.author")
	}
}
