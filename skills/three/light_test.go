package three_test

import (
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

func TestSetLight(t *testing.T) {
	const plain = `{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[2,2,2]`
	lit := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		one(t, s, p)
		s.Must(t, p, "three.setLight", `{"entity":"ent_0","kind":"spot","range":30}`)
	}
	skilltest.Run(t, skills, "three.setLight", []skilltest.Case{
		{
			Name: "a lamp", Setup: one, Input: `{"entity":"ent_0"}`, Want: `{"ok":true}`,
			Check: shows(plain + `,"light":{"kind":"point","color":16769212,"intensity":1,"range":12}}`),
		},
		{
			Name: "a spot", Setup: one, Input: `{"entity":"ent_0","kind":"spot","color":255,"intensity":2,"range":50,"angle":0.5}`, Want: `{"ok":true,"note":"it shines level, towards +z; toward [1,0,3] has it shine at the ground below"}`,
			Check: shows(plain + `,"light":{"kind":"spot","color":255,"intensity":2,"range":50,"angle":0.5}}`),
		},
		{
			Name: "another one", Setup: lit, Input: `{"entity":"ent_0","color":255}`, Want: `{"ok":true}`,
			Check: shows(plain + `,"light":{"kind":"spot","color":255,"intensity":1,"range":30,"angle":0.8}}`),
		},
		{
			Name: "of another kind", Setup: lit, Input: `{"entity":"ent_0","kind":"point","intensity":0}`, Want: `{"ok":true}`,
			Check: shows(plain + `,"light":{"kind":"point","color":16769212,"intensity":0,"range":30}}`),
		},
		{
			Name: "at a place", Setup: one, Input: `{"entity":"ent_0","toward":[11,2,3]}`, Want: `{"ok":true}`,
			Check: shows(`{"id":"ent_0","eid":0,"pos":[1,2,3],"rot":[0,0.7071067811865475,0,0.7071067811865475],"scale":[2,2,2],"light":{"kind":"spot","color":16769212,"intensity":1,"range":12,"angle":0.8}}`),
		},
		{Name: "at itself", Setup: one, Input: `{"entity":"ent_0","toward":[1,2,3]}`, Code: registry.CodeInvalidInput, Err: "toward: is where ent_0 is; give a place that it can shine at"},
		{
			Name: "at a place, all around", Setup: one, Input: `{"entity":"ent_0","kind":"point","toward":[1,2,4]}`, Code: registry.CodeInvalidInput,
			Err: "toward: is for a spot, and this lamp is of the kind point",
		},
		{Name: "off", Setup: lit, Input: `{"entity":"ent_0","kind":"off"}`, Want: `{"ok":true}`, Check: shows(plain + `}`)},
		{Name: "nobody", Setup: one, Input: `{"entity":"ent_9"}`, Err: "unknown entity ent_9; the nearest are ent_0"},
	})
	skilltest.Needs(t, skills, "three.setLight", `{"entity":"ent_0"}`, "scene.write", "builder.readWrite", "builder.review", "terrain.author")
}

// TestSpotInGroup turns a spot that is in a group which is turned, moved and larger: it shines where it is told to.
func TestSpotInGroup(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		group, err := tx.Create(world.Spec{Position: world.Vec3{5, 1, 0}, Rotation: world.QuatFromEuler(0.3, 1, 0.2), Scale: world.Vec3{2, 2, 2}})
		if err != nil {
			return err
		}
		_, err = tx.Create(world.Spec{Parent: group, Position: world.Vec3{0, 3, 1}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	place := world.Vec3{-3, 0.5, 8}
	s.Must(t, p, "three.setLight", `{"entity":"ent_1","toward":[-3,0.5,8]}`)
	s.World.View(func(v *world.View) {
		at, _ := v.WorldTransform(2)
		way := place.Sub(at.Position)
		if front := at.Rotation.Rotate(world.Vec3{0, 0, 1}); front.Dist(way.Scale(1/way.Len())) > 1e-9 {
			t.Errorf("its front is %v, the way %v", front, way)
		}
	})
}
