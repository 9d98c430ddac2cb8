package batch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limina-mcp/limina/agents"
	"github.com/limina-mcp/limina/approval"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/internal/skilltest"
	"github.com/limina-mcp/limina/skills/picture"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
)

// TestHeld has somebody under review make batches. One that may change something is held as a whole,
// whatever stands first in it, and granted it is one commit of his; what only reads is not held.
func TestHeld(t *testing.T) {
	w := world.New(world.Config{Seed: 1})
	gate := approval.NewGate(approval.Options{Profiles: []string{"builder.review"}})
	reg := registry.New(registry.Options{Tick: w.Tick, Gate: gate, Clock: func() time.Time { return time.Unix(1, 0) }})
	if err := reg.Register(builders(w, agents.New(w))...); err != nil {
		t.Fatal(err)
	}
	dora, rita := skilltest.Caller(t, "dora", "builder.review"), skilltest.Caller(t, "rita", "reviewer")
	call := func(input string) registry.Result {
		return reg.Invoke(t.Context(), &registry.Request{Name: "world.batch", Input: []byte(input), Principal: dora}, nil)
	}
	if res := call(`{"operations":[{"skill":"scene.queryEntities","input":{}}]}`); res.Err != nil {
		t.Fatalf("a batch that reads: %v", res.Err)
	}
	const mixed = `{"operations":[{"skill":"scene.queryEntities","input":{}},{"skill":"scene.createEntity","as":"a"},{"skill":"three.setTransform","input":{"entity":"$a.entity","position":[1,2,3]}}]}`
	before := w.Hash()
	res := call(mixed)
	if res.Err == nil || res.Err.Code != registry.CodePendingApproval || w.Hash() != before {
		t.Fatalf("a batch that changes something: %v; the world is as before: %v", res.Err, w.Hash() == before)
	}
	held := gate.List()
	if len(held) != 1 || held[0].Skill != "world.batch" || string(held[0].Input) != mixed {
		t.Fatalf("held are %+v, want the batch alone", held)
	}
	_, granted, err := gate.Grant(t.Context(), res.Err.Message, rita)
	if err != nil || granted.Err != nil || granted.Tick != 1 || !strings.Contains(string(granted.Output), `"applied":3`) {
		t.Fatalf("granted: %s, %v, %v, tick %d", granted.Output, granted.Err, err, granted.Tick)
	}
	if len(gate.List()) != 0 {
		t.Errorf("its operations are held one by one: %+v", gate.List())
	}
	w.View(func(v *world.View) {
		if undo, _ := v.History("dora"); len(undo) != 1 || undo[0].Skill != "world.batch" {
			t.Errorf("dora has the steps %+v, want the batch", undo)
		}
	})

	// The other spelling of a skill's name is held as well.
	before = w.Hash()
	res = call(`{"operations":[{"skill":"scene_createEntity"}]}`)
	if held := gate.List(); res.Err == nil || res.Err.Code != registry.CodePendingApproval || len(held) != 1 || held[0].Skill != "world.batch" || w.Hash() != before {
		t.Fatalf("a batch of scene_createEntity: %v, held are %+v; want the batch", res.Err, held)
	}
	if _, err := gate.Deny(res.Err.Message); err != nil {
		t.Fatal(err)
	}

	// A dry run is nobody's to approve; an operation that he may not call is refused when it is granted.
	if res := call(`{"dryRun":true,` + mixed[1:]); res.Err != nil {
		t.Errorf("a dry run: %v", res.Err)
	}
	before = w.Hash()
	res = call(`{"operations":[{"skill":"scene.createEntity"},{"skill":"checkpoint.create","input":{"name":"x"}}]}`)
	if res.Err == nil || res.Err.Code != registry.CodePendingApproval {
		t.Fatalf("got %v", res.Err)
	}
	_, granted, err = gate.Grant(t.Context(), res.Err.Message, rita)
	want := "operations[1], checkpoint.create: missing permission: checkpoint.write. Nothing of the batch remains: the one before it is undone"
	if err != nil || granted.Err == nil || granted.Err.Message != want || w.Hash() != before {
		t.Errorf("granted: %v, %v, want %s", granted.Err, err, want)
	}
	events, _ := reg.Trace().Tail(trace.Filter{})
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, e.Type)
	}
	if n := strings.Count(strings.Join(kinds, " "), registry.EventHeld); n != 3 {
		t.Errorf("%d holds are in the trace, want 3: %v", n, kinds)
	}
}

// TestPictureOfADryRun renders what would be there: the picture shows it, and the world does not have it.
func TestPictureOfADryRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := skilltest.New(t, func(w *world.World, a *agents.Agents) []registry.Skill {
			return slices.Concat(builders(w, a), picture.All(picture.Source{World: w}))
		})
		p := skilltest.Caller(t, "ann", skilltest.Builder)
		s.Must(t, p, "scene.createEntity", `{"color":255}`)
		const render = `{"skill":"scene.render","input":{"view":"front"},"as":"picture"}`
		look := func(input string) (registry.Result, []byte) {
			t.Helper()
			res := s.Registry.Invoke(context.Background(), &registry.Request{Name: "world.batch", Input: []byte(input), Principal: p}, nil)
			if res.Err != nil || len(res.Content) != 1 {
				t.Fatalf("%s: %v, %d contents", input, res.Err, len(res.Content))
			}
			if _, err := png.Decode(bytes.NewReader(res.Content[0].Data)); err != nil && res.Content[0].MIMEType == "image/png" {
				t.Fatal(err)
			}
			return res, res.Content[0].Data
		}
		before := s.World.Hash()
		_, now := look(`{"operations":[` + render + `]}`)
		ops := `{"skill":"scene.createEntity","input":{"position":[3,0,0],"color":16711680},"as":"new"},`
		would, then := look(`{"dryRun":true,"operations":[` + ops + render + `]}`)
		if s.World.Hash() != before {
			t.Fatal("the dry run changed the world")
		}
		var out struct {
			DryRun  bool
			Results []struct{ Result json.RawMessage }
		}
		if err := json.Unmarshal(would.Output, &out); err != nil || !out.DryRun || !strings.Contains(string(out.Results[1].Result), `"ent_1"`) {
			t.Errorf("%s, %v: want that ent_1 shows", would.Output, err)
		}
		if bytes.Equal(now, then) {
			t.Error("the picture of the dry run is that of the world as it is")
		}
		_, done := look(`{"operations":[` + ops + render + `]}`)
		if !bytes.Equal(then, done) {
			t.Error("the picture of the dry run is not that of what then is there")
		}
	})
}
