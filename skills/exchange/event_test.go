package exchange_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/gltf"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/ecs"
	"github.com/limina-mcp/limina/skills/exchange"
	"github.com/limina-mcp/limina/skills/history"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/layout"
	"github.com/limina-mcp/limina/skills/mesh"
	"github.com/limina-mcp/limina/skills/prefab"
	"github.com/limina-mcp/limina/skills/scene"
	"github.com/limina-mcp/limina/skills/three"
	"github.com/limina-mcp/limina/solid"
	"github.com/limina-mcp/limina/world"
	"github.com/limina-mcp/limina/world/terrain"
)

// studio is a server that can do what logs of events tell of.
type studio struct {
	*skilltest.Server
	meshes *mesh.Meshes
	bob    *profiles.Principal
}

// fataler is a test, also one of rapid.
type fataler interface{ Fatal(...any) }

// nap is a skill that takes two seconds.
var nap = registry.Define(registry.Spec[struct{}, struct{}]{
	Name: "demo.nap", Description: "Take long.", Permissions: []profiles.Permission{"scene.write"},
	Handle: func(*registry.Call, struct{}) (out struct{}, err error) {
		time.Sleep(2 * time.Second)
		return out, nil
	},
})

// oldest is a skill that answers what there was before.
var oldest = registry.Define(registry.Spec[struct{}, struct{ Entity world.ID }]{
	Name: "demo.oldest", Description: "Name the oldest.", Permissions: []profiles.Permission{"scene.write"}, Effect: registry.Writes,
	Handle: func(*registry.Call, struct{}) (struct{ Entity world.ID }, error) {
		return struct{ Entity world.ID }{1}, nil
	},
})

// book is a skill that says a lot.
var book = registry.Define(registry.Spec[struct{}, struct{ Text string }]{
	Name: "demo.read", Description: "Say a lot.", Permissions: []profiles.Permission{"scene.write"}, Effect: registry.Writes,
	Handle: func(*registry.Call, struct{}) (out struct{ Text string }, err error) {
		out.Text = strings.Repeat("x", 1<<20-100)
		return out, nil
	},
})

func newStudio(t *testing.T, dir string) *studio {
	t.Helper()
	st := &studio{bob: skilltest.Caller(t, "bob", skilltest.Builder)}
	st.Server = skilltest.New(t, func(w *world.World, _ *agents.Agents) []registry.Skill {
		st.meshes = mesh.New(w)
		return slices.Concat([]registry.Skill{nap, book, oldest}, scene.All(w), three.All(w), ecs.All(w), prefab.All(prefab.New(w)), history.All(w), layout.All(w, solid.NewLooks(w)),
			exchange.All(exchange.Deps{World: w, Meshes: st.meshes, Dir: dir}))
	})
	return st
}

// log returns what is in the studio as a log of events.
func (st *studio) log(t fataler) (log []byte, m exchange.Manifest) {
	st.World.View(func(v *world.View) {
		doc, err := exchange.Document(st.World, v, st.meshes, nil)
		if err != nil {
			t.Fatal(err)
		}
		by := exchange.Signature{Actor: "ann", Thread: "s1", Time: time.Unix(1, 0)}
		if log, m, err = exchange.EncodeEvents(doc, exchange.Head{Revision: v.Tick()}, by); err != nil {
			t.Fatal(err)
		}
	})
	return log, m
}

// take imports a log and returns the answer.
func (st *studio) take(t fataler, log []byte, more string) (out exchange.ImportOut, err *registry.Error) {
	text, _ := json.Marshal(string(log))
	answer, err := st.Call(st.bob, "scene.import", `{"form":"events","log":`+string(text)+more+`}`)
	if err == nil {
		if err := json.Unmarshal([]byte(answer), &out); err != nil {
			t.Fatal(err)
		}
	}
	return out, err
}

// appearance is how an entity looks and collides, wherever its size comes from.
type appearance struct {
	Kind, Name string
	Tags       []string
	At, Size   world.Vec3
	Turned     world.Quat
	Look       string
	Children   int
}

func (st *studio) appearances(was func(world.ID) string) map[string]appearance {
	all := map[string]appearance{}
	w := st.World
	w.View(func(v *world.View) {
		for id := range v.All() {
			t, _ := v.WorldTransform(id)
			s := appearance{Name: v.Name(id), Tags: slices.Clone(v.Tags(id)), At: t.Position, Turned: t.Rotation, Size: t.Scale, Children: len(v.Children(id))}
			shape, _ := w.Shapes.Get(v, id)
			if s.Kind = shape.Kind; s.Kind != "" {
				s.Size = shape.Size.Mul(t.Scale)
			}
			surface, _ := w.Materials.Get(v, id)
			body, has := w.Bodies.Get(v, id)
			light, lit := w.Lights.Get(v, id)
			ground, generated := w.Grounds.Get(v, id)
			text, _ := json.Marshal([]any{shape.Color, surface, has, body, lit, light, generated, ground})
			s.Look = string(text)
			all[was(id)] = s
		}
	})
	return all
}

// furnish makes random entities, most of them such that calls of both engines can say.
func (st *studio) furnish(t *rapid.T) {
	number := rapid.OneOf(rapid.Float64Range(-100, 100), rapid.SampledFrom([]float64{0, 1, -1, 0.1, 1e-7, 123456789012345680000000}))
	vec := func(name string) world.Vec3 {
		return world.Vec3{number.Draw(t, name), number.Draw(t, name), number.Draw(t, name)}
	}
	seldom := func(name string) bool { return rapid.IntRange(0, 5).Draw(t, name) == 0 }
	some := func(name string) bool { return rapid.Bool().Draw(t, name) }
	unit := func(name string) *float64 {
		x := rapid.Float64Range(0, 1).Draw(t, name)
		return &x
	}
	w := st.World
	_, err := w.Update(t.Context(), func(tx *world.Tx) error {
		for i := range rapid.IntRange(1, 8).Draw(t, "entities") {
			spec := world.Spec{Tags: rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"tree", "wall", "<ü>\u2028", "ent_1"}), 0, 3, rapid.ID[string]).Draw(t, "tags")}
			if seldom("a name") {
				spec.Name = "thing"
			}
			if i > 0 && seldom("a parent") {
				spec.Parent = world.ID(rapid.IntRange(1, i).Draw(t, "parent"))
			}
			id, err := tx.Create(spec)
			if err != nil {
				return err
			}
			scale := world.Vec3{1, 1, 1}
			if some("stretched") {
				scale = vec("scale")
			}
			if err := tx.SetTransform(id, world.Transform{Position: vec("at"), Rotation: world.QuatFromEuler(number.Draw(t, "turn"), 0.3, 0), Scale: scale}); err != nil {
				return err
			}
			if seldom("nothing to see") {
				continue
			}
			size := vec("size")
			for k := range size {
				size[k] = max(size[k], -size[k])
			}
			if some("even") {
				size = world.Vec3{2.5, 2.5, 2.5}
			}
			kind := rapid.SampledFrom([]string{"box", "box", "sphere", "sphere", "cone"}).Draw(t, "kind")
			color := rapid.SampledFrom([]uint32{0, 0xffffff, 0x102030}).Draw(t, "color")
			if err := w.Shapes.Set(tx, id, world.Shape{Kind: kind, Size: size, Color: color}); err != nil {
				return err
			}
			if some("a body") {
				b := world.Body{Type: rapid.SampledFrom([]string{"static", "dynamic", "kinematic"}).Draw(t, "type"), Collider: "sphere", Friction: *unit("friction"), Restitution: *unit("bounce")}
				if some("a mass") {
					b.Mass = rapid.SampledFrom([]float64{7, 2e6}).Draw(t, "mass")
				}
				if err := w.Bodies.Set(tx, id, b); err != nil {
					return err
				}
			}
			if some("a material") {
				m := world.Material{Name: rapid.SampledFrom([]string{"", "brick", "cheese"}).Draw(t, "material"), PBR: some("pbr")}
				if some("its color") {
					m.Color = &color
				}
				if some("its roughness") {
					m.Roughness, m.Metalness = unit("roughness"), unit("metalness")
				}
				if some("its light") {
					m.Emissive = 0xff8000
				}
				if some("its shadow") {
					no := false
					m.CastShadow = &no
				}
				if m == (world.Material{}) {
					continue // is the same as none
				}
				if err := w.Materials.Set(tx, id, m); err != nil {
					return err
				}
			}
			if seldom("ground") {
				land, err := terrain.New(int64(i), "hills", terrain.Hints{})
				if err != nil {
					return err
				}
				if err := w.Grounds.Set(tx, id, world.Ground{Land: land}); err != nil {
					return err
				}
			}
			if seldom("a light") {
				if err := w.Lights.Set(tx, id, world.Light{Kind: "point", Intensity: 2, Color: 0xffffff}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Skip("the world does not take it") // numbers that go beyond float32 below a parent
	}
}

// TestEventsRoundTrip takes random worlds through a log of events: all looks and collides as before, and from then on the
// log stays the same to the byte.
func TestEventsRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		first := newStudio(t, "")
		first.furnish(rt)
		log, m := first.log(rt)
		want := first.appearances(world.ID.String)
		if m.Entities != len(want) || m.Lines != strings.Count(string(log), "\n") {
			rt.Fatalf("the manifest says %+v of %d entities in\n%s", m, len(want), log)
		}
		second := newStudio(t, "")
		if _, err := second.World.Update(rt.Context(), func(tx *world.Tx) error { // so that ids differ
			id, err := tx.Create(world.Spec{})
			tx.Destroy(id)
			return err
		}); err != nil {
			rt.Fatal(err)
		}
		out, refused := second.take(rt, log, "")
		if refused != nil {
			rt.Fatalf("%v\n%s", refused, log)
		}
		if out.Applied != m.Lines || out.Skipped != nil || out.Chain != "verified" || out.Entities != len(want) {
			rt.Fatalf("%+v, of\n%s", out, log)
		}
		was := map[world.ID]string{}
		for _, id := range out.IDs {
			was[id.Now] = id.Was
		}
		if diff := cmp.Diff(want, second.appearances(func(id world.ID) string { return was[id] })); diff != "" {
			rt.Fatalf("(-exported +imported):\n%s\n%s", diff, log)
		}
		twice, _ := second.log(rt)
		third := newStudio(t, "")
		if _, refused := third.take(rt, twice, ""); refused != nil {
			rt.Fatalf("%v\n%s", refused, twice)
		}
		fourth := newStudio(t, "")
		thrice, _ := third.log(rt)
		if _, refused := fourth.take(rt, thrice, ""); refused != nil {
			rt.Fatalf("%v\n%s", refused, thrice)
		}
		if again, _ := fourth.log(rt); string(again) != string(thrice) {
			rt.Fatalf("the log changes:\n%s\n%s", thrice, again)
		}
	})
}

// hut makes a box and, in it, what calls of both engines cannot say.
func (st *studio) hut(t *testing.T) {
	t.Helper()
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	st.Must(t, p, "scene.createEntity", `{"size":2,"position":[0,1,0],"color":255,"dynamic":true,"mass":3}`)
	st.Must(t, p, "three.setTransform", `{"entity":"ent_0","scale":[1,0.5,1]}`)
	st.Must(t, p, "ecs.addComponent", `{"entity":"ent_0","component":"crate"}`)
	st.Must(t, p, "scene.createEntity", `{"shape":"sphere"}`)
	st.Must(t, p, "scene.group", `{"entities":["ent_1"],"name":"ball"}`)
}

// A log of events goes beside the answer, or into two files, and comes back from either. Its events have the documented members.
func TestEventsBothWays(t *testing.T) {
	dir := t.TempDir()
	st := newStudio(t, dir)
	st.hut(t)
	p := skilltest.Caller(t, "ann", skilltest.Builder)
	res := st.Registry.Invoke(t.Context(), &registry.Request{Name: "scene.export", Input: []byte(`{"form":"events"}`), Principal: p}, nil)
	if res.Err != nil || len(res.Content) != 2 {
		t.Fatalf("%v, %d contents", res.Err, len(res.Content))
	}
	manifest, log := res.Content[0].Resource.Text, res.Content[1].Resource.Text
	want := `{"id":"evt_ann_000000000000_68c4","type":"skill.executed","actorId":"ann","threadId":"session of ann","parentEventId":null,"causedBy":[],` +
		`"timestamp":"1970-01-01T00:00:01.000Z","payload":{"skill":"scene.createEntity","input":{"shape":"box","size":2,"position":[0,1,0],"color":255,"collider":"box","dynamic":true,"mass":3,"friction":0.5,"restitution":0},` +
		`"result":{"entity":"ent_0"}},"integrity":{"hash":"sha256:95c78766ea12b7a2f863cafc0650f952fffcbe4db230451bb614652aeffa8d0a","previousHash":null}}` + "\n"
	if first, _, _ := strings.Cut(log, "\n"); first+"\n" != want {
		t.Errorf("got  %s\nwant %s", first, want)
	}
	if !strings.Contains(log, `"causedBy":["evt_ann_000000000000_68c4"]`) || !strings.HasPrefix(manifest, `{"format":"limina-scene-events","version":1,"entities":3,"meshes":0,"lines":4,`) {
		t.Errorf("%s\n%s", manifest, log)
	}
	if got := st.Must(t, p, "scene.export", `{"form":"events","file":"hut"}`); !strings.Contains(got, `"file":"hut"`) {
		t.Errorf("%s: does not name the file", got)
	}
	inline, _ := json.Marshal(map[string]any{"form": "events", "log": log})
	both, _ := json.Marshal(map[string]any{"form": "events", "log": log, "manifest": json.RawMessage(manifest)})
	foreign, _ := json.Marshal(map[string]any{"form": "events", "log": log, "manifest": json.RawMessage(`{"format":7,"version":"0.3","sha256":"another"}`)})
	answer := `{"entities":3,"roots":["ent_0","ent_1"],"ids":[{"was":"ent_0","now":"ent_0"},{"was":"ent_2","now":"ent_1"},{"was":"ent_1","now":"ent_2"}],"applied":4,"chain":"verified"}`
	for _, input := range []string{string(inline), string(both), string(foreign), `{"form":"events","file":"hut"}`} {
		if got := newStudio(t, dir).Must(t, p, "scene.import", input); got != answer {
			t.Errorf("%.60s: %s", input, got)
		}
	}
	first, _, _ := strings.Cut(log, "\n")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "half.manifest.json"), []byte(manifest), 0o600), os.WriteFile(filepath.Join(dir, "half.log.jsonl"), []byte(first), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := newStudio(t, dir).Call(p, "scene.import", `{"form":"events","file":"half"}`); err == nil || !strings.Contains(err.Message, "manifest: the log is another one") {
		t.Errorf("a part of what the manifest says: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "hut.manifest.json")); err != nil {
		t.Fatal(err)
	}
	other := newStudio(t, dir)
	if got := other.Must(t, p, "scene.import", `{"form":"events","file":"hut"}`); got != answer {
		t.Error(got)
	}
	if got := other.Must(t, p, "scene.import", `{"form":"events","file":"hut","parent":"ent_0"}`); !strings.HasPrefix(got, `{"entities":3,"roots":["ent_3","ent_4"],"ids":[{"was":"ent_0","now":"ent_3"}`) {
		t.Error(got)
	}
	if got := other.Entity(t, "ent_3"); !strings.Contains(got, `"parent":"ent_0"`) {
		t.Error(got)
	}
	other.Must(t, p, "scene.destroyEntity", `{"entity":"ent_0"}`)
	if n := other.Len(); n != 2 {
		t.Errorf("%d entities are left, want the first ball and its group", n)
	}
}

// event writes an event as another program might; a line feed ends it.
func event(n int, typ, payload, more string) string {
	return fmt.Sprintf(`{"payload":%s,"id":"evt_agt_%012d_0","type":%q,"actorId":"agt","threadId":"ses","causedBy":[],"timestamp":"2026-01-02T03:04:05+02:00","unheard":{"of":[1]}%s}`+"\n", payload, n, typ, more)
}

func executed(n int, skill, input, result, more string) string {
	return event(n, "skill.executed", fmt.Sprintf(`{"skill":%q,"version":"1.0.0","input":%s,"result":%s}`, skill, input, result), more)
}

// Prefabs that a log brings along do no more than the log: they touch nothing that was there, whatever they make an id of, and build only.
func TestPrefabsOfALog(t *testing.T) {
	st := newStudio(t, "")
	st.hut(t)
	before := st.content()
	if err := st.Registry.Register(registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "demo.win", Description: "Win.", Permissions: []profiles.Permission{"game.write"}, Effect: registry.Writes,
		Handle: func(*registry.Call, struct{}) (out struct{}, err error) { return out, nil },
	})); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ operation, want string }{
		{`{"skill":"demo.win","input":{}}`, "demo.win needs the permission game.write"},
		{`{"skill":"scene.destroyEntity","input":{"entity":"ent_$n"}}`, "it would change ent_0, which was there before"},
		{`{"skill":"ecs.addComponent","input":{"entity":"ent_$n","component":"x"}}`, "it would change ent_0, which was there before"},
	} {
		log := executed(1, "prefab.define", `{"name":"tree","parameters":[{"name":"n","default":0}],"operations":[{"skill":"scene.createEntity","input":{}},`+c.operation+`]}`, `{}`, "") +
			executed(2, "prefab.instantiate", `{"name":"tree"}`, `{"entity":"ent_0009"}`, "")
		if out, err := st.take(t, []byte(log), ""); err == nil || err.Code != registry.CodeForbidden || !strings.Contains(err.Message, c.want) {
			t.Errorf("%s: %+v, %v; want %s", c.operation, out, err, c.want)
		}
		if st.content() != before {
			t.Errorf("%s: the world has changed", c.operation)
		}
	}
}

// What others have logged is made again as far as it is known here, and the rest is counted. Nothing that was there is touched.
func TestEventsOfOthers(t *testing.T) {
	st := newStudio(t, "")
	st.hut(t)
	before := st.Entity(t, "ent_0") + st.Entity(t, "ent_1") + st.Entity(t, "ent_2")
	content := st.content()
	log := event(0, "policy.decision", `{"allow":true}`, "") +
		executed(1, "scene.createEntity", `{"position":[1,0,0]}`, `{"entity":"ent_0001"}`, `,"parentEventId":"evt_agt_000000000000_0"`) + "\n" +
		event(2, "skill.executed", `{"tool":"three.setTransform","input":{"entity":"ent_0001","scale":[2,2,2]}}`, "") +
		executed(3, "scene.createEntity", `{"position":[9,9,9]}`, `{}`, `,"parentEventId":"evt_agt_000000000001_0"`) +
		executed(4, "scene.queryEntities", `{}`, `{"entities":[{"entity":"ent_0001"}]}`, "") +
		executed(5, "quest.create", `{"id":"q"}`, `{"ok":true}`, "") +
		executed(6, "three.setTransform", `{"entity":"ent_0","scale":[9,9,9]}`, `{"ok":true}`, "") +
		executed(7, "scene.clone", `{"entity":"ent_0001","offset":[1,0,0]}`, `{"entity":"ent_0002"}`, "") +
		executed(11, "ecs.addComponent", `{"entity":"ent_0002","component":"2024"}`, `{"ok":true}`, "") +
		executed(8, "scene.destroyEntity", `{"entity":"ent_0001"}`, `{"removed":true}`, "") +
		executed(12, "demo.oldest", `{}`, `{"Entity":"ent_0009"}`, "") +
		executed(13, "three.setTransform", `{"entity":"ent_0009","scale":[9,9,9]}`, `{"ok":true}`, "") +
		executed(10, "prefab.remove", `{"name":"door"}`, `{}`, "") +
		event(9, "policy.decision", `null`, "")
	out, err := st.take(t, []byte(log), "")
	if err != nil {
		t.Fatal(err)
	}
	want := exchange.ImportOut{
		Entities: 1, Roots: []world.ID{5}, IDs: []exchange.Renamed{{Was: "ent_0002", Now: 5}}, Applied: 6, Chain: "none",
		Skipped: []exchange.Skipped{
			{What: "event policy.decision: is no call that was done", Events: 2, Line: 1},
			{What: "skill scene.createEntity: is part of another call", Events: 1, Line: 5},
			{What: "skill scene.queryEntities: builds no scene", Events: 1, Line: 6},
			{What: "skill quest.create: is not known here", Events: 1, Line: 7},
			{What: "skill three.setTransform: names an entity that no line before has made", Events: 2, Line: 8},
			{What: "skill prefab.remove: would destroy what the log has not made", Events: 1, Line: 14},
		},
	}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Error(diff)
	}
	if got := st.Entity(t, "ent_0") + st.Entity(t, "ent_1") + st.Entity(t, "ent_2"); got != before {
		t.Errorf("what was there has changed:\n%s\n%s", before, got)
	}
	if got := st.Entity(t, "ent_4"); !strings.Contains(got, `"scale":[2,2,2]`) || !strings.Contains(got, `"tags":["2024"]`) {
		t.Errorf("the copy is %s", got)
	}
	st.Must(t, st.bob, "world.undo", `{}`)
	if st.content() != content {
		t.Error("one undo does not take all of it back")
	}
}

func (st *studio) content() (sum [32]byte) {
	st.World.View(func(v *world.View) { sum = v.ContentHash() })
	return sum
}

// The chain is that of EventLoom: the hash of this event stands in its published examples,
// https://github.com/syndicalt/eventloom, fixtures/golden/software-work.jsonl, line 2.
func TestChain(t *testing.T) {
	const sample = `{"id":"evt_software_work_000002","type":"actor.started","actorId":"planner","threadId":"thread_main","parentEventId":"evt_runtime_goal","causedBy":["evt_runtime_goal"],"timestamp":"2026-04-28T22:00:00.001Z","payload":{"turnId":"turn_000001","sourceEventId":"evt_runtime_goal","mailboxEventType":"goal.created"},"integrity":{"hash":"sha256:196a640412504113623fd59f2a11a99995b672c12fa46c9e6db9ae4b7d10855c","previousHash":"sha256:bf1bf58eb338ea723db38fc5a0fa36479d5c6ee004c07ce970d8e5f929f61eed"}}`
	events, chain, err := exchange.DecodeEvents([]byte(sample))
	if err != nil || chain != "verified" || len(events) != 1 {
		t.Fatalf("%v, %s, %+v", err, chain, events)
	}
	if _, chain, err = exchange.DecodeEvents([]byte(strings.Replace(sample, "planner", "worker", 1))); err != nil || chain != "linked" {
		t.Errorf("changed: %v, %s", err, chain)
	}
}

// What is wrong with a log is said by its line and member, and nothing of it comes into the world.
func TestEventsRefused(t *testing.T) {
	st := newStudio(t, "")
	st.hut(t)
	ours, m := st.log(t)
	lines := strings.SplitAfter(string(ours), "\n")
	before := st.World.Hash()
	box := executed(0, "scene.createEntity", `{}`, `{"entity":"ent_1"}`, "")
	tests := []struct{ name, log, want string }{
		{"no JSON", box + "{", "log, line 2: "},
		{"no object", box + "null\n", "log, line 2: must be an object, got null"},
		{"two objects", strings.TrimSpace(box) + "{}", "log, line 1: there is more behind the object: {}"},
		{"no id", strings.Replace(box, `"id"`, `"ID"`, 1), "log, line 1: id: required, a text"},
		{"another id", strings.Replace(box, `evt_`, `event_`, 1), `log, line 1: id: must begin with evt_`},
		{"an id twice", box + box, "log, line 2: id: must begin with evt_ and be no other event's"},
		{"no actor", strings.Replace(box, `"actorId":"agt"`, `"actorId":7`, 1), "log, line 1: actorId: required, a text"},
		{"no time", strings.Replace(box, "2026-01-02T", "yesterday ", 1), "log, line 1: timestamp: must be a time"},
		{"a parent of another kind", strings.Replace(box, `"unheard"`, `"parentEventId":3,"unheard"`, 1), "log, line 1: parentEventId: must be"},
		{"causes of another kind", strings.Replace(box, `"causedBy":[]`, `"causedBy":[3]`, 1), "log, line 1: causedBy: must be a list of ids"},
		{"no payload", event(0, "skill.executed", `[]`, ""), "log, line 1: payload: required, an object"},
		{"no skill", event(0, "skill.executed", `{"input":{}}`, ""), "log, line 1: payload.skill: required"},
		{"an input of another kind", event(0, "skill.executed", `{"skill":"x","input":3}`, ""), "log, line 1: payload.input: must be an object"},
		{"no input", box + event(1, "skill.executed", `{"skill":"scene.createEntity"}`, ""), "log, line 2, scene.createEntity: payload.input: required, what the skill was called with. Nothing of the log remains"},
		{"an input that is refused", box + executed(1, "three.setTransform", `{"entity":"ent_1","scale":[1]}`, `{}`, ""), "log, line 2, three.setTransform: scale: "},
		{"an import of files", executed(0, "scene.import", `{"form":"events","log":"x"}`, `{}`, ""), "log, line 1, scene.import: payload.input.form: must be log"},
		{"nothing", event(0, "policy.decision", `{}`, "") + executed(1, "quest.create", `{}`, `{}`, ""), "log: nothing of it can be done here: event policy.decision: is no call that was done; skill quest.create: is not known here"},
		{"a changed event", lines[0] + strings.Replace(lines[1], "0.5", "0.25", 1) + lines[2], "log, line 2: integrity.hash: is not that of the event"},
		{"a changed first event", strings.Replace(lines[0], `"color":255`, `"color":254`, 1) + lines[1], "log, line 1: integrity.hash: is not that of the event"},
		{"a line that is missing", lines[0] + lines[2], "log, line 2: integrity.previousHash: must be the hash of the event before"},
		{"lines in another order", lines[1] + lines[0], "log, line 2: integrity.previousHash"},
		{"no hash", lines[0] + box, "log, line 2: integrity: is missing"},
		{"a hash only now", box + lines[0], "log, line 2: integrity: the events before have none"},
		{"an empty hash", strings.Replace(box, `"unheard"`, `"integrity":{},"unheard"`, 1), "log, line 1: integrity.hash: required"},
		{"a long line", strings.Replace(box, "unheard", strings.Repeat("x", 4<<20), 1), "log, line 1: may have 4194304 bytes"},
		{"too much", strings.Repeat(" ", 16<<20) + box, "log: may have 16777216 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, more := range []string{"", `,"parent":"ent_0"`} {
				if out, err := st.take(t, []byte(tt.log), more); err == nil || !strings.Contains(err.Message, tt.want) {
					t.Errorf("%s: got %v, %+v, want %s", more, err, out, tt.want)
				}
				if st.World.Hash() != before {
					t.Fatalf("%s: something came into the world", more)
				}
			}
		})
	}
	t.Run("too many", func(t *testing.T) {
		log := []byte(box)
		for i := range 5000 {
			log = append(log, executed(i+1, "three.setTransform", `{"entity":"ent_1","scale":[1,1,1]}`, `{}`, "")...)
		}
		synctest.Test(t, func(t *testing.T) { // in no time
			if _, err := st.take(t, log, ""); err == nil || !strings.Contains(err.Message, "log, line 5001, three.setTransform: at most 5000 calls") {
				t.Error(err)
			}
		})
	})
	t.Run("too long", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			log := box
			for i := range 6 {
				log += executed(i+1, "demo.nap", `{}`, `{}`, "")
			}
			if _, err := st.take(t, []byte(log), ""); err == nil || !strings.Contains(err.Message, "log, line 5, demo.nap: those before it have taken 5s") {
				t.Error(err)
			}
		})
	})
	t.Run("too much said", func(t *testing.T) {
		log := box
		for i := range 10 {
			log += executed(i+1, "demo.read", `{}`, `{}`, "")
		}
		if _, err := st.take(t, []byte(log), ""); err == nil || !strings.Contains(err.Message, "log, line 7, demo.read: those before it have answered more than 4194304 bytes") {
			t.Error(err)
		}
	})
	m.Bytes++
	other, _ := json.Marshal(m)
	for more, want := range map[string]string{
		`,"manifest":` + string(other):                               "manifest: the log is another one",
		`,"manifest":{"format":"limina-scene-events","version":2}`:   "manifest: format must be",
		`,"manifest":{"format":"limina-scene-events","version":"x"}`: "manifest: json",
		`,"sha256":"` + strings.Repeat("0", 64) + `"`:                "sha256: the log has " + m.SHA256,
		`,"parent":"ent_99"`:                                         "unknown entity ent_99",
		`,"data":"AAAA"`:                                             "data: is for GLB files",
		`,"file":"x"`:                                                "log: give either log and manifest or file",
	} {
		if _, err := st.take(t, ours, more); err == nil || !strings.Contains(err.Message, want) {
			t.Errorf("%s: %v, want %s", more, err, want)
		}
	}
	for input, want := range map[string]string{
		`{"log":"x","manifest":{"format":"limina-scene-events"}}`: "form: must be events for a log of this manifest",
		`{"form":"events"}`:            "log: give the log, or name one on the server as file",
		`{"form":"events","file":"x"}`: "the server has no folder for files",
	} {
		if _, err := st.Call(st.bob, "scene.import", input); err == nil || !strings.Contains(err.Message, want) {
			t.Errorf("%s: %v, want %s", input, err, want)
		}
	}
	may := &profiles.Principal{Kind: profiles.KindAgent, ID: "eve", Grants: profiles.Grant("scene.write")}
	text, _ := json.Marshal(string(ours))
	if _, err := st.Call(may, "scene.import", `{"form":"events","log":`+string(text)+`}`); err == nil || err.Code != registry.CodeForbidden || !strings.Contains(err.Message, "missing permission: ecs.modify") {
		t.Errorf("without the permission of one call: %v", err)
	}
	if st.World.Hash() != before {
		t.Error("something came into the world")
	}
}

// tagGate holds calls that may tag something.
type tagGate struct{ held []*registry.Pending }

func (g *tagGate) Judge(p *registry.Pending) registry.Verdict {
	if !slices.Contains(p.Skill.Permissions, "ecs.modify") {
		return registry.Verdict{}
	}
	g.held = append(g.held, p)
	return registry.Verdict{Decision: registry.Hold, Reason: "apr_1"}
}

// A log of which one call has to be looked at is held as a whole, before any is made, and granted it is one call.
func TestEventsHeld(t *testing.T) {
	w := world.New(world.Config{})
	gate := &tagGate{}
	reg := registry.New(registry.Options{Tick: w.Tick, Gate: gate})
	if err := reg.Register(slices.Concat(scene.All(w), ecs.All(w), exchange.All(exchange.Deps{World: w, Meshes: mesh.New(w)}))...); err != nil {
		t.Fatal(err)
	}
	dora := skilltest.Caller(t, "dora", skilltest.Builder)
	call := func(log string) registry.Result {
		text, _ := json.Marshal(log)
		return reg.Invoke(t.Context(), &registry.Request{Name: "scene.import", Input: []byte(`{"form":"events","log":` + string(text) + `}`), Principal: dora}, nil)
	}
	box := executed(0, "scene.createEntity", `{}`, `{"entity":"ent_1"}`, "")
	if res := call(box); res.Err != nil {
		t.Fatal(res.Err)
	}
	before := w.Hash()
	res := call(box + executed(1, "ecs.addComponent", `{"entity":"ent_1","component":"tree"}`, `{}`, ""))
	if res.Err == nil || res.Err.Code != registry.CodePendingApproval || res.Err.Message != "apr_1" || w.Hash() != before || len(gate.held) != 1 || gate.held[0].Skill.Name != "scene.import" {
		t.Fatalf("%v; the world is as before: %v; held are %+v", res.Err, w.Hash() == before, gate.held)
	}
	if granted := gate.held[0].Resume(t.Context()); granted.Err != nil || !strings.Contains(string(granted.Output), `"applied":2`) || len(gate.held) != 1 {
		t.Errorf("granted: %s, %v, %d are held", granted.Output, granted.Err, len(gate.held))
	}
}

// A world of more than can be made by calls of a log is in its last line; it comes back, too. An answer lists so many.
func TestEventsOfMany(t *testing.T) {
	dir := t.TempDir()
	st := newStudio(t, dir)
	const n = 900
	if _, err := st.World.Update(t.Context(), func(tx *world.Tx) error {
		for range n {
			id, err := tx.Create(world.Spec{Tags: []string{"a", "b", "c", "d", "e", "f"}})
			if err == nil {
				err = st.World.Shapes.Set(tx, id, world.Shape{Kind: "box", Size: world.Vec3{1, 1, 1}})
			}
			if err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	log, m := st.log(t)
	other := newStudio(t, "")
	var out exchange.ImportOut
	var refused *registry.Error
	synctest.Test(t, func(t *testing.T) { out, refused = other.take(t, log, "") }) // in no time
	if err := refused; err != nil || out.Entities != n || out.Applied != m.Lines || m.Lines > 5000 || len(out.IDs) != 500 || out.More != n-500 || len(out.Roots) != 500 {
		t.Fatalf("%v: %d entities of %d lines, %d applied, %d ids, %d roots", err, out.Entities, m.Lines, out.Applied, len(out.IDs), len(out.Roots))
	}
	for file, form := range map[string]string{"glb.glb": "glb", "log": "log"} {
		in := fmt.Sprintf(`{"form":%q,"file":%q}`, form, file)
		st.Must(t, st.bob, "scene.export", in)
		other = newStudio(t, dir)
		var answer string
		synctest.Test(t, func(t *testing.T) { answer = other.Must(t, st.bob, "scene.import", in) })
		if err := json.Unmarshal([]byte(answer), &out); err != nil || out.Entities != n || len(out.IDs) != 500 || len(out.Roots) != 500 {
			t.Errorf("%s: %d entities, %d ids, %d roots: %v", form, out.Entities, len(out.IDs), len(out.Roots), err)
		}
	}
}

// However many kinds of events are passed over, the answer counts them all and lists fifty.
func TestEventsSkipped(t *testing.T) {
	st := newStudio(t, "")
	log := executed(0, "scene.createEntity", `{}`, `{}`, "")
	for i := range 60 {
		log += executed(i+1, fmt.Sprintf("quest.act%d", i), `{}`, `{}`, "")
	}
	out, err := st.take(t, []byte(log), "")
	if err != nil {
		t.Fatal(err)
	}
	want := exchange.Skipped{What: "others", Events: 11, Line: 51}
	if len(out.Skipped) != 50 || out.Skipped[48].What != "skill quest.act48: is not known here" || out.Skipped[49] != want {
		t.Errorf("%d kinds, the last %+v", len(out.Skipped), out.Skipped[len(out.Skipped)-2:])
	}
}

// What is too long for an answer, or, of what cannot be said by calls, for a line, is not exported.
func TestTooLong(t *testing.T) {
	dir := t.TempDir()
	st := newStudio(t, dir)
	g := &gltf.Geometry{Triangles: make([][3]uint32, 1), Positions: make([][3]float32, 180_000)}
	for i := range g.Positions {
		g.Positions[i] = [3]float32{float32(i) / 7, float32(i) / 11, float32(i) / 13}
	}
	if _, err := st.World.Update(t.Context(), func(tx *world.Tx) error {
		id, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		asset, err := st.meshes.Add(tx, g)
		if err != nil {
			return err
		}
		return st.meshes.Give(tx, id, asset, 0)
	}); err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		`{}`:                             "at most 2097152 bytes can be sent: name fewer entities, or a file on the server",
		`{"form":"log"}`:                 "at most 2097152 bytes can be sent: name fewer entities, or a file on the server",
		`{"form":"events"}`:              "an event of the log would have ",
		`{"form":"events","file":"big"}`: "an event of the log would have ",
	} {
		if _, err := st.Call(st.bob, "scene.export", in); err == nil || err.Code != registry.CodeCapacityExceeded || !strings.Contains(err.Message, want) {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
	st.Must(t, st.bob, "scene.export", `{"file":"big.glb"}`)
	if list, err := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("there are %v, want one file: %v", list, err)
	}
}

// FuzzDecodeEvents holds it to end with events or an error that is shown, whatever it reads.
func FuzzDecodeEvents(f *testing.F) {
	f.Add([]byte(executed(0, "scene.createEntity", `{"size":-0.0,"x":1e999,"y":"\u2028\ud800"}`, `[]`, `,"integrity":{"hash":"h","previousHash":null}`)))
	f.Add([]byte(event(0, "a", `{}`, "") + event(1, "b", `3`, `,"parentEventId":null`)))
	f.Fuzz(func(t *testing.T, log []byte) {
		events, chain, err := exchange.DecodeEvents(log)
		if err != nil {
			return
		}
		for _, e := range events {
			if e.Line < 1 || !strings.HasPrefix(e.ID, "evt_") || (e.Skill != "") != (e.Type == "skill.executed") {
				t.Fatalf("%s %+v", chain, e)
			}
		}
	})
}
