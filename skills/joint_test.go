package skills_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
	"github.com/limina-mcp/limina/world/physics/rapier"
)

// moving is a room of the whole catalogue in which bodies move.
func moving(t *testing.T) *skilltest.Room {
	t.Helper()
	runtime := rapier.New("")
	w := world.New(world.Config{Seed: 7, StepFailed: func(name string, err error) { t.Errorf("step %s: %v", name, err) }})
	p := bodies.New(w, bodies.Config{Open: runtime.Open, Gravity: -9.81})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(skills.All(skills.Deps{World: w, Agents: agents.New(w), Physics: p, Registry: r})...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := runtime.Close(); err != nil {
			t.Error(err)
		}
	})
	return (&skilltest.Server{World: w, Registry: r}).Room(t, "type", "error")
}

// turned is how far an entity has turned.
func turned(t *testing.T, r *skilltest.Room, entity string) float64 {
	t.Helper()
	var out physics.JointsOut
	if err := json.Unmarshal([]byte(r.Must(t, r.Ann, "physics.joints", fmt.Sprintf(`{"entity":%q}`, entity))), &out); err != nil {
		t.Fatal(err)
	}
	return *out.Joints[0].Travel
}

// TestTheDocsDrawbridge runs the example of docs/games.md: the bridge goes up, comes down for a guest, and goes up behind him; it is undone as other things are.
func TestTheDocsDrawbridge(t *testing.T) {
	r := moving(t)
	r.Example(t, r.Ann, "../docs/games.md", "### Hinges, ropes, wheels, motors")
	stands := func(when string, want float64) {
		t.Helper()
		if got := turned(t, r, "ent_1"); math.Abs(got-want) > 0.03 {
			t.Errorf("%s: the bridge is at %.3f, want %.3f; viewers heard %q", when, got, want, r.Heard())
		}
	}
	r.Steps(120)
	stands("at first", 1.4)
	r.Do("scene.createEntity", `{"position":[20,1,0]}`)
	r.Do("ecs.addComponent", `{"entity":"ent_2","component":"guest"}`)
	r.Steps(120)
	stands("while nobody is there", 1.4)
	r.Do("three.setTransform", `{"entity":"ent_2","position":[6,1,0]}`)
	r.Steps(60)
	stands("on the way", 0.9)
	r.Steps(180)
	stands("for a guest", 0)
	r.Do("three.setTransform", `{"entity":"ent_2","position":[-6,1,0]}`)
	r.Steps(240)
	stands("behind him", 1.4)
	r.Do("physics.removeJoint", `{"entity":"ent_1"}`)
	r.Do("world.undo", `{}`)
	r.Steps(60)
	stands("after an undo", 1.4)
	r.Do("physics.setMotor", `{"entity":"ent_1","target":0}`)
	r.Steps(120)
	stands("lowered", 0)
	r.Do("world.undo", `{}`)
	r.Steps(60)
	stands("on the way back up, at the pace that it had", 0.5)
	r.Steps(180)
	stands("after another undo", 1.4)
}

// TestValidateWhatHangs has nothing be said of a lamp that hangs by a rope, but of a box that nothing holds.
func TestValidateWhatHangs(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"position":[0,5,0],"size":0.4,"dynamic":true}`)
	r.Do("physics.addJoint", `{"entity":"ent_0","kind":"rope","toAt":[0,8,0]}`)
	validate := func(want bool) {
		t.Helper()
		if out := r.Must(t, r.Ann, "scene.validate", `{"checks":["unsupported"]}`); strings.Contains(out, "it falls for ever") != want {
			t.Errorf("scene.validate says %s", out)
		}
	}
	validate(false)
	r.Do("scene.createEntity", `{"position":[30,5,0],"size":0.4,"dynamic":true}`)
	validate(true)
}

// TestCartsFromAPrefab makes two carts of a prefab, whose wheels hang on their own cart and whose lantern hangs in the space of the cart, far from where it was defined.
func TestCartsFromAPrefab(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"position":[0,-5,0],"size":10,"static":true}`)
	r.Do("three.setTransform", `{"entity":"ent_0","scale":[200,1,200]}`)
	r.Do("prefab.define", `{"name":"mill","operations":[
		{"as":"post","skill":"scene.createEntity","input":{"position":[0,2,0],"static":true}},
		{"as":"sail","skill":"scene.createEntity","input":{"position":[0,2,0.7],"dynamic":true,"size":0.3}},
		{"skill":"physics.addJoint","input":{"entity":"$sail.entity","to":"$post.entity","kind":"hinge","axis":[0,0,1]}},
		{"as":"lamp","skill":"scene.createEntity","input":{"position":[3,2,0],"dynamic":true,"size":0.3}},
		{"skill":"physics.addJoint","input":{"entity":"$lamp.entity","kind":"rope","toAt":[3,4,0]}}]}`)
	r.Do("prefab.instantiate", `{"name":"mill","position":[50,0,0]}`)
	r.Do("prefab.instantiate", `{"name":"mill","position":[-50,0,30],"rotationEuler":[0,1.5707963267948966,0]}`)
	r.Do("scene.clone", `{"entity":"ent_1","offset":[0,0,-40]}`)
	r.Steps(120)
	for entity, want := range map[string]world.Vec3{
		"ent_3": {50, 2, 0.7}, "ent_4": {53, 2, 0}, "ent_7": {-49.3, 2, 30}, "ent_8": {-50, 2, 27}, "ent_11": {50, 2, -39.3}, "ent_12": {53, 2, -40},
	} {
		if at := r.At(t, entity); at.Dist(want) > 0.05 {
			t.Errorf("%s is at %.3f, want %.3f", entity, at, want)
		}
	}
}
