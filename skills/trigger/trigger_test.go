package trigger_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/trigger"
	"github.com/limina-mcp/limina/world"
)

func TestCreate(t *testing.T) {
	skilltest.Run(t, all, "trigger.create", []skilltest.Case{
		{Name: "a box", Input: `{"center":[1,2,3],"size":[1,1,1]}`, Want: `{"triggerId":"trg_0","min":[0,1,2],"max":[2,3,4]}`},
		{Name: "a ball", Input: `{"shape":"sphere","center":[1,2,3],"size":[1,0,0],"tag":"x","config":{"a":[1]}}`, Want: `{"triggerId":"trg_0","min":[0,1,2],"max":[2,3,4]}`},
		{Name: "a second one", Setup: zone, Input: `{"center":[1,2,3],"size":[1e38,1e38,1e38]}`, Want: `{"triggerId":"trg_1","min":[-1e+38,-1e+38,-1e+38],"max":[1e+38,1e+38,1e+38]}`},
		{Name: "a flat box", Input: `{"center":[1,2,3],"size":[1,0,1]}`, Code: registry.CodeInvalidInput, Err: "size[1]: must be above 0, got 0; it is half an edge of a box, the radius of a sphere"},
		{Name: "a large config", Input: `{"center":[1,2,3],"size":[1,1,1],"config":{"a":"` + strings.Repeat("x", trigger.MaxData) + `"}}`, Code: registry.CodeCapacityExceeded, Err: "config: holds at most 8192 bytes, this one has 8200"},
	})
	skilltest.Run(t, all, "trigger.remove", []skilltest.Case{
		{Name: "a zone", Setup: zone, Input: `{"triggerId":"trg_0"}`, Want: `{"ok":true}`},
		{Name: "another", Setup: zone, Input: `{"triggerId":"trg_7"}`, Err: "unknown trigger trg_7; the nearest are trg_0"},
		{Name: "none", Input: `{"triggerId":"door"}`, Err: "unknown trigger door; there is none: trigger.create makes one"},
	})
	for name, input := range map[string]string{
		"trigger.create": `{"center":[1,2,3],"size":[1,1,1]}`, "trigger.onEnter": `{"triggerId":"trg_0","action":{"type":"custom"}}`,
		"trigger.onStay": `{"triggerId":"trg_0","action":{"type":"custom"}}`, "trigger.remove": `{"triggerId":"trg_0"}`,
	} {
		skilltest.Needs(t, all, name, input, "trigger.configure", "builder.readWrite", "game.author")
	}
}

func TestAttach(t *testing.T) {
	skilltest.Run(t, all, "trigger.onEnter", []skilltest.Case{
		{Name: "emit", Setup: zone, Input: `{"triggerId":"trg_0","action":{"type":"emit"}}`, Want: `{"ok":true}`},
		{Name: "set nothing", Setup: zone, Input: `{"triggerId":"trg_0","action":{"type":"setState"}}`, Want: `{"ok":true,"note":"the action changes nothing: action.data names nothing to change"}`},
		{Name: "turn by degrees", Setup: zone, Input: `{"triggerId":"trg_0","action":{"type":"setState","data":{"rotationEuler":[0,90,0]}}}`, Want: `{"ok":true,"note":"action.data.rotationEuler is in radians, and was taken so: 90 is 14.3 turns. If degrees were meant, give [0,1.5708,0]"}`},
		{Name: "spawn", Setup: zone, Input: `{"triggerId":"trg_0","action":{"type":"spawn","data":{"shape":"sphere","dynamic":true}}}`, Want: `{"ok":true}`},
		{Name: "what cannot be made", Setup: zone, Input: `{"triggerId":"trg_0","action":{"type":"spawn","data":{"size":-1}}}`, Code: registry.CodeInvalidInput, Err: "action.data.size: must be greater than 0 and at most 50, got -1"},
		{Name: "what is two things", Setup: zone, Input: `{"triggerId":"trg_0","action":{"type":"spawn","data":{"static":true,"dynamic":true}}}`, Code: registry.CodeInvalidInput, Err: "dynamic and static exclude each other: set one of them"},
		{Name: "a bad lamp", Setup: zone, Input: `{"triggerId":"trg_0","action":{"type":"setState","data":{"light":{"range":0}}}}`, Code: registry.CodeInvalidInput, Err: `action.data.light.range: must be greater than 0 and at most 1000, got 0`},
		{Name: "a state that nothing has", Setup: zone, Input: `{"triggerId":"trg_0","action":{"type":"setState","data":{"colour":1}}}`, Code: registry.CodeInvalidInput, Err: `action.data.colour: unknown field, did you mean "color"? allowed: position, rotationEuler, scale, name, color, light, addTags, removeTags, game`},
		{Name: "a sound without a name", Setup: zone, Input: `{"triggerId":"trg_0","action":{"type":"audio"}}`, Code: registry.CodeInvalidInput, Err: "action.data.name: is required: a string of at least 1 character"},
		{Name: "on nobody", Setup: zone, Input: `{"triggerId":"trg_0","action":{"type":"destroy","target":"door"}}`, Code: registry.CodeInvalidInput, Err: `action.target: "door" is not an entity id; ids look like "ent_0", "ent_17"`},
		{Name: "to no zone", Setup: zone, Input: `{"triggerId":"trg_1","action":{"type":"emit"}}`, Err: "unknown trigger trg_1; the nearest are trg_0"},
		{Name: "without the right", As: "game.author", Setup: zone, Input: `{"triggerId":"trg_0","action":{"type":"spawn"}}`, Code: registry.CodeForbidden, Err: "missing permission: scene.write, which an action of type spawn needs"},
		{
			Name: "too many", Input: `{"triggerId":"trg_0","action":{"type":"emit"}}`, Code: registry.CodeCapacityExceeded, Err: "trg_0 has 16 actions on enter, which is the most; trigger.remove removes the zone with all of them",
			Setup: func(t testing.TB, s *skilltest.Server, p *profiles.Principal) {
				t.Helper()
				zone(t, s, p)
				for range trigger.MaxActions - 1 {
					s.Must(t, p, "trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit"}}`)
				}
			},
		},
	})
}

// TestNoData holds actions without data to be those whose data is {}, as the schema says.
func TestNoData(t *testing.T) {
	left, empty := newRoom(t), newRoom(t)
	for r, action := range map[*room]string{left: `{"type":"emit"}`, empty: `{"type":"emit","data":{}}`} {
		r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
		r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":%s}`, action)
	}
	if left.Content() != empty.Content() {
		t.Error("the worlds differ")
	}
	for _, name := range []string{"trigger.onEnter", "trigger.onExit", "trigger.onStay"} {
		k, _ := left.Registry.Lookup(name)
		var schema struct {
			Properties struct {
				Action struct{ Properties struct{ Data map[string]any } }
			}
		}
		if err := json.Unmarshal(k.InputSchema(), &schema); err != nil {
			t.Fatal(err)
		}
		if got, ok := schema.Properties.Action.Properties.Data["default"].(map[string]any); !ok || len(got) != 0 {
			t.Errorf("%s: the default of action.data is %v, want {}", name, got)
		}
	}
}

// TestMoved moves an entity in and out.
func TestMoved(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"position":[0.5,0,0]}`) // is there when the zone is made
	r.Do("scene.createEntity", `{"position":[9,0,0]}`)
	zone(t, r.Server, r.Ann)
	r.Steps(3)
	r.put("ent_1", 1, 1, 1)
	if got := r.Heard(); got != nil {
		t.Errorf("before the step viewers are told %q", got)
	}
	r.Steps(1)
	r.put("ent_1", 0, 0, 0)
	r.Steps(59)
	r.put("ent_0", 1.01, 0, 0)
	r.Steps(1)
	r.put("ent_1", 0, 1.01, 0)
	r.Steps(1)
	r.Do("scene.createEntity", `{"position":[0,0,0]}`)
	r.Do("scene.createEntity", `{"position":[0,0,0],"static":true}`)
	r.Steps(1)
	r.Do("scene.destroyEntity", `{"entity":"ent_2"}`)
	r.Steps(100)
	want := []string{
		"emit enter ent_1 onEnter", "emit stay ent_0 onStay", // ent_0 came three steps earlier
		"emit exit ent_0 onExit", "emit stay ent_1 onStay", "emit exit ent_1 onExit", "emit enter ent_2 onEnter", "emit exit onExit",
	}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	tick := r.World.Tick()
	if r.Steps(200); r.World.Tick() != tick {
		t.Error("nothing is in the zone, and the world changes")
	}
}

// TestActions looks at the effect of each.
func TestActions(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"position":[9,0,0]}`)
	r.Do("scene.createEntity", `{"position":[20,0,0]}`)
	r.Do("scene.createEntity", `{"position":[30,0,0]}`)
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	for _, action := range []string{
		`{"type":"emit","target":"hello","data":{"a":[1,{}]}}`,
		`{"type":"custom","target":"lamp","data":{"on":true}}`,
		`{"type":"animation","data":{"clip":"wave"}}`,
		`{"type":"audio","data":{"name":"gong"}}`,
		`{"type":"setState","target":"ent_1","data":{"position":[20,5,0],"scale":[2,2,2],"color":255,"name":"lamp","addTags":["lit"]}}`,
		`{"type":"spawn","data":{"shape":"sphere","size":0.5}}`,
		`{"type":"spawn","data":{"position":[1,2,3]}}`,
		`{"type":"destroy","target":"ent_2"}`,
		`{"type":"setState","target":"ent_2","data":{"color":1}}`,
		`{"type":"destroy"}`,
		`{"type":"emit","target":"too late"}`,
	} {
		r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":%s}`, action)
	}
	r.put("ent_0", 0, 0, 0)
	r.Steps(1)
	want := []string{
		"emit enter ent_0 hello", "custom enter ent_0", "animation enter ent_0", "audio.playSFX gong",
		"failed enter ent_0 unknown entity ent_2, which was destroyed; the nearest are ent_0, ent_1, ent_3",
	}
	if diff := cmp.Diff(want, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	for entity, want := range map[string]string{
		"ent_0": "", "ent_2": "",
		"ent_1": `{"id":"ent_1","eid":1,"pos":[20,5,0],"rot":[0,0,0,1],"scale":[2,2,2],"name":"lamp","tags":["lit"],"shape":{"kind":"box","size":[1,1,1],"color":16777215},"material":{"color":255}}`,
		"ent_3": `{"id":"ent_3","eid":3,"pos":[0,0,0],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"sphere","size":[0.5,0.5,0.5],"color":16777215}}`,
		"ent_4": `{"id":"ent_4","eid":4,"pos":[1,2,3],"rot":[0,0,0,1],"scale":[1,1,1],"shape":{"kind":"box","size":[1,1,1],"color":16777215}}`,
	} {
		if got := r.Entity(t, entity); got != want {
			t.Errorf("%s is\n%s, want\n%s", entity, got, want)
		}
	}
}

// TestLamp lights a lamp while somebody is there.
func TestLamp(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"position":[9,0,0]}`)
	r.Do("scene.createEntity", `{"position":[0,3,0]}`)
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"setState","target":"ent_1","data":{"light":{"range":20}}}}`)
	r.Do("trigger.onExit", `{"triggerId":"trg_0","action":{"type":"setState","target":"ent_1","data":{"light":{"kind":"off"}}}}`)
	const lit = `"light":{"kind":"point","color":16769212,"intensity":1,"range":20}`
	for _, x := range []float64{9, 0, 9} {
		r.put("ent_0", x, 0, 0)
		r.Steps(1)
		if got := r.Entity(t, "ent_1"); strings.Contains(got, lit) != (x == 0) {
			t.Errorf("when somebody is at %v the lamp is %s", x, got)
		}
	}
}

// TestStateOfGroups colours a group, which is what is in it.
func TestStateOfGroups(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"position":[9,0,0]}`)
	r.Do("scene.createEntity", `{"position":[20,0,0]}`)
	if _, err := r.World.Update(t.Context(), func(tx *world.Tx) error { // the group ent_2
		id, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		return tx.SetParent(2, id)
	}); err != nil {
		t.Fatal(err)
	}
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"setState","target":"ent_2","data":{"color":255}}}`)
	r.put("ent_0", 0, 0, 0)
	r.Steps(1)
	for entity, want := range map[string]bool{"ent_0": false, "ent_1": true, "ent_2": false} {
		if got := strings.Contains(r.Entity(t, entity), `"material":{"color":255}`); got != want {
			t.Errorf("%s is blue: %v, want %v", entity, got, want)
		}
	}
}

// TestSpawnEnds has a spawn make something in its own zone, which would go on for ever.
func TestSpawnEnds(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"position":[9,0,0]}`)
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"spawn"}}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit","target":"in"}}`)
	r.put("ent_0", 0, 0, 0)
	r.Steps(100)
	if diff := cmp.Diff([]string{"emit enter ent_0 in", "emit enter ent_1 in"}, r.Heard()); diff != "" || r.Len() != 2 {
		t.Errorf("there are %d entities; viewers are told (-want +got):\n%s", r.Len(), diff)
	}
}

// TestSpawnLimit fills the world with what actions make, as far as they may.
func TestSpawnLimit(t *testing.T) {
	r := open(t, all)
	r.Do("scene.createEntity", `{"position":[9,0,0]}`)
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	for range trigger.MaxActions {
		r.Do("trigger.onStay", `{"triggerId":"trg_0","action":{"type":"spawn","data":{"position":[5,5,5]}},"every":0.001}`)
	}
	r.put("ent_0", 0, 0, 0)
	r.Steps(1)
	for r.Heard() == nil && r.Len() < 2000 {
		r.Steps(1)
	}
	if n := r.Len(); n > trigger.MaxSpawned+1 {
		t.Errorf("there are %d entities", n)
	}
}

// TestBackAndForth has two zones throw an entity at each other: once a step, for ever.
func TestBackAndForth(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"position":[50,0,0]}`)
	for i, to := range []int{100, 0} {
		r.Do("trigger.create", `{"center":[%d,0,0],"size":[1,1,1]}`, 100-to)
		r.Do("trigger.onEnter", `{"triggerId":"trg_%d","action":{"type":"setState","data":{"position":[%d,0,0]}}}`, i, to)
		r.Do("trigger.onEnter", `{"triggerId":"trg_%d","action":{"type":"emit"}}`, i)
	}
	r.put("ent_0", 0, 0, 0)
	r.Steps(10)
	if got := r.Heard(); len(got) != 10 {
		t.Errorf("in ten steps: %q", got)
	}
}

// TestClaims holds actions to what others have claimed.
func TestClaims(t *testing.T) {
	r := newRoom(t)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	r.Do("scene.createEntity", `{"position":[9,0,0]}`)
	r.Do("scene.createEntity", `{"position":[50,0,0]}`)
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	r.Must(t, bob, "trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	r.Must(t, bob, "world.claim", `{"min":[40,-10,-10],"max":[60,10,10],"seconds":3600}`)
	for _, action := range []string{
		`{"type":"destroy","target":"ent_1"}`, `{"type":"setState","target":"ent_1","data":{"color":1}}`,
		`{"type":"setState","data":{"position":[50,0,0]}}`, `{"type":"spawn","data":{"position":[50,0,0]}}`,
	} {
		r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":%s}`, action)
	}
	r.Must(t, bob, "trigger.onEnter", `{"triggerId":"trg_1","action":{"type":"setState","target":"ent_1","data":{"color":7}}}`)
	r.put("ent_0", 0, 0, 0)
	r.Steps(1)
	got := r.Heard()
	for _, m := range got {
		if !strings.HasPrefix(m, "failed enter ent_0 ent_") || !strings.Contains(m, "is in a region that bob holds") {
			t.Errorf("viewers are told %q", m)
		}
	}
	if len(got) != 4 || r.Len() != 2 || !strings.Contains(r.Entity(t, "ent_0"), `"pos":[0,0,0]`) {
		t.Errorf("%d entities, viewers are told %q", r.Len(), got)
	}
	if got := r.Entity(t, "ent_1"); !strings.Contains(got, `"material":{"color":7}`) {
		t.Errorf("bob's own region: %s", got)
	}
}

// TestBackInside brings a zone back, and what was in it has been there. What was destroyed has left by that, and enters when it is back, unless its zone
// is back with it.
func TestBackInside(t *testing.T) {
	const left, entered = "emit exit onExit", "emit enter ent_0 onEnter"
	for _, c := range []struct {
		what      string
		gone      []string
		told, now []string
	}{
		{"the zone", []string{`trigger.remove {"triggerId":"trg_0"}`}, nil, nil},
		{"the thing", []string{`scene.destroyEntity {"entity":"ent_0"}`}, []string{left}, []string{entered}},
		{"the thing, and then the zone", []string{`scene.destroyEntity {"entity":"ent_0"}`, `trigger.remove {"triggerId":"trg_0"}`}, nil, nil},
	} {
		r := newRoom(t)
		r.Do("scene.createEntity", `{}`)
		zone(t, r.Server, r.Ann)
		r.World.Step(t.Context())
		for _, call := range c.gone {
			name, input, _ := strings.Cut(call, " ")
			r.Do(name, "%s", input)
		}
		r.World.Step(t.Context())
		if got := r.Heard(); !slices.Equal(got, c.told) {
			t.Errorf("%s: %q, want %q", c.what, got, c.told)
		}
		r.Do("world.undo", `{"steps":%d}`, len(c.gone))
		r.World.Step(t.Context())
		r.put("ent_0", 0.5, 0, 0)
		r.World.Step(t.Context())
		if got := r.Heard(); !slices.Equal(got, c.now) {
			t.Errorf("%s is back: %q, want %q", c.what, got, c.now)
		}
		r.put("ent_0", 5, 0, 0)
		r.World.Step(t.Context())
		if got := r.Heard(); len(got) != 1 || got[0] != "emit exit ent_0 onExit" {
			t.Errorf("what leaves after %s is back: %q", c.what, got)
		}
	}
}

// TestState undoes a zone, brings it back, and goes on from a checkpoint.
func TestState(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"position":[0,0,0]}`)
	empty := r.Content()
	zone(t, r.Server, r.Ann)
	made := r.Content()
	r.Do("world.undo", `{"steps":4}`)
	if r.Content() != empty {
		t.Error("undo leaves something of the zone")
	}
	r.put("ent_0", 9, 0, 0)
	r.Steps(1)
	r.put("ent_0", 0, 0, 0)
	r.Steps(100)
	if got := r.Heard(); got != nil {
		t.Errorf("a zone that is undone: %q", got)
	}
	r.Do("world.undo", `{"steps":2}`)
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	r.Do("trigger.onExit", `{"triggerId":"trg_1","action":{"type":"emit","target":"out"}}`)
	if r.Content() == made {
		t.Error("the hash does not see which actions there are")
	}
	r.Do("checkpoint.create", `{"name":"here"}`)
	r.Do("trigger.remove", `{"triggerId":"trg_1"}`)
	r.put("ent_0", 9, 0, 0)
	r.Steps(1)
	r.Do("checkpoint.load", `{"name":"here"}`)
	r.Steps(1)
	r.put("ent_0", 9, 0, 0)
	r.Steps(1)
	if diff := cmp.Diff([]string{"emit exit ent_0 out"}, r.Heard()); diff != "" {
		t.Errorf("after the checkpoint viewers are told (-want +got):\n%s", diff)
	}
}

// TestOrder fires the same in the same order, whatever the order of the calls that moved things.
func TestOrder(t *testing.T) {
	run := func(order ...int) []string {
		r := newRoom(t)
		for range 3 {
			r.Do("scene.createEntity", `{"position":[9,9,9]}`)
		}
		for i := range 2 {
			r.Do("trigger.create", `{"shape":"sphere","center":[0,0,0],"size":[1,1,1],"tag":""}`)
			r.Do("trigger.onEnter", `{"triggerId":"trg_%d","action":{"type":"emit","target":"%d"}}`, i, i)
		}
		for _, i := range order {
			r.put(fmt.Sprintf("ent_%d", i), 0, 0, 0)
		}
		r.Steps(1)
		return r.Heard()
	}
	if first, second := run(0, 1, 2), run(2, 0, 1); !slices.Equal(first, second) || len(first) != 6 {
		t.Errorf("%q and %q", first, second)
	}
}

// TestTag goes by what an entity is tagged.
func TestTag(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{"position":[0,0,0]}`)
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1],"tag":"hero"}`)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit"}}`)
	r.Do("trigger.onExit", `{"triggerId":"trg_0","action":{"type":"emit"}}`)
	r.Steps(1)
	r.Do("ecs.addComponent", `{"entity":"ent_0","component":"hero"}`)
	r.Steps(1)
	r.Do("ecs.removeComponent", `{"entity":"ent_0","component":"hero"}`)
	r.Steps(1)
	if diff := cmp.Diff([]string{"emit enter ent_0", "emit exit ent_0"}, r.Heard()); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
}

// TestExample makes the zone that the description shows: who copies it has one that notices what has no tag, as characters have none.
func TestExample(t *testing.T) {
	r := newRoom(t)
	d := trigger.Create(nil).Info().Description
	_, example, _ := strings.Cut(d, "Example: ")
	r.Do("trigger.create", "%s", example)
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"emit"}}`)
	r.Do("scene.createEntity", `{"position":[0,1,0]}`)
	r.Steps(1)
	if got := r.Heard(); len(got) != 1 {
		t.Errorf("%s made a zone that noticed %v, want one emit", example, got)
	}
}

// TestZonesAreShared: one alone makes three quarters of the zones that there may be, and of those that go with entities.
func TestZonesAreShared(t *testing.T) {
	r := newRoom(t)
	r.Do("scene.createEntity", `{}`)
	bob := skilltest.Caller(t, "bob", skilltest.Builder)
	for _, tt := range []struct {
		input, want string
		n           int
	}{
		{`{"entity":"ent_0","size":[1,1,1]}`, "192 of 256 zones that go with entities are yours, and the 64 that are left are for others: trigger.remove takes one away", trigger.MaxCarried * 3 / 4},
		{`{"center":[0,0,0],"size":[1,1,1]}`, "768 of 1024 zones are yours, and the 255 that are left are for others: trigger.remove takes one away", trigger.MaxZones*3/4 - trigger.MaxCarried*3/4},
	} {
		for range tt.n {
			r.Do("trigger.create", "%s", tt.input)
		}
		if _, err := r.Call(r.Ann, "trigger.create", tt.input); err == nil || err.Message != tt.want {
			t.Errorf("one more: %v, want %s", err, tt.want)
		}
		r.Must(t, bob, "trigger.create", tt.input)
	}
	for i := range 9 {
		r.Do("trigger.remove", `{"triggerId":"trg_%d"}`, i)
	}
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
}

// TestSeatsAreBounded: what is in many large zones is bounded by both together.
func TestSeatsAreBounded(t *testing.T) {
	r := open(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		zones := trigger.New(w, audio.New(w))
		zones.SeatFew(4000)
		return slices.Concat(scene.All(w), trigger.All(zones))
	})
	for range 300 {
		r.Do("scene.createEntity", `{}`)
	}
	for range 9 {
		r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	}
	_, err := r.Call(r.Ann, "trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	want := "3000 of 4000 times that something is in a zone are yours, and the 1000 that are left are for others: give large zones a tag, or make them smaller; trigger.remove takes one away"
	if err == nil || err.Message != want || err.Code != registry.CodeCapacityExceeded {
		t.Errorf("one more: %v, want %s", err, want)
	}
	r.Must(t, skilltest.Caller(t, "bob", skilltest.Builder), "trigger.create", `{"center":[0,0,0],"size":[1,1,1]}`)
	r.Do("trigger.create", `{"center":[0,0,0],"size":[1,1,1],"tag":"coin"}`)
}

// TestDestroyedInside: what is destroyed in a zone has left it, once, whether by a call or by an action of the
// zone; what is to be done to it is not. The destroying is undone whatever was done about it, and what is back enters.
func TestDestroyedInside(t *testing.T) {
	r := newRoom(t)
	zone(t, r.Server, r.Ann)
	r.Do("trigger.onExit", `{"triggerId":"trg_0","action":{"type":"setState","data":{"color":255}}}`)
	for range 2 {
		r.Do("scene.createEntity", `{"position":[0,0,0]}`)
	}
	r.Do("scene.createEntity", `{"position":[0,0,0]}`)
	r.Do("scene.createEntity", `{"position":[9,0,0]}`)
	r.Steps(2)
	r.Heard()
	says := func(when string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, r.Heard()); diff != "" {
			t.Errorf("%s: viewers are told (-want +got):\n%s", when, diff)
		}
	}
	r.Do("scene.destroyEntity", `{"entity":"ent_3"}`)
	r.Steps(2)
	says("outside")
	r.Do("scene.destroyEntity", `{"entity":"ent_0"}`)
	r.Steps(2)
	says("one", "emit exit onExit")
	r.Do("world.undo", `{}`)
	r.Steps(2)
	says("undone", "emit enter ent_0 onEnter")
	r.put("ent_0", 5, 0, 0)
	r.Steps(1)
	says("moved out", "emit exit ent_0 onExit")
	r.Do("scene.destroyEntity", `{"entity":"ent_0"}`)
	r.Steps(1)
	says("gone already")
	r.Do("scene.destroyEntity", `{"entity":"ent_1"}`)
	r.Do("scene.destroyEntity", `{"entity":"ent_2"}`)
	r.Steps(2)
	says("two in one step", "emit exit onExit", "emit exit onExit")
	r.Do("trigger.onEnter", `{"triggerId":"trg_0","action":{"type":"destroy"}}`)
	r.Do("scene.createEntity", `{"position":[0,0,0]}`)
	r.Steps(3)
	says("destroyed as it enters", "emit enter ent_4 onEnter", "emit exit onExit")
}
