package camera_test

import (
	"encoding/json"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/camera"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

// TestTheOtherRules writes down what the page's rules of where a camera is are tested against, and holds it to what these say.
func TestTheOtherRules(t *testing.T) {
	type sample struct {
		Rig      json.RawMessage `json:"rig"`
		Entity   json.RawMessage `json:"entity"`
		Step     uint64          `json:"step"`
		Position world.Vec3      `json:"position"`
		LookAt   world.Vec3      `json:"lookAt"`
		FOV      float64         `json:"fov"`
	}
	var cameras *camera.Cameras
	r := skilltest.NewRoom(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		cameras = camera.New(camera.Deps{World: w})
		return append(append(scene.All(w), three.All(w)...), camera.All(cameras)...)
	})
	r.Do("scene.createEntity", `{"position":[1,2,3]}`)
	var got []sample
	for _, call := range [][2]string{
		{"follow", `{"target":"ent_0","distance":4,"pitch":0.3}`},
		{"firstPerson", `{"target":"ent_0"}`},
		{"thirdPerson", `{"target":"ent_0"}`},
		{"topDown", `{"target":"ent_0"}`},
		{"cut", `{"position":[4,5,6],"target":[1,1,1]}`},
	} {
		r.Do("three.setTransform", `{"entity":"ent_0","rotationEuler":[0.2,1,0.1]}`)
		r.Do("camera."+call[0], "%s", call[1])
		r.Do("camera.look", `{"pitchDelta":0.2,"yawDelta":-0.7}`)
		r.Do("camera.setFOV", `{"fov":%d,"transitionMs":500}`, 30+10*len(got))
		r.Do("three.setTransform", `{"entity":"ent_0","rotationEuler":[0.1,-2,0.2]}`)
		r.Steps(10)
		var rigs map[string]json.RawMessage
		if err := json.Unmarshal([]byte(r.Shared("camera.rigs")), &rigs); err != nil {
			t.Fatal(err)
		}
		s := sample{Rig: rigs["ann"], Entity: json.RawMessage(r.Entity(t, "ent_0"))}
		r.World.View(func(v *world.View) {
			shot, err := cameras.Shot(v, &profiles.Principal{ID: "ann"}, "")
			if err != nil {
				t.Fatal(err)
			}
			s.Step, s.Position, s.LookAt, s.FOV = v.Step(), shot.Position, shot.LookAt, shot.FOV
		})
		got = append(got, s)
	}
	skilltest.Page(t, "rig.json", got)
}
