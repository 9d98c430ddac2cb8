package scene_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/world"
)

// TestDetails reads single entities: what each has is told, and nothing else.
func TestDetails(t *testing.T) {
	// A static wall of wood, turned, under a group that is twice as large; a painted ball that falls; and nothing at all.
	built := func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
		t.Helper()
		s.Must(t, p, "scene.createEntity", `{"name":"wall","material":"wood","static":true,"position":[1,2,3.0000000000000004],"rotationEuler":[0,2,0],"scale":[4,3,0.2]}`)
		s.Must(t, p, "scene.createEntity", `{"shape":"sphere","size":0.5,"dynamic":true}`)
		tag(t, s, 1, "wall", "old")
		_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
			group, err := tx.Create(world.Spec{Position: world.Vec3{10, 0, 0}, Scale: world.Vec3{2, 2, 2}})
			if err != nil {
				return err
			}
			color := uint32(255)
			if err := s.World.Materials.Set(tx, 2, world.Material{Color: &color}); err != nil {
				return err
			}
			if err := s.World.Lights.Set(tx, group, world.Light{Kind: "point", Color: 255, Intensity: 2, Range: 9}); err != nil {
				return err
			}
			return tx.SetParent(1, group)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	skilltest.Run(t, skills, "scene.queryEntities", []skilltest.Case{
		{
			Name: "a part", Setup: built, Input: `{"ids":["ent_0"],"details":true}`,
			Want: `{"entities":[{"entity":"ent_0","name":"wall","position":[12,4,6],"distance":0,"details":{"parent":"ent_2","localPosition":[1,2,3],"rotationEuler":[0,2,0],"scale":[4,3,0.2],` +
				`"shape":{"kind":"box","size":[1,1,1]},"color":9067059,"material":"wood","tags":["old","wall"],"body":"static"}}]}`,
		},
		{
			Name: "its own colour", Setup: built, Input: `{"ids":["ent_1"],"details":true}`,
			Want: `{"entities":[{"entity":"ent_1","position":[0,0,0],"distance":0,"details":{"rotationEuler":[0,0,0],"scale":[1,1,1],"shape":{"kind":"sphere","size":[0.5,0.5,0.5]},"color":255,"body":"dynamic"}}]}`,
		},
		{
			Name: "a group", Setup: built, Input: `{"ids":["ent_2"],"details":true}`,
			Want: `{"entities":[{"entity":"ent_2","position":[10,0,0],"distance":0,"details":{"children":1,"rotationEuler":[0,0,0],"scale":[2,2,2],"light":{"kind":"point","color":255,"intensity":2,"range":9}}}]}`,
		},
	})
}

// TestDetailsOfMany tells no more than fits into an answer that is read, and says how to ask for less.
func TestDetailsOfMany(t *testing.T) {
	s, ann := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	for range 101 {
		s.Must(t, ann, "scene.createEntity", `{}`)
	}
	const want = "details: are told of at most 100 entities, and more match: name a tag, a name, a group that it is below, near and a smaller radius, or a limit; or list them without details and give ids"
	if _, err := s.Call(ann, "scene.queryEntities", `{"details":true}`); err == nil || err.Code != registry.CodeCapacityExceeded || err.Message != want {
		t.Errorf("of 101: %v", err)
	}
	s.Must(t, ann, "scene.destroyEntity", `{"entity":"ent_7"}`)
	s.Must(t, ann, "scene.queryEntities", `{"details":true}`)
}

// TestAnglesTurnBack gives the angles that are read back: the entity is turned as it was, to the places that are told. Turned about y alone it is
// told by y alone.
func TestAnglesTurnBack(t *testing.T) {
	s, ann := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	read := func(angles world.Vec3) world.Vec3 {
		text, err := json.Marshal(angles)
		if err != nil {
			t.Fatal(err)
		}
		id := s.Must(t, ann, "scene.createEntity", fmt.Sprintf(`{"rotationEuler":%s}`, text))
		var made scene.CreateEntityOut
		if err := json.Unmarshal([]byte(id), &made); err != nil {
			t.Fatal(err)
		}
		defer s.Must(t, ann, "scene.destroyEntity", id)
		var out scene.QueryEntitiesOut
		if err := json.Unmarshal([]byte(s.Must(t, ann, "scene.queryEntities", fmt.Sprintf(`{"ids":[%q],"details":true}`, made.Entity))), &out); err != nil {
			t.Fatal(err)
		}
		return out.Entities[0].Details.RotationEuler
	}
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.OneOf(rapid.Float64Range(-math.Pi, math.Pi), rapid.SampledFrom([]float64{0, 1.5708, -math.Pi / 2, math.Pi, 1.571}))
		a := world.Vec3{angle.Draw(t, "x"), angle.Draw(t, "y"), angle.Draw(t, "z")}
		b := read(a)
		p, q := world.QuatFromEuler(a[0], a[1], a[2]), world.QuatFromEuler(b[0], b[1], b[2])
		const off = 1e-3 // it is half of that near a quarter turn about y, and much less elsewhere
		if same := math.Abs(p[0]*q[0] + p[1]*q[1] + p[2]*q[2] + p[3]*q[3]); math.Acos(min(1, same)) > off {
			t.Errorf("%v is read as %v", a, b)
		}
	})
	for _, y := range []float64{-3, -1.6, -0.5, 0, 0.7854, 1.5708, 2, 3.1} {
		if got := read(world.Vec3{0, y, 0}); got[0] != 0 || got[2] != 0 || math.Abs(got[1]-y) > 1e-3 {
			t.Errorf("a turn of %v is read as %v", y, got)
		}
	}
}
