package skills_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/modelling"
	"github.com/limina-mcp/limina/world"
)

// gate is a gateway four metres high, open to three, between x -1.2 and 1.2.
const gate = `"outline":[[-3,0],[-3,4],[3,4],[3,0],[1.2,0],[1.2,2.2],[0.7,2.9],[0,3.2],[-0.7,2.9],[-1.2,2.2],[-1.2,0]],"plane":"xy","depth":1`

// form makes a form and returns what is said of it.
func form(t *testing.T, r *skilltest.Room, name, input string) (out modelling.Made) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.Do(name, "%s", input)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// A form takes up its own room, not that of the box around it: for rays, for what is near, for who looks for a way, and for who checks a scene.
func TestFormsTakeUpTheirRoom(t *testing.T) {
	r := moving(t)
	if got := form(t, r, "scene.extrude", `{`+gate+`}`); got.Position != (world.Vec3{0, 2, 0}) || got.Size != (world.Vec3{6, 4, 1}) || math.Abs(got.Volume-17.18) > 0.01 {
		t.Errorf("the gate: %+v", got)
	}
	for _, tt := range []struct{ name, input, want string }{
		{"physics.raycast", `{"origin":[0,1.5,6],"direction":[0,0,-1]}`, `{"hit":false}`},
		{"physics.raycast", `{"origin":[2,1.5,6],"direction":[0,0,-1]}`, `"entity":"ent_0"`},
		{"physics.overlap", `{"shape":"sphere","radius":1.1,"position":[0,1.4,0]}`, `"entities":[]`},
		{"physics.overlap", `{"shape":"sphere","radius":1.1,"position":[2,1.4,0]}`, `ent_0`},
		{"scene.validate", `{}`, `"ok":true`},
	} {
		if got := r.Do(tt.name, "%s", tt.input); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: %s, want %s", tt.name, tt.input, got, tt.want)
		}
	}
	for _, levels := range []bool{false, true} {
		r.Do("navmesh.build", `{"bounds":{"minX":-3,"minZ":-6,"maxX":3,"maxZ":6},"cellSize":0.25,"agentRadius":0.3,"levels":%v}`, levels)
		got := r.Do("navmesh.findPath", `{"from":[0,0,4],"to":[0,0,-4]}`)
		if want := `{"path":[[0,0,4],[0,0,-4]],"reachable":true`; !strings.HasPrefix(got, want) {
			t.Errorf("with levels %v one goes through the gate so: %s, want %s", levels, got, want)
		}
		if got := r.Do("navmesh.findPath", `{"from":[2,0,4],"to":[2,0,0]}`); !strings.Contains(got, `"reachable":false`) {
			t.Errorf("with levels %v one goes into the pillar: %s", levels, got)
		}
	}
}

// What is put on a form stands on that: nothing is said of a box around it, as of meshes that nobody knows the form of.
func TestFormsCarry(t *testing.T) {
	r := moving(t)
	form(t, r, "scene.extrude", `{"outline":[[-3,-3],[3,-3],[3,3],[-3,3]],"depth":2}`)
	r.Do("scene.createEntity", `{"position":[0,9,0]}`)
	if got := r.Do("scene.place", `{"entity":"ent_1","relation":"on","target":"ent_0"}`); !strings.Contains(got, `"position":[0,2.5,0]`) || strings.Contains(got, "note") {
		t.Errorf("on a form: %s", got)
	}
}

// A bowl of marble floats by the air in it, and what lies in it is dry; turned over it sinks, and so does a pipe, which is open below, too.
func TestFormsFloat(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"scale":[60,1,60],"position":[0,-6.5,0],"static":true}`)
	r.Do("world.addWater", `{"level":0,"size":60}`)
	bowl := form(t, r, "scene.lathe", `{"profile":[[0,0],[0.8,0],[1.6,0.4],[2,1]],"wall":0.08,"material":"marble","position":[0,0.1,0],"body":"dynamic","mass":3400}`)
	over := form(t, r, "scene.lathe", `{"profile":[[0,0],[0.8,0],[1.6,0.4],[2,1]],"wall":0.08,"material":"marble","position":[10,0.1,0],"rotationEuler":[3.14159,0,0],"body":"dynamic"}`)
	pipe := form(t, r, "scene.lathe", `{"profile":[[0.8,0],[0.8,1.2]],"wall":0.05,"material":"metal","position":[-10,0.1,0],"body":"dynamic"}`)
	for range 600 {
		r.World.Step(t.Context())
	}
	if y := r.At(t, bowl.Entity.String())[1]; y < -0.3 || y > 0.2 {
		t.Errorf("the bowl is at %v", y)
	}
	for _, sunk := range []string{over.Entity.String(), pipe.Entity.String()} {
		if y := r.At(t, sunk)[1]; y > -4 {
			t.Errorf("%s is at %v", sunk, y)
		}
	}
	var cork struct{ Entity string }
	if err := json.Unmarshal([]byte(r.Do("scene.createEntity", `{"position":[0,1,0],"scale":[0.6,0.2,0.6],"density":200,"dynamic":true,"name":"cork"}`)), &cork); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		r.World.Step(t.Context())
	}
	if in, on := r.At(t, cork.Entity)[1], r.At(t, bowl.Entity.String())[1]; math.Abs(in-(on-0.5+0.08+0.1)) > 0.03 {
		t.Errorf("what lies in the bowl, at %v, is at %v", on, in)
	}
}

// Bodies collide with forms as they are: a ball goes through a gate and is stopped by its pillar, another one comes to rest in a bowl,
// and forms fall, and have the mass that they were given.
func TestFormsAreBodies(t *testing.T) {
	r := moving(t)
	r.Do("scene.createEntity", `{"scale":[60,1,60],"position":[0,-0.5,0],"static":true}`)
	form(t, r, "scene.extrude", `{`+gate+`}`)
	bowl := form(t, r, "scene.lathe", `{"profile":[[0,0],[0.8,0],[1.6,0.4],[2,1]],"wall":0.15,"position":[10,0,0]}`)
	star := form(t, r, "scene.extrude", `{"outline":[[0,2],[0.5,0.7],[1.9,0.6],[0.8,-0.2],[1.2,-1.6],[0,-0.8],[-1.2,-1.6],[-0.8,-0.2],[-1.9,0.6],[-0.5,0.7]],"depth":0.5,"position":[-10,3,0],"body":"dynamic","mass":40}`)
	ball := func(at string) string {
		var out struct{ Entity string }
		if err := json.Unmarshal([]byte(r.Do("scene.createEntity", `{"shape":"sphere","size":0.5,"dynamic":true,"position":%s}`, at)), &out); err != nil {
			t.Fatal(err)
		}
		return out.Entity
	}
	through, against, into := ball("[0,0.25,5]"), ball("[2,0.25,5]"), ball("[10.4,3,0]")
	for _, id := range []string{through, against} {
		r.Do("physics.applyImpulse", `{"entity":%q,"impulse":[0,0,-0.6]}`, id)
	}
	for range 360 {
		r.World.Step(t.Context())
	}
	where := func(id string) world.Vec3 { return r.At(t, id) }
	if p := where(through); p[2] > -1 {
		t.Errorf("the ball that goes through the gate is at %v", p)
	}
	if p := where(against); p[2] < 0.7 {
		t.Errorf("the ball that rolls against the pillar is at %v", p)
	}
	if p := where(into); math.Abs(p[1]-(0.15+0.25)) > 0.05 || p.Dist(bowl.Position) > 1 {
		t.Errorf("the ball that falls into the bowl is at %v", p)
	}
	if p := where(star.Entity.String()); math.Abs(p[1]-0.25) > 0.03 {
		t.Errorf("the star has come to rest at %v", p)
	}
}

// What has a form gets another one, and keeps its id, its looks and its place; what several make in common stays when one of them takes back what he made.
func TestFormsChange(t *testing.T) {
	r := moving(t)
	made := form(t, r, "scene.extrude", `{"outline":[[0,0],[4,0],[4,4],[0,4]],"depth":3,"name":"keep","material":"stone","position":[10,1,0]}`)
	form(t, r, "scene.extrude", fmt.Sprintf(`{"outline":[[0,0],[4,0],[4,4],[0,4]],"depth":8,"replaces":%q,"taper":0.5}`, made.Entity))
	got := r.Do("scene.queryEntities", `{"ids":[%q],"details":true}`, made.Entity.String())
	for _, want := range []string{`"keep"`, `"position":[12,5,2]`, `"stone"`, `"static"`} {
		if !strings.Contains(got, want) {
			t.Errorf("changed it is %s, want %s", got, want)
		}
	}
	const same = `{"points":[[0,0,0],[3,0,0],[0,0,3],[0,3,0]]}`
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	mine := form(t, r, "scene.hull", same)
	r.Must(t, bob, "scene.hull", same)
	r.Do("world.undo", "{}")
	if got := r.Do("physics.raycast", `{"origin":[0.9,5,0.9],"direction":[0,-1,0]}`); !strings.Contains(got, `"distance":3.8`) {
		t.Errorf("bob's is hit so, after ann took %s back: %s", mine.Entity, got)
	}
}

// taken has everything exported to a file of a form, destroyed, and imported again.
func taken(t *testing.T, r *skilltest.Room, form string, roots ...string) {
	t.Helper()
	res := r.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.export", Input: []byte(`{"form":"` + form + `"}`), Principal: r.Ann}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	for _, id := range roots {
		r.Do("scene.destroyEntity", `{"entity":%q}`, id)
	}
	in := map[string]any{"form": form}
	switch form {
	case "glb":
		in["data"] = base64.StdEncoding.EncodeToString(res.Content[0].Resource.Blob)
	default:
		var out struct{ Manifest json.RawMessage }
		if err := json.Unmarshal(res.Output, &out); err != nil {
			t.Fatal(err)
		}
		in["log"], in["manifest"] = res.Content[len(res.Content)-1].Resource.Text, out.Manifest
	}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	r.Do("scene.import", "%s", text)
}

// Forms survive files: what is exported and imported takes up the same room.
func TestFormsInFiles(t *testing.T) {
	for _, file := range []string{"glb", "log"} {
		r := moving(t)
		form(t, r, "scene.extrude", `{`+gate+`,"name":"gate"}`)
		taken(t, r, file, "ent_0")
		if got := r.Do("physics.raycast", `{"origin":[0,1.5,6],"direction":[0,0,-1]}`); got != `{"hit":false}` {
			t.Errorf("%s: the gate is closed: %s", file, got)
		}
		if got := r.Do("physics.raycast", `{"origin":[2,1.5,6],"direction":[0,0,-1]}`); !strings.Contains(got, `"distance":5.5`) {
			t.Errorf("%s: the pillar is hit so: %s", file, got)
		}
	}
}
