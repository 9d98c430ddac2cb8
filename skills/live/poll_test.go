package live_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/batch"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/live"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/statesync"
	"github.com/limina-mcp/limina/statesync/replica"
	"github.com/limina-mcp/limina/world"
)

func serve(t *testing.T, c statesync.Config) *skilltest.Server {
	t.Helper()
	return skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		hub := statesync.New(w, c)
		t.Cleanup(hub.Close)
		all := append(live.All(hub), scene.All(w)...)
		return append(append(all, three.All(w)...), batch.All(w)...)
	})
}

// answer is what state.poll answers.
type answer struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Tick   uint64          `json:"-"`
	Epoch  string          `json:"-"`
}

func poll(t rapid.TB, s *skilltest.Server, p *profiles.Principal, input string) (a answer) {
	t.Helper()
	out, err := s.Call(p, "state.poll", input)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatal(err)
	}
	var in struct {
		Tick  uint64
		Epoch string
	}
	if err := json.Unmarshal(a.Params, &in); err != nil {
		t.Fatal(err)
	}
	a.Tick, a.Epoch = in.Tick, in.Epoch
	return a
}

// TestPollConverges has somebody poll now and then while a world changes: after each answer the copy is what the area holds.
func TestPollConverges(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		// A short memory, so that some answers are snapshots where a delta was asked for.
		s := serve(t, statesync.Config{History: rapid.IntRange(1, 40).Draw(rt, "history")})
		p := skilltest.Caller(t, "ann", "builder.readWrite")
		place := rapid.Custom(func(rt *rapid.T) world.Vec3 {
			return world.Vec3{float64(rapid.IntRange(-8, 8).Draw(rt, "x")), 0, float64(rapid.IntRange(-8, 8).Draw(rt, "z"))}
		})
		where, center, radius := "", world.Vec3{}, 0.0
		if rapid.Bool().Draw(rt, "area") {
			center, radius = place.Draw(rt, "center"), float64(rapid.IntRange(0, 9).Draw(rt, "radius"))
			where = fmt.Sprintf(`"center":[%v,%v,%v],"radius":%v`, center[0], center[1], center[2], radius)
		}
		var c replica.Copy
		var newest answer
		made := 0
		for range rapid.IntRange(1, 30).Draw(rt, "rounds") {
			for range rapid.IntRange(0, 6).Draw(rt, "calls") {
				at := place.Draw(rt, "at")
				which := fmt.Sprintf("ent_%d", rapid.IntRange(0, max(made-1, 0)).Draw(rt, "which"))
				switch rapid.IntRange(0, 3).Draw(rt, "call") {
				case 0, 1:
					s.Must(t, p, "scene.createEntity", fmt.Sprintf(`{"position":[%v,%v,%v]}`, at[0], at[1], at[2]))
					made++
				case 2:
					_, _ = s.Call(p, "three.setTransform", fmt.Sprintf(`{"entity":%q,"position":[%v,%v,%v]}`, which, at[0], at[1], at[2])) // it may be gone
				default:
					_, _ = s.Call(p, "scene.destroyEntity", fmt.Sprintf(`{"entity":%q}`, which))
				}
			}
			fields := []string{}
			if where != "" {
				fields = append(fields, where)
			}
			if newest.Method != "" && rapid.IntRange(0, 9).Draw(rt, "anew") > 0 {
				fields = append(fields, fmt.Sprintf(`"since":%d,"epoch":%q`, c.View("").Tick, c.View("").Epoch))
			}
			newest = poll(rt, s, p, "{"+strings.Join(fields, ",")+"}")
			if _, err := c.Notify(newest.Method, newest.Params); err != nil {
				rt.Fatalf("%s: %v", newest.Params, err)
			}
			want := map[string]world.Vec3{}
			s.World.View(func(v *world.View) {
				for id := range v.All() {
					if tr, _ := v.WorldTransform(id); where == "" || tr.Position.Dist2(center) <= radius*radius {
						want[id.String()] = tr.Position
					}
				}
			})
			got := map[string]world.Vec3{}
			for _, e := range c.View("").Entities {
				got[fmt.Sprintf("ent_%d", e.Number)] = e.Pos
			}
			if len(got) != len(want) {
				rt.Fatalf("the copy has %v, the world %v", got, want)
			}
			for id, at := range want {
				if got[id] != at {
					rt.Fatalf("the copy has %v, the world %v", got, want)
				}
			}
		}
	})
}

// TestPollTellsWhatIsNew has the second answer name what has changed, and a poll of another run of the world begin anew.
func TestPollTellsWhatIsNew(t *testing.T) {
	s := serve(t, statesync.Config{})
	p := skilltest.Caller(t, "ann", "builder.readWrite")
	s.Must(t, p, "scene.createEntity", `{}`)
	first := poll(t, s, p, `{}`)
	s.Must(t, p, "scene.createEntity", `{}`)
	second := poll(t, s, p, fmt.Sprintf(`{"since":%d,"epoch":%q}`, first.Tick, first.Epoch))
	if first.Method != "state/snapshot" || second.Method != "state/delta" || strings.Contains(string(second.Params), `"id":"ent_0"`) || !strings.Contains(string(second.Params), `"id":"ent_1"`) {
		t.Errorf("first %s %s\nthen %s %s", first.Method, first.Params, second.Method, second.Params)
	}
	if other := poll(t, s, p, fmt.Sprintf(`{"since":%d,"epoch":"another"}`, first.Tick)); other.Method != "state/snapshot" {
		t.Errorf("with another epoch: %s", other.Method)
	}
}

func TestPollIsRefused(t *testing.T) {
	s := serve(t, statesync.Config{MaxHeld: 1})
	p := skilltest.Caller(t, "ann", "builder.readWrite")
	s.Must(t, p, "scene.createEntity", `{}`)
	s.Must(t, p, "scene.createEntity", `{"position":[50,0,0]}`)
	for _, tt := range []struct {
		name, input string
		code        registry.Code
		want        string
	}{
		{"state.poll", `{"radius":1}`, registry.CodeInvalidInput, "center"},
		{"state.poll", `{"center":[0,0,0]}`, registry.CodeInvalidInput, "radius"},
		{"state.poll", `{"center":[0,0,0],"radius":-1}`, registry.CodeInvalidInput, "radius"},
		{"state.poll", `{"since":-1}`, registry.CodeInvalidInput, "since"},
		{"state.poll", `{}`, registry.CodeCapacityExceeded, "1"},
		{"world.batch", `{"operations":[{"skill":"state.poll","input":{}}]}`, registry.CodeInvalidInput, "state.poll"},
	} {
		if out, err := s.Call(p, tt.name, tt.input); err == nil || err.Code != tt.code || !strings.Contains(err.Message, tt.want) {
			t.Errorf("%s %s: %s %v, want %s, %q", tt.name, tt.input, out, err, tt.code, tt.want)
		}
	}
	if got := poll(t, s, p, `{"center":[0,0,0],"radius":0}`); !strings.Contains(string(got.Params), "ent_0") {
		t.Errorf("radius 0: %s", got.Params)
	}
	if got := poll(t, s, p, `{"center":[0,0,0],"radius":1}`); !strings.Contains(string(got.Params), "ent_0") {
		t.Errorf("what is not too much: %s", got.Params)
	}
}
