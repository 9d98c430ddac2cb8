package history_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/environment"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/world"
)

func builders(w *world.World, _ *agents.Agents) []registry.Skill {
	return slices.Concat(scene.All(w), three.All(w), environment.All(environment.New(w)), history.All(w))
}

// past has ann make three things and change one, bob move one, and the host make one.
func past(t testing.TB, s *skilltest.Server, ann *profiles.Principal) {
	t.Helper()
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	s.Must(t, ann, "scene.createEntity", `{}`)                                    // 1
	s.Must(t, ann, "scene.createEntity", `{"position":[3,0,0]}`)                  // 2
	s.Must(t, bob, "three.setTransform", `{"entity":"ent_1","position":[4,0,0]}`) // 3
	s.Must(t, ann, "three.setMaterial", `{"entity":"ent_0","color":255}`)         // 4
	s.Must(t, bob, "world.setWeather", `{"weather":"rain"}`)                      // 5
	s.Must(t, ann, "scene.createEntity", `{"position":[6,0,0]}`)                  // 6
	s.Must(t, ann, "scene.destroyEntity", `{"entity":"ent_2"}`)                   // 7
	if _, err := s.World.Update(context.Background(), func(tx *world.Tx) error {  // 8
		_, err := tx.Create(world.Spec{})
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func TestHistory(t *testing.T) {
	skilltest.Run(t, builders, "world.history", []skilltest.Case{
		{Name: "none", Input: `{}`, Want: `{"revision":0,"undo":[],"redo":[],"undoable":0,"redoable":0}`},
		{
			Name: "the newest", Setup: past, Input: `{"limit":2}`,
			Want: `{"revision":8,"undo":[{"skill":"scene.destroyEntity","intent":7,"revision":7,"touched":2},{"skill":"scene.createEntity","intent":6,"revision":6,"touched":1}],"redo":[],"undoable":5,"redoable":0}`,
		},
		{
			Name: "after an undo", Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				past(t, s, p)
				s.Must(t, p, "world.undo", `{"steps":2}`)
			}, Input: `{"limit":1}`,
			Want: `{"revision":9,"undo":[{"skill":"three.setMaterial","intent":4,"revision":4,"touched":1}],"redo":[{"skill":"scene.createEntity","intent":8,"revision":9,"touched":0}],"undoable":3,"redoable":1}`,
		},
		{Name: "too many", Input: `{"limit":300}`, Code: registry.CodeInvalidInput, Err: "limit: must be from 1 to 256, got 300"},
	})
}

func TestChanges(t *testing.T) {
	skilltest.Run(t, builders, "world.changes", []skilltest.Case{
		{Name: "none", Input: `{"since":0}`, Want: `{"revision":0,"changes":[],"total":0,"more":0}`},
		{
			Name: "all", Setup: past, Input: `{"since":0}`,
			Want: `{"revision":8,"changes":[{"what":["weather"],"by":"bob","skill":"world.setWeather","intent":5,"revision":5},` +
				`{"entity":"ent_0","what":["created","material"],"by":"ann","skill":"three.setMaterial","intent":4,"revision":4},` +
				`{"entity":"ent_1","what":["created","transform"],"by":"bob","skill":"three.setTransform","intent":3,"revision":3},` +
				`{"entity":"ent_2","what":["created","shape","destroyed"],"by":"ann","skill":"scene.destroyEntity","intent":7,"revision":7,"gone":true},` +
				`{"entity":"ent_3","what":["created"],"by":"host","revision":8}],"total":5,"more":0}`,
		},
		{
			Name: "a page of what others did", Setup: past, Input: `{"since":2,"others":true,"offset":1,"limit":1}`,
			Want: `{"revision":8,"changes":[{"entity":"ent_1","what":["transform"],"by":"bob","skill":"three.setTransform","intent":3,"revision":3}],"total":3,"more":1}`,
		},
		{Name: "the newest", Setup: past, Input: `{"since":8}`, Want: `{"revision":8,"changes":[],"total":0,"more":0}`},
		{Name: "to come", Setup: past, Input: `{"since":9}`, Code: registry.CodeInvalidInput, Err: "since: revision 9 is yet to come: the newest is 8"},
	})
}

func TestDiff(t *testing.T) {
	skilltest.Run(t, builders, "world.diff", []skilltest.Case{
		{
			Name: "before and after", Setup: past, Input: `{"since":2}`,
			Want: `{"revision":8,"changes":{"created":1,"changed":2,"destroyed":0,"entities":[` +
				`{"entity":"ent_0","change":"changed","after":{"material":{"color":255}}},` +
				`{"entity":"ent_1","change":"changed","before":{"pos":[3,0,0]},"after":{"pos":[4,0,0]}},` +
				`{"entity":"ent_3","change":"created","after":{"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1]}}],"world":["weather"],"more":0}}`,
		},
		{Name: "nothing", Setup: past, Input: `{"since":8}`, Want: `{"revision":8,"changes":{"created":0,"changed":0,"destroyed":0,"entities":[],"world":[],"more":0}}`},
		{Name: "to come", Input: `{"since":1}`, Code: registry.CodeInvalidInput, Err: "since: revision 1 is yet to come: the newest is 0"},
	})
}

// What was undone is no change, and what is made again is one.
func TestUndoneIsNoChange(t *testing.T) {
	s := skilltest.New(t, builders)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	s.Must(t, p, "scene.createEntity", `{}`)
	s.Must(t, p, "three.setTransform", `{"entity":"ent_0","position":[1,0,0]}`)
	s.Must(t, p, "world.undo", `{}`)
	if got := s.Must(t, p, "world.changes", `{"since":1}`); !strings.Contains(got, `"changes":[]`) {
		t.Errorf("after the undo %s", got)
	}
	s.Must(t, p, "world.redo", `{}`)
	if got := s.Must(t, p, "world.changes", `{"since":1}`); !strings.Contains(got, `"what":["transform"]`) {
		t.Errorf("after the redo %s", got)
	}
}

// What an undo or a redo says of how many steps there are then is what the history says afterwards.
func TestCountedAsListed(t *testing.T) {
	s := skilltest.New(t, builders)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	for i := range 8 {
		s.Must(t, p, "scene.createEntity", fmt.Sprintf(`{"position":[%d,0,0]}`, i))
	}
	for _, tt := range []struct {
		skill              string
		steps              int
		undoable, redoable int
	}{
		{"world.undo", 1, 7, 1},
		{"world.undo", 3, 4, 2},
		{"world.undo", 1, 3, 3},
		{"world.redo", 1, 4, 2},
		{"world.redo", 2, 5, 0},
		{"world.undo", 2, 3, 1},
		{"world.redo", 1, 4, 0},
	} {
		said := s.Must(t, p, tt.skill, fmt.Sprintf(`{"steps":%d}`, tt.steps))
		listed := s.Must(t, p, "world.history", `{}`)
		want := fmt.Sprintf(`"undoable":%d,"redoable":%d}`, tt.undoable, tt.redoable)
		if !strings.HasSuffix(said, want) || !strings.HasSuffix(listed, want) {
			t.Errorf("%s of %d: it says %s\nand the history %s, want %s", tt.skill, tt.steps, said, listed, want)
		}
	}
}

// drifting is builders in a world whose steps move its first entity.
func drifting(w *world.World, a *agents.Agents) []registry.Skill {
	w.OnStep("drift", func(tx *world.Tx) error {
		at, _ := tx.Transform(1)
		return tx.SetPosition(1, at.Position.Add(world.Vec3{0, -1, 0}))
	})
	return builders(w, a)
}

// TestSimulated has a step move one of two entities: the changes name it, and only it, an undo puts it back and says so, and
// ifRevision holds a call to it.
func TestSimulated(t *testing.T) {
	s := skilltest.New(t, drifting)
	ann, bob := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)
	s.Must(t, ann, "scene.createEntity", `{}`)                                    // 1
	s.Must(t, ann, "scene.createEntity", `{}`)                                    // 2
	s.Must(t, ann, "three.setTransform", `{"entity":"ent_0","position":[1,0,0]}`) // 3
	s.Must(t, ann, "three.setTransform", `{"entity":"ent_1","position":[2,0,0]}`) // 4
	s.Steps(1)                                                                    // 5
	const step = `{"entity":"ent_0","what":[],"by":"simulation","revision":5}`
	for since, want := range map[int]string{
		2: step + `,{"entity":"ent_1","what":["transform"],"by":"ann","skill":"three.setTransform","intent":4,"revision":4}`,
		4: step,
		5: "",
	} {
		got := s.Must(t, bob, "world.changes", fmt.Sprintf(`{"since":%d}`, since))
		if !strings.Contains(got, `"changes":[`+want+`]`) {
			t.Errorf("since %d: %s, want %s", since, got, want)
		}
	}
	for _, tt := range []struct {
		seen   uint64
		entity string
		want   string
	}{
		{4, "ent_0", "ifRevision: since revision 4 the simulation changed ent_0 (revision 5). Nothing was changed; look again, then call with ifRevision 5"},
		{3, "ent_1", "ifRevision: since revision 3 ann changed ent_1 transform (three.setTransform, call 4, revision 4). Nothing was changed; look again, then call with ifRevision 5"},
		{4, "ent_1", ""},
		{5, "ent_0", ""},
	} {
		res := s.Registry.Invoke(t.Context(), &registry.Request{
			Name: "three.setTransform", Input: []byte(`{"entity":"` + tt.entity + `","scale":[2,2,2]}`), Principal: bob, IfRevision: &tt.seen,
		}, nil)
		got := ""
		if res.Err != nil {
			got = res.Err.Message
		} else {
			s.Must(t, bob, "world.undo", `{}`) // nothing of it is in ann's way
		}
		if got != tt.want {
			t.Errorf("ifRevision %d, %s: %q, want %q", tt.seen, tt.entity, got, tt.want)
		}
	}
	got := s.Must(t, ann, "world.undo", `{"steps":2}`)
	if !strings.Contains(got, `"changed":2,"entities":["ent_0","ent_1"],"simulated":["ent_0"],`) {
		t.Errorf("undo: %s", got)
	}
	for _, id := range []string{"ent_0", "ent_1"} {
		if got := s.Entity(t, id); !strings.Contains(got, `"pos":[0,0,0]`) {
			t.Errorf("after the undo %s", got)
		}
	}
}

// TestUndoIsShort undoes what made many things: all are counted, ten are named.
func TestUndoIsShort(t *testing.T) {
	s := skilltest.New(t, builders)
	ann := skilltest.Caller(t, "ann", skilltest.Builder)
	for range 12 {
		s.Must(t, ann, "scene.createEntity", `{}`)
	}
	want := `"changed":12,"entities":["ent_0","ent_1","ent_2","ent_3","ent_4","ent_5","ent_6","ent_7","ent_8","ent_9"],"undoable":0`
	if got := s.Must(t, ann, "world.undo", `{"steps":12}`); !strings.Contains(got, want) {
		t.Errorf("undo: %s, want %s", got, want)
	}
}

// TestForgotten undoes what is not remembered any more: each agent has 256 steps, and the world so many
// commits. Who asks is told, and nothing changes.
func TestForgotten(t *testing.T) {
	s := skilltest.New(t, builders)
	ann, bob := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "bob", skilltest.Builder)
	refused := func(skill, input, want string) {
		t.Helper()
		before := s.World.Hash()
		if _, err := s.Call(ann, skill, input); err == nil || err.Message != want {
			t.Errorf("%s %s: %v, want %s", skill, input, err, want)
		}
		if s.World.Hash() != before {
			t.Errorf("%s %s was refused and changed the world", skill, input)
		}
	}
	s.Must(t, bob, "scene.createEntity", `{}`)
	for i := range 300 {
		s.Must(t, ann, "three.setTransform", fmt.Sprintf(`{"entity":"ent_0","position":[%d,0,0]}`, i+1))
	}
	if got := s.Must(t, ann, "world.history", `{"limit":1}`); !strings.Contains(got, `"undoable":256,`) {
		t.Errorf("history: %s", got)
	}
	if got := s.Must(t, ann, "world.undo", `{"steps":256}`); !strings.Contains(got, `"undoable":0,`) {
		t.Errorf("undo: %s", got[len(got)-100:])
	}
	if got := s.Entity(t, "ent_0"); !strings.Contains(got, `"pos":[44,0,0]`) {
		t.Errorf("after 256 of 300 steps were undone: %s", got)
	}
	refused("world.undo", `{}`, "there is nothing of yours to undo: only your own changes are, and the newest of them")
	s.Must(t, ann, "scene.createEntity", `{}`)
	refused("world.undo", `{"steps":2}`, "steps: must be 1 to 1, which is how many you can undo, got 2")

	// The host goes on until the world has forgotten all that ann did, but for her newest steps, which are kept for her.
	for i := range 1 << 18 {
		if _, err := s.World.Update(context.Background(), func(tx *world.Tx) error {
			return tx.SetPosition(1, world.Vec3{0, float64(i + 1), 0})
		}); err != nil {
			t.Fatal(err)
		}
	}
	refused("world.changes", `{"since":1}`, "since: revision 1 is too long ago: what changed is known from revision 303 on; look at the scene anew")
	refused("world.diff", `{"since":1}`, "since: revision 1 is too long ago: what changed is known from revision 303 on; look at the scene anew")
	if got := s.Must(t, ann, "world.undo", `{}`); !strings.Contains(got, `"undoable":0,`) {
		t.Errorf("her newest step: %s", got)
	}
	refused("world.undo", `{}`, "there is nothing of yours to undo: only your own changes are, and the newest of them; what is not among the newest of all, from revision 305 on, is forgotten")
	if got := s.Must(t, ann, "world.history", `{}`); !strings.Contains(got, `"undo":[]`) {
		t.Errorf("history: %s", got)
	}
}

// Who decides about what others change undoes and redoes it in their place, unless somebody has changed the same since.
func TestUndoOfAnother(t *testing.T) {
	file := filepath.Join(t.TempDir(), "profiles.yaml")
	if err := os.WriteFile(file, []byte("profiles:\n  moderator:\n    extends: [builder.readWrite, reviewer]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := profiles.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	grants, err := known.Resolve("moderator")
	if err != nil {
		t.Fatal(err)
	}
	judge := &profiles.Principal{Kind: profiles.KindAgent, ID: "judge", Session: "j", Profile: "moderator", Grants: grants}
	s := skilltest.New(t, builders)
	ann, eve := skilltest.Caller(t, "ann", skilltest.Builder), skilltest.Caller(t, "eve", skilltest.Builder)
	s.Must(t, ann, "scene.createEntity", `{"name":"house"}`)
	s.Must(t, ann, "scene.createEntity", `{"name":"tower"}`)
	was := [...]string{s.Entity(t, "ent_0"), s.Entity(t, "ent_1")}
	s.Must(t, eve, "scene.destroyEntity", `{"entity":"ent_0"}`)
	s.Must(t, eve, "three.setTransform", `{"entity":"ent_1","position":[0,-50,0]}`)

	refused := func(p *profiles.Principal, skill, input string, code registry.Code, want string) {
		t.Helper()
		if _, err := s.Call(p, skill, input); err == nil || err.Code != code || !strings.Contains(err.Message, want) {
			t.Errorf("%s by %s: %v, want %s, %q", skill, p.ID, err, code, want)
		}
	}
	for _, skill := range []string{"world.undo", "world.redo", "world.history"} {
		refused(ann, skill, `{"agent":"eve"}`, registry.CodeForbidden, "agent: steps of others are for those with the permission approval.review; without agent your own are meant")
	}
	if got := s.Must(t, judge, "world.history", `{"agent":"eve"}`); !strings.Contains(got, `"undo":[{"skill":"three.setTransform"`) || !strings.Contains(got, `"undoable":2,"redoable":0`) {
		t.Errorf("what eve did: %s", got)
	}
	refused(judge, "world.undo", `{"agent":"eve","steps":3}`, registry.CodeInvalidInput, "steps: must be 1 to 2, which is how many eve can undo, got 3")
	if got := s.Must(t, judge, "world.undo", `{"agent":"eve","steps":2}`); !strings.Contains(got, `"changed":2`) || !strings.Contains(got, `"undoable":0,"redoable":1`) {
		t.Errorf("undo: %s", got)
	}
	if is := [...]string{s.Entity(t, "ent_0"), s.Entity(t, "ent_1")}; is != was {
		t.Errorf("it is %s, and was %s", is, was)
	}
	if got := s.Must(t, ann, "world.changes", `{"since":2}`); !strings.Contains(got, `"total":0`) {
		t.Errorf("what was undone is still a change: %s", got)
	}
	if got := s.Must(t, judge, "world.history", `{}`); !strings.Contains(got, `"undoable":0,"redoable":0`) {
		t.Errorf("what the judge did is his own: %s", got)
	}
	refused(judge, "world.undo", `{"agent":"eve"}`, registry.CodeHandlerError, "there is nothing of eve's to undo: only the newest changes are, since the server was started")
	s.Must(t, judge, "world.redo", `{"agent":"eve"}`)
	s.Must(t, judge, "world.undo", `{"agent":"eve"}`)
	refused(judge, "world.redo", `{"agent":"bob"}`, registry.CodeHandlerError, "there is nothing of bob's to redo")
	s.Must(t, eve, "three.setTransform", `{"entity":"ent_1","position":[0,-50,0]}`)
	s.Must(t, ann, "three.setTransform", `{"entity":"ent_1","position":[0,1,0]}`)
	refused(judge, "world.undo", `{"agent":"eve"}`, registry.CodeConflict, "ann")
}
