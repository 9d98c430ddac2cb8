package physics_test

import (
	"math"
	"testing"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/world"
)

func TestSetBody(t *testing.T) {
	const bad = registry.CodeInvalidInput
	body := func(rest string) string { return `{"ok":true,"body":` + rest + `}` }
	skilltest.Run(t, still, "physics.setBody", []skilltest.Case{
		{Name: "a new one", Setup: boxes, Input: `{"entity":"ent_2"}`, Want: body(`{"type":"static","collider":"box","friction":0.5,"restitution":0}`)},
		{Name: "all of it", Setup: boxes, Input: `{"entity":"ent_2","type":"dynamic","collider":"sphere","mass":7,"friction":0,"restitution":1}`, Want: body(`{"type":"dynamic","collider":"sphere","mass":7,"floats":13.36902,"friction":0,"restitution":1}`)},
		{Name: "another type", Setup: boxes, Input: `{"entity":"ent_0","type":"kinematic"}`, Want: body(`{"type":"kinematic","collider":"box","friction":0.5,"restitution":0}`)},
		{Name: "nothing", Setup: boxes, Input: `{"entity":"ent_0"}`, Want: body(`{"type":"static","collider":"box","friction":0.5,"restitution":0}`)},
		{Name: "none", Setup: boxes, Input: `{"entity":"ent_0","type":"none"}`, Want: `{"ok":true}`},
		{Name: "none there", Setup: boxes, Input: `{"entity":"ent_2","type":"none"}`, Want: `{"ok":true}`},
		{Name: "none, and more", Setup: boxes, Input: `{"entity":"ent_0","type":"none","friction":1}`, Code: bad, Err: "type: none takes the body away, and has no collider, mass, density, friction or restitution"},
		{Name: "mass of a static one", Setup: boxes, Input: `{"entity":"ent_0","mass":3}`, Code: bad, Err: "mass: is for dynamic bodies, and this one would be static: give type dynamic, too, or leave mass out"},
		{
			Name: "what is not dynamic any more", Setup: boxes, Input: `{"entity":"ent_3","type":"static"}`, Want: body(`{"type":"static","collider":"sphere","friction":0.5,"restitution":0}`),
		},
		{Name: "a group", Setup: grouped, Input: `{"entity":"ent_4"}`, Want: `{"ok":false,"reason":"ent_4 has no shape: scene.forEach with {\"below\":\"ent_4\"} gives bodies to what is in it"}`},
		{Name: "another collider", Setup: boxes, Input: `{"entity":"ent_0","collider":"mesh"}`, Code: bad, Err: `collider: must be one of "box", "sphere", "capsule", "cylinder", "cone", "wedge", got "mesh"`},
		{Name: "unknown", Setup: boxes, Input: `{"entity":"ent_99"}`, Err: "entity: unknown entity ent_99; the nearest are ent_1, ent_2, ent_3"},
	})
}

// grouped is boxes, with ent_0 under a group.
func grouped(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	boxes(t, s, p)
	_, err := s.World.Update(t.Context(), func(tx *world.Tx) error {
		group, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		return tx.Reparent(1, group)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLoosened tells who lets something fall by what its bodies are now.
func TestLoosened(t *testing.T) {
	build(t, func(s *site) {
		post := s.box("static", world.Vec3{0, 9, 0}, world.Vec3{1, 1, 1})
		lamp := s.box("dynamic", world.Vec3{0, 5, 0}, world.Vec3{1, 1, 1})
		s.do(nil, "physics.addJoint", `{"entity":%q,"kind":"rope","to":%q}`, lamp, post)
		for _, c := range []struct{ input, note string }{
			{`{"entity":"ent_0","friction":1}`, ""},
			{`{"entity":"ent_1","type":"static"}`, "ent_1 hangs by a rope joint, which holds nothing now: neither has a dynamic body any more; physics.removeJoint takes it away"},
			{`{"entity":"ent_1","type":"dynamic"}`, ""},
			{`{"entity":"ent_0","type":"none"}`, "ent_1 hangs by a rope joint, which holds nothing now: ent_0 has no body any more; physics.removeJoint takes it away"},
		} {
			var out physics.SetBodyOut
			if s.do(&out, "physics.setBody", "%s", c.input); out.Note != c.note {
				t.Errorf("%s: %q, want %q", c.input, out.Note, c.note)
			}
		}
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
