package physics_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/physics"
)

func TestSetBody(t *testing.T) {
	const bad = registry.CodeInvalidInput
	body := func(rest string) string { return `{"body":` + rest + `}` }
	skilltest.Run(t, still, "physics.setBody", []skilltest.Case{
		{Name: "a new one", Setup: boxes, Input: `{"entity":"ent_2"}`, Want: body(`{"type":"static","collider":"box","friction":0.5,"restitution":0}`)},
		{Name: "all of it", Setup: boxes, Input: `{"entity":"ent_2","type":"dynamic","collider":"sphere","mass":7,"friction":0,"restitution":1}`, Want: body(`{"type":"dynamic","collider":"sphere","mass":7,"friction":0,"restitution":1}`)},
		{Name: "another type", Setup: boxes, Input: `{"entity":"ent_0","type":"kinematic"}`, Want: body(`{"type":"kinematic","collider":"box","friction":0.5,"restitution":0}`)},
		{Name: "nothing", Setup: boxes, Input: `{"entity":"ent_0"}`, Want: body(`{"type":"static","collider":"box","friction":0.5,"restitution":0}`)},
		{Name: "none", Setup: boxes, Input: `{"entity":"ent_0","type":"none"}`, Want: `{}`},
		{Name: "none there", Setup: boxes, Input: `{"entity":"ent_2","type":"none"}`, Want: `{}`},
		{Name: "none, and more", Setup: boxes, Input: `{"entity":"ent_0","type":"none","friction":1}`, Code: bad, Err: "type: none takes the body away, and has no collider, mass, friction or restitution"},
		{Name: "mass of a static one", Setup: boxes, Input: `{"entity":"ent_0","mass":3}`, Code: bad, Err: "mass: is for dynamic bodies, this one is static"},
		{Name: "another collider", Setup: boxes, Input: `{"entity":"ent_0","collider":"mesh"}`, Code: bad, Err: `collider: must be one of "box", "sphere", "capsule", "cylinder", "cone", "wedge", got "mesh"`},
		{Name: "unknown", Setup: boxes, Input: `{"entity":"ent_99"}`, Err: "entity: unknown entity ent_99; the nearest are ent_1, ent_2, ent_3"},
	})
}

// TestSolid has what was built without bodies fall, be stood on, and be fallen through.
func TestSolid(t *testing.T) {
	build(t, func(s *site) {
		s.do(nil, "scene.createEntity", `{"position":[0,2,0],"scale":[8,0.5,8]}`)
		s.do(nil, "scene.createEntity", `{"position":[0,6,0]}`)
		s.do(nil, "physics.setBody", `{"entity":"ent_0"}`)
		s.do(nil, "physics.setBody", `{"entity":"ent_1","type":"dynamic"}`)
		s.settle(4)
		if y := s.at("ent_1")[1]; math.Abs(y-2.75) > 0.02 {
			t.Errorf("on what is solid now it has come to %v", y)
		}
		var out physics.SetBodyOut
		s.do(&out, "physics.setBody", `{"entity":"ent_0","type":"none"}`)
		s.settle(4)
		if y := s.at("ent_1")[1]; out.Body != nil || y > 1 {
			t.Errorf("through what has no body any more it has fallen to %v", y)
		}
	})
}
