package skills_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/navigation"
	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/skills/validation"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// moving is a room of the whole catalogue in which bodies move.
func moving(t *testing.T) *skilltest.Room {
	t.Helper()
	w := world.New(world.Config{Seed: 7, StepFailed: func(name string, err error) { t.Errorf("step %s: %v", name, err) }})
	who := agents.New(w)
	ways := navigation.New(w, who) // before what moves bodies, as in engine.New
	p := bodies.New(w, bodies.Config{Open: rapiertest.Runtime().Open, Gravity: -9.81})
	r := registry.New(registry.Options{Tick: w.Tick})
	if err := r.Register(skills.All(skills.Deps{World: w, Agents: who, Ways: ways, Physics: p, Registry: r})...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return (&skilltest.Server{World: w, Registry: r}).Room(t, "type", "error", "entity", "from", "kind")
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

// TestTheDocsLamp runs the example of docs/games.md of a joint that breaks: the rope bears the lamp, and not the stone that falls on it. Viewers see the joint go
// and hear why, the game counts it, an undo of other calls leaves it broken, and a checkpoint has it whole again.
func TestTheDocsLamp(t *testing.T) {
	r := moving(t)
	r.Example(t, r.Ann, "../docs/games.md", "### Joints that break")
	r.Steps(240)
	hangs := func() bool {
		t.Helper()
		return strings.Contains(r.Must(t, r.Ann, "physics.joints", `{}`), `"breakForce":200`)
	}
	heard := func() string { return strings.Join(r.Heard(), " ") }
	if !hangs() || strings.Contains(heard(), "joint.broke") {
		t.Fatalf("at rest it has broken: %s", heard())
	}
	r.Do("checkpoint.create", `{"name":"whole"}`)
	r.Do("scene.createEntity", `{"position":[0,9,0.4],"size":0.4,"dynamic":true,"mass":30}`)
	r.Do("three.setTransform", `{"entity":"ent_2","position":[0,5.2,0.7]}`)
	r.Steps(120)
	said := heard()
	if hangs() || strings.Count(said, "joint.broke") != 1 || !strings.Contains(said, "joint.broke ent_1 ent_0 rope") {
		t.Fatalf("it bears the stone, and viewers heard %s", said)
	}
	if got := r.Must(t, r.Ann, "game.counter", `{"name":"broken","action":"get"}`); !strings.Contains(got, `"value":1`) {
		t.Errorf("the game counts %s", got)
	}
	if at := r.At(t, "ent_1"); at[1] > 0 {
		t.Errorf("the lamp is at %v", at)
	}
	r.Do("world.undo", `{"steps":2}`)
	r.Steps(10)
	if hangs() {
		t.Error("an undo of the stone has mended the rope")
	}
	r.Do("checkpoint.load", `{"name":"whole"}`)
	r.Steps(120)
	if !hangs() || r.At(t, "ent_1").Dist(world.Vec3{0, 4, 0}) > 0.05 {
		t.Errorf("after the checkpoint it hangs %v, at %v", hangs(), r.At(t, "ent_1"))
	}
}

// TestValidateWhatHangs has nothing be said of what a joint holds, or has meet, and the same said as ever where it does not.
func TestValidateWhatHangs(t *testing.T) {
	box := func(id string, at, size world.Vec3, body string) []string {
		return []string{
			"scene.createEntity", fmt.Sprintf(`{"position":[%v,%v,%v]%s}`, at[0], at[1], at[2], body),
			"three.setTransform", fmt.Sprintf(`{"entity":%q,"scale":[%v,%v,%v]}`, id, size[0], size[1], size[2]),
		}
	}
	const static, dynamic = `,"static":true`, `,"dynamic":true`
	frame := box("ent_0", world.Vec3{-0.6, 1, 0}, world.Vec3{0.3, 2, 0.3}, static)
	door := box("ent_1", world.Vec3{0, 1, 0}, world.Vec3{1, 2, 0.1}, dynamic) // 5 cm in its frame
	lamp := box("ent_0", world.Vec3{0, 5, 0}, world.Vec3{0.4, 0.4, 0.4}, dynamic)
	shade := box("ent_1", world.Vec3{0, 5.25, 0}, world.Vec3{1, 0.1, 1}, "")
	const asDoor = `{"entity":"ent_1","to":"ent_0","kind":"hinge","at":[-0.5,1,0]%s}`
	const physics = `{"checks":["unsupported"]}`
	for _, c := range []struct {
		name  string
		calls [][]string
		check string
		want  string // what is found; "": nothing
	}{
		{"a door in its frame", [][]string{frame, door, {"physics.addJoint", fmt.Sprintf(asDoor, "")}}, `{}`, ""},
		{"the frame on the door", [][]string{frame, door, {"physics.addJoint", `{"entity":"ent_0","to":"ent_1","kind":"hinge","at":[-0.5,1,0]}`}}, `{}`, ""},
		{"a door that nothing holds", [][]string{frame, door}, `{}`, "interpenetrating"},
		{"a door that meets its frame", [][]string{frame, door, {"physics.addJoint", fmt.Sprintf(asDoor, `,"collide":true`)}}, `{}`, "interpenetrating"},
		{"a door that was taken off", [][]string{frame, door, {"physics.addJoint", fmt.Sprintf(asDoor, "")}, {"physics.removeJoint", `{"entity":"ent_1"}`}}, `{}`, "interpenetrating"},
		{"a door on a rope", [][]string{frame, door, {"physics.addJoint", `{"entity":"ent_1","to":"ent_0","kind":"rope","collide":false}`}}, `{}`, "interpenetrating"},
		{"a door about an axis elsewhere", [][]string{frame, door, {"physics.addJoint", `{"entity":"ent_1","to":"ent_0","kind":"hinge","at":[-5,1,0]}`}}, `{}`, "interpenetrating"},
		{"a door in another frame, too", [][]string{
			frame, door, {"physics.addJoint", fmt.Sprintf(asDoor, "")}, box("ent_2", world.Vec3{0.6, 1, 0}, world.Vec3{0.3, 2, 0.3}, static),
		}, `{}`, "interpenetrating"},
		{"a door with a knob in the frame", [][]string{frame, door, {"physics.addJoint", fmt.Sprintf(asDoor, "")}, {"knob", ""}}, `{}`, ""},
		{"a door with a knob in the frame that has a body", [][]string{frame, door, {"physics.addJoint", fmt.Sprintf(asDoor, "")}, {"knob", "dynamic"}}, `{}`, "interpenetrating"},
		{"a shade on a lamp on a rope", [][]string{lamp, shade, {"physics.addJoint", `{"entity":"ent_0","kind":"rope","toAt":[0,8,0]}`}}, `{}`, ""},
		{"a shade on a lamp", [][]string{lamp, shade}, `{}`, "floating"},
		{"a shade on a lamp under another", [][]string{
			lamp, shade, box("ent_2", world.Vec3{0, 7, 0}, world.Vec3{0.4, 0.4, 0.4}, dynamic),
			{"physics.addJoint", `{"entity":"ent_0","to":"ent_2","kind":"rope"}`},
			{"physics.addJoint", `{"entity":"ent_2","kind":"ball"}`},
		}, `{}`, ""},
		{"a shade on a lamp under another that falls", [][]string{
			lamp, shade, box("ent_2", world.Vec3{0, 7, 0}, world.Vec3{0.4, 0.4, 0.4}, dynamic), {"physics.addJoint", `{"entity":"ent_0","to":"ent_2","kind":"rope"}`},
		}, `{}`, "floating"},
		{"a lamp on a rope", [][]string{lamp, {"physics.addJoint", `{"entity":"ent_0","kind":"rope","toAt":[0,8,0]}`}}, physics, ""},
		{"a lamp on nothing", [][]string{lamp}, physics, "unsupported"},
		{"a lamp under one on a rope", [][]string{
			lamp, box("ent_1", world.Vec3{0, 7, 0}, world.Vec3{0.4, 0.4, 0.4}, dynamic),
			{"physics.addJoint", `{"entity":"ent_0","to":"ent_1","kind":"rope"}`},
			{"physics.addJoint", `{"entity":"ent_1","kind":"rope","toAt":[0,9,0]}`},
		}, physics, ""},
		{"two lamps on each other", [][]string{
			lamp, box("ent_1", world.Vec3{0, 7, 0}, world.Vec3{0.4, 0.4, 0.4}, dynamic), {"physics.addJoint", `{"entity":"ent_0","to":"ent_1","kind":"rope"}`},
		}, physics, "unsupported"},
		{"a lamp whose beam is gone", [][]string{
			lamp, box("ent_1", world.Vec3{0, 7, 0}, world.Vec3{4, 0.4, 0.4}, static),
			{"physics.addJoint", `{"entity":"ent_0","to":"ent_1","kind":"rope"}`},
			{"scene.destroyEntity", `{"entity":"ent_1"}`},
		}, physics, "unsupported"},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			r := moving(t)
			for _, calls := range c.calls {
				for i := 0; i < len(calls); i += 2 {
					if calls[i] == "knob" {
						knob(t, r, calls[i+1])
						continue
					}
					r.Do(calls[i], "%s", calls[i+1])
				}
			}
			var out validation.ValidateOut
			if err := json.Unmarshal([]byte(r.Must(t, r.Ann, "scene.validate", c.check)), &out); err != nil {
				t.Fatal(err)
			}
			wrong := func(f validation.Finding) bool { return f.Kind != c.want }
			if out.OK != (c.want == "") || slices.ContainsFunc(out.Findings, wrong) {
				t.Errorf("found %+v, want %q", out.Findings, c.want)
			}
		})
	}
}

// knob puts a part at the edge of the second entity, with a body of its own if that is given.
func knob(t *testing.T, r *skilltest.Room, body string) {
	t.Helper()
	_, err := r.World.Update(t.Context(), func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{Parent: 2, Position: world.Vec3{-0.5, 0, 0}, Scale: world.Vec3{0.2, 0.1, 2}})
		if err == nil {
			err = r.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 1, 1}})
		}
		if err == nil && body != "" {
			err = r.World.Bodies.Set(tx, id, world.Body{Type: body, Collider: "box"})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
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

// TestGatesFromAPrefab makes two gates of a prefab whose levers and listeners go by an event of the instance: each lever opens its own gate.
func TestGatesFromAPrefab(t *testing.T) {
	r := moving(t)
	gate := `{"name":"gate","operations":[
		{"as":"post","skill":"scene.createEntity","input":{"position":[0,1,0],"scale":[0.3,2,0.3],"static":true}},
		{"as":"flap","skill":"scene.createEntity","input":{"position":[1,1,0],"scale":[1.6,1.6,0.1],"dynamic":true}},
		{"skill":"physics.addJoint","input":{"entity":"$flap.entity","to":"$post.entity","kind":"hinge","at":[0.2,1,0]}},
		{"skill":"physics.setMotor","input":{"entity":"$flap.entity","target":0}},
		{"as":"lever","skill":"scene.createEntity","input":{"position":[-1,1,0],"static":true}},
		{"skill":"interaction.register","input":{"entity":"$lever.entity","prompt":"Open $self.entity","type":"toggle","action":"flap:$self.entity"}},
		{"skill":"event.listen","input":{"eventName":"flap:%s.entity.on","action":{"type":"call","target":"physics.setMotor","data":{"entity":"$flap.entity","target":1}}}}]}`
	const want = `operations[6].input.eventName: "slef" is no parameter and no earlier operation`
	if _, err := r.Call(r.Ann, "prefab.define", fmt.Sprintf(gate, "$slef")); err == nil || !strings.HasPrefix(err.Message, want) {
		t.Errorf("%v, want %s", err, want)
	}
	r.Do("prefab.define", "%s", fmt.Sprintf(gate, "$self"))
	r.Do("prefab.instantiate", `{"name":"gate"}`)
	r.Do("prefab.instantiate", `{"name":"gate","position":[8,0,0]}`)
	r.Do("interaction.toggle", `{"entity":"ent_7"}`)
	r.Steps(120)
	if one, other := turned(t, r, "ent_2"), turned(t, r, "ent_6"); math.Abs(one) > 0.01 || math.Abs(other-1) > 0.01 {
		t.Errorf("the gates are at %.2f and %.2f, want 0 and 1", one, other)
	}
}

// TestTheDocsCart runs the example of docs/games.md of a cart that is driven by an axis, which whoever stands on it is given: it takes the driver along, stops and goes back as a
// player says who may not move things. What others name so does the same, what others name otherwise nothing, and viewers are not told.
func TestTheDocsCart(t *testing.T) {
	r := moving(t)
	r.Example(t, r.Ann, "../docs/games.md", "### Something to drive", func(skill, _ string) {
		if skill == "player.spawn" {
			r.Steps(2) // she is on the cart then
		}
	})
	r.Steps(150)
	cart, driver := r.At(t, "ent_1"), r.At(t, "ent_4")
	if cart[2] < 4 || cart[2] > 6.2 || driver.Sub(cart).Dist(world.Vec3{0, 1.0175, 0}) > 0.3 {
		t.Errorf("the cart is at %v, who stands on it at %v", cart, driver)
	}
	r.Do("input.set", `{"name":"drive","value":0}`)
	r.Steps(90)
	stopped := r.At(t, "ent_1")
	r.Steps(60)
	if at := r.At(t, "ent_1"); at.Dist(stopped) > 0.01 {
		t.Errorf("it has gone on from %v to %v", stopped, at)
	}
	r.Do("input.set", `{"name":"drive","value":-1}`)
	r.Steps(30)
	r.Do("three.setTransform", `{"entity":"ent_4","position":[-5,1,0]}`) // off the cart, which is let go
	r.Steps(90)
	stopped = r.At(t, "ent_1")
	r.Steps(60)
	if at := r.At(t, "ent_1"); at.Dist(stopped) > 0.01 {
		t.Errorf("without a driver it has gone on from %v to %v", stopped, at)
	}
	if _, err := r.Call(r.Ann, "input.set", `{"name":"drive","value":1}`); err == nil || !strings.HasPrefix(err.Message, `"drive" is not bound; you have bound nothing`) {
		t.Errorf("beside the cart: %v", err)
	}
	bo := skilltest.Caller(t, "bo", "player.full")
	r.Must(t, bo, "player.spawn", `{"position":[5,1,0]}`)
	r.Must(t, bo, "input.bind", `{"name":"dive","sources":["KeyS","KeyW"],"type":"axis"}`)
	r.Must(t, bo, "input.set", `{"name":"dive","value":-1}`)
	r.Steps(60)
	if at := r.At(t, "ent_1"); at.Dist(stopped) > 0.01 {
		t.Errorf("by another axis it has gone on from %v to %v", stopped, at)
	}
	r.Must(t, bo, "input.bind", `{"name":"drive","sources":["KeyS","KeyW"],"type":"axis"}`)
	r.Must(t, bo, "input.set", `{"name":"drive","value":-1}`)
	r.Steps(90)
	if at := r.At(t, "ent_1"); at[2] > stopped[2]-1 {
		t.Errorf("sent back it is at %v, and was at %v", at, stopped)
	}
	r.Must(t, bo, "input.bind", `{"name":"drive","sources":["KeyW"]}`) // nothing is pressed any more: its axis is let go
	r.Steps(120)
	stopped = r.At(t, "ent_1")
	r.Steps(60)
	if at := r.At(t, "ent_1"); at.Dist(stopped) > 0.01 {
		t.Errorf("bound anew it has gone on from %v to %v", stopped, at)
	}
	if _, err := r.Call(bo, "physics.setMotor", `{"entity":"ent_3","speed":1}`); err == nil || err.Code != registry.CodeForbidden {
		t.Errorf("he turns the wheels by himself: %v", err)
	}
	for what, at := range map[string]int{"pressed": 1, "released": 0, "pressed:gas": 1, "released:gas": 0} {
		r.Do("event.listen", `{"eventName":"input.%s","action":{"type":"setState","if":"input(\"gas\") == %d","data":{"game":{"counter":{"name":%q}}}}}`, what, at, what)
	}
	r.Must(t, bo, "input.bind", `{"name":"gas","sources":["Space"]}`)
	for _, value := range []string{"true", "0.9", "false", "true"} { // 0.9 is pressed as well
		r.Must(t, bo, "input.set", fmt.Sprintf(`{"name":"gas","value":%s}`, value))
		r.Steps(2)
	}
	for name, want := range map[string]int{"pressed": 2, "released": 1, "pressed:gas": 2, "released:gas": 1} {
		if got := r.Do("game.counter", `{"name":%q,"action":"get"}`, name); !strings.Contains(got, fmt.Sprintf(`"value":%d`, want)) {
			t.Errorf("input.%s was heard as %s, want %d times", name, got, want)
		}
	}
	for _, name := range []string{"input.pressed", "input.moved:drive"} {
		if _, err := r.Call(r.Ann, "event.emit", fmt.Sprintf(`{"eventName":%q}`, name)); err == nil || err.Code != registry.CodeInvalidInput {
			t.Errorf("%s is emitted by a call: %v", name, err)
		}
	}
	for _, heard := range r.Heard() {
		if strings.Contains(heard, "input") {
			t.Errorf("viewers were told %s", heard)
		}
	}
}

// TestElevator has somebody ride an elevator: he steps onto the cab, a button's listener has it go up, and physics.settle, asked at once, waits for both, though
// he who stands on the cab never lets it quite come to rest. Above he walks off.
func TestElevator(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := moving(t)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- r.World.Run(ctx) }()
		defer func() { cancel(); <-done }()
		r.Do("scene.createEntity", `{"position":[0,-0.1,0],"scale":[40,0.2,40],"static":true}`)
		r.Do("scene.createEntity", `{"position":[0,3.9,3.05],"scale":[4,0.2,4],"static":true}`)
		cab := entityOf(t, r.Do("scene.createEntity", `{"position":[0,0.06,0],"scale":[2,0.1,2],"dynamic":true,"mass":400}`))
		r.Do("physics.addJoint", `{"entity":%q,"kind":"slider","min":0,"max":4}`, cab)
		button := entityOf(t, r.Do("scene.createEntity", `{"position":[1.3,1.2,0],"size":0.2,"static":true}`))
		r.Do("interaction.register", `{"entity":%q,"prompt":"Up","type":"use","action":"up"}`, button)
		r.Do("event.listen", `{"eventName":"up","action":{"type":"call","target":"physics.setMotor","data":{"entity":%q,"target":3.89}}}`, cab)
		ann := entityOf(t, r.Do("player.spawn", `{"position":[0,1,0]}`))
		settle := func(what string) (out physics.SettleOut) {
			t.Helper()
			if err := json.Unmarshal([]byte(r.Do("physics.settle", `{"entities":[%q,%q],"seconds":60}`, cab, ann)), &out); err != nil {
				t.Fatal(err)
			}
			if !out.Settled || out.Seconds > 12 || len(out.Restless) > 0 {
				t.Errorf("%s: %+v", what, out)
			}
			return out
		}
		settle("below")
		r.Do("interaction.interact", `{"entity":%q,"actorEntity":%q}`, button, ann)
		if out := settle("on the way"); out.Seconds < 3.8 || len(out.Moved) != 2 {
			t.Errorf("on the way: %+v", out)
		}
		if c, a := r.At(t, cab), r.At(t, ann); math.Abs(c[1]-3.95) > 0.01 || a.Dist(world.Vec3{0, 4.8675, 0}) > 0.05 {
			t.Errorf("above the cab is at %v, and she at %v", c, a)
		}
		r.Do("player.move", `{"entity":%q,"forward":1,"yaw":0,"seconds":0.6}`, ann)
		settle("off")
		if a := r.At(t, ann); math.Abs(a[1]-4.8675) > 0.01 || math.Abs(a[2]-2.7) > 0.2 {
			t.Errorf("off the cab she is at %v", a)
		}
	})
}

// TestGivenControls has a game give controls to whom it is for, and to nobody else: viewers see them with the character, and not what they are at.
func TestGivenControls(t *testing.T) {
	r := moving(t)
	bo := skilltest.Caller(t, "bo", "player.full")
	r.Do("scene.createEntity", `{"scale":[20,1,20],"position":[0,-0.5,0],"static":true}`)
	r.Must(t, bo, "player.spawn", `{"position":[0,1,0]}`)
	refused := func(who *profiles.Principal, skill, input, want string) {
		t.Helper()
		if _, err := r.Call(who, skill, input); err == nil || !strings.HasPrefix(err.Message, want) {
			t.Errorf("%s %s: %v, want %s", skill, input, err, want)
		}
	}
	refused(bo, "input.bind", `{"entity":"ent_1","name":"gas","sources":["KeyW"]}`, "entity: to bind what others are played with needs the permission game.configure")
	refused(r.Ann, "input.bind", `{"entity":"ent_0","name":"gas","sources":["KeyW"]}`, "entity: ent_0 is nobody's body or character")
	refused(r.Ann, "input.bind", `{"entity":"ent_7","name":"gas","sources":["KeyW"]}`, "entity: unknown entity ent_7; the nearest are ent_0, ent_1")
	controls := func(want string) {
		t.Helper()
		if got := r.Entity(t, "ent_1"); strings.Contains(got, `"controls":`) != (want != "") || !strings.Contains(got, want) {
			t.Errorf("viewers see %s, want %s", got, want)
		}
	}
	for _, call := range []string{`"name":"steer","sources":["KeyA","KeyD"],"type":"axis"`, `"name":"gas","sources":["KeyW"]`} {
		r.Do("input.bind", `{"entity":"ent_1",%s}`, call)
	}
	const both = `[{"name":"gas","type":"action","sources":["KeyW"]},{"name":"steer","type":"axis","sources":["KeyA","KeyD"]}]`
	controls(both)
	r.Must(t, bo, "input.bind", `{"name":"gas","sources":["KeyG"]}`) // his own, which is not what is heard
	r.Must(t, bo, "input.set", `{"name":"steer","value":-0.5}`)
	r.Must(t, bo, "input.set", `{"name":"gas","value":true}`)
	controls(both)
	skilltest.Holds(t, "how it is steered", r.Must(t, bo, "input.axis", `{"name":"steer"}`), `{"value":-0.5}`)
	refused(r.Ann, "input.axis", `{"name":"steer"}`, `"steer" is not bound; you have bound nothing`)
	r.Do("input.unbind", `{"entity":"ent_1","name":"gas"}`)
	controls(`[{"name":"steer","type":"axis","sources":["KeyA","KeyD"]}]`)
	skilltest.Holds(t, "what is left is as it was", r.Must(t, bo, "input.axis", `{"name":"steer"}`), `{"value":-0.5}`)
	skilltest.Holds(t, "his own is not pressed", r.Must(t, bo, "input.action", `{"name":"gas"}`), `{"active":false}`)
	refused(r.Ann, "input.unbind", `{"entity":"ent_1","name":"stear"}`, `"stear" is not bound; the nearest is "steer"`)
	refused(r.Ann, "input.unbind", `{"name":"steer"}`, `"steer" is not bound; you have bound nothing`)
	r.Must(t, bo, "input.unbind", `{"name":"gas"}`)
	refused(bo, "input.set", `{"name":"gas","value":1}`, `"gas" is not bound; you have bound 1 names, such as "steer"`)
	r.Do("input.unbind", `{"entity":"ent_1","name":"steer"}`)
	controls("")
}
