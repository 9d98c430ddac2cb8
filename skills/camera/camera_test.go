package camera_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/agent"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/camera"
	"github.com/limina-mcp/limina/skills/environment"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/skills/player"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/physics"
)

func all(w *world.World, a *agents.Agents) []registry.Skill {
	cast, things := player.New(w, a, physics.New(w, physics.Config{})), solid.NewLooks(w)
	cameras := camera.New(camera.Deps{World: w, Cast: cast, Things: things})
	return slices.Concat(scene.All(w), three.All(w), layout.All(w, things), batch.All(w), history.All(w), environment.All(environment.New(w)), agent.All(w, a), player.All(cast),
		picture.All(picture.Source{World: w, Cameras: cameras}), camera.All(cameras))
}

// box makes ent_0, a box of 1 m at the origin that looks along +x.
func box(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
	t.Helper()
	s.Must(t, p, "scene.createEntity", `{}`)
	s.Must(t, p, "three.setTransform", `{"entity":"ent_0","rotationEuler":[0,1.5707963267948966,0]}`)
}

func TestRefusals(t *testing.T) {
	long := strings.Repeat("x", camera.MaxConfig)
	skilltest.Run(t, all, "camera.follow", []skilltest.Case{
		{Name: "nothing", Input: `{"target":"ent_0"}`, Err: "target: unknown entity ent_0; the world has none"},
		{Name: "from too far", Setup: box, Input: `{"target":"ent_0","distance":101}`, Code: registry.CodeInvalidInput, Err: "distance: must be greater than 0 and at most 100, got 101"},
		{Name: "a large config", Setup: box, Input: `{"target":"ent_0","config":{"a":"` + long + `"}}`, Code: registry.CodeCapacityExceeded, Err: "config: holds at most 4096 bytes, this one has 4104"},
	})
	skilltest.Run(t, all, "camera.thirdPerson", []skilltest.Case{
		{Name: "upside down", Setup: box, Input: `{"target":"ent_0","minPitch":1,"maxPitch":0}`, Code: registry.CodeInvalidInput, Err: "minPitch: 1 is above maxPitch, 0"},
		{Name: "no room", Setup: box, Input: `{"target":"ent_0","minDistance":30}`, Code: registry.CodeInvalidInput, Err: "minDistance: 30 is above maxDistance, 20"},
		{Name: "too low", Setup: box, Input: `{"target":"ent_0","minPitch":0.5}`, Code: registry.CodeInvalidInput, Err: "pitch: must be from minPitch, 0.5, to maxPitch, 1.4, got 0.4"},
		{Name: "too near", Setup: box, Input: `{"target":"ent_0","distance":0.5}`, Code: registry.CodeInvalidInput, Err: "distance: must be from minDistance, 1, to maxDistance, 20, got 0.5"},
	})
	skilltest.Run(t, all, "camera.cut", []skilltest.Case{
		{Name: "onto what it looks at", Input: `{"position":[1,2,3],"target":[1,2,3]}`, Code: registry.CodeInvalidInput, Err: "target: must be another place than the camera's position, [1 2 3]"},
		{Name: "from what is gone", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
			t.Helper()
			box(t, s, p)
			s.Must(t, p, "camera.follow", `{"target":"ent_0"}`)
			s.Must(t, p, "scene.destroyEntity", `{"entity":"ent_0"}`)
		}, Input: `{"target":[1,2,3]}`, Err: "ent_0, which the camera is on, is gone: camera.follow puts it on something else, camera.cut somewhere"},
	})
	skilltest.Run(t, all, "camera.setFOV", []skilltest.Case{
		{Name: "before anything else", Input: `{"fov":30,"meta":{}}`, Want: `{"ok":true}`},
		{Name: "too wide", Input: `{"fov":121}`, Code: registry.CodeInvalidInput, Err: "fov: must be at least 10 and at most 120, got 121"},
	})
	skilltest.Run(t, all, "camera.shake", []skilltest.Case{
		{Name: "before anything else", Input: `{"meta":{"a":1}}`, Want: `{"ok":true}`},
		{Name: "too long", Input: `{"duration":6}`, Code: registry.CodeInvalidInput, Err: "duration: must be greater than 0 and at most 5, got 6"},
	})
	for _, name := range []string{"follow", "firstPerson", "thirdPerson", "topDown"} {
		skilltest.Needs(t, all, "camera."+name, `{"target":"ent_0"}`, "camera.write", "builder.readWrite", "player.full", "player.limited")
	}
	for _, call := range [][2]string{{"look", `{}`}, {"shake", `{}`}, {"setFOV", `{"fov":50}`}, {"cut", `{}`}} {
		skilltest.Needs(t, all, "camera."+call[0], call[1], "camera.write", "builder.readWrite", "player.full", "player.limited")
	}
}

// aimed makes a call of a camera skill that says where the camera is then.
func aimed(t testing.TB, r *skilltest.Room, skill, input string) camera.Aimed {
	t.Helper()
	var out camera.Aimed
	if err := json.Unmarshal([]byte(r.Do(skill, "%s", input)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestWhereItIs puts a camera on a box at the origin that looks along +x, in all ways that there are.
func TestWhereItIs(t *testing.T) {
	const s45 = math.Sqrt2 / 2
	for _, tt := range []struct {
		name          string
		calls         [][2]string
		position, see world.Vec3 // see is the direction it looks in
	}{
		{"behind", [][2]string{{"follow", `{"target":"ent_0","distance":4,"pitch":0}`}}, world.Vec3{-4, 0, 0}, world.Vec3{1, 0, 0}},
		{"above", [][2]string{{"follow", `{"target":"ent_0","distance":4,"pitch":0.7853981633974483}`}}, world.Vec3{-4 * s45, 4 * s45, 0}, world.Vec3{s45, -s45, 0}},
		{"to the left of it", [][2]string{{"follow", `{"target":"ent_0","distance":4,"pitch":0}`}, {"look", `{"yawDelta":-1.5707963267948966}`}}, world.Vec3{0, 0, -4}, world.Vec3{0, 0, 1}},
		{"orbit", [][2]string{{"thirdPerson", `{"target":"ent_0","distance":4,"pitch":0}`}, {"look", `{"yawDelta":3.141592653589793,"pitchDelta":0.7853981633974483}`}}, world.Vec3{4 * s45, 4 * s45, 0}, world.Vec3{-s45, -s45, 0}},
		{"map", [][2]string{{"topDown", `{"target":"ent_0","distance":10,"angle":0.7853981633974483}`}}, world.Vec3{0, 10 * s45, 10 * s45}, world.Vec3{0, -s45, -s45}},
		{"eyes", [][2]string{{"firstPerson", `{"target":"ent_0"}`}}, world.Vec3{0, 1.1, 0}, world.Vec3{1, 0, 0}},
		{"eyes that look up and left", [][2]string{{"firstPerson", `{"target":"ent_0","headHeight":0.5}`}, {"look", `{"yawDelta":1.5707963267948966,"pitchDelta":0.7853981633974483}`}}, world.Vec3{}, world.Vec3{0, s45, -s45}},
		{"somewhere", [][2]string{{"cut", `{"position":[1,2,3],"target":[1,2,0]}`}}, world.Vec3{1, 2, 3}, world.Vec3{0, 0, -1}},
		{"from where it was to elsewhere", [][2]string{{"follow", `{"target":"ent_0","distance":4,"pitch":0}`}, {"cut", `{"target":[-4,0,-7]}`}}, world.Vec3{-4, 0, 0}, world.Vec3{0, 0, -1}},
		{"elsewhere, at what it saw", [][2]string{{"follow", `{"target":"ent_0","distance":4,"pitch":0}`}, {"cut", `{"position":[0,9,0]}`}}, world.Vec3{0, 9, 0}, world.Vec3{0, -1, 0}},
		{"up from straight down", [][2]string{{"cut", `{"position":[0,9,0],"target":[0,0,0]}`}, {"look", `{"pitchDelta":1.5707963267948966}`}}, world.Vec3{0, 9, 0}, world.Vec3{0, 0, -1}},
		{"around where it stands", [][2]string{{"cut", `{"position":[0,0,0],"target":[0,0,-5]}`}, {"look", `{"yawDelta":1.5707963267948966,"pitchDelta":0.7853981633974483}`}}, world.Vec3{}, world.Vec3{-s45, s45, 0}},
		{"a cut that changes nothing", [][2]string{{"follow", `{"target":"ent_0","distance":4,"pitch":0}`}, {"cut", `{}`}}, world.Vec3{-4, 0, 0}, world.Vec3{1, 0, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := skilltest.NewRoom(t, all)
			box(t, r.Server, r.Ann)
			var got camera.Aimed
			for _, call := range tt.calls {
				got = aimed(t, r, "camera."+call[0], call[1])
			}
			d := got.LookAt.Sub(got.Position)
			if see := d.Scale(1 / d.Len()); got.Position.Dist(tt.position) > 1e-9 || see.Dist(tt.see) > 1e-9 {
				t.Errorf("it is at %v and looks along %v, want %v and %v", got.Position, see, tt.position, tt.see)
			}
		})
	}
}

// TestTurning has the target turn and go: follow stays behind, an orbit stays where it was.
func TestTurning(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	box(t, r.Server, r.Ann)
	for _, tt := range []struct {
		kind string
		want world.Vec3
	}{{"follow", world.Vec3{10, 0, -4}}, {"thirdPerson", world.Vec3{6, 0, 0}}, {"firstPerson", world.Vec3{10, 1.1, 0}}} {
		extra := ""
		if tt.kind != "firstPerson" {
			extra = `,"distance":4,"pitch":0`
		}
		r.Do("three.setTransform", `{"entity":"ent_0","position":[0,0,0],"rotationEuler":[0,1.5707963267948966,0]}`)
		r.Do("camera."+tt.kind, `{"target":"ent_0"%s}`, extra)
		r.Do("three.setTransform", `{"entity":"ent_0","position":[10,0,0],"rotationEuler":[0,0,0]}`)
		if got := aimed(t, r, "camera.look", `{}`); got.Position.Dist(tt.want) > 1e-9 {
			t.Errorf("%s is at %v, want %v", tt.kind, got.Position, tt.want)
		}
	}
}

// TestWalls has a wall behind the target: the camera comes nearer, if it is to, unless the wall is of glass or part of the target.
func TestWalls(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	r.Do("scene.createEntity", `{}`)
	r.Do("scene.createEntity", `{"position":[0,0,-3],"size":2}`)
	distance := func(input string) float64 {
		got := aimed(t, r, "camera.follow", input)
		return got.Position.Dist(got.LookAt)
	}
	if d := distance(`{"target":"ent_0","pitch":0}`); math.Abs(d-1.8) > 1e-9 {
		t.Errorf("before the wall it is %v m away, want 1.8", d)
	}
	if d := distance(`{"target":"ent_0","pitch":0,"distance":1}`); d != 1 {
		t.Errorf("nearer than the wall it is %v m away, want 1", d)
	}
	if d := distance(`{"target":"ent_0","pitch":0,"collisionCheck":false}`); d != 5 {
		t.Errorf("through the wall it is %v m away, want 5", d)
	}
	r.Do("three.setMaterial", `{"entity":"ent_1","material":"glass"}`)
	if d := distance(`{"target":"ent_0","pitch":0}`); d != 5 {
		t.Errorf("through glass it is %v m away, want 5", d)
	}
	r.Do("three.setMaterial", `{"entity":"ent_1","material":"brick"}`)
	r.Do("scene.group", `{"entities":["ent_0","ent_1"]}`)
	if d := distance(`{"target":"ent_0","pitch":0}`); d != 5 {
		t.Errorf("through what it is part of it is %v m away, want 5", d)
	}
}

// TestLook turns a camera by random angles: it stays at its distance, and between its limits.
func TestLook(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := skilltest.NewRoom(t, all)
		box(t, r.Server, r.Ann)
		kind := rapid.SampledFrom([]string{"follow", "thirdPerson", "topDown", "firstPerson", "cut"}).Draw(rt, "kind")
		low, high, far := -1.5, 1.5, 5.0
		switch kind {
		case "thirdPerson":
			low, high = -0.3, 1
			r.Do("camera.thirdPerson", `{"target":"ent_0","minPitch":-0.3,"maxPitch":1}`)
		case "topDown":
			low, far = 0.1, 10
			r.Do("camera.topDown", `{"target":"ent_0"}`)
		case "firstPerson":
			far = 1
			r.Do("camera.firstPerson", `{"target":"ent_0"}`)
		case "cut":
			r.Do("camera.cut", `{"position":[0,0,5],"target":[0,0,0]}`)
		default:
			r.Do("camera.follow", `{"target":"ent_0","pitch":0}`)
		}
		for range 5 {
			pitch, yaw := rapid.Float64Range(-4, 4).Draw(rt, "pitch"), rapid.Float64Range(-9, 9).Draw(rt, "yaw")
			if kind == "cut" {
				pitch /= 2 // which goes over the top beyond that
			}
			got := aimed(t, r, "camera.look", fmt.Sprintf(`{"pitchDelta":%v,"yawDelta":%v}`, pitch, yaw))
			d := got.Position.Sub(got.LookAt)
			at := math.Asin(d[1] / d.Len())
			if kind == "firstPerson" || kind == "cut" {
				at = -at
			}
			if math.Abs(d.Len()-far) > 1e-9 || at < low-1e-9 || at > high+1e-9 {
				rt.Fatalf("%s is %v away at %v, want %v, from %v to %v", kind, d.Len(), at, far, low, high)
			}
		}
	})
}

// TestRigs looks at what viewers see: each agent has one, and the field of view and the shaking stay where the rig changes.
func TestRigs(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	box(t, r.Server, r.Ann)
	r.Steps(7)
	r.Must(t, skilltest.Caller(t, "bob", "player.limited"), "camera.topDown", `{"target":"ent_0"}`)
	before := r.Content()
	r.Do("camera.setFOV", `{"fov":30,"transitionMs":1000}`)
	r.Do("camera.shake", `{"duration":0.5}`)
	r.Do("camera.follow", `{"target":"ent_0","config":{"mine":1}}`)
	skilltest.Holds(t, "viewers see", r.Shared("camera.rigs"), `{"ann":{"kind":"follow","target":"ent_0","distance":5,"pitch":0.4,"smoothness":0.08,"collisionCheck":true,"config":{"mine":1},`+
		`"fov":{"to":30,"from":60,"start":7,"steps":60},"shake":{"amplitude":0.1,"frequency":30,"fade":true,"start":7,"steps":30},"cut":0,"since":7},`+
		`"bob":{"kind":"topDown","target":"ent_0","distance":10,"pitch":0.785,"facing":[0,0,-1],"fov":{"to":60},"cut":0,"since":7}}`)
	r.Do("world.undo", `{"steps":3}`)
	if r.Content() != before {
		t.Errorf("after an undo viewers see %s", r.Shared("camera.rigs"))
	}
}

// TestZoom reads a field of view on its way.
func TestZoom(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	r.Do("camera.setFOV", `{"fov":30,"transitionMs":1000}`)
	for _, want := range []float64{60, 45, 30, 30} {
		var out struct {
			Views []struct {
				Camera struct {
					FOV float64 `json:"fov"`
				} `json:"camera"`
			} `json:"views"`
		}
		if err := json.Unmarshal([]byte(r.Do("scene.render", `{"view":"camera","width":64,"height":64}`)), &out); err != nil || out.Views[0].Camera.FOV != want {
			t.Errorf("the field of view is %v, want %v (%v)", out.Views, want, err)
		}
		r.Steps(30)
	}
}

// TestPictures sees through cameras: one's own, another's, and one's own eyes where there is none.
func TestPictures(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	r.Do("scene.createEntity", `{"position":[0,1,-5]}`)
	see := func(input string) (ids []string, at world.Vec3) {
		t.Helper()
		var out picture.RenderOut
		if err := json.Unmarshal([]byte(r.Do("scene.render", "%s", input)), &out); err != nil {
			t.Fatal(err)
		}
		for _, e := range out.Views[0].Entities {
			ids = append(ids, e.Entity.String())
		}
		return ids, out.Views[0].Camera.Position
	}
	refused := func(input, want string) {
		t.Helper()
		if _, err := r.Call(r.Ann, "scene.render", input); err == nil || err.Message != want {
			t.Errorf("%s: %v, want %s", input, err, want)
		}
	}
	refused(`{"view":"camera"}`, `camera: you have none, and no body to look from: say where it is, {"position":[x,y,z],"target":[x,y,z]}, or camera.follow or camera.cut makes one, agent.embody a body`)
	refused(`{"cameraOf":"bob"}`, `cameraOf: "bob" has no camera; nobody has: camera.follow makes one`)
	refused(`{"view":"iso","cameraOf":"bob"}`, `cameraOf: is for the view "camera", in place of camera; leave one of them out`)

	r.Do("agent.embody", `{"position":[0,0,0]}`) // ent_1 looks along +z
	r.Do("three.setTransform", `{"entity":"ent_1","rotationEuler":[0,3.141592653589793,0]}`)
	if ids, at := see(`{"view":"camera"}`); !slices.Equal(ids, []string{"ent_0"}) || math.Abs(at[1]-1.6) > 1e-9 {
		t.Errorf("with its own eyes it sees %v from %v", ids, at)
	}
	bob := skilltest.Caller(t, "bob", "player.limited")
	r.Must(t, bob, "camera.follow", `{"target":"ent_1"}`)
	if ids, _ := see(`{"cameraOf":"bob"}`); !slices.Contains(ids, "ent_1") || !slices.Contains(ids, "ent_0") {
		t.Errorf("through bob's camera it sees %v", ids)
	}
	refused(`{"cameraOf":"bop"}`, `cameraOf: "bop" has no camera; the nearest who has is "bob"`)
	refused(`{"cameraOf":"zacharias"}`, `cameraOf: "zacharias" has no camera; 1 have one, such as "bob"`)
	r.Do("camera.cut", `{"position":[0,1,-9],"target":[0,1,-5]}`)
	if ids, at := see(`{"view":"camera"}`); !slices.Equal(ids, []string{"ent_0"}) && !slices.Equal(ids, []string{"ent_0", "ent_1"}) || at != (world.Vec3{0, 1, -9}) {
		t.Errorf("through its own it sees %v from %v", ids, at)
	}
	if ids, _ := see(`{"view":"camera","camera":{"position":[0,50,0],"target":[0,60,0]}}`); len(ids) != 0 {
		t.Errorf("from where it says itself it sees %v", ids)
	}
}

// TestRoom has more agents than there are cameras: whose was changed longest ago has none then.
func TestRoom(t *testing.T) {
	r := skilltest.NewRoom(t, all)
	set := func(agent string) {
		t.Helper()
		r.Must(t, skilltest.Caller(t, agent, "player.limited"), "camera.cut", `{"position":[0,1,0]}`)
	}
	for i := range camera.MaxRigs {
		set(fmt.Sprintf("agent %d", i))
		if i%1000 == 0 {
			r.Steps(1)
		}
	}
	set("agent 0")
	r.Steps(1)
	set("one more")
	got := r.Shared("camera.rigs")
	for agent, want := range map[string]bool{"one more": true, "agent 0": true, "agent 1": false, "agent 4095": true} {
		if has := strings.Contains(got, `"`+agent+`":`); has != want {
			t.Errorf("%s has a camera: %v, want %v", agent, has, want)
		}
	}
}
