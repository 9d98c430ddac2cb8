package inspector_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/inspector"
	"github.com/limina-mcp/limina/world"
)

// rig is a world of seven entities of which two are gone: ent_0 is tagged and named, ent_1 is a child
// of it, ent_2 and ent_5 are gone, ent_3 is the body of ann, ent_4 and ent_6 are plain.
type rig struct {
	t   *testing.T
	w   *world.World
	reg *registry.Registry
}

func newRig(t *testing.T) *rig {
	t.Helper()
	w := world.New(world.Config{})
	a := agents.New(w)
	r := &rig{t, w, registry.New(registry.Options{Tick: w.Tick, Clock: func() time.Time { return time.UnixMilli(1000) }})}
	if err := r.reg.Register(inspector.All(inspector.Deps{World: w, Agents: a})...); err != nil {
		t.Fatal(err)
	}
	_, err := w.Update(t.Context(), func(tx *world.Tx) error {
		house, err := tx.Create(world.Spec{Position: world.Vec3{1, 2, 3}, Name: "house", Tags: []string{"old", "big"}})
		if err != nil {
			return err
		}
		specs := []world.Spec{
			{Position: world.Vec3{0, 1, 0}, Parent: house},
			{},
			{Position: world.Vec3{9, 0, 9}},
			{},
			{},
			{},
		}
		var ids []world.ID
		for _, s := range specs {
			id, err := tx.Create(s)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		tx.Destroy(ids[1])
		tx.Destroy(ids[4])
		if err := w.Bodies.Set(tx, house, world.Body{Type: "static", Collider: "box"}); err != nil {
			return err
		}
		return a.Embody(tx, "ann", ids[2])
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func caller(profile string) *profiles.Principal {
	grants, _ := profiles.Builtin().Resolve(profile)
	return &profiles.Principal{ID: "rita", Session: "s2", Profile: profile, Grants: grants}
}

func (r *rig) snapshot(profile, input string) (out inspector.SnapshotOut) {
	r.t.Helper()
	res := r.reg.Invoke(r.t.Context(), &registry.Request{Name: "inspector.snapshot", Input: []byte(input), Principal: caller(profile)}, nil)
	if res.Err != nil {
		r.t.Fatalf("%s: %v", input, res.Err)
	}
	if err := json.Unmarshal(res.Output, &out); err != nil {
		r.t.Fatal(err)
	}
	return out
}

func TestPages(t *testing.T) {
	r := newRig(t)
	tests := []struct{ input, want string }{
		{`{}`, "[ent_0 ent_1 ent_3 ent_4 ent_6] null"},
		{`{"limit":2}`, "[ent_0 ent_1] ent_1"},
		{`{"limit":2,"afterEntity":"ent_1"}`, "[ent_3 ent_4] ent_4"},
		{`{"limit":2,"afterEntity":"ent_4"}`, "[ent_6] null"},
		{`{"limit":5}`, "[ent_0 ent_1 ent_3 ent_4 ent_6] null"},
		{`{"limit":500,"afterEntity":"ent_2"}`, "[ent_3 ent_4 ent_6] null"}, // one that is gone
		{`{"afterEntity":"ent_6"}`, "[] null"},
		{`{"afterEntity":"ent_999999"}`, "[] null"},
		{`{"afterEntity":"ent_18446744073709551614"}`, "[] null"},
		{`{"limit":0}`, "[] null"},
		{`{"limit":0,"afterEntity":"ent_3"}`, "[] ent_3"},
	}
	for _, tt := range tests {
		got := r.snapshot("system.readonly", tt.input)
		ids, next := []string{}, "null"
		for _, e := range got.Entities {
			ids = append(ids, e.Entity.String())
		}
		if got.Page.NextAfterEntity != nil {
			next = got.Page.NextAfterEntity.String()
		}
		if text := fmt.Sprint(ids, " ", next); text != tt.want || got.Page.TotalEntities != 5 {
			t.Errorf("%s: got %s of %d, want %s of 5", tt.input, text, got.Page.TotalEntities, tt.want)
		}
	}
}

func TestWhatASnapshotShows(t *testing.T) {
	r := newRig(t)
	res := r.reg.Invoke(t.Context(), &registry.Request{Name: "inspector.snapshot", Input: []byte(`{"limit":3}`), Principal: caller("player.full")}, nil)
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(res.Output, &got); err != nil {
		t.Fatal(err)
	}
	const turn = `"rotation":[0,0,0,1],"scale":[1,1,1]}`
	want := map[string]string{
		"page": `{"limit":3,"totalEntities":5,"nextAfterEntity":"ent_3"}`,
		"entities": `[` +
			`{"entity":"ent_0","eid":0,"generation":0,"name":"house","transform":{"position":[1,2,3],` + turn + `,"tags":["big","old"],"physics":{"bodyId":0}},` +
			`{"entity":"ent_1","eid":1,"generation":0,"parent":"ent_0","transform":{"position":[1,3,3],` + turn + `,"tags":[],"physics":{}},` +
			`{"entity":"ent_3","eid":3,"generation":0,"transform":{"position":[9,0,9],` + turn + `,"tags":[],"physics":{}}]`,
		"agents":    `[{"agentId":"ann","entity":"ent_3","position":[9,0,9]}]`,
		"skills":    `[{"name":"inspector.snapshot","version":"1.0.0","category":"system","permissions":["scene.read","ecs.read","physics.read","agent.read"]}]`,
		"resources": `{"counts":{"bodies":1,"lights":0,"materials":0,"shapes":0},"loaded":[]}`,
	}
	for member, want := range want {
		if diff := cmp.Diff(want, string(got[member])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", member, diff)
		}
	}
	for _, text := range []string{`{"tick":1,"step":0,"stepRate":60,"environment":{"time":{"hour":12`, `"weather":{"kind":"clear"`, `"timeScale":1,"spawn":[0,0,0],"lighting":{"ambientColor":`} {
		if !strings.Contains(string(got["world"]), text) {
			t.Errorf("world is %s, want %s in it", got["world"], text)
		}
	}
	if _, has := got["trace"]; has {
		t.Error("the trace is shown to one who may not read it")
	}
}

func TestPermissionsInASnapshot(t *testing.T) {
	got := newRig(t).snapshot("player.full", `{}`).Permissions
	if diff := cmp.Diff(caller("player.full").Grants.List(), got.Caller); diff != "" {
		t.Errorf("caller (-want +got):\n%s", diff)
	}
	if len(got.Profiles) != 14 || len(got.Profiles["system.readonly"]) != 5 {
		t.Errorf("profiles %v", got.Profiles)
	}
}

func TestTraceInASnapshot(t *testing.T) {
	r := newRig(t)
	if got := r.snapshot("system.readonly", `{}`).Trace; got == nil || got.EventCount != 0 || got.ThreadID != "s2" || len(got.Actors) != 0 {
		t.Errorf("an empty log: %+v", got)
	}
	for i := range 30 {
		r.reg.Invoke(t.Context(), &registry.Request{Name: "no.skill", Principal: &profiles.Principal{ID: fmt.Sprintf("a%d", i%3)}}, nil)
	}
	got := r.snapshot("reviewer", `{}`).Trace
	if diff := cmp.Diff([]string{"a0", "a1", "a2", "rita"}, got.Actors); diff != "" || got.EventCount != 31 || len(got.Recent) != 20 {
		t.Errorf("%d events, %d recent; actors (-want +got):\n%s", got.EventCount, len(got.Recent), diff)
	}
	if first, last := got.Recent[0].ID.String(), got.Recent[19].ID.String(); first != "evt_11" || last != "evt_30" {
		t.Errorf("recent are %s to %s", first, last)
	}
}

func TestNeeds(t *testing.T) {
	r := newRig(t)
	res := r.reg.Invoke(t.Context(), &registry.Request{Name: "inspector.snapshot", Principal: caller("vfx.writer")}, nil)
	if res.Err == nil || res.Err.Message != "missing permission: physics.read" {
		t.Errorf("got %v", res.Err)
	}
}

// TestSnapshotWithoutSkills leaves out what is most of a short page, and nothing else.
func TestSnapshotWithoutSkills(t *testing.T) {
	r := newRig(t)
	snapshot := func(input string) (out map[string]json.RawMessage) {
		t.Helper()
		ann := &profiles.Principal{Kind: profiles.KindAgent, ID: "ann", Grants: profiles.Grant("scene.read", "ecs.read", "physics.read", "agent.read")}
		res := r.reg.Invoke(t.Context(), &registry.Request{Name: "inspector.snapshot", Input: []byte(input), Principal: ann}, nil)
		if res.Err != nil {
			t.Fatal(res.Err)
		}
		if err := json.Unmarshal(res.Output, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	whole, short := snapshot(`{"limit":1}`), snapshot(`{"limit":1,"skills":false}`)
	if string(short["skills"]) != "[]" || string(whole["skills"]) == "[]" {
		t.Errorf("the skills are %s, and %s", short["skills"], whole["skills"])
	}
	short["skills"] = whole["skills"]
	if diff := cmp.Diff(whole, short); diff != "" {
		t.Errorf("without skills (-with +without):\n%s", diff)
	}
}
