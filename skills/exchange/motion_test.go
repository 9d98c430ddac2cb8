package exchange_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/animation"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

// TestClipsInFiles: what plays a clip moves in a GLB as it does here, and what of that the file does not have is told.
func TestClipsInFiles(t *testing.T) {
	s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		clips := animation.New(w, a)
		return slices.Concat(exchange.All(exchange.Deps{World: w, Meshes: mesh.New(w), Clips: clips}), scene.All(w), three.All(w), animation.All(clips))
	})
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	for i, c := range []string{
		`{"id":"spin","duration":4,"tracks":[{"property":"rotation.y","keys":[{"t":0,"value":0},{"t":4,"value":6.283185307179586}]}]}`,
		`{"id":"lift","duration":2,"tracks":[{"property":"position.y","interp":"smooth","keys":[{"t":0,"value":0},{"t":2,"value":4}]},{"property":"color","keys":[{"t":0,"value":255}]}]}`,
		`{"id":"jump","duration":2,"tracks":[{"property":"position","interp":"step","keys":[{"t":0,"value":[0,0,0]},{"t":1,"value":[1,0,0]}]}]}`,
		`{"id":"slide","duration":2,"tracks":[{"property":"position.x","keys":[{"t":0,"value":0},{"t":2,"value":3}]},{"property":"scale","keys":[{"t":1,"value":2}]}]}`,
	} {
		s.Must(t, ann, "animation.authorClip", c)
		s.Must(t, ann, "scene.createEntity", `{"position":[0,1,0]}`)
		id := world.ID(i + 1).String()
		s.Must(t, ann, "animation.play", `{"entity":"`+id+`","clipId":"`+[]string{"spin", "lift", "jump", "slide"}[i]+`","speed":`+[]string{"1", "2", "1", "-1"}[i]+`}`)
	}
	s.Must(t, ann, "scene.createEntity", `{}`) // ent_4 stands
	s.Steps(33)
	res := s.Registry.Invoke(context.Background(), &registry.Request{Name: "scene.export", Input: []byte(`{}`), Principal: ann}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	if got := string(res.Output); !strings.Contains(got, `"note":"4 clips are in the file as animations, without colours and lamps; scene.import brings none back"`) {
		t.Errorf("%s", got)
	}
	doc := inside(t, res.Content[0].Resource.Blob)
	if len(doc.Animations) != 4 {
		t.Fatalf("%+v", doc.Animations)
	}
	// at returns what a channel has at a time, by what stands before and after it.
	at := func(clip, channel int, path, how string, wide int, when float64) []float64 {
		t.Helper()
		a := doc.Animations[clip]
		c := a.Channels[channel]
		sampler := a.Samplers[c.Sampler]
		if c.Target.Path != path || c.Target.Node != 2*clip || // a shape has a node of its own
			sampler.Interpolation != how {
			t.Fatalf("%s: channel %+v, %+v", a.Name, c, sampler)
		}
		times, values := doc.floats(t, sampler.Input, 1), doc.floats(t, sampler.Output, wide)
		k := len(times) - 1
		for k > 0 && float64(times[k][0]) > when {
			k--
		}
		part := 0.0
		if how == "LINEAR" && k+1 < len(times) {
			part = (when - float64(times[k][0])) / float64(times[k+1][0]-times[k][0])
		}
		out := make([]float64, wide)
		for i := range out {
			out[i] = float64(values[k][i])
			if part > 0 {
				out[i] += (float64(values[k+1][i]) - out[i]) * part
			}
		}
		return out
	}
	near := func(got, want []float64, within float64) {
		t.Helper()
		for i := range want {
			if math.Abs(got[i]-want[i]) > within {
				t.Errorf("got %v, want %v", got, want)
				return
			}
		}
	}
	for when := 0.0; when <= 4; when += 0.3 {
		q := at(0, 0, "rotation", "LINEAR", 4, when)
		turn := world.QuatFromEuler(0, when*math.Pi/2, 0)
		if dot := q[0]*turn[0] + q[1]*turn[1] + q[2]*turn[2] + q[3]*turn[3]; math.Abs(dot) < 0.999 {
			t.Errorf("at %v it is turned by %v, want %v", when, q, turn)
		}
	}
	for when := 0.0; when <= 1; when += 0.1 { // twice as fast
		near(at(1, 0, "translation", "LINEAR", 3, when), []float64{0, 1 + 4*when*when*(3-2*when), 0}, 0.02)
	}
	near(at(2, 0, "translation", "STEP", 3, 0.99), []float64{0, 1, 0}, 1e-6)
	near(at(2, 0, "translation", "STEP", 3, 1.5), []float64{1, 1, 0}, 1e-6)
	near(at(3, 0, "translation", "LINEAR", 3, 0.5), []float64{2.25, 1, 0}, 1e-6) // backwards
	near(at(3, 1, "scale", "LINEAR", 3, 0.5), []float64{2, 2, 2}, 1e-6)

	s.Must(t, ann, "animation.blend", `{"entity":"ent_4","clips":[{"clipId":"spin","weight":0.5},{"clipId":"lift","weight":0.5}]}`)
	for input, want := range map[string]string{
		`{"entities":["ent_4"]}`:                         `"note":"1 of the entities play several clips at once, or one by a part of its weight, and stand still in the file"`,
		`{"entities":["ent_0"]}`:                         `"note":"the clip \"spin\" is in the file as an animation; scene.import brings none back"`,
		`{"entities":["ent_0","ent_1"],"form":"log"}`:    `"note":"2 of the entities play clips, of which the file has nothing: the form glb has them as animations"`,
		`{"entities":["ent_0","ent_1"],"form":"events"}`: `"note":"2 of the entities play clips, of which the file has nothing: the form glb has them as animations"`,
	} {
		if got := s.Must(t, ann, "scene.export", input); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", input, got, want)
		}
	}
}

// TestPathsInFiles has a file say how a tram goes along its path, through the whole timetable.
func TestPathsInFiles(t *testing.T) {
	s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
		clips := animation.New(w, a)
		return slices.Concat(exchange.All(exchange.Deps{World: w, Meshes: mesh.New(w), Clips: clips}), scene.All(w), animation.All(clips))
	})
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, ann, "scene.createEntity", `{"scale":[1,1,2]}`)
	s.Must(t, ann, "animation.authorPath", `{"id":"line","points":[[0,1,0],[10,1,0]]}`)
	s.Must(t, ann, "animation.follow", `{"entity":"ent_0","pathId":"line","speed":2,"acceleration":0,"wait":1}`)
	res := s.Registry.Invoke(context.Background(), &registry.Request{Name: "scene.export", Input: []byte(`{}`), Principal: ann}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	doc := inside(t, res.Content[0].Resource.Blob)
	if len(doc.Animations) != 1 || doc.Animations[0].Name != "line" || doc.Animations[0].Channels[0].Target.Path != "translation" {
		t.Fatalf("%+v, want one animation of the path's name, which moves", doc.Animations)
	}
	a := doc.Animations[0]
	sampler := a.Samplers[a.Channels[0].Sampler]
	times, places := doc.floats(t, sampler.Input, 1), doc.floats(t, sampler.Output, 3)
	if end := float64(times[len(times)-1][0]); math.Abs(end-12) > 1e-3 { // 1 + 5 there, and as much back
		t.Errorf("it takes %v s, want 12", end)
	}
	for i := range times {
		at := float64(times[i][0])
		want := min(max(0, 2*(at-1)), 10, 10-2*max(0, at-7))
		if got := places[i]; math.Abs(float64(got[0])-want) > 1e-3 || math.Abs(float64(got[1])-1) > 1e-3 {
			t.Errorf("after %v s it is at %v, want x %v", at, got, want)
		}
	}
}
