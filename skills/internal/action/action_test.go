package action_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limina-mcp/limina/profiles"
	"github.com/limina-mcp/limina/registry"
	"github.com/limina-mcp/limina/skills/audio"
	"github.com/limina-mcp/limina/skills/internal/action"
	"github.com/limina-mcp/limina/trace"
	"github.com/limina-mcp/limina/world"
)

// stage is a world in which a test does actions in a step.
type stage struct {
	t       *testing.T
	w       *world.World
	does    *action.Actions
	todo    func(tx *world.Tx)
	moments []string
	heard   []string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	w := world.New(world.Config{MaxEntities: 100})
	s := &stage{t: t, w: w, does: action.New(w, audio.New(w))}
	s.does.OnEmit(func(_ *world.Tx, e *action.Event) error {
		s.heard = append(s.heard, fmt.Sprintf("%s %s %s %d %s", e.Name, e.Entity, e.Data, e.Depth, e.By))
		return nil
	})
	w.OnStep("test", func(tx *world.Tx) error { s.todo(tx); return nil })
	t.Cleanup(w.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			s.moments = append(s.moments, fmt.Sprintf("%s %v%v %s", m.Kind, m.Placed, m.At, m.Payload))
		}
	}))
	return s
}

// step does actions in a step, and returns what viewers are told.
func (s *stage) step(c action.Cause, kept ...action.Kept) []string {
	s.t.Helper()
	s.moments, s.heard = nil, nil
	s.todo = func(tx *world.Tx) {
		for i := range kept {
			if _, err := s.does.Do(tx, &c, &kept[i]); err != nil {
				s.t.Error(err)
			}
		}
	}
	s.w.Step(s.t.Context())
	return s.moments
}

// TestNobody does actions that are about nobody and nowhere, as those of a cutscene are.
func TestNobody(t *testing.T) {
	s := newStage(t)
	got := s.step(
		action.Cause{Kind: "show", From: "here"},
		action.Kept{Type: "emit", Target: "begin", Data: registry.Object(`{"a":1}`), By: "ann"},
		action.Kept{Type: "custom", Target: "fade", By: "ann"},
		action.Kept{Type: "destroy", By: "ann"},
		action.Kept{Type: "setState", By: "ann"},
		action.Kept{Type: "spawn", By: "ann"},
		action.Kept{Type: "setState", Target: "ent_0", Data: registry.Object(`{"name":"it"}`), By: "ann"},
		action.Kept{Type: "audio", Data: registry.Object(`{"name":"gong"}`), By: "ann"},
	)
	want := []string{
		`show.emit false[0 0 0] {"event":"begin","by":"ann","data":{"a":1}}`,
		`show.custom false[0 0 0] {"target":"fade","by":"ann"}`,
		`show.failed false[0 0 0] {"type":"destroy","by":"ann","error":"it is about no entity: name one as the target of the action"}`,
		`show.failed false[0 0 0] {"type":"setState","by":"ann","error":"it is about no entity: name one as the target of the action"}`,
		`audio.playSFX false[0 0 0] {"handle":"snd_0","name":"gong","bus":"sfx","volume":0.8}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	s.w.View(func(v *world.View) {
		id, _ := world.ParseID("ent_0")
		if name := v.Name(id); name != "it" {
			t.Errorf("what was spawned is called %q", name)
		}
	})
}

// TestSomewhere does actions that are about nobody, at a place; their cause has something of its own to tell.
func TestSomewhere(t *testing.T) {
	s := newStage(t)
	got := s.step(
		action.Cause{Kind: "show", Head: struct {
			N int `json:"n"`
		}{7}, At: &world.Vec3{1, 2, 3}},
		action.Kept{Type: "custom", By: "ann"}, action.Kept{Type: "audio", Data: registry.Object(`{"name":"gong"}`), By: "ann"},
		action.Kept{Type: "spawn", By: "ann"},
	)
	want := []string{
		`show.custom true[1 2 3] {"n":7,"by":"ann"}`,
		`audio.playSFX true[1 2 3] {"handle":"snd_0","name":"gong","bus":"sfx","volume":0.8}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("viewers are told (-want +got):\n%s", diff)
	}
	s.w.View(func(v *world.View) {
		id, _ := world.ParseID("ent_0")
		if at, ok := v.Position(id); !ok || at != (world.Vec3{1, 2, 3}) {
			t.Errorf("what was spawned is at %v, %v", at, ok)
		}
	})
}

// TestChain counts the events that have led to an emit, and ends a chain.
func TestChain(t *testing.T) {
	s := newStage(t)
	emit := action.Kept{Type: "emit", Target: "next", By: "ann"}
	for _, depth := range []int{0, 7, action.MaxChain - 1} {
		s.step(action.Cause{Kind: "show", Depth: depth}, emit)
		if want := fmt.Sprintf("next %s  %d ann", world.ID(0), depth+1); len(s.heard) != 1 || s.heard[0] != want {
			t.Errorf("after %d events: %q, want %q", depth, s.heard, want)
		}
	}
	got := s.step(action.Cause{Kind: "show", Depth: action.MaxChain}, emit)
	if len(s.heard) != 0 || len(got) != 1 || !strings.Contains(got[0], "show.failed") || !strings.Contains(got[0], "64 events have led to one another") {
		t.Errorf("after %d events: %q, and viewers are told %q", action.MaxChain, s.heard, got)
	}
	// Who emits without an action begins anew.
	s.todo = func(tx *world.Tx) {
		if err := s.does.Emit(tx, action.Event{Name: "first", By: "bob"}); err != nil {
			t.Error(err)
		}
	}
	s.heard = nil
	if s.w.Step(t.Context()); len(s.heard) != 1 || !strings.HasSuffix(s.heard[0], " 0 bob") {
		t.Errorf("without an action: %q", s.heard)
	}
}

// TestOneBudget has two domains share what a step does. The first that is not done is told, and it alone.
// Somebody else's are done nevertheless.
func TestOneBudget(t *testing.T) {
	s := newStage(t)
	done := 0
	s.todo = func(tx *world.Tx) {
		for i := range action.MaxStep + 10 {
			c := action.Cause{Kind: []string{"left", "right"}[i%2]}
			more, err := s.does.Do(tx, &c, &action.Kept{Type: "custom", By: "ann"})
			if err != nil {
				t.Fatal(err)
			}
			if more {
				done++
			}
		}
		if _, err := s.does.Do(tx, &action.Cause{Kind: "other"}, &action.Kept{Type: "custom", By: "bob"}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		s.moments, done = nil, 0
		s.w.Step(t.Context())
		if n := len(s.moments); done != action.MaxStep+10 || n != action.MaxStep+2 || !strings.HasPrefix(s.moments[n-2], "left.failed") || !strings.HasPrefix(s.moments[n-1], "other.custom") {
			t.Errorf("%d moments told, the last %s", n, s.moments[n-2:])
		}
	}
}

// gate judges calls of test.judged.
type gate struct{}

func (gate) Judge(*registry.Pending) registry.Verdict { return registry.Verdict{} }

func (gate) Concerns(k *registry.Info, _ *profiles.Principal) bool { return k.Name == "test.judged" }

// check has somebody who may do so much attach an action, in a world that has the skills test.free and test.judged.
func check(t *testing.T, a action.Action, may ...profiles.Permission) error {
	t.Helper()
	r := registry.New(registry.Options{Trace: trace.New(trace.Options{}), Gate: gate{}})
	for _, name := range []string{"test.free", "test.judged"} {
		err := r.Register(registry.Define(registry.Spec[struct{}, struct{}]{
			Name: name, Description: "Do nothing.", Permissions: []profiles.Permission{profiles.Anyone}, Effect: registry.Writes,
			Handle: func(*registry.Call, struct{}) (struct{}, error) { return struct{}{}, nil },
		}))
		if err != nil {
			t.Fatal(err)
		}
	}
	err := r.Register(registry.Define(registry.Spec[struct{}, struct{}]{
		Name: "test.attach", Description: "Attach the action.", Permissions: []profiles.Permission{profiles.Anyone},
		Handle: func(c *registry.Call, _ struct{}) (struct{}, error) {
			k := a.Keep(c.Principal())
			if diff := cmp.Diff(a, k.Action()); diff != "" || k.By != "ann" {
				t.Errorf("kept by %s (-attached +shown):\n%s", k.By, diff)
			}
			return struct{}{}, a.Check(world.New(world.Config{}), c)
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = registry.Invoke[struct{}, struct{}](t.Context(), r, &profiles.Principal{ID: "ann", Grants: profiles.Grant(may...)}, "test.attach", struct{}{})
	return err
}

// TestKeep keeps what was attached, and shows it.
func TestKeep(t *testing.T) {
	for _, a := range []action.Action{
		{Type: "emit", Target: "x", Data: registry.Object(`{}`)},
		{Type: "audio", Data: registry.Object(`{"name":"x"}`)},
	} {
		if err := check(t, a, "event.write", "audio.play"); err != nil {
			t.Error(err)
		}
		if err := check(t, a, "event.read"); err == nil {
			t.Errorf("%s may be attached without its permission", a.Type)
		}
	}
}

// TestReviewed attaches calls of what is reviewed and what is not.
func TestReviewed(t *testing.T) {
	if err := check(t, action.Action{Type: "call", Target: "test.free", Data: registry.Object(`{}`)}); err != nil {
		t.Error(err)
	}
	err := check(t, action.Action{Type: "call", Target: "test.judged", Data: registry.Object(`{}`)})
	if want := "action.target: your calls of test.judged are reviewed, and nobody could do that later"; fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestWhatActionsChange: what a group has below it counts, also where it has the colour already; and what is too large for a step is not changed.
func TestWhatActionsChange(t *testing.T) {
	w := world.New(world.Config{})
	s := &stage{t: t, w: w, does: action.New(w, audio.New(w))}
	var group, town world.ID
	if _, err := w.Update(t.Context(), func(tx *world.Tx) (err error) {
		if group, err = tx.Create(world.Spec{}); err != nil {
			return err
		}
		if town, err = tx.Create(world.Spec{}); err != nil {
			return err
		}
		for i := range action.MaxParts + 1 {
			id, err := tx.Create(world.Spec{})
			if err != nil {
				return err
			}
			if err := w.Shapes.Set(tx, id, world.Shape{Kind: "box"}); err != nil {
				return err
			}
			below := town
			if i < 400 {
				below = group
			}
			if err := tx.SetParent(id, below); err != nil {
				return err
			}
		}
		extra, err := tx.Create(world.Spec{})
		if err != nil {
			return err
		}
		for range 400 {
			id, err := tx.Create(world.Spec{})
			if err != nil {
				return err
			}
			if err := tx.SetParent(id, town); err != nil {
				return err
			}
		}
		return tx.SetParent(extra, town)
	}); err != nil {
		t.Fatal(err)
	}
	failed := 0
	t.Cleanup(w.Observe(func(c *world.Commit) {
		for _, m := range c.Moments {
			if m.Kind == "show.failed" {
				failed++
			}
		}
	}))
	w.OnStep("test", func(tx *world.Tx) error { s.todo(tx); return nil })
	for _, tt := range []struct {
		name         string
		target       world.ID
		data         string
		tries, fails int
	}{
		{"a group that is painted, 400 parts each", group, `{"color":%d}`, action.MaxStep / (1 + 100 + 100) * 2, 1},
		{"… to what it is already", group, `{"color":7}`, action.MaxStep / (1 + 100), 0},
		{"… some more", group, `{"color":7}`, 2 * action.MaxStep / (1 + 100), 1},
		{"a group that is moved", group, `{"position":[%d,0,0]}`, action.MaxStep / (1 + 100) * 2, 1},
		{"what is too large", town, `{"color":%d}`, 1, 1},
	} {
		failed = 0
		s.todo = func(tx *world.Tx) {
			for i := range tt.tries {
				data := tt.data
				if strings.Contains(data, "%") {
					data = fmt.Sprintf(data, 8+i+int(tx.Step()))
				}
				if _, err := s.does.Do(tx, &action.Cause{Kind: "show"}, &action.Kept{Type: "setState", Target: tt.target.String(), Data: registry.Object(data), By: "ann"}); err != nil {
					t.Error(err)
				}
			}
		}
		if w.Step(t.Context()); failed != tt.fails {
			t.Errorf("%s: %d times somebody was told that something was not done, want %d", tt.name, failed, tt.fails)
		}
	}
}
