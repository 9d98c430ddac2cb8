package architecture_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/architecture"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/world"
)

// TestFoundation looks at what a house stands on where the ground is level, and at what rebuilding makes of it.
func TestFoundation(t *testing.T) {
	s, p := skilltest.New(t, skills), skilltest.Caller(t, "ann", skilltest.Builder)
	parts := func(out string, kinds ...string) (found []architecture.Part) {
		t.Helper()
		var house architecture.BuildingOut
		if err := json.Unmarshal([]byte(out), &house); err != nil {
			t.Fatal(err)
		}
		for _, part := range house.Parts {
			for _, kind := range kinds {
				if part.Kind == kind {
					found = append(found, part)
				}
			}
		}
		return found
	}
	is := func(part *architecture.Part, at, size world.Vec3) {
		t.Helper()
		if part.Position.Dist(at) > 1e-9 || part.Size.Dist(size) > 1e-9 {
			t.Errorf("%s is at %v of %v, want %v of %v", part.Kind, part.Position, part.Size, at, size)
		}
	}
	built := parts(s.Must(t, p, "architecture.building", `{"position":[0,0.5,0],"foundation":0.5,"floor":true,"roofStyle":"flat"}`), "foundation", "doorStep", "floor")
	if len(built) != 4 {
		t.Fatalf("it stands on %+v", built)
	}
	is(&built[0], world.Vec3{0, 0.25, 0}, world.Vec3{8, 0.5, 6})
	is(&built[1], world.Vec3{0, 0.15, 3.2}, world.Vec3{1.8, 0.3, 0.4})
	is(&built[2], world.Vec3{0, 0.05, 3.6}, world.Vec3{1.8, 0.1, 0.4})
	is(&built[3], world.Vec3{0, 0.505, 0}, world.Vec3{7.5, 0.01, 5.5})
	foot := s.Entity(t, built[0].Entity.String())
	if !strings.Contains(foot, `"tags":["building","foundation"]`) || !strings.Contains(foot, `"rigidBody":{"type":"static"`) {
		t.Errorf("the foundation is %s", foot)
	}
	group := s.Must(t, p, "scene.queryEntities", `{"name":"house"}`)
	_, group, _ = strings.Cut(group, `"ent_`)
	group, _, _ = strings.Cut("ent_"+group, `"`)
	wider := s.Must(t, p, "architecture.rebuild", `{"building":"`+group+`","width":10,"depth":7}`)
	again := parts(wider, "foundation", "doorStep", "floor")
	if len(again) != 4 || again[0].Entity != built[0].Entity || again[3].Entity != built[3].Entity {
		t.Fatalf("a wider one stands on %+v", again)
	}
	is(&again[0], world.Vec3{0, 0.25, 0}, world.Vec3{10, 0.5, 7})
	is(&again[1], world.Vec3{0, 0.15, 3.7}, world.Vec3{1.8, 0.3, 0.4})
	none := s.Must(t, p, "architecture.rebuild", `{"building":"`+group+`","foundation":0,"doorSteps":0,"floor":false}`)
	if left := parts(none, "foundation", "doorStep", "floor"); len(left) != 0 {
		t.Errorf("what was taken away: %+v", left)
	}

	level := s.Must(t, p, "architecture.building", `{"position":[40,0,0],"onGround":true}`)
	if left := parts(level, "foundation", "doorStep", "floor"); len(left) != 0 || !strings.Contains(level, `"bounds":{"min":[35.44263,0,-3.501]`) {
		t.Errorf("on level ground: %s", level)
	}
	high := s.Must(t, p, "architecture.building", `{"position":[80,9,0],"foundation":1}`)
	if !strings.Contains(high, `"note":"before the door the ground is 1 m below the last step, which nobody climbs: turn the house, or move it"`) {
		t.Errorf("in the air: %s", high)
	}
	skilltest.Run(t, skills, "architecture.building", []skilltest.Case{
		{Name: "deep", Input: `{"foundation":41}`, Code: registry.CodeInvalidInput, Err: `foundation: must be at least 0 and at most 40, got 41`},
		{Name: "many steps", Input: `{"doorSteps":41}`, Code: registry.CodeInvalidInput, Err: `doorSteps: must be from 0 to 40, got 41`},
	})
}
