package three_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/material"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

func skills(w *world.World, _ *agents.Agents) []registry.Skill { return three.All(w) }

// shows checks what viewers get of ent_0.
func shows(want string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
		t.Helper()
		if got := s.Entity(t, "ent_0"); got != want {
			t.Errorf("entity\n got %s\nwant %s", got, want)
		}
	}
}

// one makes ent_0.
func one(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
	t.Helper()
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		_, err := tx.Create(world.Spec{Position: world.Vec3{1, 2, 3}, Scale: world.Vec3{2, 2, 2}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// after makes ent_0 and calls three.setMaterial.
func after(input string) func(testing.TB, *skilltest.Server, *profiles.Principal) {
	return func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		one(t, s, p)
		s.Must(t, p, "three.setMaterial", input)
	}
}

func TestSetTransform(t *testing.T) {
	skilltest.Run(t, skills, "three.setTransform", []skilltest.Case{
		{
			Name: "position", Setup: one, Input: `{"entity":"ent_0","position":[0,-1,0.5]}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[0,-1,0.5],"rot":[0,0,0,1],"scale":[2,2,2]}`),
		},
		{
			Name: "rotation", Setup: one, Input: `{"entity":"ent_0","rotationEuler":[0,3.141592653589793,0]}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,1,0,6.12323399538461e-17],"scale":[2,2,2]}`),
		},
		{
			Name: "scale", Setup: one, Input: `{"entity":"ent_0","scale":[4,3,0.2]}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[4,3,0.2]}`),
		},
		{
			Name: "all", Setup: one, Input: `{"entity":"ent_0","position":[0,0,0],"rotationEuler":[0,0,0],"scale":[1,1,1]}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1]}`),
		},
		{
			Name: "degrees", Setup: one, Input: `{"entity":"ent_0","rotationEuler":[0,0,90]}`,
			Want: `{"ok":true,"note":"rotationEuler is in radians, and was taken so: 90 is 14.3 turns. If degrees were meant, give [0,0,1.5708]"}`,
		},
		{
			Name: "flat", Setup: one, Input: `{"entity":"ent_0","scale":[1,0,1]}`,
			Want: `{"ok":true,"note":"scale 0 makes it flat along that axis; 1 is its made size"}`,
		},
		{
			Name: "mirrored", Setup: one, Input: `{"entity":"ent_0","scale":[-1,1,1]}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[-1,1,1]}`),
		},
		{
			Name: "nothing", Setup: one, Input: `{"entity":"ent_0"}`, Want: `{"ok":true,"note":"nothing changed: give position, rotationEuler, scale, or several of them"}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[2,2,2]}`),
		},
		{
			Name: "below a parent", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				one(t, s, p)
				_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
					_, err := tx.Create(world.Spec{Parent: 1})
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			},
			Input: `{"entity":"ent_1","position":[1,0,0]}`, Want: `{"ok":true}`,
			Check: func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
				t.Helper()
				s.World.View(func(v *world.View) {
					if got, _ := v.Position(2); got != (world.Vec3{3, 2, 3}) {
						t.Errorf("the child is at %v, want [3 2 3]", got)
					}
				})
			},
		},
		{Name: "nobody", Setup: one, Input: `{"entity":"ent_9","position":[0,0,0]}`, Err: `unknown entity ent_9; the nearest are ent_0`},
		{Name: "angles", Input: `{"entity":"ent_0","rotationEuler":[0,90]}`, Code: registry.CodeInvalidInput, Err: `rotationEuler: must have 3 items, got 2`},
		{Name: "wrong name", Input: `{"entity":"ent_0","rotation":[0,0,0]}`, Code: registry.CodeInvalidInput, Err: `rotation: unknown field, did you mean "rotationEuler"? allowed: entity, position, rotationEuler, scale`},
		{Name: "permission", As: "social.actor", Input: `{"entity":"ent_0"}`, Code: registry.CodeForbidden, Err: `missing permission: scene.write`},
	})
}

func TestSetMaterial(t *testing.T) {
	const head = `{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[2,2,2],"material":`
	skilltest.Run(t, skills, "three.setMaterial", []skilltest.Case{
		{
			Name: "named", Setup: one, Input: `{"entity":"ent_0","material":"brick"}`, Want: `{"ok":true}`,
			Check: shows(head + `{"name":"brick","color":10242613,"roughness":0.9,"metalness":0}}`),
		},
		{
			Name: "named with a difference", Setup: one, Input: `{"entity":"ent_0","material":"brick","color":0,"metalness":1,"pbr":true}`, Want: `{"ok":true}`,
			Check: shows(head + `{"name":"brick","pbr":true,"color":0,"roughness":0.9,"metalness":1}}`),
		},
		{
			Name: "what is left out stays", Setup: after(`{"entity":"ent_0","material":"brick","pbr":true,"castShadow":true}`),
			Input: `{"entity":"ent_0","color":255,"receiveShadow":false}`, Want: `{"ok":true}`,
			Check: shows(head + `{"name":"brick","pbr":true,"color":255,"roughness":0.9,"metalness":0,"castShadow":true,"receiveShadow":false}}`),
		},
		{
			Name: "light of its own stays with another material", Setup: after(`{"entity":"ent_0","emissive":16711935}`),
			Input: `{"entity":"ent_0","material":"brick"}`, Want: `{"ok":true}`,
			Check: shows(head + `{"name":"brick","color":10242613,"roughness":0.9,"metalness":0,"emissive":16711935}}`),
		},
		{
			Name: "light is put out", Setup: after(`{"entity":"ent_0","emissive":16711935,"pbr":true}`),
			Input: `{"entity":"ent_0","emissive":0}`, Want: `{"ok":true}`, Check: shows(head + `{"pbr":true}}`),
		},
		{
			Name: "more light than there is", Setup: one, Input: `{"entity":"ent_0","emissive":16777216}`,
			Code: registry.CodeInvalidInput, Err: `emissive: must be from 0 to 16777215, got 16777216`,
		},
		{
			Name: "another name replaces the look and leaves shadows", Setup: after(`{"entity":"ent_0","material":"brick","pbr":true,"color":1,"castShadow":true}`),
			Input: `{"entity":"ent_0","material":"gold"}`, Want: `{"ok":true}`,
			Check: shows(head + `{"name":"gold","color":16765514,"roughness":0.25,"metalness":1,"castShadow":true}}`),
		},
		{
			Name: "nothing", Setup: one, Input: `{"entity":"ent_0"}`, Want: `{"ok":true,"note":"nothing changed: give material, color, roughness, metalness, emissive, pbr, castShadow, receiveShadow, or several of them"}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[2,2,2]}`),
		},
		{
			Name: "unknown material", Setup: one, Input: `{"entity":"ent_0","material":"adamant"}`,
			Code: registry.CodeInvalidInput, Err: `material: unknown material "adamant"; there are brick, concrete, fabric, glass, gold, grass, ice, leather, marble, metal, plaster, plastic, rubber, sand, snow, stone, tile, water, wood`,
		},
		{Name: "nobody", Setup: one, Input: `{"entity":"ent_9","color":1}`, Err: `unknown entity ent_9; the nearest are ent_0`},
		{Name: "roughness", Input: `{"entity":"ent_0","roughness":1.5}`, Code: registry.CodeInvalidInput, Err: `roughness: must be at least 0 and at most 1, got 1.5`},
		{Name: "color", Input: `{"entity":"ent_0","color":16777216}`, Code: registry.CodeInvalidInput, Err: `color: must be from 0 to 16777215, got 16777216`},
	})
}

func TestMaterialsAreNamed(t *testing.T) {
	k, _ := skilltest.New(t, skills).Registry.Lookup("three.setMaterial")
	names := ""
	for i, m := range material.Builtin() {
		switch {
		case i == len(material.Builtin())-1:
			names += " or "
		case i > 0:
			names += ", "
		}
		names += m.Name
	}
	skilltest.Describes(t, k, names)
}

func TestSetLighting(t *testing.T) {
	shines := func(want world.Lighting) func(testing.TB, *skilltest.Server, *profiles.Principal) {
		return func(t testing.TB, s *skilltest.Server, _ *profiles.Principal) {
			t.Helper()
			s.World.View(func(v *world.View) {
				if diff := cmp.Diff(want, s.World.Environment.Lighting.Get(v)); diff != "" {
					t.Errorf("lighting (-want +got):\n%s", diff)
				}
			})
		}
	}
	low := world.DefaultLighting()
	low.DirectionalColor, low.Direction, low.CastShadow = 16766112, world.Vec3{-8, 3, 4}, true
	skilltest.Run(t, skills, "three.setLighting", []skilltest.Case{
		{Name: "defaults are those of a new world", Input: `{}`, Want: `{"ok":true}`, Check: shines(world.DefaultLighting())},
		{Name: "a low sun", Input: `{"directionalColor":16766112,"direction":[-8,3,4],"castShadow":true}`, Want: `{"ok":true}`, Check: shines(low)},
		{
			Name: "what is left out takes its default", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				s.Must(t, p, "three.setLighting", `{"ambientIntensity":0,"shadowMapSize":256,"shadowBias":0.01}`)
			},
			Input: `{}`, Want: `{"ok":true}`, Check: shines(world.DefaultLighting()),
		},
		{Name: "direction", Input: `{"direction":[0,0,0]}`, Code: registry.CodeInvalidInput, Err: `direction: must not be all zeros`},
		{Name: "camera", Input: `{"shadowCameraNear":200}`, Code: registry.CodeInvalidInput, Err: `shadowCameraFar: must be greater than shadowCameraNear, which is 200, got 120`},
		{Name: "map size", Input: `{"shadowMapSize":255}`, Code: registry.CodeInvalidInput, Err: `shadowMapSize: must be from 256 to 4096, got 255`},
		{Name: "bias", Input: `{"shadowBias":-0.011}`, Code: registry.CodeInvalidInput, Err: `shadowBias: must be at least -0.01 and at most 0.01, got -0.011`},
	})
}

func TestPermissions(t *testing.T) {
	for name, input := range map[string]string{
		"three.setTransform": `{"entity":"ent_0"}`, "three.setMaterial": `{"entity":"ent_0"}`, "three.setLighting": `{}`,
	} {
		skilltest.Needs(t, skills, name, input, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
	}
}
