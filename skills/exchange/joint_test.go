package exchange_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/internal/rapiertest"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/physics"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	bodies "github.com/limina-mcp/limina/world/physics"
)

// mill is a server in whose world bodies move.
type mill struct {
	*skilltest.Server
	ann *profiles.Principal
}

func newMill(t testing.TB) *mill {
	t.Helper()
	m := &mill{ann: skilltest.Caller(t, "ann", skilltest.Builder)}
	m.Server = skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		p := bodies.New(w, bodies.Config{Open: rapiertest.Runtime().Open, Gravity: -9.81})
		t.Cleanup(func() {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
		things := solid.NewLooks(w)
		return slices.Concat(exchange.All(exchange.Deps{World: w, Meshes: mesh.New(w), Physics: p, Things: things}), scene.All(w), three.All(w), ecs.All(w), layout.All(w, things), physics.All(w, p, physics.Movers{}))
	})
	return m
}

func (m *mill) do(t testing.TB, name, format string, args ...any) string {
	t.Helper()
	return m.Must(t, m.ann, name, fmt.Sprintf(format, args...))
}

// box makes a box and returns its id.
func (m *mill) box(t testing.TB, kind string, at world.Vec3) string {
	t.Helper()
	var out struct{ Entity string }
	if err := json.Unmarshal([]byte(m.do(t, "scene.createEntity", `{"size":0.5,"position":[%v,%v,%v],%q:true}`, at[0], at[1], at[2], kind)), &out); err != nil {
		t.Fatal(err)
	}
	return out.Entity
}

// build hangs things up in all ways that there are. Nothing has moved yet.
func (m *mill) build(t testing.TB) {
	t.Helper()
	var hung [8]string
	for i := range hung {
		hung[i] = m.box(t, "dynamic", world.Vec3{3 * float64(i), 4, 0})
	}
	post := make([]string, len(hung))
	for i := range post { // younger than what hangs on them
		post[i] = m.box(t, "static", world.Vec3{3 * float64(i), 5, 0.2})
	}
	m.do(t, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"hinge","at":[-0.25,4.2,0],"axis":[0,0,1],"min":-0.4,"max":1.2}`, hung[0], post[0])
	m.do(t, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"slider","axis":[0.1,1,0],"max":1.5}`, hung[1], post[1])
	m.do(t, "physics.setMotor", `{"entity":%q,"speed":0.5,"strength":40}`, hung[1])
	m.do(t, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"ball","at":[6.2,4.25,0],"collide":true}`, hung[2], post[2])
	m.do(t, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"fixed","breakForce":5000}`, hung[3], post[3])
	m.do(t, "physics.addJoint", `{"entity":%q,"kind":"rope","toAt":[13,6,1],"length":2.5}`, hung[4])
	m.do(t, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"spring","stiffness":30,"damping":0.5,"length":0.4}`, hung[5], post[5])
	m.do(t, "physics.addJoint", `{"entity":%q,"to":%q,"kind":"hinge","axis":[1,0,0]}`, hung[6], hung[5])
	m.do(t, "physics.setMotor", `{"entity":%q,"target":2,"pace":0.7}`, hung[6]) // on its way for 3 seconds
	m.do(t, "scene.group", `{"entities":[%q,%q]}`, hung[7], post[7])
	m.do(t, "physics.addJoint", `{"entity":%q,"kind":"hinge","at":[21.2,4,0],"axis":[0,0,1]}`, hung[7])
	m.do(t, "three.setTransform", `{"entity":"ent_16","rotationEuler":[0,0.5,0]}`) // a group, with the place that it hangs on
}

// export returns a scene in a form, as the input of scene.import, and what the answer notes.
func (m *mill) export(t testing.TB, form, more string) (input, note string) {
	t.Helper()
	res := m.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.export", Input: []byte(`{"form":"` + form + `"` + more + `}`), Principal: m.ann}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	var out exchange.ExportOut
	if err := json.Unmarshal(res.Output, &out); err != nil {
		t.Fatal(err)
	}
	in := map[string]any{"form": form}
	if form == "glb" {
		in["data"] = base64.StdEncoding.EncodeToString(res.Content[0].Resource.Blob)
	} else {
		in["manifest"], in["log"] = json.RawMessage(res.Content[0].Resource.Text), res.Content[1].Resource.Text
	}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), out.Note
}

// take puts a scene into a world where ids are others, and returns what they were.
func (m *mill) take(t testing.TB, input string) (was map[string]string) {
	t.Helper()
	for range 20 {
		m.do(t, "scene.destroyEntity", `{"entity":%q}`, m.box(t, "static", world.Vec3{}))
	}
	var out exchange.ImportOut
	if err := json.Unmarshal([]byte(m.do(t, "scene.import", "%s", input)), &out); err != nil {
		t.Fatal(err)
	}
	was = map[string]string{}
	for _, id := range out.IDs {
		if id.Was == id.Now.String() {
			t.Fatalf("%s is the same id as before", id.Was)
		}
		was[id.Now.String()] = id.Was
	}
	return was
}

var ids = regexp.MustCompile(`ent_\d+`)

// hangs returns the joints and where everything is, by the ids that were.
func (m *mill) hangs(t testing.TB, was map[string]string) string {
	t.Helper()
	var out physics.JointsOut
	if err := json.Unmarshal([]byte(m.do(t, "physics.joints", `{}`)), &out); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, j := range out.Joints {
		text, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}
	m.World.View(func(v *world.View) {
		for id := range v.All() {
			at, _ := v.WorldTransform(id)
			lines = append(lines, fmt.Sprint(id, " is at ", at))
		}
	})
	for i := range lines {
		lines[i] = ids.ReplaceAllStringFunc(lines[i], func(id string) string {
			if was == nil {
				return id
			}
			return was[id]
		})
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestJointsGoAlong takes things that hang on one another to a world where they have other ids, in each form: there they hang as here, and move as here.
func TestJointsGoAlong(t *testing.T) {
	here := newMill(t)
	here.build(t)
	type taken struct {
		form  string
		there *mill
		was   map[string]string
	}
	var all []taken
	for _, form := range []string{"glb", "log", "events"} {
		input, note := here.export(t, form, "")
		if note != "" {
			t.Errorf("%s: the answer notes %q", form, note)
		}
		there := newMill(t)
		all = append(all, taken{form, there, there.take(t, input)})
	}
	before := here.hangs(t, nil)
	if n := strings.Count(before, `"kind"`); n != 8 {
		t.Fatalf("%d joints, want 8:\n%s", n, before)
	}
	for _, steps := range []int{0, 1, 60, 200} {
		here.Steps(steps)
		want := here.hangs(t, nil)
		if steps > 0 && want == before {
			t.Error("nothing has moved")
		}
		for _, a := range all {
			a.there.Steps(steps)
			skilltest.Holds(t, fmt.Sprintf("%s after %d steps more", a.form, steps), a.there.hangs(t, a.was), want)
		}
	}
}

// TestMotorOnItsWay: what is exported while a motor moves it goes on there from where it is, and does not jump to where it goes.
func TestMotorOnItsWay(t *testing.T) {
	here, there := newMill(t), newMill(t)
	wheel := here.box(t, "dynamic", world.Vec3{0, 4, 0})
	here.do(t, "physics.addJoint", `{"entity":%q,"kind":"hinge"}`, wheel)
	here.do(t, "physics.setMotor", `{"entity":%q,"target":3,"pace":0.5}`, wheel)
	here.Steps(120)
	input, _ := here.export(t, "log", "")
	was := there.take(t, input)
	for range 3 {
		here.Steps(60)
		there.Steps(60)
		if a, b := *here.joint(t, wheel).Travel, *there.joint(t, now(was, wheel)).Travel; math.Abs(a-b) > 0.02 || a < 1.4 || a > 2.6 {
			t.Errorf("here it is at %.3f, there at %.3f", a, b)
		}
	}
}

// now returns what an id has become.
func now(was map[string]string, id string) string {
	for now, old := range was {
		if old == id {
			return now
		}
	}
	return ""
}

// joint returns the joint of an entity.
func (m *mill) joint(t testing.TB, id string) physics.Joined {
	t.Helper()
	var out physics.JointsOut
	if err := json.Unmarshal([]byte(m.do(t, "physics.joints", `{"entity":%q}`, id)), &out); err != nil {
		t.Fatal(err)
	}
	for _, j := range out.Joints {
		if j.Entity.String() == id {
			return j
		}
	}
	t.Fatalf("%s hangs on nothing", id)
	return physics.Joined{}
}

// TestPartHangs: of a part of a scene what hangs on something else hangs on nothing, and the answer says so; what hangs on a place hangs there.
func TestPartHangs(t *testing.T) {
	here := newMill(t)
	here.build(t)
	const want = "2 of the entities hang on what is not in the file, and hang on nothing in it"
	for _, form := range []string{"glb", "log", "events"} {
		input, note := here.export(t, form, `,"entities":["ent_0","ent_2","ent_10","ent_4","ent_6","ent_7"]`)
		if note != want {
			t.Errorf("%s: the answer notes %q, want %q", form, note, want)
		}
		there := newMill(t)
		was := there.take(t, input)
		// ent_7 hangs where it hung, though the group in whose space that was told is not there.
		for _, id := range []string{"ent_2", "ent_4", "ent_7"} {
			a, b := here.joint(t, id), there.joint(t, now(was, id))
			if a.Kind != b.Kind || a.At.Dist(b.At) > 1e-9 || math.Abs(*cmp.Or(a.Travel, new(float64))-*cmp.Or(b.Travel, new(float64))) > 1e-9 {
				t.Errorf("%s: the joint of %s is %+v, want %+v", form, id, b, a)
			}
		}
		if n := strings.Count(there.hangs(t, was), `"kind"`); n != 3 {
			t.Errorf("%s: %d joints came along, want 3", form, n)
		}
	}
}

// TestJointOfOthers: who takes something out of a file, on which something hung, has the rest, and is told.
func TestJointOfOthers(t *testing.T) {
	here, there := newMill(t), newMill(t)
	here.build(t)
	input, _ := here.export(t, "glb", `,"entities":["ent_2","ent_10"]`)
	var in struct{ Data []byte }
	if err := json.Unmarshal([]byte(input), &in); err != nil {
		t.Fatal(err)
	}
	doc, err := gltf.Decode(in.Data, gltf.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range doc.Nodes {
		if strings.Contains(string(doc.Nodes[i].Extras), `"entity":"ent_10"`) {
			doc.Nodes[i].Extras = nil
		}
	}
	data, err := gltf.Encode(doc)
	if err != nil {
		t.Fatal(err)
	}
	out := there.do(t, "scene.import", `{"data":%q}`, base64.StdEncoding.EncodeToString(data))
	if !strings.Contains(out, `"note":"node 0 of the file: what it hung on, ent_10, is not there"`) {
		t.Error(out)
	}
	if got := there.do(t, "physics.joints", `{}`); got != `{"joints":[]}` {
		t.Error(got)
	}
}

// TestLogRefusesJoints: what is wrong with a joint is said by its line, and nothing of the log comes into the world.
func TestLogRefusesJoints(t *testing.T) {
	m := newMill(t)
	before := m.World.Hash()
	const hinge = `"joint":{"kind":"hinge","at":[0,0,0],"turn":[0,0,0,1],"on":[0,0,0],"onTurn":[0,0,0,1]}`
	for _, tt := range []struct{ joint, want string }{
		{`"hangsOn":"ent_0"`, "log, line 1: hangsOn and aim: are for what has a joint"},
		{`"aim":1`, "log, line 1: hangsOn and aim: are for what has a joint"},
		{hinge + `,"hangsOn":"ent_7"`, `log, line 1: hangsOn: "ent_7" is on no line`},
		{hinge + `,"hangsOn":"ent_0"`, "log, line 1: ent_0 cannot hang on itself"},
		{hinge + `,"aim":1`, "log, line 1: aim: is for a motor that goes to a place"},
		{strings.Replace(hinge, "hinge", "glue", 1), `log, line 1: joint.kind: must be one of [hinge slider ball fixed rope spring], got "glue"`},
		{strings.Replace(hinge, `"at"`, `"to":"ent_0","at"`, 1), "log, line 1: joint.to: stands in hangsOn"},
		{strings.Replace(hinge, `"at"`, `"limited":true,"low":0.5,"high":1,"at"`, 1), "log, line 1: joint.low: must be from -100000 to 0, got 0.5"},
		{strings.Replace(hinge, `"at"`, `"motor":{"drive":"place"},"at"`, 1), `log, line 1: joint.motor.drive: must be one of ["" "speed" "position"], got "place"`},
		{strings.Replace(hinge, `"at"`, `"motor":{"drive":"speed","strength":-1},"at"`, 1), "log, line 1: joint.motor.strength: must be from 0 to 1e+09, got -1"},
		{strings.Replace(hinge, `[0,0,0,1],"on"`, `[0,0,1,1],"on"`, 1), "log, line 1: joint.turn and joint.onTurn: must have the length 1, got [0 0 1 1]"},
		{strings.Replace(strings.Replace(hinge, "hinge", "ball", 1), `"at"`, `"limited":true,"at"`, 1), "log, line 1: joint: only a hinge and a slider have ends and motors, this is a ball"},
		{strings.Replace(hinge, `"at"`, `"length":-1,"at"`, 1), "log, line 1: joint.length: must be from 0 to 400000, got -1"},
		{strings.Replace(hinge, `"at"`, `"breakForce":-1,"at"`, 1), "log, line 1: joint.breakForce: must be from 0 to 1e+09, got -1"},
	} {
		log := `{"op":"entity","entity":"ent_0","pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],` + tt.joint + "}\n"
		sum := sha256.Sum256([]byte(log))
		input, err := json.Marshal(map[string]any{"log": log, "manifest": exchange.Manifest{
			Format: "limina-scene-log", Version: 1, Entities: 1, Lines: 1, Bytes: len(log), SHA256: hex.EncodeToString(sum[:]),
		}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Call(m.ann, "scene.import", string(input)); err == nil || !strings.Contains(err.Message, tt.want) {
			t.Errorf("%s: %v, want %s", tt.joint, err, tt.want)
		}
	}
	if m.World.Hash() != before {
		t.Error("something came into the world")
	}
}
