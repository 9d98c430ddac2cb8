package validation_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
)

// TestRaise has a slab that is 2 cm in the terrace under it be raised by 2 cm, with all that stands on it, in one finding: it went 48 m aside, and what stood
// on it then hung in the air. So has one that is in the ground.
func TestRaise(t *testing.T) {
	for _, under := range []string{"a terrace", "the ground"} {
		t.Run(under, func(t *testing.T) {
			s, p := skilltest.New(t, catalogue), skilltest.Caller(t, "ann", skilltest.Builder)
			top := 0.0
			put := func(at, size world.Vec3) {
				t.Helper()
				s.Must(t, p, "scene.createEntity", fmt.Sprintf(`{"position":[%v,%v,%v],"scale":[%v,%v,%v]}`, at[0], at[1], at[2], size[0], size[1], size[2]))
			}
			if under == "a terrace" {
				top = 2
				put(world.Vec3{0, 1, 0}, world.Vec3{120, 2, 120})
			}
			slab := s.Len()
			put(world.Vec3{0, top + 0.48, 0}, world.Vec3{48, 1, 30})
			put(world.Vec3{3, top + 1.48, 2}, world.Vec3{1, 1, 1})
			put(world.Vec3{3, top + 2.48, 2}, world.Vec3{1, 1, 1})
			put(world.Vec3{-9, top + 1.48, 2}, world.Vec3{2, 1, 1})
			var out validation.ValidateOut
			if err := json.Unmarshal([]byte(s.Must(t, p, "scene.validate", `{}`)), &out); err != nil {
				t.Fatal(err)
			}
			if len(out.Findings) != 1 || out.Findings[0].Follows || len(out.Findings[0].Fix) != 4 || out.Findings[0].Repair != fmt.Sprintf("%v goes 0.02 m up, 3 more go along", world.ID(slab+1)) {
				t.Fatalf("%+v", out.Findings)
			}
			before := map[world.ID]world.Vec3{}
			for i := slab; i < s.Len(); i++ {
				before[world.ID(i+1)] = position(s, world.ID(i+1))
			}
			for _, op := range out.Findings[0].Fix {
				s.Must(t, p, op.Skill, string(op.Input))
			}
			for id, at := range before {
				if way := position(s, id).Sub(at); math.Abs(way[1]-0.02) > 1e-6 || way[0] != 0 || way[2] != 0 {
					t.Errorf("%v has gone %v", id, way)
				}
			}
			if got := s.Must(t, p, "scene.validate", `{}`); got[:10] != `{"ok":true` {
				t.Error(got)
			}
		})
	}
}

// TestFollows tells what is wrong now from what only a repair before would bring about.
func TestFollows(t *testing.T) {
	s, p := skilltest.New(t, catalogue), skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "scene.createEntity", `{"position":[0,0,0],"scale":[2,1,2]}`)
	s.Must(t, p, "scene.createEntity", `{"position":[0,1,0]}`)
	s.Must(t, p, "scene.createEntity", `{"position":[9,5,0]}`)
	var out validation.ValidateOut
	if err := json.Unmarshal([]byte(s.Must(t, p, "scene.validate", `{}`)), &out); err != nil {
		t.Fatal(err)
	}
	now, later := 0, 0
	for _, f := range out.Findings {
		if f.Repair == "" {
			t.Errorf("%s says not what is done", f.Message)
		}
		if f.Follows {
			later++
		} else {
			now++
		}
	}
	if now != 2 || later != 1 {
		t.Errorf("%d are wrong now, %d follow: %+v", now, later, out.Findings)
	}
}

func position(s *skilltest.Server, id world.ID) (p world.Vec3) {
	s.World.View(func(v *world.View) { p, _ = v.Position(id) })
	return p
}
